"""LengthCounts by sentence length, as the stored files keep them."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from course_lab.experiments.lab.length import Bin


class LengthCounts(NamedTuple):
    """Sentences of some lengths and how many came out exactly right; JSON has it as a list.

    Attributes:
        low: the shortest source length, in words.
        high: the longest.
        count: number of sentences.
        exact: how many of them were translated exactly.
    """

    low: int
    high: int
    count: int
    exact: int

    @property
    def rate(self) -> float:
        """The share that came out right; NaN where there are no sentences."""
        return self.exact / self.count if self.count else float("nan")


def counts_of(bins: Iterable[Bin]) -> list[LengthCounts]:
    """What is stored of measured bins."""
    return [LengthCounts(b.low, b.high, b.count, _exact(b)) for b in bins]


def _exact(measured: Bin) -> int:
    return round(measured.exact * measured.count) if measured.count else 0


def with_counts(record: dict[str, Any]) -> dict[str, Any]:
    """A stored record, the lists under "bins" read as `LengthCounts`."""
    return {**record, "bins": [LengthCounts(*entry) for entry in record["bins"]]}


def together(counts: Sequence[LengthCounts]) -> LengthCounts:
    """Several bins as one, from the shortest length to the longest."""
    return LengthCounts(
        min(c.low for c in counts),
        max(c.high for c in counts),
        sum(c.count for c in counts),
        sum(c.exact for c in counts),
    )
