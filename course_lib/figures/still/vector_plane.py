"""Vectors as points in a plane: the two directions in which they differ most."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from course_lib.figures.palette import MODELS
from course_lib.figures.style import CARD, INK, MUTED, Picture, as_array, house_style
from course_lib.figures.text import counted

WIDTH, HEIGHT = 6.6, 4.2
_FONT, _NOTE = 11.0, 9.5
_LEFT, _RIGHT, _TOP, _BOTTOM = 0.35, 0.15, 0.15, 0.55


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
    vectors: object, names: Sequence[str], groups: Mapping[str, Sequence[int]], *, model: str
) -> Picture:
    """Draws each vector as a point, and beside each group the names of its members.

    Args:
        vectors: (vectors, width).
        names: of the vectors.
        groups: by a title the members, which lie close together.
        model: a key of `palette.MODELS`, whose vectors they are.

    Raises:
        ValueError: names or groups that do not fit the vectors.
    """
    plane = principal_plane(vectors)
    members = sorted(i for group in groups.values() for i in group)
    if len(names) != len(plane.places) or members != list(range(len(names))):
        raise ValueError(
            f"wanted a name and a group for each of {counted(len(plane.places), 'vector')}"
        )
    told = "; ".join(
        f"{title}: "
        + ", ".join(f"“{names[i]}” at {x:+.1f}, {y:+.1f}" for i, (x, y) in _of(plane, group))
        for title, group in groups.items()
    )
    with house_style():
        headline = f"{counted(len(names), 'vector')} in a plane, {counted(len(groups), 'group')}"
        picture = Picture(WIDTH, HEIGHT, headline, f"{told}.")
        wide, high = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
        axes = picture.add_axes(
            (_LEFT / WIDTH, _BOTTOM / HEIGHT, wide / WIDTH, high / HEIGHT), aspect="equal"
        )
        reach = 1.45 * np.abs(plane.places).max()
        axes.set_xlim(-reach * wide / high, reach * wide / high)
        axes.set_ylim(-reach, reach)
        axes.axhline(0, color=MUTED, linewidth=0.6)
        axes.axvline(0, color=MUTED, linewidth=0.6)
        axes.grid(visible=False)
        axes.tick_params(length=0, labelleft=False, labelbottom=False)
        axes.spines[["left", "bottom"]].set_visible(False)
        axes.plot(
            *plane.places.T,
            linestyle="",
            marker="o",
            markersize=7,
            color=MODELS[model].light,
            markeredgecolor=CARD,
            zorder=3,
        )
        for group in groups.values():
            spots = plane.places[list(group)]
            left, above = spots[:, 0].mean() < 0, spots[:, 1].mean() > 0
            edge = spots[:, 1].max() if above else spots[:, 1].min()
            axes.annotate(
                "\n".join(names[i] for i in sorted(group, key=lambda i: -plane.places[i, 1])),
                (spots[:, 0].mean(), edge),
                (40 if left else -40, 8 if above else -8),
                textcoords="offset points",
                ha="right" if left else "left",  # away from the middle, where names would meet
                va="bottom" if above else "top",
                fontsize=_FONT,
                color=INK,
                parse_math=False,
            )
        note = f"the two directions of most difference; {plane.share:.0%} of it lies in them"
        style = {"color": MUTED, "fontsize": _NOTE, "parse_math": False}
        picture.text(_LEFT / WIDTH, 0.12 / HEIGHT, note, **style)
    return picture


def _of(plane: Plane, group: Sequence[int]) -> list[tuple[int, tuple[float, float]]]:
    return [(i, tuple(plane.places[i].tolist())) for i in group]
