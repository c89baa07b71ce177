"""Rows by name with a dot for each seed: what each of several models reached, and its spread."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_lib.figures.palette import VARIANT
from course_lib.figures.style import CARD, INK, MUTED, Picture, as_array, house_style
from course_lib.figures.text import counted, phrase, width_of

FONT = 11.0
_WIDTH, _ROW, _TOP, _BOTTOM, _RIGHT = 5.0, 0.34, 0.32, 0.82, 0.6
_NOTE = 9.5


def draw_rows(axes: Axes, rows: Sequence[np.ndarray], colour: str) -> None:
    """A row of dots for each of these, from the top down, one dot a seed."""
    for place, seeds in zip(places(len(rows)), rows, strict=True):
        axes.plot(
            seeds,
            np.full(seeds.shape, place),
            linestyle="",
            marker="o",
            markersize=5,
            color=colour,
            markeredgecolor=CARD,
            markeredgewidth=0.6,
            clip_on=False,
        )


def name_rows(axes: Axes, names: Sequence[str], room: float) -> None:
    """Names at the left, cut where they are wider than `room` in points."""
    axes.set_yticks(places(len(names)))
    shown = [phrase(name, FONT, room) for name in names]
    axes.set_yticklabels(shown, fontsize=FONT, parse_math=False)


def scale_rows(axes: Axes, count: int) -> None:
    """Room for so many rows, and lines that lead down to the numbers."""
    axes.set_ylim(-0.6, count - 0.4)
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")
    axes.tick_params(length=0, pad=4)


def places(count: int) -> np.ndarray:
    """Heights of the rows, from the top down."""
    return np.arange(count)[::-1]


def mean_dots(
    rows: Mapping[str, Sequence[float]],
    *,
    floor: float = 0.0,
    ceiling: float = 1.0,
    marks: Mapping[str, float] | None = None,
    x_name: str = "accuracy (share of test pairs)",
) -> Picture:
    """Draws what each model reached: a dot a seed, its mean as a stroke with the number beside it.

    Args:
        rows: for each model its seeds.
        floor: where the axis begins.
        ceiling: where it ends.
        marks: what to compare with, by name: a dashed line through all rows.
        x_name: what the axis shows.

    Raises:
        ValueError: no row, a row without a seed, or a number beyond the axis.
    """
    marks = marks or {}
    values = {name: as_array(seeds, name) for name, seeds in rows.items()}
    every = [*values.values(), np.array(list(marks.values()))]
    if not values or any(part.ndim != 1 or not part.size for part in values.values()):
        raise ValueError("wanted a row or more, and a seed or more in each")
    if any(part.size and (part.min() < floor or part.max() > ceiling) for part in every):
        raise ValueError(f"wanted numbers from {floor:g} to {ceiling:g}")
    means = {name: seeds.mean() for name, seeds in values.items()}
    told = [f"{name}: {mean:.2f}" for name, mean in means.items()]
    told += [f"dashed line, {name}: {mark:.2f}" for name, mark in marks.items()]
    height = _TOP + _BOTTOM + _ROW * len(values)
    room = min(max(width_of(name, FONT) for name in values) / 72 + 0.2, 0.5 * _WIDTH)
    with house_style():
        headline = f"Dots of seeds, {x_name}, {counted(len(values), 'row')}"
        picture = Picture(_WIDTH, height, headline, f"Means. {'; '.join(told)}.")
        axes = picture.add_axes(
            (
                room / _WIDTH,
                _BOTTOM / height,
                (_WIDTH - room - _RIGHT) / _WIDTH,
                _ROW * len(values) / height,
            )
        )
        axes.set_xlim(floor, ceiling)
        scale_rows(axes, len(values))
        name_rows(axes, list(values), 72 * room - 8)
        _marks(axes, marks)
        draw_rows(axes, list(values.values()), VARIANT.light)
        for place, mean in zip(places(len(values)), means.values(), strict=True):
            axes.plot([mean] * 2, [place - 0.32, place + 0.32], color=INK, linewidth=1.6)
            axes.annotate(
                f"{mean:.2f}",
                (1.02, place),
                xycoords=("axes fraction", "data"),
                va="center",
                fontsize=FONT,
            )
        axes.set_xlabel(phrase(x_name, 12.0, 72 * (_WIDTH - room)), parse_math=False)
        note = {"fontsize": _NOTE, "color": MUTED, "parse_math": False}
        picture.text(0.1 / _WIDTH, 0.09 / height, "dots: seeds; stroke and number: mean", **note)
    return picture


def _marks(axes: Axes, marks: Mapping[str, float]) -> None:
    for name, mark in marks.items():
        axes.axvline(mark, color=MUTED, linestyle=(0, (5, 4)), linewidth=1.2, zorder=1)
        axes.annotate(
            name,
            (mark, 1.0),
            xytext=(0, 4),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            fontsize=_NOTE,
            color=MUTED,
            parse_math=False,
        )
