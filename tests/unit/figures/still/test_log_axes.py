"""Logarithmic axes: lines and bands as given, a roof that bends where it should, wrong inputs."""

import pytest

from course_lab.figures.still.log_axes import log_lines, roofline

NAMES = {"x_name": "words", "y_name": "seconds", "ticks": {0.1: "0.1", 1: "1", 10: "10"}}


def test_a_line_has_its_numbers_and_a_band_its_ends():
    picture = log_lines([64, 256], {"a": [[1, 2]], "b": [[2, 4], [1, 3], [3, None]]}, **NAMES)
    (axes,) = picture.axes
    drawn = {line.get_label(): line.get_ydata().tolist() for line in axes.get_lines()}
    assert drawn["a"] == [1, 2]
    assert drawn["b"] == [2, 4]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["64", "256"]
    assert picture.alt.endswith("At the last number: a 2, b 4.")
    with pytest.raises(ValueError, match="one row or three rows of 2 values for 'a'"):
        log_lines([64, 256], {"a": [[1]]}, **NAMES)
    with pytest.raises(ValueError, match="above zero"):
        log_lines([64, 256], {"a": [[0, 1]]}, **NAMES)


def test_the_roof_is_the_lower_of_both_limits():
    picture = roofline(5e10, 1e10, {"step": (0.5, 2e9), "product": (170, 4e10)})
    (axes,) = picture.axes
    roof = axes.get_lines()[0]
    (_, ridge, _), (_, top, end) = roof.get_data()
    assert (ridge, top, end) == (5, 50, 50)
    x, y = (data[0] for data in roof.get_data())
    assert y == pytest.approx(10 * x)
    with pytest.raises(ValueError, match="above zero"):
        roofline(5e10, 1e10, {"step": (0.5, 0)})
