"""Who may look at whom: the three uses of attention in the Transformer (chapter 10)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import CELL, Cells, Label, Number, Part

_HIGH, _TOP, _WORDS = 190, 76, 5
_USES = (
    ("encoder", "self", "source", "source", (4, 4, 4, 4, 4)),
    ("decoder", "masked self", "target", "target", (1, 2, 3, 4, 5)),
    ("decoder", "cross", "target", "source", (4, 4, 4, 4, 4)),
)
"""Where, which, who asks, who is asked, and how many of five words each of five words may see."""


def three_uses() -> Drawing:
    """Three masks beside each other: queries down, keys across; what is hidden is grey."""
    parts: list[Part] = []
    for place, use in enumerate(_USES):
        parts += _mask(70 + 116 * place, *use)
    return Drawing(
        "three_uses",
        "Who may look at whom in the three uses of attention",
        "Three masks of five by five, queries down and keys across; what is hidden is grey. In "
        "the encoder each source word asks all real words of the source; the fifth, padding, is "
        "hidden. In the decoder's masked self-attention the first target word sees itself, the "
        "second two words, and so on to five: a triangle. In the decoder's cross-attention each "
        "target word asks all real words of the source.",
        _HIGH,
        parts,
    )


def _mask(
    middle: Number, where: str, which: str, asks: str, asked: str, seen: tuple[int, ...]
) -> list[Part]:
    left = middle - _WORDS * CELL / 2
    parts: list[Part] = [
        Label(where, middle, 16),
        Label(which, middle, 33, "weight"),
        Label(f"{asked} is asked", middle, 52, asked),
        Label(f"{asks} asks", middle, _TOP + _WORDS * (CELL + 3) + 20, asks),
    ]
    # The source has four words and padding; a target may have five.
    for word in range(_WORDS):
        name = "–" if asked == "source" and word == _WORDS - 1 else str(word + 1)
        parts.append(Label(name, left + (word + 0.5) * CELL, _TOP - 6, asked))
    for row, count in enumerate(seen):
        y, hidden = _TOP + CELL / 2 + row * (CELL + 3), _WORDS - count
        name = "–" if asks == "source" and row == _WORDS - 1 else str(row + 1)
        parts.append(Label(name, left - 8, y + 4.5, asks))
        parts.append(Cells(left + count * CELL / 2, y, "weight", count))
        if hidden:
            parts.append(Cells(left + (count + hidden / 2) * CELL, y, "rule", hidden))
    return parts
