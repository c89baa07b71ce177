"""Corpus chrF, as sacreBLEU computes it, with the signature that makes it comparable."""

from collections.abc import Sequence
from typing import NamedTuple

from sacrebleu.metrics import CHRF

from course_lib.evaluation.bleu import normalised_sentences


class Chrf(NamedTuple):
    """chrF of a corpus, in 0..100, and sacreBLEU's record of how it was computed."""

    value: float
    signature: str


def corpus_chrf(hypotheses: Sequence[str], references: Sequence[str]) -> Chrf:
    """The F-score of character n-grams, n from 1 to 6, recall counted twice (Popović 2015).

    Unlike BLEU it gives credit for a word with the wrong ending, which matters for German.
    Arguments and errors are those of `corpus_bleu`.
    """
    hypotheses, references = normalised_sentences(hypotheses, references)
    metric = CHRF()
    result = metric.corpus_score(hypotheses, [references])
    return Chrf(float(result.score), str(metric.get_signature()))
