"""A window that slides over a sentence: what local attention sees of a stored map, and what not."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from course_lab.figures.touch.attention import MASKED, STEPS_PER_UNIT, softmax
from course_lab.figures.touch.core import Interactive, counted, number, row, shaded, sheet

LARGEST = 9
"""The widest radius that the slider has."""


@dataclass(frozen=True)
class WindowExample:
    """A sentence pair with a stored global map.

    Attributes:
        source: S tokens.
        target: T tokens; the decoder's steps.
        scores: T rows of S whole numbers, scores before the softmax in steps of 1/256, the largest
            of each row 0.
        positions: T numbers p_t, where local-p would look, counted from 0.
        links: gold links (source position, target position).
        gloss: for each target token a word of the reader's language.
    """

    source: Sequence[str]
    target: Sequence[str]
    scores: Sequence[Sequence[int]]
    positions: Sequence[float]
    links: Sequence[Sequence[int]]
    gloss: Sequence[str]


def sliding_window(examples: Sequence[WindowExample], radius: int = 2) -> Interactive:
    """Shows what a window leaves of a global attention map, and which gold links it misses.

    The reader chooses local-m or local-p, drags the radius D and goes through the steps. Inside
    the window the softmax runs anew; local-p multiplies by its Gaussian after that.

    Args:
        examples: at least one.
        radius: D at the beginning, 1 to 9.
    """
    return Interactive(
        "window",
        f"Sliding window, {counted(len(examples), 'sentence pair')}",
        tables=[_table(example, radius) for example in examples],
        data={
            "unit": STEPS_PER_UNIT,
            "radius": radius,
            "largest": LARGEST,
            "examples": [
                {**vars(example), "links": sorted(map(list, example.links))} for example in examples
            ],
        },
        parts=["table"],
    )


def windowed(example: WindowExample, radius: int, predicted: bool) -> np.ndarray:
    """Weights (T, S) of local attention from the stored scores, as the script computes them.

    Args:
        example: a sentence pair.
        radius: D.
        predicted: local-p, with its Gaussian (Luong et al. 2015, equation 10), not local-m.
    """
    scores = np.asarray(example.scores, dtype=np.int64)
    center = np.asarray(example.positions if predicted else range(len(scores)), dtype=np.float64)
    away = np.arange(scores.shape[1]) - center[:, None]
    weights = softmax(np.where(np.abs(away) <= radius, scores, MASKED))
    return weights * np.exp(-2 * (away / radius) ** 2) if predicted else weights


def _table(example: WindowExample, radius: int) -> str:
    weights, links = windowed(example, radius, predicted=False), set(map(tuple, example.links))
    rows = []
    for t, word in enumerate(example.target):
        cells = []
        for s, weight in enumerate(weights[t].tolist()):
            missed = abs(s - t) > radius
            kind = "missed gold link" if missed else "gold link"
            sign = "◇" if missed else "◆"
            mark = f'<span role="img" aria-label="{kind}">{sign}</span>' if (s, t) in links else ""
            cells.append(shaded(weight, number(weight), marks=mark))
        rows.append(row([word], *cells))
    told = (
        '<p class="cl-note">Weights inside the window: source across, target down; ◆ gold link, '
        "◇ gold link outside the window.</p>"
    )
    name = f"{' '.join(example.source)}: local-m, radius {radius}"
    return sheet(name, example.source, rows, after=told)
