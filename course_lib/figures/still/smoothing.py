"""A smoothed curve: known pairs as points, and what each kernel makes of them."""

from collections.abc import Mapping

import numpy as np

from course_lib.figures.still.lines import as_runs, canvas, name_axes, name_lines
from course_lib.figures.style import CARD, MUTED, Picture, as_array, house_style, line_styles
from course_lib.figures.text import counted


def smoothing_plot(
    keys: object,
    values: object,
    queries: object,
    estimates: Mapping[str, object],
    *,
    x_name: str = "key, query",
    y_name: str = "value",
) -> Picture:
    """Draws pairs (key, value) as points and each estimate as a line over the queries.

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
    with house_style():
        picture, axes = canvas(
            *_describe(x, lines, len(known), x_name, y_name), names=list(lines), note=""
        )
        axes.plot(
            known,
            read,
            "o",
            color=MUTED,
            markersize=5,
            markeredgecolor=CARD,
            zorder=2,
            label="pairs",
        )
        for name, style in line_styles(lines).items():
            axes.plot(
                x, lines[name], color=style.colour, linestyle=style.dashes, zorder=3, label=name
            )
        axes.set_xlim(min(x[0], known.min()), max(x[-1], known.max()))
        name_axes(axes, x_name, y_name)
        name_lines(axes, x, lines)
    return picture


def _describe(
    x: np.ndarray, lines: Mapping[str, np.ndarray], pairs: int, x_name: str, y_name: str
) -> tuple[str, str]:
    size = f"{counted(pairs, 'point')}, {counted(len(lines), 'line')}"
    told = "; ".join(
        f"{name}: from {line.min():.2f} to {line.max():.2f}" for name, line in lines.items()
    )
    return f"Points with smoothed lines, {y_name} against {x_name}, {size}", f"{told}."
