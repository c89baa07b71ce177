"""Gains by place, and risk by length: what is told, what is drawn, and what is refused."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.path import Path
from matplotlib.text import Text

from course_lab.figures.palette import MODELS
from course_lab.figures.still.gain_by_place import gain_by_place
from course_lab.figures.still.risk_by_length import (
    EQUAL,
    SENTENCES,
    WORDS,
    equal_risk,
    risk_by_length,
)
from course_lab.figures.style import NARROW

PANELS = {"source": [[0.1, 0.2], [0.3, 0.4]], "target": [[-0.1, 0.0], [0.1, 0.2]]}
NAMES = {"places": ["1", "2"], "x_name": "part", "y_name": "gain (share of words)"}
BINS = [(4, 7), (8, 11), (12, 20)]


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


@pytest.mark.parametrize(
    ("panels", "said"),
    [
        ({}, "wanted a panel or more"),
        ({"source": [[0.1, 0.2, 0.3]]}, "a row a seed with 2 numbers"),
    ],
)
def test_gains_that_do_not_fit_are_refused(panels, said):
    with pytest.raises(ValueError, match=said):
        gain_by_place(panels, **NAMES)


def test_an_equal_risk_is_that_of_the_shortest_at_every_word():
    assert equal_risk([0.9, 0.5], [1.0, 2.0]) == pytest.approx([0.9, 0.81])


def test_the_lines_are_told_and_the_model_keeps_its_colour():
    picture = risk_by_length(BINS, [0.99, 0.9, 0.8], [0.95, 0.5, 0.1], [5.0, 8.0, 14.0])
    assert f"{SENTENCES}: 0.95 at 4–7, 0.50 at 8–11, 0.10 at 12–20" in picture.alt
    assert f"{EQUAL}: 0.95 at 4–7, 0.92 at 8–11, 0.87 at 12–20" in picture.alt
    (axes,) = picture.axes
    words, equal, sentences = axes.lines
    assert words.get_color() == sentences.get_color() != equal.get_color()
    assert len({line.get_linestyle() + line.get_marker() for line in axes.lines}) == 3
    names = {text.get_text().replace("\n", " ") for text in axes.texts}
    assert names == {WORDS, EQUAL, SENTENCES}
    picture.draw_without_rendering()
    assert picture.get_figwidth() == NARROW
    for text in axes.texts:
        box = Text.get_window_extent(text)  # without the pointer
        assert 0 <= box.x0 <= box.x1 <= picture.bbox.x1, text
        for line in axes.lines:
            ways = Path(axes.transData.transform(line.get_xydata()))
            assert not ways.intersects_bbox(box, filled=False), (text, line)


@pytest.mark.parametrize("words", [[0.9, 0.8], [0.9, 1.2, 0.5]])
def test_shares_that_do_not_fit_are_refused(words):
    with pytest.raises(ValueError, match="wanted a share for each of 3 bins"):
        risk_by_length(BINS, words, [0.9, 0.5, 0.1], [5.0] * len(words))
