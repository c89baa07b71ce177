"""Heads side by side, and their outputs added up (chapter 9)."""

from course_lib.figures.drawn.drawing import Drawing
from course_lib.figures.drawn.parts import Arrow, Box, Cells, Gate, Label, Part

_HEADS = (70.0, 180.0, 290.0)
_MIDDLE = 180.0
_INPUT, _HEAD, _FOUND, _OUT, _SUM, _END = 46.0, 108.0, 166.0, 222.0, 280.0, 332.0


def several_heads() -> Drawing:
    """Three heads look, each in a narrow space of its own; each has a map back; they add up."""
    parts: list[Part] = [
        Cells(_MIDDLE, _INPUT, "source", 6),
        Label("the sentence", _MIDDLE, 22, "source"),
    ]
    for h, x in enumerate(_HEADS, start=1):
        parts += [
            Arrow([(_MIDDLE, _INPUT + 9), (x, _HEAD - 15)], "source"),
            Box(f"head {h}", x, _HEAD, 84, "weight"),
            Arrow([(x, _HEAD + 15), (x, _FOUND - 9)], "context"),
            Cells(x, _FOUND, "context", 2),
            Arrow([(x, _FOUND + 9), (x, _OUT - 15)], "context"),
            Box(f"$O_{h}$", x, _OUT, 56, "value"),
            Arrow([(x, _OUT + 15), (_MIDDLE + 0.1 * (x - _MIDDLE), _SUM - 12)], "value"),
        ]
    parts += [
        Gate("+", _MIDDLE, _SUM, "ink"),
        Arrow([(_MIDDLE, _SUM + 12), (_MIDDLE, _END - 9)]),
        Cells(_MIDDLE, _END, "ink", 6),
        Label("what comes out", _MIDDLE, _END + 28),
    ]
    return Drawing(
        "several_heads",
        "Three heads side by side, each with a map of its own, added up",
        "The sentence goes into head 1, head 2 and head 3. Each gives a short vector, its "
        "context. Each short vector goes through a map of its own, O 1, O 2 and O 3, which makes "
        "it as wide as the sentence's vectors. The three are added up, and that comes out.",
        360,
        376,
        parts,
    )
