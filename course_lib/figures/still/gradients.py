"""How much of a gradient is left after so many steps: the picture of vanishing and exploding."""

from collections.abc import Mapping

import numpy as np
from matplotlib.ticker import FixedLocator, NullLocator

from course_lib.figures.still.lines import (
    as_runs,
    canvas,
    draw_runs,
    name_axes,
    name_lines,
    seeds_note,
)
from course_lib.figures.style import Picture, as_array, house_style
from course_lib.figures.text import counted


def gradient_plot(
    distances: object,
    norms: Mapping[str, object],
    *,
    x_name: str = "distance (time steps)",
    y_name: str = "norm of the gradient (log scale)",
) -> Picture:
    """Draws gradient norm against distance, one line a model, the norm on a logarithmic axis.

    A norm of exactly 0 has no place on such an axis. It is drawn on the lower edge, and the note
    below says so.

    Args:
        distances: (D,) rising numbers of steps between the loss and the input.
        norms: for each model norms of 0 or more, shape (D,) for one run or (seeds, D) for several:
            the line is then their geometric mean (their arithmetic one where some are 0), and a
            band spans lowest to highest. NaN leaves a gap.
        x_name: what the horizontal axis shows, with its unit.
        y_name: what the vertical axis shows.

    Raises:
        ValueError: distances that do not rise, or norms that do not fit them, are negative,
            infinite or all zero.
    """
    x = as_array(distances, "distances")
    if x.ndim != 1 or not len(x) or not (np.diff(x) > 0).all():
        raise ValueError("distances must be one row of rising numbers")
    runs = as_runs(norms, len(x), "distances")
    middles = {name: _middle(name, values) for name, values in runs.items()}
    low, high = _limits(runs)
    zeros = any((values == 0).any() for values in runs.values())
    notes = [seeds_note(runs, "mean"), "on the lower edge: exactly 0" if zeros else ""]
    floored = {name: np.maximum(values, low) for name, values in runs.items()}
    floored_middles = {name: np.maximum(middle, low) for name, middle in middles.items()}
    with house_style():
        picture, axes = canvas(
            *_describe(x, middles, x_name, y_name),
            names=list(runs),
            note="; ".join(note for note in notes if note),
        )
        axes.set_yscale("log")
        axes.set_ylim(low, high)
        axes.yaxis.set_major_locator(FixedLocator(_ticks(low, high)))
        axes.yaxis.set_minor_locator(NullLocator())
        room = 0.03 * (x[-1] - x[0]) or 1.0
        axes.set_xlim(x[0] - room, x[-1] + room)
        name_axes(axes, x_name, y_name)
        draw_runs(axes, x, floored, floored_middles)
        name_lines(axes, x, floored_middles)
    return picture


def describe_gradients(distances: object, norms: Mapping[str, object]) -> str:
    """The figure in words: each model's norm at the shortest and the longest distance."""
    x = as_array(distances, "distances")
    runs = as_runs(norms, len(x), "distances")
    middles = {name: _middle(name, values) for name, values in runs.items()}
    headline, detail = _describe(
        x, middles, "distance (time steps)", "norm of the gradient (log scale)"
    )
    return f"{headline}. {detail}"


def _middle(name: str, values: np.ndarray) -> np.ndarray:
    if (values < 0).any():
        raise ValueError(f"{name!r}: a norm is 0 or more, got {np.nanmin(values):g}")
    with np.errstate(divide="ignore"):
        geometric = np.exp(np.log(values).mean(0))
    return np.where((values > 0).all(0), geometric, values.mean(0))


def _limits(runs: Mapping[str, np.ndarray]) -> tuple[float, float]:
    """Whole powers of ten around all norms, one more below if there are zeros to show."""
    everything = np.concatenate([values.ravel() for values in runs.values()])
    positive = everything[everything > 0]
    if not len(positive):
        raise ValueError("all norms are 0: there is nothing to draw on a logarithmic axis")
    low, high = np.floor(np.log10(positive.min())), np.ceil(np.log10(positive.max()))
    low -= bool((everything == 0).any())
    return 10.0**low, 10.0 ** max(high, low + 1)


def _ticks(low: float, high: float) -> list[float]:
    """Powers of ten, evenly apart and not too many, 1 among them if it is in sight."""
    first, last = round(np.log10(low)), round(np.log10(high))
    step = -(-(last - first) // 6)
    return [10.0**e for e in range(first, last + 1) if e % step == 0]


def _describe(
    x: np.ndarray, middles: Mapping[str, np.ndarray], x_name: str, y_name: str
) -> tuple[str, str]:
    size = f"{counted(len(middles), 'model')}, {counted(len(x), 'distance')}"
    headline = f"Line figure, {y_name} against {x_name}, {size}"
    lines = []
    for name, middle in middles.items():
        known = np.flatnonzero(~np.isnan(middle))
        if len(known):
            first, last = known[0], known[-1]
            lines.append(
                f"{name}: {middle[first]:.0e} at {x[first]:g}, {middle[last]:.0e} at {x[last]:g}"
            )
    return headline, f"{'; '.join(lines)}." if lines else ""
