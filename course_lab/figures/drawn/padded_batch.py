"""Three documents in one block of numbers, and the sentences that are read of it (chapter 6c)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import CELL, Arrow, Cells, Label, Part

LENGTHS = ((5, 3, 4), (2,), (4, 5))
"""Words of each sentence of each document."""
SENTENCES = max(map(len, LENGTHS))
WORDS = max(max(document) for document in LENGTHS)
_LEFT, _RIGHT, _TOP, _ROW, _APART = 88.0, 262.0, 52.0, 19.0, 14.0


def padded_batch() -> Drawing:
    """At the left the batch, (B, N, S), padding hollow; at the right the real sentences alone."""
    parts: list[Part] = [
        Label("the batch", _LEFT, 20, "ink", "start"),
        Label(f"({len(LENGTHS)}, {SENTENCES}, {WORDS})", _LEFT, 38, "muted", "start"),
        Label("read at once", _RIGHT, 20, "ink", "start"),
        Label(f"({sum(map(len, LENGTHS))}, {WORDS})", _RIGHT, 38, "muted", "start"),
    ]
    real = 0
    for number, document in enumerate(LENGTHS):
        top = _TOP + number * (SENTENCES * _ROW + _APART) + CELL / 2
        middle = top + (SENTENCES - 1) * _ROW / 2
        parts.append(Label(f"document {number + 1}", 2, middle + 4, "ink", "start"))
        for place in range(SENTENCES):
            y = top + place * _ROW
            length = document[place] if place < len(document) else 0
            parts += _sentence(_LEFT, y, length)
            if length:
                # The rows at the right stand as close as those of one document at the left.
                other = _TOP + CELL / 2 + (real + 1.5) * _ROW
                parts += _sentence(_RIGHT, other, length)
                way = [(_LEFT + WORDS * CELL + 4, y), (_RIGHT - 4, other)]
                parts.append(Arrow(way, "source", 1.2))
                real += 1
    bottom = _TOP + len(LENGTHS) * (SENTENCES * _ROW + _APART)
    told = "; ".join(
        f"document {n} has {len(document)}, of {', '.join(map(str, document))} words"
        for n, document in enumerate(LENGTHS, start=1)
    )
    return Drawing(
        "padded_batch",
        "A batch of documents, and the real sentences in it",
        f"At the left a block of {len(LENGTHS)} documents, each of {SENTENCES} rows of {WORDS} "
        f"cells. Filled cells are real words. Sentences: {told}. All other cells are padding, and "
        f"a row of padding alone is no sentence. Arrows lead from each of the {real} real "
        "sentences to a row of its own at the right, where they are read at once. No arrow leaves "
        "a padding sentence.",
        bottom - 4,
        parts,
        width=352,
    )


def _sentence(left: float, y: float, length: int) -> list[Part]:
    """A row of cells: real words, then padding."""
    cells: list[Part] = []
    if length:
        cells.append(Cells(left + length * CELL / 2, y, "source", length))
    if rest := WORDS - length:
        cells.append(Cells(left + (length + rest / 2) * CELL, y, "rule", rest))
    return cells
