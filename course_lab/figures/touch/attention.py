"""Attention to touch: pick a sentence and a step, hover a word, turn the temperature."""

import base64
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

import numpy as np

from course_lab.figures.touch.core import Interactive, row, scrolling, shaded, table
from course_lab.figures.touch.text import counted, most_looked_at, number

STEPS_PER_UNIT = 256
"""Scores are stored in steps of 1/256, as 16-bit integers: short, and the same everywhere."""
MASKED = -32768
"""Stored for a score of minus infinity."""
SURE_MARK = '<span class="cl-mark" role="img" aria-label="true link">◆</span>'
POSSIBLE_MARK = '<span class="cl-mark" role="img" aria-label="possible link">◇</span>'
WRONG_MARK = '<span class="cl-mark" role="img" aria-label="wrong link">×</span>'
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
        wrong: links that a model has chosen and that are not even possible: framed in red.
        title: names the example in the menu; the target sentence if it is empty.
        opened: the word that the figure asks about first: a position in the target (a step of the
            decoder), or a side, "source" or "target", and a position in it.
        gloss: what a target word means, written below it; by the word, or by its position where
            it means two things in one sentence.
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

    @property
    def name(self) -> str:
        """The title, or else the target sentence."""
        return self.title or " ".join(self.target)


def attention_explorer(examples: Sequence[AttentionExample], *, links_of: str = "") -> Interactive:
    """Shows attention weights as a map, source across and target down, that answers questions.

    The reader picks a sentence and a word. A target word (a step of the decoder) shows where it
    looks, a source word shows who looks at it. The temperature divides the scores before the
    softmax: below 1 the weights sharpen, above 1 they even out. Gold links are marked.

        attention_explorer([
            AttentionExample(
                source=["the", "house"], target=["das", "Haus"],
                scores=[[2.0, 0.1], [-1.0, 3.0]],
                links={(0, 0), (1, 1)}, possible=set(), title="the house",
            )
        ])

    The scores are stored less each row's largest, which changes no weight, and rounded to 1/256:
    that moves a weight by 0.001 at most.

    Args:
        examples: at least one.
        links_of: whose links are marked, such as "Model 1's links", where they are no gold links.
            They are then all `possible`.

    Raises:
        ValueError: no example, one without words, scores that are not T by S, NaN or plus
            infinity among them, or a link or an opened word outside the sentences.
    """
    if not examples:
        raise ValueError("an attention explorer needs at least one example, got none")
    stored = [_quantised(example) for example in examples]
    first = examples[0]
    looks = most_looked_at(first.target, first.source, softmax(stored[0]), told=True)
    return Interactive(
        "attention",
        f"Attention explorer, {counted(len(examples), 'sentence pair')}",
        f"In the first, each target word looks most at: {', '.join(looks)}.",
        tables=[
            _table(example, softmax(scores), links_of)
            for example, scores in zip(examples, stored, strict=True)
        ],
        data={
            "unit": STEPS_PER_UNIT,
            "masked": MASKED,
            **({"linksOf": links_of} if links_of else {}),
            "examples": [
                {
                    "name": example.name,
                    "source": list(example.source),
                    "target": list(example.target),
                    "gloss": [
                        example.gloss.get(at, example.gloss.get(word, ""))
                        for at, word in enumerate(example.target)
                    ],
                    "links": sorted(map(list, set(example.links))),
                    "possible": sorted(map(list, set(example.possible) - set(example.links))),
                    "opened": _opened(example),
                    "scores": base64.b64encode(scores.astype("<i2").tobytes()).decode(),
                }
                for example, scores in zip(examples, stored, strict=True)
            ],
        },
        parts=["words"],
    )


def _quantised(example: AttentionExample) -> np.ndarray:
    """Scores less the largest of their row, in steps of 1/256; (T, S) integers."""
    name, size = example.name, (len(example.target), len(example.source))
    scores = example.scores.detach() if hasattr(example.scores, "detach") else example.scores
    scores = np.asarray(scores, dtype=np.float64)
    if not example.source or not example.target:
        raise ValueError(f"{name!r}: wanted at least one source and one target token")
    if scores.shape != size:
        raise ValueError(
            f"{name!r}: scores must be target by source, {size[0]} by {size[1]}, "
            f"got {' by '.join(map(str, scores.shape))}"
        )
    if np.isnan(scores).any() or np.isposinf(scores).any():
        raise ValueError(f"{name!r}: scores must be numbers or minus infinity")
    for s, t in (*example.links, *example.possible, *example.wrong):
        if not (0 <= s < size[1] and 0 <= t < size[0]):
            raise ValueError(f"{name!r}: link ({s}, {t}) is outside {size[1]} by {size[0]} words")
    masked = np.isneginf(scores)
    largest = np.where(masked, -np.inf, scores).max(axis=1, keepdims=True)
    lowered = np.where(masked, 0.0, scores - np.where(np.isneginf(largest), 0.0, largest))
    steps = np.rint(lowered * STEPS_PER_UNIT).clip(MASKED + 1, 0)
    return np.where(masked, MASKED, steps).astype(np.int16)


def _opened(example: AttentionExample) -> tuple[int, int]:
    """The word asked about first, as the script counts: 0 for source or 1 for target, position."""
    opened = example.opened
    side, at = opened if isinstance(opened, tuple) else ("target", opened)
    words = {"source": example.source, "target": example.target}.get(side, ())
    if not 0 <= at < len(words):
        raise ValueError(f"{example.name!r}: no word to open on at {opened!r}")
    return int(side == "target"), int(at)


def softmax(stored: np.ndarray, temperature: float = 1.0) -> np.ndarray:
    """Weights from stored scores, as the script computes them; a masked row gives zeros."""
    powers = np.exp(stored / (STEPS_PER_UNIT * temperature)) * (stored != MASKED)
    totals = powers.sum(axis=1, keepdims=True)
    return np.divide(powers, totals, out=np.zeros_like(powers), where=totals > 0)


def _table(example: AttentionExample, weights: np.ndarray, links_of: str = "") -> str:
    looks = (
        (example.links, ("cl-sure", SURE_MARK)),
        (example.possible, ("cl-possible", POSSIBLE_MARK)),
        (example.wrong, ("cl-wrong", WRONG_MARK)),
    )
    rows = []
    for t, word in enumerate(example.target):
        cells = []
        for s, weight in enumerate(weights[t].tolist()):
            extra, mark = next((look for links, look in looks if (s, t) in links), ("", ""))
            cells.append(shaded(weight, number(weight), extra=extra, marks=mark))
        rows.append(row([word], *cells))
    marks = f"◇ {escape(links_of)}" if links_of else "◆ true link, ◇ possible link"
    note = f"; {marks}" if example.links or example.possible else ""
    note += ", × wrong link" if example.wrong else ""
    told = f'<p class="cl-note">Attention weights: source across, target down{note}.</p>'
    drawn = table(example.name, example.source, rows) + told
    return scrolling(drawn, f"Attention weights: {example.name}")
