"""Self-attention as tables of numbers: what has a row for each word, and how wide (chapter 8)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import CELL, Arrow, Box, Gate, Label, Number, Part, table

WORDS = ("dog", "puppy", "barks")
D, D_K, D_V = 4, 2, 2
"""Numbers a word, a query and a value, as drawn."""
_MIDDLE = 180
_PLACES = {"Q": 70, "K": 180, "V": 290}
_ROLES = {"Q": "query", "K": "key", "V": "value"}
_INPUT, _MAP, _MADE, _WEIGHTS, _TIMES, _END = 58, 124, 192, 286, 340, 398
_HIGH = len(WORDS) * CELL / 2


def three_maps() -> Drawing:
    """X at the top, its three images, the square of weights, and the average below."""
    parts: list[Part] = [
        *_table(_MIDDLE, _INPUT, D, "source", "", "$n$ × $d_{model}$"),
        Label("$X$", _MIDDLE, _INPUT - _HIGH - 10, "source"),
    ]
    for row, word in enumerate(WORDS):
        left = _MIDDLE - D * CELL / 2 - 8
        parts.append(Label(word, left, _INPUT + (row - 1) * CELL + 4, "source", "end"))
    for name, x in _PLACES.items():
        role, width = _ROLES[name], D_V if name == "V" else D_K
        parts += [
            Arrow([(_MIDDLE, _INPUT + _HIGH + 2), (x, _MAP - 16)], "source"),
            Box(f"$W_{name}$", x, _MAP, 56, role),
            Arrow([(x, _MAP + 15), (x, _MADE - _HIGH - 2)], role),
            *_table(x, _MADE, width, role, f"${name}$", f"$n$ × $d_{'v' if name == 'V' else 'k'}$"),
        ]
    square = (_PLACES["Q"] + _PLACES["K"]) / 2
    for name, aside in (("Q", -6), ("K", 6)):
        ends = [(_PLACES[name], _MADE + _HIGH + 2), (square + aside, _WEIGHTS - _HIGH - 2)]
        parts.append(Arrow(ends, _ROLES[name]))
    parts += [
        *_table(square, _WEIGHTS, len(WORDS), "weight", "", "$n$ × $n$"),
        Label("softmax of", square - 29, _WEIGHTS - 4, "weight", "end"),
        Label("$QKᵀ$ / √$d_k$", square - 29, _WEIGHTS + 15, "weight", "end"),
        Arrow([(square + 6, _WEIGHTS + _HIGH + 2), (_MIDDLE - 10, _TIMES - 5)], "weight"),
        Arrow([(_PLACES["V"], _MADE + _HIGH + 2), (_MIDDLE + 9, _TIMES - 8)], "value"),
        Gate("×", _MIDDLE, _TIMES, "context", 10),
        Arrow([(_MIDDLE, _TIMES + 11), (_MIDDLE, _END - _HIGH - 2)], "context"),
        *_table(_MIDDLE, _END, D_V, "context", "$C$", "$n$ × $d_v$"),
    ]
    return Drawing(
        "three_maps",
        "Self-attention as tables of numbers",
        "A table X with a row of d model numbers for each of n words goes through three matrices. "
        "W Q and W K make the queries Q and the keys K, rows of d k numbers, and W V makes the "
        "values V, rows of d v numbers. Q times K transposed over the root of d k, through the "
        "softmax, is a square of weights, n by n. It times V is C, again rows of d v numbers.",
        _END + _HIGH + 8,
        parts,
    )


def _table(x: Number, y: Number, width: int, role: str, name: str, shape: str) -> list[Part]:
    """A row of cells for each word, its name at the left, its shape at the right."""
    beside = width * CELL / 2 + 8
    names = [Label(name, x - beside, y + 5, role, "end")] if name else []
    rows = table(x, y, role, width, len(WORDS))
    return [*rows, *names, Label(shape, x + beside, y + 5, role, "start")]
