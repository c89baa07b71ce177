"""What a change gains at each place of a sentence: panel below panel, a dot for each seed."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_lab.figures.palette import MODELS, SURFACES
from course_lab.figures.still.lines import LABEL_FONT, NOTE_FONT, POINTS
from course_lab.figures.style import CARD, INK, MUTED, NARROW, Picture, as_array, house_style
from course_lab.figures.text import counted, phrase, require_words

_HIGH = 1.5
"""Inches of a panel."""
_LEFT, _RIGHT, _TOP, _BOTTOM, _GAP, _EDGE = 0.55, 0.15, 0.7, 0.9, 0.42, 0.1
_MARGINS, _BETWEEN = 1.1, 6.0
"""How much wider than its bars an axis is, and points from one name of a place to the next."""


def gain_by_place(
    panels: Mapping[str, Sequence[Sequence[float]]],
    *,
    places: Sequence[str],
    x_name: str,
    y_name: str,
    model: str = "sutskever",
) -> Picture:
    """Draws a bar up to the mean of the seeds at each place, and a dot for each seed.

    Args:
        panels: by their titles the gains, a row for each seed and a number for each place.
        places: what the places are called.
        x_name: what they are places of.
        y_name: what is gained, with its unit.
        model: a key of `palette.MODELS`, whose gains they are.

    Raises:
        ValueError: no panel, or gains that do not fit the places.
    """
    require_words(places=places)
    values = {title: as_array(rows, title) for title, rows in panels.items()}
    if not values:
        raise ValueError("wanted a panel or more")
    for title, rows in values.items():
        if rows.ndim != 2 or not len(rows) or rows.shape[1] != len(places):
            raise ValueError(
                f"{title!r}: wanted a row a seed with {len(places)} numbers, got {rows.shape}"
            )
    told = "; ".join(
        f"{title}: " + ", ".join(f"{place} {gain:+.2f}" for place, gain in _named(rows, places))
        for title, rows in values.items()
    )
    lowest = min(float(rows.min()) for rows in values.values())
    highest = max(float(rows.max()) for rows in values.values())
    room = 0.08 * (highest - min(lowest, 0.0))
    with house_style():
        headline = f"Gains by place, {y_name}, {counted(len(values), 'panel')}"
        height = _TOP + _BOTTOM + len(values) * (_HIGH + _GAP) - _GAP
        picture = Picture(NARROW, height, headline, f"Means. {told}.")
        wide = NARROW - _LEFT - _RIGHT
        each = POINTS * wide / (_MARGINS * len(places)) - _BETWEEN
        shown = [phrase(place, LABEL_FONT, each) for place in places]
        for below, (title, rows) in zip(reversed(range(len(values))), values.items(), strict=True):
            floor = _BOTTOM + below * (_HIGH + _GAP)
            axes = picture.add_axes((_LEFT / NARROW, floor / height, wide / NARROW, _HIGH / height))
            _draw(axes, rows, MODELS[model].light)
            axes.set_ylim(min(lowest, 0.0) - room, highest + room)
            axes.set_xticks(range(1, len(places) + 1), shown, parse_math=False)
            title = phrase(title, LABEL_FONT, POINTS * wide)
            style = {"color": INK, "fontsize": LABEL_FONT, "parse_math": False}
            axes.set_title(title, loc="left", **style)
            axes.tick_params(labelbottom=not below)
            if not below:
                x_name = phrase(x_name, LABEL_FONT, POINTS * wide)
                axes.set_xlabel(x_name, labelpad=5, parse_math=False)
        y_name = phrase(y_name, LABEL_FONT, POINTS * (NARROW - 2 * _EDGE))
        picture.text(_EDGE / NARROW, 1 - 0.24 / height, y_name, **style)
        note = {"color": MUTED, "fontsize": NOTE_FONT, "parse_math": False}
        seeds = counted(len(next(iter(values.values()))), "seed")
        picture.text(_EDGE / NARROW, 0.09 / height, f"bar: mean of {seeds}; dot: a seed", **note)
    return picture


def _named(rows: np.ndarray, places: Sequence[str]) -> list[tuple[str, float]]:
    return list(zip(places, rows.mean(0).tolist(), strict=True))


def _draw(axes: Axes, rows: np.ndarray, colour: str) -> None:
    x = np.arange(1, rows.shape[1] + 1)
    axes.bar(x, rows.mean(0), width=0.62, color=colour, alpha=0.35, linewidth=0)
    # Dots of a place stand beside each other, in the order of the seeds.
    steps = np.linspace(-0.2, 0.2, len(rows)) if len(rows) > 1 else np.zeros(1)
    for step, row in zip(steps, rows, strict=True):
        axes.plot(
            x + step,
            row,
            linestyle="",
            marker="o",
            markersize=4.5,
            color=colour,
            markeredgecolor=CARD,
            markeredgewidth=0.6,
            clip_on=False,
        )
    axes.axhline(0, color=SURFACES["muted"].light, linewidth=1)
    axes.tick_params(length=0, pad=4)
