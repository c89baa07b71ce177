"""How right models are against how many parameters they have."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from course_lib.figures.still.lines import canvas, name_axes, name_lines, seeds_note
from course_lib.figures.style import CARD, MUTED, Picture, as_array, house_style, line_styles
from course_lib.figures.text import counted

Point = tuple[int, Sequence[float]]
"""Parameters of a model, and what each of its seeds reached."""


def size_curve(
    models: Mapping[str, Sequence[Point]],
    *,
    floor: float = 0.0,
    x_name: str = "parameters, without the words' table (log scale)",
    y_name: str = "accuracy (share of test pairs)",
) -> Picture:
    """Draws accuracy against parameters, one line a family, a point for each size.

    A point is the mean of its seeds; a bar through it goes from the lowest to the highest.

    Args:
        models: for each family its points, in any order.
        floor: where the vertical axis begins, in 0..1.
        x_name: what the horizontal axis shows.
        y_name: what the vertical axis shows.

    Raises:
        ValueError: no model, a family without a point, or shares outside `floor`..1.
    """
    if not models or not all(models.values()):
        raise ValueError("a line figure needs a model, and each a point; got none")
    sorted_points = {
        name: sorted((size, as_array(shares, name)) for size, shares in points)
        for name, points in models.items()
    }
    for name, points in sorted_points.items():
        for size, shares in points:
            if size < 1 or not len(shares) or shares.min() < floor or shares.max() > 1:
                raise ValueError(f"{name!r}: wanted shares from {floor:g} to 1 of each seed")
    x = np.array(sorted({size for points in sorted_points.values() for size, _ in points}))
    centres = {
        name: np.array([{s: v.mean() for s, v in points}.get(size, np.nan) for size in x])
        for name, points in sorted_points.items()
    }
    with house_style():
        picture, axes = canvas(
            *_describe(sorted_points, y_name),
            names=list(models),
            note=_note(sorted_points),
        )
        _scales(axes, x, floor)
        name_axes(axes, x_name, y_name)
        for name, line in line_styles(models).items():
            sizes = [size for size, _ in sorted_points[name]]
            means = [shares.mean() for _, shares in sorted_points[name]]
            for size, shares in sorted_points[name]:
                axes.plot([size] * 2, [shares.min(), shares.max()], color=line.colour, linewidth=5)
                axes.lines[-1].set_alpha(0.3)
            axes.plot(
                sizes,
                means,
                color=line.colour,
                linestyle=line.dashes,
                marker=line.marker,
                markeredgecolor=CARD,
                zorder=3,
                label=name,
            )
        name_lines(axes, x, centres)
    return picture


def _note(points: Mapping[str, Sequence[tuple[int, np.ndarray]]]) -> str:
    seeds = {name: np.array([shares for _, shares in each]).T for name, each in points.items()}
    return seeds_note(seeds, "mean")


def _scales(axes: Axes, x: np.ndarray, floor: float) -> None:
    axes.set_xscale("log")
    axes.set_xlim(x.min() / 1.4, x.max() * 1.4)
    axes.set_ylim(floor, 1.0)
    powers = [10**n for n in range(8) if x.min() / 1.4 <= 10**n <= x.max() * 1.4]
    axes.set_xticks(powers, [f"{power:,}" for power in powers])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.tick_params(colors=MUTED)


def _describe(
    points: Mapping[str, Sequence[tuple[int, np.ndarray]]], y_name: str
) -> tuple[str, str]:
    lines = [
        f"{name}: " + ", ".join(f"{shares.mean():.2f} with {size:,}" for size, shares in each)
        for name, each in points.items()
    ]
    return f"Line figure, {y_name} against parameters, {counted(len(points), 'model')}", (
        f"{'; '.join(lines)}."
    )
