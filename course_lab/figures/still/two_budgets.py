"""How right models are after two budgets of training, beside the number of their parameters."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from course_lab.figures.palette import VARIANT
from course_lab.figures.still.across import EDGE, name_across
from course_lab.figures.still.dot_rows import (
    FONT,
    draw_dots,
    name_rows,
    places,
    row_names,
    scale_rows,
    width_of_names,
)
from course_lab.figures.still.lines import NOTE_FONT, axes_at, write_note
from course_lab.figures.style import INK, MUTED, NARROW, Picture, as_array, house_style
from course_lab.figures.text import counted

_X_NAME = "accuracy (share of test pairs)"
_NOTE = ("stroke: mean of the seeds", "hollow: 600 updates; full: four times as many;")
"""What the dots are, from the lowest line up."""
_ROW, _TOP, _BOTTOM, _RIGHT, _LINE = 0.5, 0.34, 0.82 + 0.2, 1.0, 0.2
"""Inches: of a row, around all rows, and of a further line of the note."""
_LANE = 0.17


class Budgets(NamedTuple):
    """One model: its parameters, and the share that each seed reached after the two budgets.

    `longer` is empty where nobody trained it longer.
    """

    parameters: int
    shorter: Sequence[float]
    longer: Sequence[float] = ()


def two_budgets(
    models: Mapping[str, Budgets],
    *,
    floor: float = 0.0,
    ceiling: float = 1.0,
) -> Picture:
    """Draws a row a model: hollow dots after the shorter training, full ones below them.

    Args:
        models: by name, from the top down.
        floor: where the axis begins.
        ceiling: where it ends.

    Raises:
        ValueError: no model, a model without a seed, or a share beyond the axis.
    """
    found = {
        name: [as_array(list(seeds), name) for seeds in (each.shorter, each.longer)]
        for name, each in models.items()
    }
    if not found or not all(shorter.size for shorter, _ in found.values()):
        raise ValueError("wanted a model or more, and a seed or more of each")
    every = np.concatenate([seeds for both in found.values() for seeds in both])
    if every.min() < floor or every.max() > ceiling:
        raise ValueError(f"wanted shares from {floor:g} to {ceiling:g}")
    height = _TOP + _BOTTOM + _ROW * len(found)
    shown = row_names(list(found))
    room = width_of_names(shown)
    wide = NARROW - room - _RIGHT
    with house_style():
        headline = f"Dots of seeds after two budgets, {_X_NAME}, {counted(len(found), 'model')}"
        picture = Picture(NARROW, height, headline, _told(models, found))
        axes = axes_at(picture, room, _BOTTOM, wide, _ROW * len(found))
        axes.set_xlim(floor, ceiling)
        scale_rows(axes, len(found))
        name_rows(axes, shown)
        for place, (shorter, longer) in zip(places(len(found)), found.values(), strict=True):
            for height, seeds in ((place + _LANE, shorter), (place - _LANE, longer)):
                if seeds.size:
                    draw_dots(axes, height, seeds, VARIANT.light, hollow=seeds is shorter)
                    stroke = [height - _LANE, height + _LANE]
                    axes.plot([seeds.mean()] * 2, stroke, color=INK, linewidth=1.6)
        _sizes(axes, [each.parameters for each in models.values()], 1 + (_RIGHT - EDGE) / wide)
        name_across(axes, _X_NAME)
        for line, part in enumerate(_NOTE):
            write_note(picture, part, EDGE, 0.09 + _LINE * line)
    return picture


def _sizes(axes: Axes, sizes: Sequence[int], end: float) -> None:
    """A column at the right, under its head, that ends there, in widths of the axes."""
    right = {"ha": "right", "fontsize": FONT, "annotation_clip": False}
    for place, size in zip(places(len(sizes)), sizes, strict=True):
        where = axes.get_yaxis_transform()
        axes.annotate(f"{size:,}", (end, place), xycoords=where, va="center", **right)
    head = {**right, "fontsize": NOTE_FONT, "color": MUTED}
    axes.annotate("parameters", (end, 1.02), xycoords="axes fraction", va="bottom", **head)


def _told(models: Mapping[str, Budgets], found: Mapping[str, list[np.ndarray]]) -> str:
    rows = []
    for name, (shorter, longer) in found.items():
        later = f", {longer.mean():.2f} after the longer training" if longer.size else ""
        rows.append(f"{name}, {models[name].parameters:,}: {shorter.mean():.2f}{later}")
    return f"Means, beside the parameters. {'; '.join(rows)}."
