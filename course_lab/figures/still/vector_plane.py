"""Vectors as points in a plane: the two directions in which they differ most."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from string import ascii_uppercase
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes

from course_lab.figures.palette import MODELS
from course_lab.figures.still.lines import LABEL_FONT, POINTS, axes_at, wrapped, write_note
from course_lab.figures.style import CARD, INK, MUTED, NARROW, Picture, as_array, house_style
from course_lab.figures.text import counted, name_by_name, phrase, require_words

HEIGHT = 4.6
_EDGE, _TOP, _BOTTOM, _CORNER = 0.1, 0.1, 0.42, 0.9
"""Inches; the names of a group stand in a corner so high."""
_COLUMN, _INDENT, _LINE = 1.6, 0.2, 0.205
"""A corner is so wide, names begin so far to the right of their letters, and lines are so high."""

Ends = tuple[str, str]


class Plane(NamedTuple):
    """Vectors as they lie in their plane.

    Attributes:
        places: (vectors, 2), first the direction in which they differ most.
        share: how much of all squared distance from the mean lies in the plane, 0..1.
    """

    places: np.ndarray
    share: float


def principal_plane(vectors: object) -> Plane:
    """The first two principal components of vectors, (vectors, width).

    Of each direction the sign is chosen so that the first vector is not below zero: it is free.

    Raises:
        ValueError: no three vectors of two numbers or more.
    """
    rows = as_array(vectors, "the vectors")
    if rows.ndim != 2 or min(rows.shape[0] - 1, rows.shape[1]) < 2:
        raise ValueError(f"wanted three vectors of two numbers or more, got shape {rows.shape}")
    _, sizes, directions = np.linalg.svd(rows - rows.mean(0), full_matrices=False)
    places = (rows - rows.mean(0)) @ directions[:2].T
    signs = np.where(places[0] < 0, -1.0, 1.0)
    return Plane(places * signs, float((sizes[:2] ** 2).sum() / (sizes**2).sum()))


def vector_plane(
    vectors: object,
    names: Sequence[str],
    groups: Mapping[str, Sequence[int]],
    *,
    halves: tuple[Ends, Ends],
    model: str,
) -> Picture:
    """Draws each vector as a point with a letter, and the names beside these letters.

    A thin line joins the members of a group, whose names stand in the corner of their quarter.

    Args:
        vectors: (vectors, width).
        names: of the vectors.
        groups: by a title the members, which lie close together, each group in a quarter of its
            own.
        halves: what lies left and right, and what lies below and above.
        model: a key of `palette.MODELS`, whose vectors they are.

    Raises:
        ValueError: names or groups that do not fit the vectors, or two groups in one quarter.
    """
    require_words(names=names)
    plane = principal_plane(vectors)
    members = sorted(i for group in groups.values() for i in group)
    if len(names) != len(plane.places) or members != list(range(len(names))):
        raise ValueError(
            f"wanted a name and a group for each of {counted(len(plane.places), 'vector')}"
        )
    quarters = {title: _quarter(plane.places[list(group)]) for title, group in groups.items()}
    if len(set(quarters.values())) < len(quarters):
        raise ValueError(f"wanted each group in a quarter of its own, got {quarters}")
    told = {
        title: [f"“{names[i]}” at {x:+.1f}, {y:+.1f}" for i, (x, y) in _of(plane, group)]
        for title, group in groups.items()
    }
    with house_style():
        headline = f"{counted(len(names), 'vector')} in a plane, {counted(len(groups), 'group')}"
        picture = Picture(NARROW, HEIGHT, headline, name_by_name(told))
        axes = _axes(picture, plane, halves)
        colour = MODELS[model].light
        for title, group in groups.items():
            _draw(axes, plane.places[list(group)], colour)
            _name(picture, [names[i] for i in group], *quarters[title])
        note = f"the two directions of most difference; {plane.share:.0%} of it lies in them"
        write_note(picture, note, _EDGE)
    return picture


def _quarter(places: np.ndarray) -> tuple[bool, bool]:
    """Whether a group lies to the right, and whether above."""
    x, y = places.mean(0)
    return bool(x > 0), bool(y > 0)


def _axes(picture: Picture, plane: Plane, halves: tuple[Ends, Ends]) -> Axes:
    high = HEIGHT - _BOTTOM - 2 * _CORNER - _TOP
    axes = axes_at(picture, 0, _BOTTOM + _CORNER, NARROW, high, aspect="equal")
    # Letters stand outside their points, so there has to be room beyond the farthest.
    reach = max(
        1.3 * np.abs(plane.places[:, 0]).max() * high / NARROW,
        1.15 * np.abs(plane.places[:, 1]).max(),
    )
    axes.set_ylim(-reach, reach)
    axes.set_xlim(-reach * NARROW / high, reach * NARROW / high)
    axes.set_axis_off()
    axes.axhline(0, _EDGE / NARROW, 1 - _EDGE / NARROW, color=MUTED, linewidth=0.8)
    axes.axvline(0, color=MUTED, linewidth=0.8)
    aside, between = POINTS * (NARROW / 2 - 2 * _EDGE), POINTS * (NARROW - 2 * _COLUMN)
    (left, right), (below, above) = (
        [phrase(end, LABEL_FONT, room) for end in ends]
        for ends, room in zip(halves, (aside, between), strict=True)
    )
    said = {"color": MUTED, "fontsize": LABEL_FONT, "transform": axes.transAxes}
    edge, line = _EDGE / NARROW, 0.5 + 0.05 / high
    axes.text(edge, line, left, ha="left", va="bottom", parse_math=False, **said)
    axes.text(1 - edge, line, right, ha="right", va="bottom", parse_math=False, **said)
    axes.text(0.5, 1 + 0.03 / high, above, ha="center", va="bottom", parse_math=False, **said)
    axes.text(0.5, -0.05 / high, below, ha="center", va="top", parse_math=False, **said)
    return axes


def _draw(axes: Axes, places: np.ndarray, colour: str) -> None:
    axes.plot(*places.T, color=colour, linewidth=1.0, zorder=2)
    dots = {"color": colour, "markeredgecolor": CARD, "markeredgewidth": 0.8, "zorder": 3}
    axes.plot(*places.T, linestyle="", marker="o", markersize=5, **dots)
    middle = places.mean(0)
    for number, place in enumerate(places):
        away = place - middle
        # Two points in one place have their letters left and right of it.
        away = away if np.hypot(*away) > 1e-9 else np.array([2.0 * number - 1.0, 0.0])
        away = 10 * away / np.hypot(*away)
        axes.annotate(
            ascii_uppercase[number],
            place,
            away,
            textcoords="offset points",
            ha="center",
            va="center_baseline",
            fontsize=LABEL_FONT,
            weight="bold",
            color=INK,
        )


def _name(picture: Picture, names: Sequence[str], right: bool, above: bool) -> None:
    """The names of a group below each other in the corner of its quarter, letters first."""
    left = NARROW - _COLUMN if right else _EDGE
    room = (_COLUMN - _INDENT - _EDGE) * POINTS
    parts = [wrapped(name, room).split("\n") for name in names]
    shown = ["\n".join(phrase(part, LABEL_FONT, room) for part in name) for name in parts]
    lines = [name.count("\n") + 1 for name in shown]
    top = HEIGHT - _TOP if above else _BOTTOM + _LINE * sum(lines)
    style = {"fontsize": LABEL_FONT, "color": INK, "va": "top", "linespacing": 1.15}
    for number, (name, before) in enumerate(zip(shown, accumulate([0, *lines]), strict=False)):
        y = (top - _LINE * before) / HEIGHT
        picture.text(left / NARROW, y, ascii_uppercase[number], weight="bold", **style)
        picture.text((left + _INDENT) / NARROW, y, name, parse_math=False, **style)


def _of(plane: Plane, group: Sequence[int]) -> list[tuple[int, tuple[float, float]]]:
    return [(i, tuple(plane.places[i].tolist())) for i in group]
