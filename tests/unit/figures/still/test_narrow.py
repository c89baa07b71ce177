"""The narrow line figure: names beside the lines, all of them within the picture."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.still.narrow import narrowed
from course_lab.figures.still.time_to_learn import time_to_learn
from tests.unit.figures.still.test_lines import BINS, CHO, drawn_texts, lines

NAMES = {"Cho": (0, (8.0, 0.2)), "Bahdanau": (2, (18.0, 0.8))}
MOST = 4.6
"""Inches: a page of 390 CSS pixels shows four fifths of it or more."""


def drawn():
    return narrowed(length_curve(BINS, {"Cho": CHO, "Bahdanau": [1.0, 1.0, 0.9]}), NAMES)


def test_each_name_stands_where_it_was_put_and_points_at_its_line() -> None:
    picture = drawn()
    names = {text.get_text(): text for text in picture.axes[0].texts}
    assert set(names) == set(NAMES)
    for name, (point, place) in NAMES.items():
        line = lines(picture)[name]
        assert names[name].xyann == place
        np.testing.assert_allclose(names[name].xy, line.get_xydata()[point])
        leader = names[name].arrow_patch.get_edgecolor()
        assert leader[:3] == pytest.approx(to_rgb(line.get_color()))


def test_a_name_may_be_left_to_the_caption() -> None:
    curve = length_curve(BINS, {"Cho": CHO, "Bahdanau": [1.0, 1.0, 0.9]})
    picture = narrowed(curve, {**NAMES, "Cho": None})
    assert [text.get_text() for text in picture.axes[0].texts] == ["Bahdanau"]
    assert set(lines(picture)) == set(NAMES)


def test_it_is_narrow_and_no_word_leaves_it() -> None:
    picture = drawn()
    assert picture.get_figwidth() <= MOST
    wide, high = picture.get_size_inches() * picture.dpi
    found = drawn_texts(picture)
    assert {"Cho", "Bahdanau", "line: mean of 1 to 3 seeds; band: lowest to highest"} <= {
        text for text, _ in found
    }
    for text, box in found:
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= wide, text
        assert box.y1 <= high, text


def test_a_rule_wants_no_name_and_long_numbers_have_room() -> None:
    picture = time_to_learn([10, 20], {"GRU": [[50, 20000], [100, None]]}, 20000)
    narrowed(picture, {"GRU": (0, (12.0, 200.0))})
    found = drawn_texts(picture)
    assert "20,000" in {text for text, _ in found}
    assert min(box.x0 for _, box in found) >= 0


def test_each_line_wants_a_place_for_its_name() -> None:
    with pytest.raises(ValueError, match="want a place for Cho; got Cho, Bahdanau"):
        narrowed(length_curve(BINS, {"Cho": CHO}), NAMES)
