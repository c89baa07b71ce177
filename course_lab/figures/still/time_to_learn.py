"""After how many updates a net has learned its task, where some nets have not when time is up."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_lab.figures.still.lines import (
    as_runs,
    canvas,
    draw_runs,
    name_axes,
    name_lines,
    seeds_note,
)
from course_lab.figures.still.log_axes import label_ticks
from course_lab.figures.style import MUTED, Picture, as_array, house_style
from course_lab.figures.text import counted, name_by_name

LATER = 1.7
"""Where a run that was stopped is drawn: so many times the limit, for it is only known as later."""


def time_to_learn(
    sizes: object,
    updates: Mapping[str, Sequence[Sequence[int | float | None]]],
    limit: int,
    *,
    x_name: str = "distance (steps)",
    y_name: str = "updates until learned (log scale)",
) -> Picture:
    """Draws updates until learned against the size of a task, one line a model, both axes log.

    A run that was stopped at the limit has no time. All such runs are drawn at one height above the
    limit, and a rule at the limit parts them from the others. The line is the median, which is
    known as soon as half of the runs have a time.

    Args:
        sizes: (D,) rising positive numbers.
        updates: for each model one row a seed, (seeds, D). None is a run that was stopped at the
            limit; NaN is one that was not made, and leaves a gap.
        limit: updates after which training was stopped.
        x_name: what the horizontal axis shows, with its unit.
        y_name: what the vertical axis shows.

    Raises:
        ValueError: sizes that are not positive or do not rise, or updates that do not fit them or
            do not lie in 1..limit.
    """
    x = as_array(sizes, "sizes")
    if x.ndim != 1 or not len(x) or x[0] <= 0 or not (np.diff(x) > 0).all():
        raise ValueError("sizes must be one row of rising positive numbers")
    runs = as_runs(
        {name: _heights(name, rows, limit) for name, rows in updates.items()}, len(x), "sizes"
    )
    medians = {name: _median(values, limit) for name, values in runs.items()}
    with house_style():
        picture, axes = canvas(
            *_describe(x, medians, limit, x_name, y_name),
            names=list(runs),
            note=seeds_note(runs, "median"),
        )
        _scales(axes, x, min(np.nanmin(values) for values in runs.values()), limit)
        name_axes(axes, x_name, y_name)
        draw_runs(axes, x, runs, medians)
        name_lines(axes, x, medians)
    return picture


def _heights(name: str, rows: Sequence[Sequence[int | float | None]], limit: int) -> np.ndarray:
    known = [[limit if value is None else value for value in row] for row in rows]
    values = as_array(known, name)
    if (values < 1).any() or (values > limit).any():
        raise ValueError(
            f"{name!r}: updates must lie in 1..{limit}, got {np.nanmin(values):g} to "
            f"{np.nanmax(values):g}"
        )
    stopped = np.array([[value is None for value in row] for row in rows])
    return np.where(stopped, LATER * limit, values)


def _median(values: np.ndarray, limit: int) -> np.ndarray:
    """By size; where it lies between a known time and an unknown one, it is unknown."""
    middle = np.median(np.where(values > limit, np.inf, values), axis=0)
    return np.where(np.isinf(middle), LATER * limit, middle)


def _scales(axes: Axes, x: np.ndarray, lowest: float, limit: int) -> None:
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(x[0] / 1.08, x[-1] * 1.08)
    axes.set_ylim(lowest / 1.25, LATER * limit)
    round_numbers = [step * 10.0**power for power in range(7) for step in (1, 2, 5)]
    heights = [height for height in round_numbers if lowest <= height < limit / 1.4] + [limit]
    names = [*(f"{height:,.0f}" for height in heights), "later"]
    label_ticks(axes, list(x), [f"{size:g}" for size in x], [*heights, LATER * limit], names)
    axes.axhline(limit, color=MUTED, linewidth=1.0, zorder=1)


def _describe(
    x: np.ndarray, medians: Mapping[str, np.ndarray], limit: int, x_name: str, y_name: str
) -> tuple[str, str]:
    def said(median: float) -> str:
        return f"later than {limit:,}" if median > limit else f"{median:,.0f}"

    size = f"{counted(len(medians), 'model')}, {counted(len(x), 'size')}"
    told = {
        name: [f"{said(m)} at {at:g}" for at, m in zip(x, middle, strict=True) if not np.isnan(m)]
        for name, middle in medians.items()
    }
    return f"Line figure, {y_name} against {x_name}, {size}", name_by_name(told)
