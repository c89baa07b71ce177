"""How right models are after two budgets of training, beside the number of their parameters."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from course_lib.figures.palette import VARIANT
from course_lib.figures.still.dot_rows import FONT, name_rows, places, scale_rows
from course_lib.figures.style import CARD, INK, MUTED, Picture, as_array, house_style
from course_lib.figures.text import counted, phrase, width_of

_WIDTH, _ROW, _TOP, _BOTTOM, _RIGHT = 6.6, 0.5, 0.34, 0.82, 1.05
_LANE, _NOTE = 0.17, 9.5
_COLOUR = VARIANT.light


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
    note: str = "hollow: 600 updates; full: four times as many; stroke: mean of the seeds",
    x_name: str = "accuracy (share of test pairs)",
) -> Picture:
    """Draws a row a model: hollow dots after the shorter training, full ones below them.

    Args:
        models: by name, from the top down.
        floor: where the axis begins.
        ceiling: where it ends.
        note: what the dots are.
        x_name: what the axis shows.

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
    room = min(max(width_of(name, FONT) for name in found) / 72 + 0.2, 0.4 * _WIDTH)
    wide = _WIDTH - room - _RIGHT
    with house_style():
        headline = f"Dots of seeds after two budgets, {x_name}, {counted(len(found), 'model')}"
        picture = Picture(_WIDTH, height, headline, _told(models, found))
        across, up = room / _WIDTH, _BOTTOM / height
        axes = picture.add_axes((across, up, wide / _WIDTH, _ROW * len(found) / height))
        axes.set_xlim(floor, ceiling)
        scale_rows(axes, len(found))
        name_rows(axes, list(found), 72 * room - 8)
        for place, (shorter, longer) in zip(places(len(found)), found.values(), strict=True):
            _lane(axes, place + _LANE, shorter, CARD)
            _lane(axes, place - _LANE, longer, _COLOUR)
        _sizes(axes, [each.parameters for each in models.values()])
        axes.set_xlabel(phrase(x_name, 12.0, 72 * wide), parse_math=False)
        below = {"fontsize": _NOTE, "color": MUTED, "parse_math": False}
        picture.text(0.1 / _WIDTH, 0.09 / height, phrase(note, _NOTE, 72 * _WIDTH - 14), **below)
    return picture


def _lane(axes: Axes, height: float, seeds: np.ndarray, face: str) -> None:
    """The seeds at one height, and a stroke at their mean."""
    if not seeds.size:
        return
    axes.plot(
        seeds,
        np.full(seeds.shape, height),
        linestyle="",
        marker="o",
        markersize=5,
        markerfacecolor=face,
        markeredgecolor=_COLOUR if face == CARD else CARD,
        markeredgewidth=1.1 if face == CARD else 0.6,
        clip_on=False,
    )
    axes.plot([seeds.mean()] * 2, [height - _LANE, height + _LANE], color=INK, linewidth=1.6)


def _sizes(axes: Axes, sizes: Sequence[int]) -> None:
    """A column at the right, under its head."""
    right = {"ha": "right", "fontsize": FONT, "annotation_clip": False}
    for place, size in zip(places(len(sizes)), sizes, strict=True):
        where = axes.get_yaxis_transform()
        axes.annotate(f"{size:,}", (1.2, place), xycoords=where, va="center", **right)
    head = {**right, "fontsize": _NOTE, "color": MUTED}
    axes.annotate("parameters", (1.2, 1.02), xycoords="axes fraction", va="bottom", **head)


def _told(models: Mapping[str, Budgets], found: Mapping[str, list[np.ndarray]]) -> str:
    rows = []
    for name, (shorter, longer) in found.items():
        later = f", {longer.mean():.2f} after the longer training" if longer.size else ""
        rows.append(f"{name}, {models[name].parameters:,}: {shorter.mean():.2f}{later}")
    return f"Means, beside the parameters. {'; '.join(rows)}."
