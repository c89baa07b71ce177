"""Where a head looks, against what is lost without it: a point for each head, in small panels."""

import math
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.lines import Line2D

from course_lab.figures.palette import VARIANT
from course_lab.figures.still.lines import POINTS, axes_at
from course_lab.figures.style import CARD, NARROW, Picture, as_array, house_style
from course_lab.figures.text import phrase

Points = Sequence[tuple[float, float]]
"""For each head the share of gaps where it found the word, and the nats lost without it."""

FONT = 12.0
_ACROSS = 2
_PANEL, _TITLE = 1.5, 0.38
_LEFT, _RIGHT, _GAP, _TOP, _BOTTOM = 0.46, 0.14, 0.22, 0.3, 0.68
_FILLS = VARIANT.light, CARD
"""Inches: around all panels and between two, above the first, for the numbers below the last."""


def looks_and_worth(
    groups: Mapping[str, Mapping[str, Points]], *, x_name: str, y_name: str
) -> Picture:
    """Draws the heads as points, a panel for each group; all panels have the same axes.

    Args:
        groups: for each its heads by layer, of one layer or of two: full points and open ones.
        x_name: what the horizontal axis shows, in 0..1.
        y_name: what the vertical axis shows.

    Raises:
        ValueError: no group, a group without a head, layers that differ between groups or are more
            than two, or a share outside 0..1.
    """
    if not groups or not all(len(points) for of in groups.values() for points in of.values()):
        raise ValueError("a figure of heads needs a group, and each a head; got none")
    layers = list(next(iter(groups.values())))
    if not 1 <= len(layers) <= len(_FILLS) or any(list(of) != layers for of in groups.values()):
        raise ValueError(f"want the same one or two layers in each group; got {layers}")
    parted = {
        name: [as_array(points, name).reshape(-1, 2) for points in of.values()]
        for name, of in groups.items()
    }
    pairs = {name: np.concatenate(each) for name, each in parted.items()}
    for name, each in pairs.items():
        if each[:, 0].min() < 0 or each[:, 0].max() > 1:
            raise ValueError(f"{name!r}: wanted shares from 0 to 1")
    said = "; ".join(
        f"{name}: {len(each)} heads, up to {each[:, 0].max():.2f} across and "
        f"{each[:, 1].max():.2f} up"
        for name, each in pairs.items()
    )
    across = min(_ACROSS, len(pairs))
    down = math.ceil(len(pairs) / across)
    height = _TOP + down * (_TITLE + _PANEL) + _BOTTOM
    with house_style():
        headline = f"Heads as points, {y_name} against {x_name}"
        picture = Picture(NARROW, height, headline, f"{said}.")
        wide = (NARROW - _LEFT - _RIGHT - (across - 1) * _GAP) / across
        costs = np.concatenate([each[:, 1] for each in pairs.values()])
        room = 0.06 * max(float(np.ptp(costs)), 1e-6)
        marks = {
            "color": VARIANT.light,
            "linestyle": "none",
            "marker": "o",
            "markeredgewidth": 0.9,
            "clip_on": False,
        }
        for place, name in enumerate(pairs):
            row, column = divmod(place, across)
            left = _LEFT + column * (wide + _GAP)
            bottom = height - _TOP - (row + 1) * (_TITLE + _PANEL)
            axes = axes_at(picture, left, bottom, wide, _PANEL)
            for own, fill in zip(parted[name], _FILLS, strict=False):
                axes.plot(*own.T, markerfacecolor=fill, **marks)
            axes.set_xlim(-0.03, 1.03)
            axes.set_xticks([0, 0.5, 1], ["0", "0.5", "1"])
            axes.set_ylim(costs.min() - room, costs.max() + room)
            # Numbers where no panel follows: at the left, and below the last of a column.
            axes.tick_params(
                length=0, pad=5, labelleft=not column, labelbottom=place + across >= len(pairs)
            )
            title = phrase(name, FONT, POINTS * wide)
            axes.set_title(title, fontsize=FONT, loc="left", parse_math=False)
        names = {"fontsize": FONT, "parse_math": False}
        shown = phrase(y_name, FONT, POINTS * NARROW / 2)
        picture.text(0.1 / NARROW, 1 - 0.22 / height, shown, **names)
        shown = phrase(x_name, FONT, POINTS * (NARROW - _LEFT))
        picture.text(0.5, 0.12 / height, shown, ha="center", **names)
        for place, (layer, fill) in enumerate(zip(layers, _FILLS, strict=False)):
            left = NARROW / 2 + 0.5 + place * 0.9
            shown = phrase(layer, FONT, POINTS * 0.65)
            picture.text(left / NARROW, 1 - 0.22 / height, shown, **names)
            at = [(left - 0.11) / NARROW], [1 - 0.16 / height]
            picture.add_artist(Line2D(*at, markerfacecolor=fill, **marks))
    return picture
