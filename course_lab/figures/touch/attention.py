"""Attention to touch, and soft alignments: pick a sentence and a word, and see its weights."""

import base64
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape

import numpy as np

from course_lab.figures.touch.core import Interactive, counted, number, row, shaded, sheet

STEPS_PER_UNIT = 256
"""Scores are stored in steps of 1/256, as 16-bit integers: short, and the same everywhere."""
MASKED = -32768
"""Stored for a score of minus infinity."""
NULL = "NULL"
"""The word of an alignment model that writes what no other word does."""
Link = tuple[int, int]


@dataclass(frozen=True, eq=False)
class AttentionExample:
    """A sentence pair with its attention.

    Attributes:
        source: S tokens.
        target: T tokens; the decoder's steps.
        scores: (T, S) array or tensor of scores before the softmax; minus infinity is masked.
            Where only weights are known, their logarithm will do: its softmax is the weights.
        links: gold links (source position, target position).
        possible: further links that count as no error; those also in `links` are marked once.
        title: names the example in the menu; the target sentence if it is empty.
        opened: the word that the figure asks about first: a position in the target (a step of the
            decoder), or a side, "source" or "target", and a position in it.
        gloss: what a target word means, written below it; by the word, or by its position where
            it means two things in one sentence.
        wrong: links that a model has chosen and that are not even possible: framed in red.
    """

    source: Sequence[str]
    target: Sequence[str]
    scores: object
    links: Collection[Link] = frozenset()
    possible: Collection[Link] = frozenset()
    title: str = ""
    opened: int | tuple[str, int] = 0
    gloss: Mapping[str | int, str] = field(default_factory=dict)
    wrong: Collection[Link] = frozenset()


def attention_explorer(examples: Sequence[AttentionExample], *, links_of: str = "") -> Interactive:
    """Shows attention weights as a map, source across and target down, that answers questions.

    A target word (a step of the decoder) shows where it looks, a source word who looks at it. The
    temperature divides the scores before the softmax. Gold links are marked. The scores are stored
    less each row's largest and rounded to 1/256: that moves a weight by 0.001 at most.

    Args:
        examples: at least one.
        links_of: whose links are marked, such as "Model 1's links", where they are no gold links.
            They are then all `possible`.

    Raises:
        ValueError: scores that are not T by S, or NaN or plus infinity among them.
    """
    pairs = counted(len(examples), "sentence pair")
    return _explorer(f"Attention explorer, {pairs}", examples, "Attention weights", links_of)


def posterior_explorer(
    examples: Sequence[AttentionExample], chosen: Sequence[Collection[Link]] | None = None
) -> Interactive:
    """Shows who wrote which word, and how sure an alignment model is of it.

    Nothing looks at anything here, and there is no temperature: words come from words.

    Args:
        examples: as for `attention_explorer`, but with posteriors in 0..1 for `scores`; where the
            model has the word NULL, it is one of the source words.
        chosen: for each example the links that the model chooses, as its own rule for equal
            posteriors has it; without it, the first of the likeliest writers of each word. Those
            that are neither true nor possible are marked as wrong.
    """
    links = chosen if chosen is not None else [None] * len(examples)
    pairs = counted(len(examples), "sentence pair")
    scored = list(map(_scored, examples, links))
    return _explorer(f"Soft alignments, {pairs}", scored, "Posteriors", aligns=True)


def _explorer(
    headline: str,
    examples: Sequence[AttentionExample],
    what: str,
    links_of: str = "",
    *,
    aligns: bool = False,
) -> Interactive:
    stored = [_quantised(example) for example in examples]
    shown = zip(examples, stored, strict=True)
    return Interactive(
        "attention",
        headline,
        tables=[_table(example, softmax(scores), what, links_of) for example, scores in shown],
        data={
            "unit": STEPS_PER_UNIT,
            "masked": MASKED,
            "linksOf": links_of,
            "aligns": aligns,
            "examples": list(map(_packed, examples, stored)),
        },
        parts=["words"],
    )


def _packed(example: AttentionExample, scores: np.ndarray) -> dict:
    opened = example.opened
    side, at = opened if isinstance(opened, tuple) else ("target", opened)
    gloss = example.gloss
    return {
        "name": _name(example),
        "source": list(example.source),
        "target": list(example.target),
        "gloss": [gloss.get(at, gloss.get(word, "")) for at, word in enumerate(example.target)],
        "links": sorted(map(list, set(example.links))),
        "possible": sorted(map(list, set(example.possible) - set(example.links))),
        "opened": [int(side == "target"), int(at)],
        "scores": base64.b64encode(scores.astype("<i2").tobytes()).decode(),
    }


def _name(example: AttentionExample) -> str:
    return example.title or " ".join(example.target)


def _quantised(example: AttentionExample) -> np.ndarray:
    """Scores less the largest of their row, in steps of 1/256; (T, S) integers."""
    size = len(example.target), len(example.source)
    scores = example.scores.detach() if hasattr(example.scores, "detach") else example.scores
    scores = np.asarray(scores, dtype=np.float64)
    if scores.shape != size:
        raise ValueError(f"{_name(example)!r}: want scores {size}; got {scores.shape}")
    if np.isnan(scores).any() or np.isposinf(scores).any():
        raise ValueError(f"{_name(example)!r}: want numbers or minus infinity as scores")
    masked = np.isneginf(scores)
    largest = np.where(masked, -np.inf, scores).max(axis=1, keepdims=True)
    lowered = np.where(masked, 0.0, scores - np.where(np.isneginf(largest), 0.0, largest))
    steps = np.rint(lowered * STEPS_PER_UNIT).clip(MASKED + 1, 0)
    return np.where(masked, MASKED, steps).astype(np.int16)


def softmax(stored: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Weights from stored scores, as the script computes them; a masked row gives zeros."""
    powers = np.exp(stored / (STEPS_PER_UNIT * temperature)) * (stored != MASKED)
    totals = powers.sum(axis=1, keepdims=True)
    return np.divide(powers, totals, out=np.zeros_like(powers), where=totals > 0)


def _table(example: AttentionExample, weights: np.ndarray, what: str, links_of: str) -> str:
    marked = dict.fromkeys(example.wrong, ("cl-wrong", "wrong link", "×"))
    marked |= dict.fromkeys(example.possible, ("cl-possible", "possible link", "◇"))
    marked |= dict.fromkeys(example.links, ("cl-sure", "true link", "◆"))
    rows = []
    for t, word in enumerate(example.target):
        cells = []
        for s, weight in enumerate(weights[t].tolist()):
            extra, name, sign = marked.get((s, t), ("", "", ""))
            mark = f'<span class="cl-mark" role="img" aria-label="{name}">{sign}</span>'
            text = number(weight)
            cells.append(shaded(weight, text, extra=extra, marks=mark if sign else ""))
        rows.append(row([word], *cells))
    marks = f"◇ {escape(links_of)}" if links_of else "◆ true link, ◇ possible link"
    note = f"; {marks}" if example.links or example.possible else ""
    note += ", × wrong link" if example.wrong else ""
    told = f'<p class="cl-note">{what}: source across, target down{note}.</p>'
    return sheet(_name(example), example.source, rows, after=told)


def _scored(example: AttentionExample, chosen: Collection[Link] | None) -> AttentionExample:
    """The example with the logarithm of its posteriors, and the chosen links that are wrong.

    NULL is no word, and where no link is known none is wrong.
    """
    posteriors = np.asarray(example.scores, dtype=np.float64)
    true = {*example.links, *example.possible}
    if chosen is None:
        chosen = [(int(row.argmax()), t) for t, row in enumerate(posteriors) if row.any()]
    wrong = {(s, t) for s, t in chosen if true and example.source[s] != NULL} - true
    with np.errstate(divide="ignore"):
        return replace(example, scores=np.log(posteriors), wrong=wrong)
