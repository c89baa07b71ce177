"""A soft alignment to touch: chapter 4's explorer of attention, told of a model that only aligns.

Nothing looks at anything here, and there are no scores whose temperature could be turned: words
come from words. The script wraps that of the explorer, so that this one stays as it is.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from course_lab.figures.touch.attention import AttentionExample, Link, attention_explorer
from course_lab.figures.touch.core import Interactive
from course_lab.figures.touch.text import counted

NULL = "NULL"
"""The word that writes what no other word does."""


def posterior_explorer(
    examples: Sequence[AttentionExample], chosen: Sequence[Collection[Link]] | None = None
) -> Interactive:
    """Shows who wrote which word, and how sure the model is: a map, and the words as keys.

    The reader picks a sentence and a word. A target word shows the words it may have come from, a
    source word those that it may have written. Gold links are marked, and so is what the model
    chooses where that link is not even possible.

    Args:
        examples: as for `attention_explorer`, but with posteriors in 0..1 for `scores`; where the
            model has the word NULL, it is one of the source words.
        chosen: for each example the links that the model chooses (source position, target
            position), as its own rule for equal posteriors has it; without it, the first of the
            likeliest writers of each word.
    """
    links = chosen if chosen is not None else [None] * len(examples)
    explorer = attention_explorer(list(map(_scored, examples, links)))
    return _Retold(explorer, f"Soft alignments, {counted(len(examples), 'sentence pair')}")


class _Retold(Interactive):
    """The explorer's data with other words, under a script of its own."""

    def __init__(self, explorer: Interactive, headline: str) -> None:
        said = explorer.detail.replace("target word looks most at", "target word came most from")
        super().__init__(
            "posteriors",
            headline,
            said.replace(" at “", " from “").replace(" at nothing", " from no word"),
            tables=[table.replace("Attention weights", "Posteriors") for table in explorer._tables],
            data=json.loads(explorer._json),
            parts=["words", "attention"],
        )


def _scored(example: AttentionExample, chosen: Collection[Link] | None) -> AttentionExample:
    posteriors = np.asarray(example.scores, dtype=np.float64)
    with np.errstate(divide="ignore"):
        return replace(
            example, scores=np.log(posteriors), wrong=_wrong(example, posteriors, chosen)
        )


def _wrong(
    example: AttentionExample, posteriors: np.ndarray, chosen: Collection[Link] | None
) -> set[Link]:
    """The chosen links that are none; NULL is no word, and where no link is known none is wrong."""
    true = {*example.links, *example.possible}
    if not true:
        return set()
    if chosen is None:
        chosen = [(int(row.argmax()), t) for t, row in enumerate(posteriors) if row.any()]
    return {(s, t) for s, t in chosen if example.source[s] != NULL} - true
