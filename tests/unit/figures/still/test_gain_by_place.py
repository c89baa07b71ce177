"""Gains by place, and risk by length: what is told, what is drawn, and what is refused."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_lab.figures.palette import MODELS
from course_lab.figures.still.gain_by_place import gain_by_place
from course_lab.figures.still.risk_by_length import equal_risk
from course_lab.figures.style import NARROW

PANELS = {"source": [[0.1, 0.2], [0.3, 0.4]], "target": [[-0.1, 0.0], [0.1, 0.2]]}
NAMES = {"places": ["1", "2"], "x_name": "part", "y_name": "gain (share of words)"}


def test_the_gains_are_told_and_every_seed_has_its_dot():
    picture = gain_by_place(PANELS, **NAMES)
    assert "source: 1 +0.20, 2 +0.30; target: 1 +0.00, 2 +0.10" in picture.alt
    assert picture.get_figwidth() == NARROW
    source, target = picture.axes
    assert source.get_position().y0 > target.get_position().y1, "one below the other"
    heights = [bar.get_height() for bar in source.patches]
    assert heights == pytest.approx([0.2, 0.3])
    dots = [line.get_ydata() for line in source.lines if line.get_marker() == "o"]
    np.testing.assert_allclose(dots, PANELS["source"])
    assert source.get_ylim() == target.get_ylim()
    assert source.get_ylim()[0] < -0.1
    # One model, one colour, in both panels.
    bars = {bar.get_facecolor()[:3] for axes in (source, target) for bar in axes.patches}
    assert bars == {to_rgb(MODELS["sutskever"].light)}


def test_an_equal_risk_is_that_of_the_shortest_at_every_word():
    assert equal_risk([0.9, 0.5], [1.0, 2.0]) == pytest.approx([0.9, 0.81])
