"""Quality against sentence length: the curve on which a bottleneck shows."""

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

from course_lab.figures.still.across import EDGE, name_across
from course_lab.figures.still.lines import (
    HEIGHT,
    LABEL_FONT,
    NOTE_FONT,
    POINTS,
    WIDTH,
    as_runs,
    canvas,
    draw_runs,
    name_axes,
    name_lines,
    seeds_note,
)
from course_lab.figures.style import NARROW, Picture, house_style
from course_lab.figures.text import counted, name_by_name, phrase, width_of

RANGE_LABELS = 8
"""Up to so many bins are labelled with their range; more get plain numbers."""
_LEFT = 0.55
"""Inches beside the axes of a narrow figure."""
_BETWEEN = 6.0
"""Points from one label of the horizontal axis to the next."""


def length_curve(
    bins: Sequence[tuple[int, int]],
    rates: Mapping[str, object],
    *,
    x_name: str = "source length (words)",
    y_name: str = "exact match (share of sentences)",
) -> Picture:
    """Draws one line a model over bins of sentence length.

    It is narrow where that is room enough: half of it for the lines, and all of it for the words.

    Args:
        bins: shortest and longest length of each bin, both included, rising.
        rates: for each model shares in 0..1, shape (bins,) for one run or (seeds, bins) for
            several: the line is then their mean, and a band spans lowest to highest. NaN is an
            empty bin and leaves a gap.
        x_name: what the horizontal axis shows, with its unit.
        y_name: what the vertical axis shows, with its unit.

    Raises:
        ValueError: bins that do not rise, or values that do not fit them or do not lie in 0..1.
    """
    centres = centres_of(bins)
    runs = as_runs(rates, len(bins), "bins")
    _within_0_and_1(runs)
    means = {name: values.mean(0) for name, values in runs.items()}
    with house_style():
        picture, axes = canvas(
            *_describe(bins, means, x_name, y_name),
            names=list(runs),
            note=seeds_note(runs, "mean"),
        )
        axes.set_ylim(0, 1)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
        axes.set_xlim(*_x_limits(centres))
        if len(bins) <= RANGE_LABELS:
            axes.set_xticks(centres, [bin_name(low, high) for low, high in bins])
        name_axes(axes, x_name, y_name)
        _narrow(picture, axes, bins, (x_name, y_name))
        draw_runs(axes, centres, runs, means)
        name_lines(axes, centres, means)
    return picture


def centres_of(bins: Sequence[tuple[int, int]]) -> np.ndarray:
    """The middle of each bin.

    Raises:
        ValueError: bins that do not rise.
    """
    ends = [end for low, high in bins for end in (low, high)]
    rising = all(low <= high for low, high in bins) and all(
        before[1] < after[0] for before, after in pairwise(bins)
    )
    if not ends or not rising:
        raise ValueError(f"bins must be pairs (low, high) that rise, got {list(bins)}")
    return np.array([(low + high) / 2 for low, high in bins])


def _within_0_and_1(runs: Mapping[str, np.ndarray]) -> None:
    for name, values in runs.items():
        if (values < 0).any() or (values > 1).any():
            raise ValueError(
                f"{name!r}: shares must lie in 0..1, got {np.nanmin(values):g} to "
                f"{np.nanmax(values):g}"
            )


def _x_limits(centres: np.ndarray) -> tuple[float, float]:
    room = 0.04 * (centres[-1] - centres[0]) or 1.0
    return centres[0] - room, centres[-1] + room


def _narrow(
    picture: Picture, axes: Axes, bins: Sequence[tuple[int, int]], names: tuple[str, str]
) -> None:
    """Brings figure and axes to the narrow size, if there is room for that."""
    left, bottom, wide, high = axes.get_position().bounds
    wide = NARROW - _LEFT - WIDTH * (1 - left - wide)
    room = POINTS * (NARROW - 2 * EDGE)
    words = [(phrase(name, LABEL_FONT, math.inf), LABEL_FONT) for name in names]
    words += [(note.get_text(), NOTE_FONT) for note in picture.texts]
    every = _labelled(axes, bins, POINTS * wide) if len(bins) <= RANGE_LABELS else 1
    # A number can be guessed from its neighbours, and the ends of a range can not.
    untold = every > 1 and any(low < high for low, high in bins)
    if wide < NARROW / 2 or untold or any(width_of(text, size) > room for text, size in words):
        return
    picture.set_size_inches(NARROW, HEIGHT)
    axes.set_position((_LEFT / NARROW, bottom, wide / NARROW, high))
    if every > 1:
        axes.set_xticks(axes.get_xticks()[::every], [bin_name(*ends) for ends in bins[::every]])
    x_name, y_name = names
    name_across(axes, x_name)
    axes.yaxis.label.set_text(phrase(y_name, LABEL_FONT, room))
    axes.yaxis.set_label_coords((EDGE - _LEFT) / wide, 1.05)
    for note in picture.texts:
        note.set_x(EDGE / NARROW)


def _labelled(axes: Axes, bins: Sequence[tuple[int, int]], points: float) -> int:
    """Every how many-th bin has room for its label on an axis that is so long."""
    low, high = axes.get_xlim()
    at = [points * (tick - low) / (high - low) for tick in axes.get_xticks()]
    half = [width_of(bin_name(*ends), LABEL_FONT) / 2 for ends in bins]
    for step in range(1, len(bins)):
        shown = pairwise(zip(at[::step], half[::step], strict=True))
        if all(b - a >= left + right + _BETWEEN for (a, left), (b, right) in shown):
            return step
    return len(bins)


def bin_name(low: int, high: int) -> str:
    """Its lengths, as an axis or a table names it."""
    return str(low) if low == high else f"{low}–{high}"


def _describe(
    bins: Sequence[tuple[int, int]], means: Mapping[str, np.ndarray], x_name: str, y_name: str
) -> tuple[str, str]:
    size = f"{counted(len(means), 'model')}, {counted(len(bins), 'bin')}"
    headline = f"Line figure, {y_name} against {x_name}, {size}"
    told = {
        name: [
            f"{'none' if np.isnan(value) else f'{value:.2f}'} at {bin_name(*ends)}"
            for ends, value in zip(bins, mean, strict=True)
        ]
        for name, mean in means.items()
    }
    return headline, name_by_name(told)
