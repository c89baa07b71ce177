"""How much of a gradient is left after so many steps: the picture of vanishing and exploding."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, NullLocator

from course_lab.figures.still.lines import (
    LABEL_FONT,
    NOTE_FONT,
    POINTS,
    as_runs,
    axes_at,
    draw_run,
    name_axes,
    seeds_note,
    wrapped,
    write_note,
)
from course_lab.figures.style import MUTED, NARROW, Picture, as_array, house_style, line_styles
from course_lab.figures.text import BOLD, counted, phrase

_LEFT, _RIGHT, _TOP, _BOTTOM, _GAP = 0.72, 0.12, 0.45, 0.62, 0.2
_HIGH, _ALONE = 1.45, 2.9
"""Inches of a panel: of several, and of one that stands alone."""
_POWERS = 13.5
"""Size of the powers of ten, whose exponents are smaller by three tenths."""


def gradient_plot(
    distances: object,
    norms: Mapping[str, object],
    *,
    x_name: str = "distance (time steps)",
    y_name: str = "norm of the gradient (log scale)",
) -> Picture:
    """Draws gradient norm against distance, a panel for each model, the norm on a logarithmic axis.

    The means of the other models stand in grey behind each. A norm of exactly 0 has no place on
    such an axis. It is drawn on the lower edge, and the note below says so.

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
    styles = line_styles(runs)
    middles = {name: _middle(name, values) for name, values in runs.items()}
    low, high = _limits(runs)
    zeros = any((values == 0).any() for values in runs.values())
    notes = [seeds_note(runs, "mean"), "on the lower edge: exactly 0" if zeros else ""]
    floored = {name: np.maximum(values, low) for name, values in runs.items()}
    floored_middles = {name: np.maximum(middle, low) for name, middle in middles.items()}
    with house_style():
        picture, panels = _panels(
            *_describe(x, middles, x_name, y_name),
            names=list(runs),
            note="; ".join(note for note in notes if note),
        )
        for number, (name, axes) in enumerate(panels.items()):
            axes.set_yscale("log")
            axes.set_ylim(low, high)
            axes.yaxis.set_major_locator(FixedLocator(_ticks(low, high)))
            axes.yaxis.set_minor_locator(NullLocator())
            room = 0.03 * (x[-1] - x[0]) or 1.0
            axes.set_xlim(x[0] - room, x[-1] + room)
            left, lowest = number % 2 == 0, number >= len(runs) - 2
            axes.tick_params(labelleft=left, labelbottom=lowest)
            axes.tick_params(axis="y", labelsize=_POWERS)
            name_axes(axes, "", y_name if number == 0 else "")
            axes.yaxis.set_label_coords(-0.5 * _LEFT / _wide(len(runs)), 1.08)
            for other in runs:
                if other != name:
                    axes.plot(x, floored_middles[other], color=MUTED, linewidth=0.6, zorder=1)
            shown = floored[name], floored_middles[name], styles[name]
            draw_run(axes, x, name, *shown, alpha=0.25)
        _name_below(panels, x_name)
    return picture


def _wide(panels: int) -> float:
    """Inches of a panel: two stand beside each other."""
    return NARROW - _LEFT - _RIGHT if panels == 1 else (NARROW - _LEFT - _RIGHT - _GAP) / 2


def _name_below(panels: Mapping[str, Axes], x_name: str) -> None:
    """The horizontal axis is named once, below the middle of the lowest row."""
    lowest = list(panels.values())[(len(panels) - 1) // 2 * 2]
    room = (NARROW - _LEFT - _RIGHT) * POINTS
    middle = 0.5 if len(panels) % 2 else 1 + 0.5 * _GAP / _wide(len(panels))
    shown = phrase(x_name, LABEL_FONT, room)
    lowest.set_xlabel(shown, labelpad=6, x=middle, parse_math=False)


def _panels(
    headline: str, detail: str, names: Sequence[str], note: str
) -> tuple[Picture, dict[str, Axes]]:
    """A figure with a panel for each name, two beside each other."""
    rows = -(-len(names) // 2)
    panel = _HIGH if len(names) > 1 else _ALONE
    bottom = _BOTTOM + (0.22 if note else 0.0)
    high = _TOP + bottom + rows * panel + (rows - 1) * _GAP
    wide = _wide(len(names))
    picture = Picture(NARROW, high, headline, detail)
    panels = {}
    for number, name in enumerate(names):
        row, column = divmod(number, 2)
        left = _LEFT + column * (wide + _GAP)
        floor = bottom + (rows - 1 - row) * (panel + _GAP)
        axes = axes_at(picture, left, floor, wide, panel)
        axes.tick_params(length=0, pad=5)
        shown = wrapped(name, 0.9 * wide * POINTS / BOLD)
        at = {"transform": axes.transAxes, "fontsize": LABEL_FONT, "parse_math": False}
        # At the lower left, where no line is: all begin at 1.
        axes.text(0.04, 0.08, shown, **at, fontweight="bold", zorder=4)
        panels[name] = axes
    if note:
        write_note(picture, phrase(note, NOTE_FONT, NARROW * POINTS - 10))
    return picture, panels


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
