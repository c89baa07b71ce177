"""Three sentence pairs in which every word may have been written by every other (chapter 3)."""

from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.parts import Arrow, Part, words_at

PAIRS = (
    (("he", "laughs"), ("er", "lacht")),
    (("she", "laughs"), ("sie", "lacht")),
    (("today", "he", "waits"), ("heute", "wartet", "er")),
)
_LEFTS, _APART, _TOP, _BOTTOM = (30.0, 140.0, 250.0), 46.0, 20.0, 112.0


def three_pairs() -> Drawing:
    """English above, German below, and a thin line from each word to each."""
    ways: list[Part] = []
    words: list[Part] = []
    for left, (source, target) in zip(_LEFTS, PAIRS, strict=True):
        tops, bottoms = ([left + _APART * k for k in range(len(side))] for side in (source, target))
        ways += [
            Arrow([(x, _TOP + 8), (u, _BOTTOM - 16)], "muted", 1.4, head=False)
            for x in tops
            for u in bottoms
        ]
        words += words_at(source, tops, _TOP, "source")
        words += words_at(target, bottoms, _BOTTOM, "target")
    told = "; ".join(f"“{' '.join(source)}” above “{' '.join(target)}”" for source, target in PAIRS)
    return Drawing(
        "three_pairs",
        "Three sentence pairs, and every link that is possible",
        f"English sentences with their German translations: {told}. In each pair an equal line "
        "joins each English word with each German word.",
        _BOTTOM + 8,
        [*ways, *words],
    )
