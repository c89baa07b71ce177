"""The name of a horizontal axis that is shorter than its name."""

from matplotlib.axes import Axes

from course_lab.figures.still.lines import LABEL_FONT, POINTS
from course_lab.figures.text import phrase, width_of

EDGE = 0.1
"""Inches: words keep so far from the sides of a picture."""


def name_across(axes: Axes, x_name: str) -> None:
    """Names the horizontal axis, below its middle or as near to it as the picture has room.

    The axes must stand in their place before.
    """
    page = axes.figure.get_figwidth()
    shown = phrase(x_name, LABEL_FONT, POINTS * (page - 2 * EDGE))
    half = width_of(shown, LABEL_FONT) / POINTS / 2
    box = axes.get_position()
    middle = min(max(page * (box.x0 + box.x1) / 2, EDGE + half), page - EDGE - half)
    axes.set_xlabel(shown, x=(middle / page - box.x0) / box.width, labelpad=6, parse_math=False)
