"""A premise, a hypothesis, and whether the one follows from the other."""

from typing import NamedTuple

LABELS = ("entailment", "neutral", "contradiction")
"""The three answers, in the order of a classifier's logits."""


class InferencePair(NamedTuple):
    """Two sentences and their label.

    Attributes:
        premise: what is given to be true: text, or a sequence of words.
        hypothesis: what is asked about, likewise.
        label: entailment (if the premise is true, so is the hypothesis), contradiction (they
            cannot both be true) or neutral (the premise leaves it open).
        construction: how the one was made from the other, where a grammar made them.
    """

    premise: str | tuple[str, ...]
    hypothesis: str | tuple[str, ...]
    label: str
    construction: str = ""
