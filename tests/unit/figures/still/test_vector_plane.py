"""Vectors in their plane: the directions, what is told, and what is refused."""

import numpy as np
import pytest

from course_lab.figures.still.vector_plane import principal_plane, vector_plane
from course_lab.figures.style import NARROW

HALVES = (("several", "one"), ("perfect", "present"))
GROUPS = {"left": [0, 1], "right": [2, 3]}
NAMES = ["one", "two", "three", "four"]


@pytest.fixture
def vectors():
    """Four points of a plane that is turned in five dimensions."""
    flat = np.array([[-3.0, 1.0], [-3.0, 0.6], [3.0, -1.0], [3.0, -0.6]])
    turn, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(5, 5)))
    return flat @ turn[:2] + 7.0


def test_the_plane_keeps_distances_and_all_that_lies_in_it(vectors):
    plane = principal_plane(vectors)
    assert plane.share == pytest.approx(1.0)
    for i in range(4):
        for j in range(4):
            wanted = np.linalg.norm(vectors[i] - vectors[j])
            assert np.linalg.norm(plane.places[i] - plane.places[j]) == pytest.approx(wanted)
    spread = plane.places.var(0)
    assert spread[0] > spread[1]
    assert (plane.places[0] >= 0).all()


def drawn(vectors, names=NAMES, groups=GROUPS):
    return vector_plane(vectors, names, groups, halves=HALVES, model="cho")


def test_every_name_stands_in_the_picture_and_every_point_is_told(vectors):
    picture = drawn(vectors)
    (axes,) = picture.axes
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [len(line.get_xdata()) for line in dots] == [2, 2]
    assert set(NAMES) < {text.get_text() for text in picture.texts}
    assert all(f"“{name}” at" in picture.alt for name in NAMES)
    assert picture.get_figwidth() == NARROW
    picture.draw_without_rendering()
    page = picture.bbox
    for text in [*axes.texts, *picture.texts]:
        box = text.get_window_extent()
        assert page.x0 <= box.x0 < box.x1 <= page.x1
        assert page.y0 <= box.y0 < box.y1 <= page.y1
