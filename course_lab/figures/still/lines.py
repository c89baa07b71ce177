"""What the line figures share: several models, each with its seeds, named at the line's end."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from course_lab.figures.style import CARD, MUTED, LineStyle, Picture, as_array, line_styles
from course_lab.figures.text import phrase, width_of

POINTS = 72.0
LABEL_FONT = 12.0
WIDTH, HEIGHT = 6.6, 4.0
WRAP_BEYOND = 100.0
"""Points: a longer name is written on two lines, so that the lines keep the room."""
LONGEST_NAME = 180.0
"""Points: a line of a name that is longer is cut."""
NOTE_FONT = 9.5


def as_runs(series: Mapping[str, object], length: int, what: str) -> dict[str, np.ndarray]:
    """Each model's values as (seeds, length); one run may come as a plain row.

    Raises:
        ValueError: no model, more models than line styles, or values of another shape.
    """
    if not series:
        raise ValueError("a line figure needs at least one model, got none")
    line_styles(series)
    runs = {}
    for name, values in series.items():
        array = np.atleast_2d(as_array(values, name))
        if array.ndim != 2 or array.shape[1] != length or not array.shape[0]:
            raise ValueError(
                f"{name!r}: one value for each of {length} {what} is wanted, in one row or in one "
                f"row a seed; got shape {array.shape}"
            )
        runs[name] = array
    return runs


def axes_at(
    picture: Picture, left: float, bottom: float, wide: float, high: float, **more: Any
) -> Axes:
    """Axes at a place in inches, from the lower left corner of the picture."""
    page, tall = picture.get_size_inches()
    return picture.add_axes((left / page, bottom / tall, wide / page, high / tall), **more)


def write_note(picture: Picture, text: str, left: float = 0.1, up: float = 0.09) -> None:
    """Small grey words below a figure, at a place in inches."""
    page, tall = picture.get_size_inches()
    style = {"fontsize": NOTE_FONT, "color": MUTED, "parse_math": False}
    picture.text(left / page, up / tall, text, **style)


def pointer(colour: str, start: tuple[float, float]) -> dict[str, Any]:
    """The thin line from a name, from this part of its box on, to what it names."""
    line = {"arrowstyle": "-", "color": colour, "linewidth": 0.9}
    return {**line, "shrinkA": 2, "shrinkB": 5, "relpos": start}


def canvas(headline: str, detail: str, names: Sequence[str], note: str) -> tuple[Picture, Axes]:
    """An empty figure with room for the names at the right and a note below."""
    picture = Picture(WIDTH, HEIGHT, headline, detail)
    parts = [part for name in names for part in wrapped(name).split("\n")]
    longest = max(width_of(part, LABEL_FONT) for part in parts) / POINTS
    left, right, top = 0.66, longest + 0.42, 0.45
    bottom = 0.64 + (0.22 if note else 0.0)
    axes = axes_at(picture, left, bottom, WIDTH - left - right, HEIGHT - bottom - top)
    axes.tick_params(length=0, pad=5)
    if note:
        write_note(picture, phrase(note, NOTE_FONT, (WIDTH - left) * POINTS - 4), left)
    return picture, axes


def name_axes(axes: Axes, x_name: str, y_name: str) -> None:
    """Names the axes; the vertical one on top, where it reads without turning the head."""
    figure = axes.figure.get_figwidth() * POINTS
    x_name = phrase(x_name, LABEL_FONT, axes.get_position().width * figure)
    y_name = phrase(y_name, LABEL_FONT, figure - 60)
    axes.set_xlabel(x_name, labelpad=6, parse_math=False)
    axes.set_ylabel(y_name, rotation=0, ha="left", va="bottom", parse_math=False)
    axes.yaxis.set_label_coords(-0.09, 1.05)


def draw_runs(
    axes: Axes,
    x: np.ndarray,
    runs: Mapping[str, np.ndarray],
    centres: Mapping[str, np.ndarray],
) -> None:
    """Each model's middle as a line, the spread of its seeds as a band around it."""
    styles = line_styles(runs)
    for name, values in runs.items():
        draw_run(axes, x, name, values, centres[name], styles[name])


def draw_run(
    axes: Axes,
    x: np.ndarray,
    name: str,
    values: np.ndarray,
    middle: np.ndarray,
    line: LineStyle,
    *,
    alpha: float = 0.18,
) -> None:
    """One model's middle as a line, the spread of its seeds as a band of this strength."""
    if len(values) > 1:
        ends = values.min(0), values.max(0)
        axes.fill_between(x, *ends, color=line.colour, alpha=alpha, linewidth=0)
    axes.plot(
        x,
        middle,
        color=line.colour,
        linestyle=line.dashes,
        marker=line.marker,
        markeredgecolor=CARD,
        markeredgewidth=0.8,
        clip_on=False,
        zorder=3,
        label=name,
    )


def name_lines(axes: Axes, x: np.ndarray, centres: Mapping[str, np.ndarray]) -> None:
    """Writes each model's name beside the end of its line, moved apart where lines meet.

    The axes' limits and scales must stand before, for the names keep a distance on paper.
    """
    ends = []
    styles = line_styles(centres)
    for name, values in centres.items():
        known = np.flatnonzero(~np.isnan(values))
        if len(known):
            ends.append((name, styles[name], x[known[-1]], values[known[-1]]))
    inverse = axes.transAxes.inverted()
    heights = [inverse.transform(axes.transData.transform((px, py)))[1] for _, _, px, py in ends]
    _, _, _, tall = axes.get_position().bounds
    printed_lines = max(wrapped(name).count("\n") + 1 for name in centres)
    gap = 1.35 * printed_lines * LABEL_FONT / POINTS / (tall * HEIGHT)
    for (name, line, px, py), height in zip(ends, spread(heights, gap, 0.0, 1.0), strict=True):
        axes.annotate(
            wrapped(name),
            xy=(px, py),
            xycoords="data",
            xytext=(1.045, height),
            textcoords="axes fraction",
            fontsize=LABEL_FONT,
            va="center",
            annotation_clip=False,
            parse_math=False,
            arrowprops=pointer(line.colour, (0, 0.5)),
        )


def wrapped(name: str, beyond: float = WRAP_BEYOND) -> str:
    """A name that is longer, in points, on two lines, broken where they are most alike."""
    name = phrase(name, LABEL_FONT, 2 * LONGEST_NAME)
    spaces = [i for i, c in enumerate(name) if c == " "]
    if width_of(name, LABEL_FONT) <= beyond or not spaces:
        return phrase(name, LABEL_FONT, LONGEST_NAME)
    middle = min(spaces, key=lambda i: abs(2 * i - len(name)))
    parts = (name[:middle], name[middle + 1 :])
    return "\n".join(phrase(part, LABEL_FONT, LONGEST_NAME) for part in parts)


def spread(
    heights: Sequence[float], gap: float, low: float = -math.inf, high: float = math.inf
) -> list[float]:
    """Moves heights as little as it takes for each two to be `gap` apart, their order kept.

    Pools neighbours that are too close and centres each pool on what its members wanted, which is
    the least-squares solution (pool adjacent violators). Then all are brought within `low` and
    `high`, if there is room for them.
    """
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    pools: list[tuple[float, int]] = []  # mean of (wanted height - own offset), members
    for rank, i in enumerate(order):
        pools.append((heights[i] - rank * gap, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, n), (b, m) = pools[-2:]
            pools[-2:] = [((a * n + b * m) / (n + m), n + m)]
    moved = [0.0] * len(heights)
    rank = 0
    for base, members in pools:
        base = max(low, min(base, high - (len(heights) - 1) * gap))
        for _ in range(members):
            moved[order[rank]] = base + rank * gap
            rank += 1
    return moved


def seeds_note(runs: Mapping[str, np.ndarray], middle: str) -> str:
    """What the lines and bands are, for the note below the figure."""
    counts = sorted({len(values) for values in runs.values()})
    if counts == [1]:
        return ""
    seeds = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"line: {middle} of {seeds} seeds; band: lowest to highest"
