"""Gluing heads together and multiplying once is adding up a product for each (chapter 9)."""

from course_lib.figures.drawn.drawing import Drawing
from course_lib.figures.drawn.parts import CELL, Box, Cells, Gate, Label, Part

_HEADS = 3
_WIDE, _HIGH = 84.0, 28.0
_GLUED, _MATRIX, _UPPER = 92.0, 250.0, 82.0
_LOWER = 180.0


def stripes() -> Drawing:
    """Above a row of heads times one matrix in stripes, below a sum of three products."""
    parts: list[Part] = [
        Label("glued together", _GLUED, 28, "context"),
        Label("$Wᴼ$", _MATRIX, 28, "value"),
        Label("×", 170, _UPPER + 5),
    ]
    third = 350 / _HEADS
    for h in range(_HEADS):
        x = _GLUED + (h - 1) * 2 * CELL
        y = _UPPER + (h - 1) * _HIGH
        middle = third * (h + 0.5)
        parts += [
            Cells(x, _UPPER, "context", 2),
            Label(f"{h + 1}", x, _UPPER + 26, "context"),
            Box(f"$O_{h + 1}$", _MATRIX, y, _WIDE, "value", _HIGH),
            Cells(middle - 34, _LOWER, "context", 2),
            Label(f"{h + 1}", middle - 34, _LOWER + 26, "context"),
            Label("×", middle - 12, _LOWER + 5),
            Box(f"$O_{h + 1}$", middle + 20, _LOWER, 44, "value", _HIGH),
        ]
        if h:
            parts.append(Label("+", third * h + 1, _LOWER + 5))
    parts.append(Gate("=", 175, 138, "ink", 10))
    return Drawing(
        "stripes",
        "One matrix for all heads is one map for each, and a sum",
        "Above, the short vectors of heads 1, 2 and 3 glued together, times the matrix W O, "
        "whose rows fall into three stripes O 1, O 2 and O 3. Below, the same as a sum: head 1 "
        "times O 1, plus head 2 times O 2, plus head 3 times O 3.",
        350,
        222,
        parts,
    )
