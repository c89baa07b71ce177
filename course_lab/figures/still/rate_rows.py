"""Error rates of many ways, row by row: a dot a run, and a ring for it under another rule."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from course_lab.figures.palette import MODELS
from course_lab.figures.still.dot_rows import FONT, draw_rows, places, scale_rows
from course_lab.figures.still.lines import NOTE_FONT, POINTS, wrapped
from course_lab.figures.style import (
    CARD,
    INK,
    MUTED,
    NARROW,
    RULE,
    Picture,
    as_array,
    house_style,
)
from course_lab.figures.text import counted, phrase, width_of

ROW, TOP, BOTTOM, EDGE = 0.39, 0.42, 1.02, 0.1
NUMBER, GAP = 0.46, 0.14
"""Inches to the right of a panel, for the number of each row, and before the next panel."""
LONGEST_NAME = 80.0
"""Points: a longer name of a row is written on two lines."""
OF_A_MODEL, WITHOUT = MODELS["ibm1"].light, INK


class Rates(NamedTuple):
    """One panel.

    Attributes:
        title: what was measured.
        end: where the axis ends; a rate beyond it is an arrow at the edge.
        runs: for each row the rate of each run.
        ringed: the same under the other rule; rows may be missing.
    """

    title: str
    end: float
    runs: Mapping[str, Sequence[float]]
    ringed: Mapping[str, Sequence[float]]


def rate_rows(
    panels: Sequence[Rates],
    *,
    models: Collection[str],
    headline: str,
    dots: str,
    rings: str,
    note: str = "",
) -> Picture:
    """Panels side by side with the same rows; the median of the dots stands beside each row.

    Args:
        panels: from left to right. All have the same rows, in the same order.
        models: the rows in the colour of IBM Model 1; the others are in ink.
        headline: what kind of picture it is.
        dots: what a dot is, for the line below.
        rings: what a ring is.
        note: what else has to be said, for the last line below.

    Raises:
        ValueError: no panel or no row, panels with other rows, a ring or a model without a row, a
            row without a run, or a rate outside 0..1.
    """
    names = _checked(panels, models)
    told = "; ".join(
        f"{name}: "
        + ", ".join(
            f"{panel.title} {np.median(panel.runs[name]):.3f}"
            + (f" (rings {np.median(panel.ringed[name]):.3f})" if name in panel.ringed else "")
            for panel in panels
        )
        for name in names
    )
    height = TOP + BOTTOM + ROW * len(names)
    shown = [wrapped(name, LONGEST_NAME) for name in names]
    longest = max(width_of(part, FONT) for name in shown for part in name.split("\n"))
    left = longest / POINTS + 0.2
    wide = (NARROW - left - EDGE + GAP) / len(panels)
    with house_style():
        picture = Picture(NARROW, height, f"{headline}, {counted(len(names), 'row')}", f"{told}.")
        for side, panel in enumerate(panels):
            axes = picture.add_axes(
                (
                    (left + side * wide) / NARROW,
                    BOTTOM / height,
                    (wide - GAP - NUMBER) / NARROW,
                    ROW * len(names) / height,
                )
            )
            _draw(axes, panel, names, models)
            title = phrase(panel.title, FONT, POINTS * (wide - GAP))
            axes.set_title(title, fontsize=FONT, loc="left", parse_math=False)
            if not side:
                style = {"fontsize": FONT, "linespacing": 1.0, "parse_math": False}
                axes.set_yticks(places(len(names)), shown, **style)
        style = {"fontsize": NOTE_FONT, "color": MUTED, "parse_math": False, "x": EDGE / NARROW}
        said = [f"● {dots}", f"○ {rings}; number: median of the dots", note]
        for line, text in zip((2, 1, 0), said, strict=True):
            text = phrase(text, NOTE_FONT, POINTS * (NARROW - 2 * EDGE))
            picture.text(y=(0.09 + 0.2 * line) / height, s=text, **style)
    return picture


def _checked(panels: Sequence[Rates], models: Collection[str]) -> list[str]:
    kinds = {tuple(panel.runs) for panel in panels}
    if len(kinds) != 1 or kinds == {()}:
        raise ValueError("wanted a panel or more, each with the same rows, one or more")
    names = list(kinds.pop())
    for panel in panels:
        if odd := ({*panel.ringed, *models} - set(names)):
            raise ValueError(f"no row for {sorted(odd)}")
        for name, values in [*panel.runs.items(), *panel.ringed.items()]:
            found = as_array(values, name)
            if found.ndim != 1 or not found.size or not ((found >= 0) & (found <= 1)).all():
                raise ValueError(f"{name!r}: wanted a rate from 0 to 1 for each run")
    return names


def _draw(axes: Axes, panel: Rates, names: Sequence[str], models: Collection[str]) -> None:
    height = dict(zip(names, places(len(names)), strict=True))
    for name, place in height.items():
        colour = OF_A_MODEL if name in models else WITHOUT
        dots, rings = (np.asarray(rows.get(name, ())) for rows in (panel.runs, panel.ringed))
        if rings.size:
            # From the one rule to the other: how far the row hangs on it.
            ends = np.clip([np.median(dots), np.median(rings)], 0, panel.end)
            axes.plot(ends, [place] * 2, color=RULE, linewidth=2.5, zorder=1)
        inside = rings[rings <= panel.end]
        axes.plot(
            *(inside, np.full(inside.shape, place)),
            linestyle="",
            marker="o",
            markersize=5.5,
            markerfacecolor=CARD,
            markeredgecolor=colour,
            markeredgewidth=1.2,
            clip_on=False,
        )
        if max([*dots, *rings]) > panel.end:
            axes.plot(panel.end, place, marker=">", markersize=6, color=colour, clip_on=False)
        axes.annotate(
            f"{np.median(dots):.3f}".removeprefix("0"),
            (1, place),
            (8, 0),
            xycoords=("axes fraction", "data"),
            textcoords="offset points",
            va="center",
            fontsize=FONT,
            color=colour,
        )
    shown = [np.asarray(panel.runs[name]) for name in names]
    shown = [row[row <= panel.end] for row in shown]
    for colour, of_a_model in ((OF_A_MODEL, True), (WITHOUT, False)):
        mine = [(name in models) == of_a_model for name in names]
        rows = [row if own else row[:0] for row, own in zip(shown, mine, strict=True)]
        draw_rows(axes, rows, colour)
    axes.set_xlim(0, panel.end)
    ticks = [0, panel.end / 2, panel.end]
    axes.set_xticks(ticks, [f"{tick:g}".removeprefix("0") or "0" for tick in ticks])
    axes.spines["left"].set_visible(False)
    axes.set_yticks([])
    scale_rows(axes, len(names))
