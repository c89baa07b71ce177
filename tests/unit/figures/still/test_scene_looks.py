"""A scene and its maps: every patch where it belongs, and in words."""

import numpy as np
from matplotlib.patches import PathPatch, Rectangle

from course_lab.figures.still.scene_looks import LEVELS, scene_looks

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


def test_maps_hold_the_weights_and_frame_the_place():
    scene, *maps = draw().axes
    assert [axes.get_title() for axes in maps][:2] == ["soft: first", "soft: second"]
    (mesh,) = maps[1].collections
    np.testing.assert_allclose(mesh.get_array().ravel(), SHARES[1])
    (frame,) = [p for p in maps[1].patches if isinstance(p, Rectangle)]
    assert frame.get_xy() == (2, 1)
    assert scene.get_title() == "the scene"


def test_every_pixel_is_drawn_once_in_its_shade():
    paths = [p for p in draw().axes[0].patches if isinstance(p, PathPatch)]
    corners = sum(len(p.get_path().to_polygons(closed_only=False)) for p in paths)
    assert corners == INK.size
    assert len(paths) == len(set(np.round(LEVELS * INK).ravel()))
