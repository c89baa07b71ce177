"""Vectors in their plane: the directions, what is told, and what is refused."""

import numpy as np
import pytest

from course_lib.figures.still.vector_plane import principal_plane, vector_plane

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


def test_what_is_beyond_the_plane_is_not_in_the_share():
    plane = principal_plane(np.diag([3.0, 2.0, 1.0, 0.0]))
    rest = np.diag([3.0, 2.0, 1.0, 0.0]) - np.diag([3.0, 2.0, 1.0, 0.0]).mean(0)
    assert plane.share == pytest.approx((plane.places**2).sum() / (rest**2).sum())
    assert plane.share < 1


def test_every_name_stands_in_the_picture_and_every_point_is_told(vectors):
    picture = vector_plane(vectors, NAMES, GROUPS, model="cho")
    (axes,) = picture.axes
    (dots,) = [line for line in axes.lines if line.get_marker() == "o"]
    assert len(dots.get_xdata()) == 4
    assert sorted(name for text in axes.texts for name in text.get_text().split("\n")) == sorted(
        NAMES
    )
    assert all(f"“{name}” at" in picture.alt for name in NAMES)
    picture.draw_without_rendering()
    page = picture.bbox
    for text in axes.texts:
        box = text.get_window_extent()
        assert page.x0 <= box.x0 < box.x1 <= page.x1
        assert page.y0 <= box.y0 < box.y1 <= page.y1


@pytest.mark.parametrize(
    ("names", "groups"),
    [(NAMES[:3], GROUPS), (NAMES, {"left": [0, 1], "right": [2]}), (NAMES, {"all": [0, 1, 2, 2]})],
)
def test_names_and_groups_that_do_not_fit_are_refused(vectors, names, groups):
    with pytest.raises(ValueError, match="a name and a group for each of 4 vectors"):
        vector_plane(vectors, names, groups, model="cho")


def test_two_vectors_make_no_plane():
    with pytest.raises(ValueError, match="wanted three vectors"):
        principal_plane(np.eye(2))
