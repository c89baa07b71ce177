"""Sentence pairs with their gold word alignment."""

from collections.abc import Sequence
from dataclasses import dataclass

Link = tuple[int, int]
"""(source position, target position), both counted from 0."""

Side = str | Sequence[str]
"""A sentence: plain text, or a list of words."""


def words_of(sentence: Side) -> tuple[str, ...]:
    """Return the words of a sentence; plain text is split at white space, and nowhere else."""
    return tuple(sentence.split() if isinstance(sentence, str) else sentence)


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """A sentence, its translation and the word links an annotator would draw.

    Either side may be given as plain text, which is split at white space (`words_of`).

    Attributes:
        sure: links that any annotator would draw.
        possible: links that are acceptable, the sure ones among them (Och & Ney 2000).
    """

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[Link] = frozenset()
    possible: frozenset[Link] = frozenset()

    def turned(self) -> "AlignedPair":
        """Return the pair with source and target exchanged."""
        sure, possible = (
            frozenset((j, i) for i, j in links) for links in (self.sure, self.possible)
        )
        return AlignedPair(self.target, self.source, sure, possible)

    def __post_init__(self) -> None:
        for side in ("source", "target"):
            object.__setattr__(self, side, words_of(getattr(self, side)))
        if not self.sure <= self.possible:
            extra = sorted(self.sure - self.possible)
            raise ValueError(f"want sure links that are also possible; got {extra}")
        for i, j in self.possible:
            if not (0 <= i < len(self.source) and 0 <= j < len(self.target)):
                raise ValueError(
                    f"want links within {len(self.source)} and {len(self.target)} words; got "
                    f"({i}, {j})"
                )


Pair = AlignedPair | tuple[Side, Side]
"""A sentence pair with its alignment, or just its two sides."""


def sides(pair: Pair) -> tuple[Side, Side]:
    """Return source and target of a pair, with or without an alignment."""
    source, target = (pair.source, pair.target) if isinstance(pair, AlignedPair) else pair
    return source, target
