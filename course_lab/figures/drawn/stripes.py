"""Gluing heads together and multiplying once is adding up a product for each (chapter 9)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import CELL, Box, Cells, Gate, Label, Part

_HEADS = 3
_WIDE, _HIGH = 84.0, 28.0
_GLUED, _MATRIX, _APART, _ONE = 46.0, 152.0, 238.0, 314.0
"""From the left: the heads, the matrix, one head again, its stripe of the matrix."""
_MIDDLE, _DOWN = 90.0, 56.0


def stripes() -> Drawing:
    """At the left a row of heads times one matrix in stripes, at the right three products added."""
    parts: list[Part] = [
        Label("heads", _GLUED, _MIDDLE - 33, "context"),
        Label("side by side", _GLUED, _MIDDLE - 17, "context"),
        Label("$Wᴼ$", _MATRIX, _MIDDLE - 1.5 * _HIGH - 12, "value"),
        Label("×", 99, _MIDDLE + 5),
    ]
    for h in range(_HEADS):
        x = _GLUED + (h - 1) * 2 * CELL
        y = _MIDDLE + (h - 1) * _DOWN
        parts += [
            Cells(x, _MIDDLE, "context", 2),
            Label(f"{h + 1}", x, _MIDDLE + 26, "context"),
            Box(f"$O_{h + 1}$", _MATRIX, _MIDDLE + (h - 1) * _HIGH, _WIDE, "value", _HIGH),
            Cells(_APART, y, "context", 2),
            Label(f"{h + 1}", _APART, y + 24, "context"),
            Label("×", 262, y + 5),
            Box(f"$O_{h + 1}$", _ONE, y, _WIDE, "value", _HIGH),
        ]
        if h:
            parts.append(Label("+", _ONE, y - _DOWN / 2 + 5))
    parts.append(Gate("=", 209, _MIDDLE, "ink", 9))
    return Drawing(
        "stripes",
        "One matrix for all heads is one matrix for each, and a sum",
        "At the left, the short vectors of heads 1, 2 and 3 side by side, times the matrix W O, "
        "whose rows fall into three stripes O 1, O 2 and O 3. At the right, the same as a sum: "
        "head 1 times O 1, plus head 2 times O 2, plus head 3 times O 3.",
        180,
        parts,
    )
