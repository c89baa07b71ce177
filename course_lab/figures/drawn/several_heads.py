"""Heads side by side, and their outputs added up (chapter 9)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import CELL, Arrow, Box, Gate, Label, Part, table

WORDS = ("dog", "sees", "cat")
HEADS, WIDTH = 3, 6
"""Heads, and numbers a word, as drawn: a head is `WIDTH / HEADS` wide."""
_APART, _MIDDLE = 110.0, 190.0
_INPUT, _HEAD, _FOUND, _OUT, _SUM, _END = 50.0, 128.0, 196.0, 264.0, 322.0, 384.0
_HIGH = len(WORDS) * CELL / 2


def several_heads() -> Drawing:
    """Three heads attend, each in a narrow space of its own; a matrix of its own leads back."""
    parts: list[Part] = [
        *table(_MIDDLE, _INPUT, "source", WIDTH, len(WORDS)),
        Label("the sentence", _MIDDLE, _INPUT - _HIGH - 10, "source"),
    ]
    for row, word in enumerate(WORDS):
        y = _INPUT + (row - 1) * CELL + 4
        parts.append(Label(word, _MIDDLE - WIDTH * CELL / 2 - 8, y, "source", "end"))
    for h in range(1, HEADS + 1):
        x = _MIDDLE + (h - 2) * _APART
        parts += [
            Arrow([(_MIDDLE, _INPUT + _HIGH + 2), (x, _HEAD - 15)], "source"),
            Box(f"head {h}", x, _HEAD, 84, "weight"),
            Arrow([(x, _HEAD + 15), (x, _FOUND - _HIGH - 2)], "context"),
            *table(x, _FOUND, "context", WIDTH // HEADS, len(WORDS)),
            Arrow([(x, _FOUND + _HIGH + 2), (x, _OUT - 15)], "context"),
            Box(f"$O_{h}$", x, _OUT, 84, "value"),
            Arrow([(x, _OUT + 15), (_MIDDLE + 0.1 * (x - _MIDDLE), _SUM - 12)], "value"),
        ]
    parts += [
        Gate("+", _MIDDLE, _SUM, "ink"),
        Arrow([(_MIDDLE, _SUM + 12), (_MIDDLE, _END - _HIGH - 2)]),
        *table(_MIDDLE, _END, "ink", WIDTH, len(WORDS)),
        Label("what comes out", _MIDDLE, _END + _HIGH + 18),
    ]
    return Drawing(
        "several_heads",
        "Three heads side by side, each with a matrix of its own, added up",
        "The sentence, a row of six numbers for each of three words, goes into head 1, head 2 and "
        "head 3. Each gives rows of two numbers, its contexts, one for each word. Each head has a "
        "matrix of its own, O 1, O 2 or O 3, which makes its rows as wide as the sentence's. The "
        "sum of the three comes out: again a row of six numbers for each word.",
        _END + _HIGH + 26,
        parts,
    )
