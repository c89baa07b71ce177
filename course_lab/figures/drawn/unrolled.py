"""A recurrent net as a loop, and the same net written out (chapter 1)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Label, Part

_LOOP, _CHAIN = 66.0, 190.0
_COLUMNS = {"dog": 112.0, "sees": 200.0, "cat": 288.0}
_WIDE = 48.0


def unrolled() -> Drawing:
    """One cell whose state goes back into it; below, one layer a word, the same weights in each."""
    return Drawing(
        "unrolled",
        "A recurrent net as a loop, and unrolled",
        "Above, one cell: a tanh reads the word x j through W ih, and through W hh its own state, "
        "which goes round a loop; out comes h j. Below, the loop is written out: from h 0, which "
        "is zero, a layer reads dog and gives h 1, the next reads sees and gives h 2, the third "
        "reads cat and gives h 3. Each layer has the same W ih and W hh.",
        266,
        [*_folded(), *_written_out()],
    )


def _folded() -> list[Part]:
    x, half = 180.0, _WIDE / 2
    return [
        Label("a loop", 2, _LOOP + 5, "muted", "start"),
        Arrow(
            [
                (x + half, _LOOP),
                (x + 56, _LOOP),
                (x + 56, 26),
                (x - 56, 26),
                (x - 56, _LOOP),
                (x - half, _LOOP),
            ],
            "state",
        ),
        Arrow([(x + 56, _LOOP), (x + 96, _LOOP)], "state"),
        Label("$h_j$", x + 112, _LOOP + 5, "state"),
        Label("$W_{hh}$", x, 18, "ink"),
        Arrow([(x, 108), (x, _LOOP + 14)], "source"),
        Label("$W_{ih}$", x + 8, 99, "ink", "start"),
        Label("$x_j$", x, 124, "source"),
        Box("tanh", x, _LOOP, _WIDE),
    ]


def _written_out() -> list[Part]:
    half = _WIDE / 2
    parts: list[Part] = [
        Label("unrolled", 2, _CHAIN - 34, "muted", "start"),
        Label("$h_0$ = 0", 28, _CHAIN + 5, "state"),
    ]
    before = 54.0
    for number, (word, x) in enumerate(_COLUMNS.items(), start=1):
        middle = x + 44 if x < max(_COLUMNS.values()) else x + 46
        parts += [
            Arrow([(before, _CHAIN), (x - half, _CHAIN)], "state"),
            Label("$W_{hh}$", (before + x - half) / 2 - 2, _CHAIN + 20, "ink"),
            Label(f"$h_{number}$", middle, _CHAIN - 9, "state"),
            Arrow([(x, _CHAIN + 52), (x, _CHAIN + 14)], "source"),
            Label("$W_{ih}$", x + 6, _CHAIN + 42, "ink", "start"),
            Label(word, x, _CHAIN + 68, "source"),
            Box("tanh", x, _CHAIN, _WIDE),
        ]
        before = x + half
    return [*parts, Arrow([(before, _CHAIN), (356, _CHAIN)], "state")]
