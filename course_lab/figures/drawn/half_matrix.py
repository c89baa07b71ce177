"""G's first matrix in two halves, and what is left when the second is zero (chapter 7)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Box, Cells, Label

_SIDE, _MIDDLE, _LEFT = 84.0, 78.0, 14.0
_VECTOR, _RESULT = 208.0, 282.0


def half_matrix() -> Drawing:
    """W is W1 beside W2; it multiplies a word above what the word found; W2 is zero."""
    quarter = _SIDE / 4
    return Drawing(
        "half_matrix",
        "Half of a matrix is set to zero",
        "The matrix W is two squares side by side, W 1 and, in grey, W 2 = 0. It multiplies a "
        "column: above the word's vector a i, below, in the way of W 2, beta i, what the word "
        "found. The product is W 1 times a i; nothing of beta i is left in it.",
        132,
        [
            Label("$W$", _LEFT + _SIDE, 22, "ink"),
            Box("$W_1$", _LEFT + _SIDE / 2, _MIDDLE, _SIDE, "ink", _SIDE),
            Box("$W_2$ = 0", _LEFT + 1.5 * _SIDE, _MIDDLE, _SIDE, "muted", _SIDE),
            Cells(_VECTOR, _MIDDLE - quarter, "source", upright=True),
            Cells(_VECTOR, _MIDDLE + quarter, "context", upright=True),
            Label("$a_i$", _VECTOR + 14, _MIDDLE - quarter + 5, "source", "start"),
            Label("$β_i$", _VECTOR + 14, _MIDDLE + quarter + 5, "context", "start"),
            Label("=", (_VECTOR + _RESULT) / 2 + 8, _MIDDLE + 5, "ink"),
            Cells(_RESULT, _MIDDLE, "source", upright=True),
            Label("$W_1$ $a_i$", _RESULT + 13, _MIDDLE + 5, "source", "start"),
        ],
        width=350,
    )
