"""The GRU as a road with a gate on it (chapter 1)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Box, Gate, Label, Part

_ROAD, _GATES, _LAYER, _WORD = 44.0, 124.0, 194.0, 246.0
_KEEP, _REPLACE, _RESET = 92.0, 182.0, 292.0


def gru_road() -> Drawing:
    """The state itself is the road; what z does not keep is replaced by the candidate."""
    return Drawing(
        "gru_road",
        "The GRU's state is a road with a gate",
        "A thick arrow, the road, leads from h j minus 1 to h j. On it stand two signs: times, "
        "where the update gate z says how much is kept, and plus, where 1 minus z times the "
        "candidate n is added. The reset gate r leads into the candidate: it says how much of "
        "the old state the candidate sees. Below lie the layers with the weights W ih and W hh. "
        "They read x j and h j minus 1 and make z, n and r.",
        260,
        [*_road(), *_gates(), *_layers()],
    )


def _road() -> list[Part]:
    return [
        Label("$h_{j-1}$", 24, _ROAD + 5, "state"),
        Arrow([(48, _ROAD), (_KEEP - 11, _ROAD)], "state", 5),
        Gate("×", _KEEP, _ROAD, "weight"),
        Arrow([(_KEEP + 11, _ROAD), (_REPLACE - 11, _ROAD)], "state", 5),
        Gate("+", _REPLACE, _ROAD),
        Arrow([(_REPLACE + 11, _ROAD), (316, _ROAD)], "state", 5),
        Label("$h_j$", 337, _ROAD + 5, "state"),
    ]


def _gates() -> list[Part]:
    ways: list[Part] = []
    for text, x, wide, word in (
        ("$z$", _KEEP, 36, "keep"),
        ("(1 − $z$) ⊙ $n$", _REPLACE, 92, "replace"),
    ):
        ways += [
            Arrow([(x, _GATES - 14), (x, _ROAD + 11)], "weight"),
            Label(word, x + 7, _GATES - 32, "muted", "start"),
            Box(text, x, _GATES, wide, "weight"),
        ]
    return [
        *ways,
        Box("$r$", _RESET, _GATES, 36, "weight"),
        Arrow([(_RESET - 18, _GATES), (_REPLACE + 46, _GATES)], "weight"),
        Label("see", (_RESET + _REPLACE) / 2 + 14, _GATES + 19, "muted"),
    ]


def _layers() -> list[Part]:
    return [
        Label("$h_{j-1}$", 24, _LAYER + 5, "state"),
        Arrow([(48, _LAYER), (70, _LAYER)], "state"),
        *(Arrow([(x, _LAYER - 14), (x, _GATES + 14)], "weight") for x in (_KEEP, _REPLACE, _RESET)),
        Box("$W_{ih}$, $W_{hh}$, σ and tanh", 192, _LAYER, 240),
        Arrow([(192, _WORD - 16), (192, _LAYER + 14)], "source"),
        Label("$x_j$", 192, _WORD, "source"),
    ]
