"""A scene of patches, and below it where readers look in it, look by look."""

from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from course_lab.figures.still.lines import POINTS, axes_at
from course_lab.figures.style import (
    CARD,
    FRAME,
    NARROW,
    WEIGHTS,
    Picture,
    as_array,
    house_style,
)
from course_lab.figures.text import counted, name_by_name, phrase, require_words

LEVELS = 16
FONT = 11.0
_SCENE, _LARGEST, _GAP, _LABEL, _EDGE = 2.2, 1.3, 0.14, 0.32, 0.1
"""Inches: side of the scene, of a map at most, between maps, over each row, around all."""


def scene_looks(
    patches: object,
    columns: int,
    looks: Mapping[str, object],
    places: Sequence[int],
    *,
    steps: Sequence[str],
) -> Picture:
    """Draws a scene, and below it for each reader a row of maps, one a look.

    A map is as the scene: a cell a patch, darker for more weight. A frame marks where a look
    should go.

    Args:
        patches: (S, P) ink from 0 to 1, S patches in reading order, P pixels row by row.
        columns: patches in a row of the scene.
        looks: for each reader (T, S) weights, or the chances of a glance.
        places: for each of T looks the patch that it is about.
        steps: for each of T looks its name.

    Raises:
        ValueError: no reader, or shapes that do not fit.
    """
    require_words(steps=steps)
    ink = as_array(patches, "patches")
    if ink.ndim != 2 or len(ink) % columns or len(places) != len(steps):
        raise ValueError(
            f"wanted rows of {columns} patches and a place for each of {len(steps)} looks; got "
            f"patches {ink.shape} and {len(places)} places"
        )
    maps = {name: as_array(rows, name) for name, rows in looks.items()}
    wanted = (len(steps), len(ink))
    if not maps or any(rows.shape != wanted for rows in maps.values()):
        raise ValueError(f"wanted weights {wanted} of a reader or more")
    room = NARROW - 2 * _EDGE + _GAP
    side = min(_LARGEST, room / len(steps) - _GAP)
    margin = (NARROW + _GAP - len(steps) * (side + _GAP)) / 2
    height = _LABEL + _SCENE + len(maps) * (_LABEL + side) + _EDGE
    with house_style():
        picture = Picture(NARROW, height, *_describe(maps, places, steps, columns))
        top = height - _LABEL - _SCENE
        scene = _axes(picture, (NARROW - _SCENE) / 2, top, _SCENE, len(ink), columns)
        scene.set_title("the scene", fontsize=FONT)
        _draw_ink(scene, ink, columns)
        for row, (name, weights) in enumerate(maps.items(), 1):
            for step, shares in enumerate(weights):
                left = margin + step * (side + _GAP)
                bottom = top - row * (_LABEL + side)
                axes = _axes(picture, left, bottom, side, len(ink), columns)
                title = phrase(f"{name}: {steps[step]}", FONT, POINTS * (side + _GAP / 2))
                axes.set_title(title, fontsize=FONT, parse_math=False)
                _draw_map(axes, shares, columns, places[step])
    return picture


def _axes(
    picture: Picture, left: float, bottom: float, side: float, places: int, columns: int
) -> Axes:
    axes = axes_at(picture, left, bottom, side, side)
    axes.set(xlim=(0, columns), ylim=(places // columns, 0), xticks=[], yticks=[], aspect="equal")
    axes.grid(False)
    axes.spines[:].set_visible(False)
    return axes


def _draw_ink(axes: Axes, ink: np.ndarray, columns: int) -> None:
    """Pixels of one shade are one path, so that the picture stays small."""
    side = round(np.sqrt(ink.shape[1]))
    step = 0.94 / side
    shades: dict[int, list[Path]] = {}
    for patch, pixels in enumerate(ink):
        for pixel, value in enumerate(pixels):
            x = patch % columns + 0.03 + pixel % side * step
            y = patch // columns + 0.03 + pixel // side * step
            square = [(x, y), (x + step, y), (x + step, y + step), (x, y + step), (x, y)]
            shades.setdefault(round(LEVELS * value), []).append(Path(square, closed=True))
    for level, squares in sorted(shades.items()):
        path = Path.make_compound_path(*squares)
        axes.add_patch(PathPatch(path, facecolor=WEIGHTS(level / LEVELS), edgecolor="none"))


def _draw_map(axes: Axes, shares: np.ndarray, columns: int, place: int) -> None:
    grid = shares.reshape(-1, columns)
    axes.pcolormesh(grid, cmap=WEIGHTS, vmin=0, vmax=1, edgecolors=CARD, linewidth=1.5)
    corner = (place % columns, place // columns)
    axes.add_patch(Rectangle(corner, 1, 1, fill=False, edgecolor=FRAME, linewidth=1.8, zorder=3))


def _describe(
    maps: Mapping[str, np.ndarray], places: Sequence[int], steps: Sequence[str], columns: int
) -> tuple[str, str]:
    size = f"{counted(len(maps), 'reader')}, {counted(len(steps), 'look')}"
    told = {
        name: [
            f"{weights[step, place]:.2f} at row {place // columns + 1}, column "
            f"{place % columns + 1} for the {steps[step]}"
            for step, place in enumerate(places)
        ]
        for name, weights in maps.items()
    }
    return f"A scene and where readers look, {size}", name_by_name(told)
