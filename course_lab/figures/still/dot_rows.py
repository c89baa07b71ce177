"""Rows by name with a dot for each seed: what each of several models reached, and its spread."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

from course_lab.figures.palette import VARIANT
from course_lab.figures.still.across import EDGE, name_across
from course_lab.figures.still.lines import (
    LABEL_FONT,
    NOTE_FONT,
    POINTS,
    axes_at,
    wrapped,
    write_note,
)
from course_lab.figures.style import CARD, INK, MUTED, NARROW, Picture, as_array, house_style
from course_lab.figures.text import counted, phrase, require_words, width_of

FONT = 11.0
LONGEST_NAME = 120.0
"""Points: a longer name of a row is written on two lines."""
_ROW, _TWO_LINES, _TOP, _BOTTOM, _RIGHT = 0.34, 0.41, 0.32, 0.82, 0.6
_LONGEST_MARK = 150.0
"""Points: a longer name of a mark is cut, and so is one that would leave the picture."""
_APART = 6.0
"""Points between the names of two marks, and between a name and its mark that is beside it."""


def draw_rows(axes: Axes, rows: Sequence[np.ndarray], colour: str) -> None:
    """A row of dots for each of these, from the top down, one dot a seed."""
    for place, seeds in zip(places(len(rows)), rows, strict=True):
        draw_dots(axes, place, seeds, colour)


def draw_dots(
    axes: Axes, height: float, seeds: np.ndarray, colour: str, *, hollow: bool = False
) -> None:
    """A dot for each seed at one height."""
    axes.plot(
        seeds,
        np.full(seeds.shape, height),
        linestyle="",
        marker="o",
        markersize=5,
        color=colour,
        markerfacecolor=CARD if hollow else colour,
        markeredgecolor=colour if hollow else CARD,
        markeredgewidth=1.1 if hollow else 0.6,
        clip_on=False,
    )


def row_names(names: Sequence[str], room: float = LONGEST_NAME) -> list[str]:
    """Names as they stand beside rows: on two lines, and cut, where wider than `room` in points."""
    require_words(names=names)
    parts = [wrapped(name, room * LABEL_FONT / FONT).split("\n") for name in names]
    return ["\n".join(phrase(part, FONT, room) for part in name) for name in parts]


def width_of_names(shown: Sequence[str]) -> float:
    """Inches that the names of rows take at the left of a picture."""
    longest = max(width_of(part, FONT) for name in shown for part in name.split("\n"))
    return longest / POINTS + 2 * EDGE


def name_rows(axes: Axes, shown: Sequence[str]) -> None:
    """Names at the left, as `row_names` gives them."""
    axes.set_yticks(places(len(shown)))
    axes.set_yticklabels(shown, fontsize=FONT, linespacing=1.0, parse_math=False)


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
    shown = row_names(list(values))
    room = width_of_names(shown)
    rows_high = len(values) * (_TWO_LINES if any("\n" in name for name in shown) else _ROW)
    height = _TOP + _BOTTOM + rows_high
    with house_style():
        headline = f"Dots of seeds, {x_name}, {counted(len(values), 'row')}"
        picture = Picture(NARROW, height, headline, f"Means. {'; '.join(told)}.")
        axes = axes_at(picture, room, _BOTTOM, NARROW - room - _RIGHT, rows_high)
        axes.set_xlim(floor, ceiling)
        scale_rows(axes, len(values))
        name_rows(axes, shown)
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
        name_across(axes, x_name)
        write_note(picture, "dots: seeds; stroke and number: mean", EDGE)
    return picture


def _marks(axes: Axes, marks: Mapping[str, float]) -> None:
    names = {name: phrase(name, NOTE_FONT, _LONGEST_MARK) for name in marks}
    sides = _sides(axes, marks, {name: width_of(x, NOTE_FONT) for name, x in names.items()})
    for name, mark in marks.items():
        axes.axvline(mark, color=MUTED, linestyle=(0, (5, 4)), linewidth=1.2, zorder=1)
        axes.annotate(
            phrase(names[name], NOTE_FONT, _room(axes, mark, sides[name])),
            (mark, 1.0),
            xytext=({"right": _APART / 2, "left": -_APART / 2}.get(sides[name], 0), 4),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha=sides[name],
            fontsize=NOTE_FONT,
            color=MUTED,
            parse_math=False,
        )


def _room(axes: Axes, mark: float, side: str) -> float:
    """Points from a mark to the picture's edge, on the side to which its name grows."""
    whole = axes.figure.get_figwidth() * POINTS
    left = axes.transData.transform((mark, 0))[0] / axes.figure.bbox.width * whole
    right = whole - left
    room = {"right": left, "left": right, "center": 2 * min(left, right)}[side]
    return room - _APART


def _sides(axes: Axes, marks: Mapping[str, float], widths: Mapping[str, float]) -> dict[str, str]:
    """Over which side of its mark each name stands; two that would meet step apart."""
    low, high = axes.get_xlim()
    points = axes.get_position().width * axes.figure.get_figwidth() * POINTS
    sides = dict.fromkeys(marks, "center")
    for near, far in pairwise(sorted(marks, key=marks.__getitem__)):
        apart = (marks[far] - marks[near]) / (high - low) * points
        if apart < (widths[near] + widths[far]) / 2 + _APART:
            sides[near], sides[far] = "right", "left"
    return sides
