"""Sentence pairs with their gold word alignment."""

from collections.abc import Sequence
from dataclasses import dataclass

Link = tuple[int, int]
"""(source position, target position), both counted from 0."""


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A sentence, its translation and the word links an annotator would draw.

    Attributes:
        source: the words of the source sentence.
        target: the words of its translation.
        sure: links that any annotator would draw.
        possible: links that are acceptable, the sure ones among them (Och & Ney 2000).
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[Link] = frozenset()
    possible: frozenset[Link] = frozenset()

    def turned(self) -> "AlignedPair":
        """The same pair read from the other language."""
        sure, possible = (
            frozenset((j, i) for i, j in links) for links in (self.sure, self.possible)
        )
        return AlignedPair(self.target, self.source, sure, possible)

    def __post_init__(self) -> None:
        if not self.sure <= self.possible:
            extra = sorted(self.sure - self.possible)
            raise ValueError(f"each sure link must also be possible; {extra} are not")
        for i, j in self.possible:
            if not (0 <= i < len(self.source) and 0 <= j < len(self.target)):
                raise ValueError(
                    f"link ({i}, {j}) points outside a pair of "
                    f"{len(self.source)} and {len(self.target)} words"
                )


Side = str | Sequence[str]
"""A sentence: plain text, or a list of words."""

Pair = AlignedPair | tuple[Side, Side]
"""A sentence pair with its alignment, or just its two sides."""


def sides(pair: Pair) -> tuple[Side, Side]:
    """Source and target of a pair, with or without an alignment."""
    return (pair.source, pair.target) if isinstance(pair, AlignedPair) else pair
