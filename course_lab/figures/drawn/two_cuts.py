"""What the first of several heads holds: cut along the numbers, and along the words (chapter 9)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import CELL, Cells, Label, Number, Part

WORDS = ("Paul", "sees", "the", "dog")
HEADS, WIDTH = 4, 8
_OWN = WIDTH // HEADS
_TOP, _ROW = 60, 18
_LEFTS = {"coordinates": 66, "words": 226}
"""Where the first number of a word stands in each panel."""


def held() -> dict[str, set[tuple[int, int]]]:
    """For each cut the numbers that head 1 holds, as (word, number)."""
    count = len(WORDS)
    return {
        "coordinates": {(row, column) for row in range(count) for column in range(_OWN)},
        # The first quarter in the order of memory.
        "words": {divmod(place, WIDTH) for place in range(count * WIDTH // HEADS)},
    }


def two_cuts() -> Drawing:
    """Two tables, a row a word; the numbers of the first head stand out."""
    parts: list[Part] = []
    for title, cut in (("cut: coordinates", "coordinates"), ("slip: words", "words")):
        left = _LEFTS[cut]
        parts.append(Label(title, left + WIDTH * CELL / 2, 20))
        parts.append(Label("head 1", left, _TOP - 16, "weight", "start"))
        parts += _table(left, held()[cut])
    for row, word in enumerate(WORDS):
        parts.append(Label(word, 54, _TOP + _ROW * row + 5, "source", "end"))
    return Drawing(
        "two_cuts",
        "What the first of four heads holds, cut rightly and wrongly",
        "Two tables of four words, Paul, sees, the, dog, with eight numbers each. In the left one "
        "head 1 holds the first two numbers of every word. In the right one it holds all eight "
        "numbers of the first word, and none of another.",
        _TOP + _ROW * len(WORDS),
        parts,
    )


def _table(left: Number, own: set[tuple[int, int]]) -> list[Part]:
    """The numbers in pairs, as wide as a head is."""
    return [
        Cells(
            left + (pair + 0.5) * _OWN * CELL,
            _TOP + _ROW * row,
            "weight" if (row, pair * _OWN) in own else "muted",
            _OWN,
        )
        for row in range(len(WORDS))
        for pair in range(WIDTH // _OWN)
    ]
