"""The smoothing picture: points where the pairs are, lines where the estimates are."""

import numpy as np
import pytest

from course_lib.figures.still.smoothing import smoothing_plot

X = np.linspace(0, 1, 5)
LINES = {"narrow": X, "wide": 0.5 + 0 * X}


def test_pairs_are_points_and_estimates_are_lines_that_can_be_told_apart():
    picture = smoothing_plot([0.1, 0.9], [1.0, -1.0], X, LINES)
    drawn = {line.get_label(): line for line in picture.axes[0].get_lines()}
    np.testing.assert_allclose(drawn["pairs"].get_xydata(), [[0.1, 1.0], [0.9, -1.0]])
    assert drawn["pairs"].get_linestyle() == "None"
    for name, values in LINES.items():
        np.testing.assert_allclose(drawn[name].get_ydata(), values)
    looks = [(drawn[name].get_color(), drawn[name].get_linestyle()) for name in LINES]
    assert len(set(looks)) == 2
    assert "2 points, 2 lines" in picture.alt
    assert "narrow: from 0.00 to 1.00; wide: from 0.50 to 0.50" in picture.alt


def test_the_same_data_give_the_same_bytes():
    assert len({smoothing_plot([0.5], [0.2], X, LINES).png() for _ in range(2)}) == 1


@pytest.mark.parametrize(
    ("keys", "queries", "said"),
    [([1.0], X, "a value for each key"), ([1.0, 2.0], X[::-1], "rising numbers")],
)
def test_what_does_not_fit_is_refused(keys, queries, said):
    with pytest.raises(ValueError, match=said):
        smoothing_plot(keys, [0.0, 0.0], queries, LINES)
