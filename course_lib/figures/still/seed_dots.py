"""Panels of dots: a row for each thing measured, a dot for each run, a bar at the middle."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes

from course_lib.figures.palette import VARIANT
from course_lib.figures.still.dot_rows import FONT, draw_rows, name_rows, places, scale_rows
from course_lib.figures.style import INK, MUTED, Picture, as_array, house_style
from course_lib.figures.text import phrase, width_of

WIDTH, ROW, TOP, BOTTOM, GAP, EDGE = 6.6, 0.36, 0.45, 0.5, 0.45, 0.2
NARROWEST = 1.3
"""Inches, of a panel: longer names of rows are cut."""
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
    told = "; ".join(
        f"{name}: "
        + ", ".join(f"{title} {np.median(rows[i]):.2f}" for title, rows in values.items())
        for i, name in enumerate(names)
    )
    height = TOP + BOTTOM + ROW * len(names)
    detail = f"Medians over the {runs}. {told}."
    with house_style():
        picture = Picture(WIDTH, height, f"{headline}, {len(names)} rows", detail)
        _place(picture, names, values, colours or [COLOUR] * len(panels), low, runs)
    return picture


def _place(
    picture: Picture,
    names: Sequence[str],
    values: Mapping[str, Sequence[np.ndarray]],
    colours: Sequence[str],
    low: float,
    runs: str,
) -> None:
    """The panels from left to right; the first has the names of the rows."""
    height, gaps = picture.get_figheight(), (len(values) - 1) * GAP
    widest = WIDTH - EDGE - len(values) * NARROWEST - gaps
    left = min(max(width_of(name, FONT) for name in names) / 72 + 0.2, widest)
    width = (WIDTH - left - EDGE - gaps) / len(values)
    for side, (title, rows) in enumerate(values.items()):
        x = left + side * (width + GAP)
        box = (x / WIDTH, BOTTOM / height, width / WIDTH, ROW * len(names) / height)
        axes = picture.add_axes(box)
        _draw(axes, rows, colours[side], low)
        axes.set_title(phrase(title, FONT, 72 * width), fontsize=FONT, loc="left", color=INK)
        if not side:
            name_rows(axes, names, 72 * left - 12)
    middle = "line" if low else "bar"
    axes.set_xlabel(f"dots: {runs}; {middle}: median", fontsize=9.5, color=MUTED)


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
    axes.set_xticks([low, (low + 1) / 2, 1])
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
    scale_rows(axes, len(rows))
