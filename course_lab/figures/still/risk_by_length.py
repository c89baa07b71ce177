"""Right words and right sentences by length, beside what an equal risk at every word would give."""

from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.palette import MODELS
from course_lab.figures.still.lines import canvas, name_axes
from course_lab.figures.still.narrow import narrowed
from course_lab.figures.style import CARD, MUTED, Picture, as_array, house_style
from course_lab.figures.text import name_by_name

SENTENCES, EQUAL, WORDS = "whole sentences", "sentences, equal risk", "single words"
_DRAWN = {
    WORDS: ("-", "s", 1.0),
    EQUAL: ((0, (1.2, 1.4)), "o", 0.0),
    SENTENCES: ("-", "o", 1.0),
}
"""Dashes, marker, and how full the marker is."""
_NAMED = {
    WORDS: (0.33, 0.08, 0.07),
    EQUAL: (0.67, -0.18, -0.14),
    SENTENCES: (0.67, -0.52, -0.09),
}
"""Of which point a name is, and how far right of it and above it begins, as parts of the axes.

Not at the lines' ends, for there two of them nearly meet.
"""


def equal_risk(words: Sequence[float], written: Sequence[float]) -> list[float]:
    """Right sentences if every word were as risky as in the shortest sentences.

    Args:
        words: the share of right words by length, the shortest sentences first.
        written: how many words have to be written, on average, by length.
    """
    return [words[0] ** count for count in written]


def risk_by_length(
    bins: Sequence[tuple[int, int]],
    words: Sequence[float],
    sentences: Sequence[float],
    written: Sequence[float],
) -> Picture:
    """Draws the shares of Cho's model, in its colour, and what its sentences would be.

    Args:
        bins: shortest and longest length of each bin, both included.
        words: the share of right words in the sentences of each bin.
        sentences: the share of right sentences.
        written: how many words have to be written in a sentence, on average.

    Raises:
        ValueError: numbers that do not fit the bins, or shares beyond 0..1.
    """
    shares: Mapping[str, np.ndarray] = {
        WORDS: as_array(words, WORDS),
        EQUAL: as_array(equal_risk(words, written), EQUAL),
        SENTENCES: as_array(sentences, SENTENCES),
    }
    for name, values in shares.items():
        if values.shape != (len(bins),) or values.min() < 0 or values.max() > 1:
            raise ValueError(f"{name}: wanted a share for each of {len(bins)} bins")
    labels = [f"{low}–{high}" for low, high in bins]
    told = {
        name: [f"{v:.2f} at {at}" for v, at in zip(values, labels, strict=True)]
        for name, values in shares.items()
    }
    with house_style():
        headline = f"Line figure, right words and sentences by length, {len(bins)} bins"
        picture, axes = canvas(headline, name_by_name(told), list(shares), "")
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
        axes.set_xlim(-0.15, len(bins) - 0.85)
        axes.set_xticks(range(len(bins)), labels)
        name_axes(axes, "source length (words)", "share that is right")
        for name, values in shares.items():
            dashes, marker, full = _DRAWN[name]
            colour = MUTED if name == EQUAL else MODELS["cho"].light
            axes.plot(
                values,
                label=name,
                color=colour,
                linestyle=dashes,
                marker=marker,
                markerfacecolor=colour if full else CARD,
                markeredgecolor=CARD if full else colour,
                clip_on=False,
                zorder=3,
            )
        places = {}
        for name, (along, right, up) in _NAMED.items():
            last = len(bins) - 1
            point = round(along * last)
            places[name] = (point, (point + right * last, float(shares[name][point]) + up))
        return narrowed(picture, places)
