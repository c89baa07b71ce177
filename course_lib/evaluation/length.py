"""How good a model is at each sentence length: the curve on which a bottleneck shows."""

import math
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple

Z_95 = 1.959963984540054
"""The two-sided 95 % point of the standard normal distribution."""


class Interval(NamedTuple):
    """A confidence interval for a share, both ends in 0..1."""

    low: float
    high: float


class Bin(NamedTuple):
    """The sentences whose source has `low` to `high` words, both included.

    Attributes:
        count: number of sentences.
        exact: share of them translated exactly, word for word; NaN if there are none.
        interval: Wilson's 95 % interval of `exact`; (0, 1) if there are no sentences.
        token_accuracy: share of positions with the right word, over the positions of the longer of
            hypothesis and reference, so that extra and missing words both count; NaN if none.
    """

    low: int
    high: int
    count: int
    exact: float
    interval: Interval
    token_accuracy: float

    @property
    def label(self) -> str:
        """The range of lengths as an axis shows it, such as "10–19"."""
        return str(self.low) if self.low == self.high else f"{self.low}–{self.high}"


def wilson_interval(successes: int, count: int, z: float = Z_95) -> Interval:
    """Wilson's interval for a share, `successes` of `count` (Wilson 1927); (0, 1) if of none.

    Unlike p ± z √(p (1 - p) / n) it keeps a width at p = 0 or 1, where exact match often is.
    """
    if count == 0:
        return Interval(0.0, 1.0)
    share = successes / count
    centre = share + z * z / (2 * count)
    spread = z * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    scale = 1 + z * z / count
    # At share 0 and 1 the ends are exactly 0 and 1; rounding must not move them past the share.
    return Interval(
        min(share, max(0.0, (centre - spread) / scale)),
        max(share, min(1.0, (centre + spread) / scale)),
    )


def exact_match_by_length(
    source_lengths: Sequence[int],
    hypotheses: Sequence[str | Sequence[Hashable]],
    references: Sequence[str | Sequence[Hashable]],
    edges: Sequence[int],
) -> list[Bin]:
    """Count how many sentences of each source length, in words, are exactly right.

    `edges` rise, as in `range`: 3, 10, 20 make the bins 3-9 and 10-19. Text is compared word by
    word. ValueError if the lists differ in length, or a sentence is in no bin.
    """
    outside = [length for length in source_lengths if not edges[0] <= length < edges[-1]]
    if outside:
        raise ValueError(
            f"want sentences of {edges[0]} to {edges[-1] - 1} words, as the edges say; got "
            f"{len(outside)} that fit no bin, of {min(outside)} to {max(outside)} words"
        )
    pairs = [(_words(h), _words(r)) for h, r in zip(hypotheses, references, strict=True)]
    lines = [*zip(source_lengths, pairs, strict=True)]
    return [
        _bin(low, high - 1, [pair for n, pair in lines if low <= n < high])
        for low, high in pairwise(edges)
    ]


def _words(sentence: str | Sequence[Hashable]) -> tuple[Hashable, ...]:
    return tuple(sentence.split()) if isinstance(sentence, str) else tuple(sentence)


def _bin(low: int, high: int, pairs: list[tuple[tuple[Hashable, ...], ...]]) -> Bin:
    exact = sum(hypothesis == reference for hypothesis, reference in pairs)
    right = sum(
        sum(a == b for a, b in zip(hypothesis, reference, strict=False))
        for hypothesis, reference in pairs
    )
    positions = sum(max(len(hypothesis), len(reference)) for hypothesis, reference in pairs)
    return Bin(
        low=low,
        high=high,
        count=len(pairs),
        exact=exact / len(pairs) if pairs else math.nan,
        interval=wilson_interval(exact, len(pairs)),
        token_accuracy=right / positions if positions else math.nan,
    )
