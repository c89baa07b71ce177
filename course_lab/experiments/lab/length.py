"""How good a model is at each sentence length: the curve on which a bottleneck shows."""

import math
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Bin(NamedTuple):
    """The `count` sentences whose source has `low` to `high` words, both included.

    `exact` is the share of them translated exactly, word for word; NaN if there are none.
    """

    low: int
    high: int
    count: int
    exact: float


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
    right = [_words(h) == _words(r) for h, r in zip(hypotheses, references, strict=True)]
    lines, bins = [*zip(source_lengths, right, strict=True)], []
    for low, high in pairwise(edges):
        inside = [exact for length, exact in lines if low <= length < high]
        share = sum(inside) / len(inside) if inside else math.nan
        bins.append(Bin(low, high - 1, len(inside), share))
    return bins


def _words(sentence: str | Sequence[Hashable]) -> tuple[Hashable, ...]:
    return tuple(sentence.split()) if isinstance(sentence, str) else tuple(sentence)
