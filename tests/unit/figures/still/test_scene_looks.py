"""A scene and its maps: every patch where it belongs, and in words."""

import numpy as np
import pytest
from matplotlib.patches import PathPatch, Rectangle

from course_lab.figures.still.scene_looks import LEVELS, scene_looks
from course_lab.figures.style import NARROW
from tests.unit.figures.still.test_lines import assert_words_inside

INK = np.linspace(0, 1, 24).reshape(6, 4)
SHARES = np.array([[0.9, 0.1, 0, 0, 0, 0], [0, 0, 0, 0, 0.25, 0.75]])


def draw(**changes):
    given = {
        "patches": INK,
        "columns": 3,
        "looks": {"soft": SHARES, "hard": SHARES[::-1]},
        "places": [0, 5],
        "steps": ["first", "second"],
        **changes,
    }
    return scene_looks(
        given["patches"], given["columns"], given["looks"], given["places"], steps=given["steps"]
    )


def test_it_is_told_in_words():
    picture = draw()
    assert picture.headline == "A scene and where readers look, 2 readers, 2 looks"
    assert "soft: 0.90 at row 1, column 1 for the first, 0.75 at row 2, column 3" in picture.detail
    assert "hard: 0.00 at row 1, column 1" in picture.detail


def test_maps_hold_the_weights_and_frame_the_place():
    scene, *maps = draw().axes
    assert [axes.get_title() for axes in maps][:2] == ["soft: first", "soft: second"]
    (mesh,) = maps[1].collections
    np.testing.assert_allclose(mesh.get_array().ravel(), SHARES[1])
    (frame,) = [p for p in maps[1].patches if isinstance(p, Rectangle)]
    assert frame.get_xy() == (2, 1)
    assert scene.get_title() == "the scene"


def test_the_scene_stands_above_its_maps_and_all_titles_have_room():
    picture = draw()
    assert picture.get_figwidth() == NARROW
    scene, *maps = (axes.get_position() for axes in picture.axes)
    assert (scene.x0 + scene.x1) / 2 == pytest.approx(0.5)
    assert scene.y0 > max(box.y1 for box in maps)
    assert min(box.x0 for box in maps) == pytest.approx(1 - max(box.x1 for box in maps))
    assert [box.y0 == pytest.approx(maps[0].y0) for box in maps] == [True, True, False, False]
    assert_words_inside(picture)


def test_every_pixel_is_drawn_once_in_its_shade():
    paths = [p for p in draw().axes[0].patches if isinstance(p, PathPatch)]
    corners = sum(len(p.get_path().to_polygons(closed_only=False)) for p in paths)
    assert corners == INK.size
    assert len(paths) == len(set(np.round(LEVELS * INK).ravel()))


def test_the_page_can_colour_it():
    assert "<image" not in draw().svg()
    assert draw().svg() == draw().svg()


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"columns": 4}, "rows of 4 patches"),
        ({"places": [0]}, "each of 2 looks; got patches"),
        ({"looks": {}}, "a reader or more"),
        ({"looks": {"soft": SHARES[:, :5]}}, "wanted weights"),
    ],
)
def test_what_does_not_fit_is_refused(changes, said):
    with pytest.raises(ValueError, match=said):
        draw(**changes)
