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


CORNERS = np.array([(3, 1), (3, -1), (-3, 1), (-3, -1)])
IN_CORNERS = {str(corner): [2 * k, 2 * k + 1] for k, corner in enumerate(CORNERS.tolist())}


@pytest.mark.parametrize("apart", [0.1, 0.0])
def test_a_letter_leads_from_each_point_to_its_name_in_the_same_quarter(apart):
    spots = np.repeat(CORNERS, 2, axis=0) + apart * np.tile([(1.0, 0.0), (0.0, 1.0)], (4, 1))
    picture = drawn(spots, [f"name {k}" for k in range(8)], IN_CORNERS)
    (axes,) = picture.axes
    picture.draw_without_rendering()
    letters = [text for text in axes.texts if text.get_text() in ("A", "B")]
    assert [text.get_text() for text in letters] == ["A", "B"] * 4
    lines = [line for line in axes.lines if line.get_linewidth() == 1.0]
    np.testing.assert_allclose(
        np.concatenate([line.get_xydata() for line in lines]), [text.xy for text in letters]
    )
    # The two letters of a pair do not lie on each other, not even where their points do.
    boxes = [text.get_window_extent() for text in letters]
    assert not any(boxes[k].overlaps(boxes[k + 1]) for k in range(0, 8, 2))
    ends = {text.get_text(): text.get_window_extent() for text in axes.texts}
    assert ends["several"].x1 < ends["present"].x0 < ends["present"].x1 < ends["one"].x0
    assert ends["perfect"].y1 < ends["several"].y0 < ends["several"].y1 < ends["present"].y0
    named = {text.get_text(): text.get_window_extent() for text in picture.texts}
    for k, (letter, box) in enumerate(zip(letters, boxes, strict=True)):
        name, (x, y) = named[f"name {k}"], letter.xy
        assert (name.x0 > ends["present"].x1) == (x > 0) == (box.x0 > picture.bbox.width / 2)
        assert (name.y0 > ends["several"].y1) == (y > 0)
