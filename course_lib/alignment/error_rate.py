"""How well predicted word links match an annotator's (Och & Ney 2000)."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from course_lib.data.pairs import Link


class LinkScore(NamedTuple):
    """Precision, recall and alignment error rate over a corpus, each from 0 to 1."""

    precision: float
    recall: float
    error_rate: float


def score_links(
    predicted: Sequence[AbstractSet[Link]],
    sure: Sequence[AbstractSet[Link]],
    possible: Sequence[AbstractSet[Link]],
) -> LinkScore:
    """Judge predicted links A against sure links S and possible links P, with S within P.

    Och & Ney (2000): precision = |A ∩ P| / |A|, recall = |A ∩ S| / |S| and
    AER = 1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|). The counts are summed over all sentences first,
    so a long sentence weighs more than a short one. A possible link thus costs nothing whether
    it is predicted or not. Precision without predicted links and recall without sure ones are 0.

    Args:
        predicted: for each sentence the predicted links.
        sure: for each sentence the links that must be found.
        possible: for each sentence the links that may be found, the sure ones among them.

    Raises:
        ValueError: the three differ in length, a sure link is not possible, or there is
            nothing to judge.
        TypeError: the links of a sentence are no set, such as text ("0-0 1-2").
    """
    if not len(predicted) == len(sure) == len(possible):
        raise ValueError(
            "wanted links for the same sentences, got "
            f"{len(predicted)} predicted, {len(sure)} sure, {len(possible)} possible"
        )
    links = sures = in_sure = in_possible = 0
    for number, (a, s, p) in enumerate(zip(predicted, sure, possible, strict=True)):
        for links_of in (a, s, p):
            if not isinstance(links_of, AbstractSet) or any(isinstance(x, str) for x in links_of):
                raise TypeError(
                    f"sentence {number}: want a set of links (source position, target position); "
                    f"got {links_of!r}"
                )
        if not s <= p:
            raise ValueError(f"sentence {number}: sure links {sorted(s - p)} are not possible")
        links += len(a)
        sures += len(s)
        in_sure += len(a & s)
        in_possible += len(a & p)
    if links + sures == 0:
        raise ValueError("nothing to judge: no link is predicted and none is sure")
    return LinkScore(
        precision=in_possible / links if links else 0.0,
        recall=in_sure / sures if sures else 0.0,
        error_rate=1 - (in_sure + in_possible) / (links + sures),
    )


def alignment_error_rate(
    predicted: Sequence[AbstractSet[Link]],
    sure: Sequence[AbstractSet[Link]],
    possible: Sequence[AbstractSet[Link]],
) -> float:
    """The error rate alone, as `score_links` computes it. 0 is perfect."""
    return score_links(predicted, sure, possible).error_rate
