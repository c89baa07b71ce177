"""Panels of dots: a row for each thing measured, a dot for each run, a bar at the middle."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_lab.figures.palette import VARIANT
from course_lab.figures.still.dot_rows import (
    FONT,
    draw_rows,
    name_rows,
    places,
    row_names,
    scale_rows,
    width_of_names,
)
from course_lab.figures.still.lines import NOTE_FONT, POINTS, axes_at, write_note
from course_lab.figures.style import INK, NARROW, Picture, as_array, house_style
from course_lab.figures.text import name_by_name, phrase

ROW, TWO_LINES, TOP, LINE, BOTTOM, GAP, EDGE = 0.36, 0.41, 0.4, 0.18, 0.62, 0.24, 0.14
"""Inches: of a row, of one with a name on two lines, above the rows, of a line of a title."""
NOTE_LEFT = 0.1
LONGEST_NAMES = {1: 120.0, 2: 110.0}
"""Points, by the number of panels: longer names of rows are written on two lines."""
LONGEST_NAME = 100.0
"""The same where there are more panels."""
COLOUR = VARIANT.light

Panel = Mapping[str, Sequence[float]]
"""Row -> one share for each run."""


def seed_dots(
    panels: Mapping[str, Panel],
    *,
    headline: str,
    colours: Sequence[str] = (),
    low: float = 0.0,
    runs: str = "seeds",
) -> Picture:
    """Panels side by side, which share their rows.

    Args:
        panels: by their titles. All have the same rows, in the same order.
        headline: what kind of picture it is.
        colours: of each panel; a colour that is no model's where there is none.
        low: where the axes begin. Medians are bars where that is zero, and lines elsewhere.
        runs: what a dot is.

    Raises:
        ValueError: no panel or no row, panels with other rows, a row without a number, or numbers
            that are no shares.
    """
    names = _rows(panels)
    values = {
        title: [as_array(panel[name], name) for name in names] for title, panel in panels.items()
    }
    for rows in values.values():
        for name, found in zip(names, rows, strict=True):
            if found.ndim != 1 or not found.size or np.abs(found).max() > 1:
                raise ValueError(f"{name!r}: wanted a share for each run in every panel")
    told = {
        name: [f"{title} {np.median(rows[i]):.2f}" for title, rows in values.items()]
        for i, name in enumerate(names)
    }
    shown = row_names(names, LONGEST_NAMES.get(len(panels), LONGEST_NAME))
    left = width_of_names(shown)
    width = (NARROW - left - EDGE - (len(panels) - 1) * GAP) / len(panels)
    titles = row_names(list(panels), POINTS * (width + GAP / 2))
    top = TOP + LINE * any("\n" in title for title in titles)
    rows_high = len(names) * (TWO_LINES if any("\n" in name for name in shown) else ROW)
    height = top + BOTTOM + rows_high
    detail = f"Medians over the {runs}. {name_by_name(told)}"
    with house_style():
        picture = Picture(NARROW, height, f"{headline}, {len(names)} rows", detail)
        for side, rows in enumerate(values.values()):
            x = left + side * (width + GAP)
            axes = axes_at(picture, x, BOTTOM, width, rows_high)
            _draw(axes, rows, colours[side] if colours else COLOUR, low)
            style = {"fontsize": FONT, "color": INK, "linespacing": 1.1, "parse_math": False}
            axes.set_title(titles[side], loc="left", **style)
            if not side:
                name_rows(axes, shown)
        note = f"dots: {runs}; {'line' if low else 'bar'}: median"
        note = phrase(note, NOTE_FONT, (NARROW - 2 * NOTE_LEFT) * POINTS)
        write_note(picture, note, NOTE_LEFT)
    return picture


def _rows(panels: Mapping[str, Panel]) -> list[str]:
    kinds = {tuple(panel) for panel in panels.values()}
    if len(kinds) != 1 or kinds == {()}:
        raise ValueError("wanted a panel or more, each with the same rows, one or more")
    return list(kinds.pop())


def _draw(axes: Axes, rows: Sequence[np.ndarray], colour: str, low: float) -> None:
    for place, found in zip(places(len(rows)), rows, strict=True):
        middle = float(np.median(found))
        if low:  # a bar that does not begin at zero would lie about its length
            axes.plot([middle] * 2, [place - 0.3, place + 0.3], color=colour, linewidth=2)
        else:
            axes.barh(place, middle, height=0.5, color=colour, alpha=0.35, linewidth=0)
    draw_rows(axes, rows, colour)
    axes.set_xlim(low, 1)
    ticks = [low, (low + 1) / 2, 1]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
    scale_rows(axes, len(rows))
