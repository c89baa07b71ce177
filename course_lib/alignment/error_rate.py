"""How well predicted word links match an annotator's (Och & Ney 2000)."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from course_lib.data.pairs import Link


class LinkMetrics(NamedTuple):
    """Precision, recall and alignment error rate over a corpus, each from 0 to 1."""

    precision: float
    recall: float
    error_rate: float


def link_metrics(
    predicted: Sequence[AbstractSet[Link]],
    sure: Sequence[AbstractSet[Link]],
    possible: Sequence[AbstractSet[Link]],
) -> LinkMetrics:
    """Compare predicted links A with sure links S and possible links P, with S within P.

    Och & Ney (2000): precision = |A ∩ P| / |A|, recall = |A ∩ S| / |S| and
    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), counted over all sentences together. Precision
    without predicted links and recall without sure links are 0.

    ValueError if the three differ in length, or a sure link is not possible.
    """
    links = sures = in_sure = in_possible = 0
    for number, (a, s, p) in enumerate(zip(predicted, sure, possible, strict=True)):
        if not s <= p:
            raise ValueError(
                f"sentence {number}: want sure links that are possible; got {sorted(s - p)}"
            )
        links += len(a)
        sures += len(s)
        in_sure += len(a & s)
        in_possible += len(a & p)
    return LinkMetrics(
        precision=in_possible / links if links else 0.0,
        recall=in_sure / sures if sures else 0.0,
        error_rate=1 - (in_sure + in_possible) / (links + sures),
    )


def alignment_error_rate(
    predicted: Sequence[AbstractSet[Link]],
    sure: Sequence[AbstractSet[Link]],
    possible: Sequence[AbstractSet[Link]],
) -> float:
    """The error rate alone, as `link_metrics` computes it. 0 is perfect."""
    return link_metrics(predicted, sure, possible).error_rate
