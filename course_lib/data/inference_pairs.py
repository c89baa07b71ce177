"""A premise, a hypothesis, and whether the hypothesis follows from the premise."""

from typing import NamedTuple

LABELS = ("entailment", "neutral", "contradiction")
"""The three answers, in the order of a classifier's logits."""


class InferencePair(NamedTuple):
    """Two sentences and their label.

    Attributes:
        premise: the sentence that is taken as true: text, or a sequence of words.
        hypothesis: the sentence that is judged, likewise.
        label: entailment (if the premise is true, so is the hypothesis), contradiction (they
            cannot both be true) or neutral (the premise leaves it open).
        construction: how a grammar made one from the other; empty for real pairs.
    """

    premise: str | tuple[str, ...]
    hypothesis: str | tuple[str, ...]
    label: str
    construction: str = ""
