"""Where a head looks, against what is lost without it: a point for each head, in small panels."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from course_lab.figures.palette import VARIANT
from course_lab.figures.still.lines import POINTS
from course_lab.figures.style import CARD, NARROW, Picture, as_array, house_style
from course_lab.figures.text import phrase

Points = Sequence[tuple[float, float]]
"""For each head the share of its looks that found, and the nats lost without it."""

FONT = 12.0
_ACROSS = 2
_PANEL, _TITLE = 1.5, 0.38
_LEFT, _RIGHT, _GAP, _TOP, _BOTTOM = 0.46, 0.14, 0.22, 0.3, 0.68
"""Inches: around all panels and between two, above the first, for the numbers below the last."""


def looks_and_worth(groups: Mapping[str, Points], *, x_name: str, y_name: str) -> Picture:
    """Draws the heads as points, a panel for each group; all panels have the same axes.

    Args:
        groups: for each its heads.
        x_name: what the horizontal axis shows, in 0..1.
        y_name: what the vertical axis shows.

    Raises:
        ValueError: no group, a group without a head, or a share outside 0..1.
    """
    if not groups or not all(len(points) for points in groups.values()):
        raise ValueError("a figure of heads needs a group, and each a head; got none")
    pairs = {name: as_array(points, name).reshape(-1, 2) for name, points in groups.items()}
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
        for place, (name, each) in enumerate(pairs.items()):
            row, column = divmod(place, across)
            left = _LEFT + column * (wide + _GAP)
            bottom = height - _TOP - (row + 1) * (_TITLE + _PANEL)
            box = (left / NARROW, bottom / height, wide / NARROW, _PANEL / height)
            axes = picture.add_axes(box)
            axes.plot(
                *each.T,
                color=VARIANT.light,
                linestyle="none",
                marker="o",
                markeredgecolor=CARD,
                markeredgewidth=0.6,
                clip_on=False,
            )
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
        shown = phrase(y_name, FONT, POINTS * (NARROW - 0.2))
        picture.text(0.1 / NARROW, 1 - 0.22 / height, shown, **names)
        shown = phrase(x_name, FONT, POINTS * (NARROW - _LEFT))
        picture.text(0.5, 0.12 / height, shown, ha="center", **names)
    return picture
