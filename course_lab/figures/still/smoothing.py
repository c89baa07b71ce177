"""A smoothed curve: known pairs as points, and for each kernel what it makes of them."""

from collections.abc import Mapping

import numpy as np

from course_lab.figures.still.lines import LABEL_FONT, POINTS, as_runs, axes_at, name_axes
from course_lab.figures.style import (
    CARD,
    MUTED,
    NARROW,
    Picture,
    as_array,
    house_style,
    line_styles,
)
from course_lab.figures.text import BOLD, counted, phrase

_LEFT, _RIGHT, _TOP, _HIGH, _GAP, _BOTTOM = 0.55, 0.2, 0.36, 1.15, 0.3, 0.6
"""Inches: around all panels, of a panel, and between two."""


def smoothing_plot(
    keys: object,
    values: object,
    queries: object,
    estimates: Mapping[str, object],
    *,
    x_name: str = "key, query",
    y_name: str = "value",
) -> Picture:
    """Draws pairs (key, value) as points and each estimate as a line, in a panel of its own.

    Args:
        keys: (K,) numbers, where something is known.
        values: (K,) what is known there.
        queries: (Q,) rising numbers, where it is asked.
        estimates: (Q,) for each name.
        x_name: what the horizontal axis shows.
        y_name: what the vertical axis shows.

    Raises:
        ValueError: queries that do not rise, or numbers that do not fit each other.
    """
    known, read = as_array(keys, "keys"), as_array(values, "values")
    if known.ndim != 1 or known.shape != read.shape or not len(known):
        raise ValueError(f"want a value for each key; got {known.shape} and {read.shape}")
    x = as_array(queries, "queries")
    if x.ndim != 1 or not len(x) or not (np.diff(x) > 0).all():
        raise ValueError("queries must be one row of rising numbers")
    lines = {name: runs[0] for name, runs in as_runs(estimates, len(x), "queries").items()}
    height = _TOP + len(lines) * (_HIGH + _GAP) - _GAP + _BOTTOM
    wide = NARROW - _LEFT - _RIGHT
    ends = min(x[0], known.min()), max(x[-1], known.max())
    every = np.concatenate([read, *lines.values()])
    room = 0.06 * (float(np.ptp(every)) or 1.0)
    with house_style():
        picture = Picture(NARROW, height, *_describe(x, lines, len(known), x_name, y_name))
        for place, (name, style) in enumerate(line_styles(lines).items()):
            bottom = height - _TOP - place * (_HIGH + _GAP) - _HIGH
            axes = axes_at(picture, _LEFT, bottom, wide, _HIGH)
            axes.plot(
                known,
                read,
                "o",
                color=MUTED,
                markersize=4.5,
                markeredgecolor=CARD,
                markeredgewidth=0.6,
                zorder=2,
                label="pairs",
            )
            looks = {"color": style.colour, "linestyle": style.dashes}
            axes.plot(x, lines[name], **looks, zorder=3, label=name)
            axes.set_xlim(*ends)
            axes.set_ylim(every.min() - room, every.max() + room)
            axes.tick_params(length=0, pad=5, labelbottom=place == len(lines) - 1)
            shown = phrase(name, LABEL_FONT, POINTS * wide / BOLD)
            axes.set_title(
                shown, fontsize=LABEL_FONT, fontweight="bold", loc="right", pad=4, parse_math=False
            )
        name_axes(axes, x_name, "")
        name_axes(picture.axes[0], "", y_name)
    return picture


def _describe(
    x: np.ndarray, lines: Mapping[str, np.ndarray], pairs: int, x_name: str, y_name: str
) -> tuple[str, str]:
    size = f"{counted(pairs, 'point')}, {counted(len(lines), 'line')}"
    told = "; ".join(
        f"{name}: from {line.min():.2f} to {line.max():.2f}" for name, line in lines.items()
    )
    return f"Points with smoothed lines, {y_name} against {x_name}, {size}", f"{told}."
