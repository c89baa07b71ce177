"""The smoothing picture: points where the pairs are, lines where the estimates are."""

import numpy as np
import pytest

from course_lab.figures.still.smoothing import smoothing_plot
from course_lab.figures.style import NARROW
from tests.unit.figures.still.test_lines import assert_words_inside

X = np.linspace(0, 1, 5)
LINES = {"narrow": X, "wide": 0.5 + 0 * X}


def test_each_estimate_has_a_panel_with_all_pairs_and_can_be_told_apart():
    picture = smoothing_plot([0.1, 0.9], [1.0, -1.0], X, LINES)
    looks = set()
    for (name, values), axes in zip(LINES.items(), picture.axes, strict=True):
        drawn = {line.get_label(): line for line in axes.get_lines()}
        assert set(drawn) == {"pairs", name}
        assert axes.get_title(loc="right") == name
        np.testing.assert_allclose(drawn["pairs"].get_xydata(), [[0.1, 1.0], [0.9, -1.0]])
        assert drawn["pairs"].get_linestyle() == "None"
        np.testing.assert_allclose(drawn[name].get_ydata(), values)
        looks.add((drawn[name].get_color(), drawn[name].get_linestyle()))
    assert len(looks) == 2
    assert "2 points, 2 lines" in picture.alt
    assert "narrow: from 0.00 to 1.00; wide: from 0.50 to 0.50" in picture.alt


def test_it_is_narrow_and_its_panels_have_the_same_axes_which_are_named_once():
    lines = {f"bandwidth {b}": b * X for b in (0.03, 0.4, 3)}
    picture = smoothing_plot([0.1, 0.9], [1.0, -1.0], X, lines)
    assert picture.get_figwidth() == NARROW
    assert len({(axes.get_xlim(), axes.get_ylim()) for axes in picture.axes}) == 1
    assert [axes.get_ylabel() for axes in picture.axes] == ["value", "", ""]
    assert [axes.get_xlabel() for axes in picture.axes] == ["", "", "key, query"]
    assert_words_inside(picture)


def test_the_same_data_give_the_same_bytes():
    assert len({smoothing_plot([0.5], [0.2], X, LINES).png() for _ in range(2)}) == 1


@pytest.mark.parametrize(
    ("keys", "queries", "said"),
    [([1.0], X, "a value for each key"), ([1.0, 2.0], X[::-1], "rising numbers")],
)
def test_what_does_not_fit_is_refused(keys, queries, said):
    with pytest.raises(ValueError, match=said):
        smoothing_plot(keys, [0.0, 0.0], queries, LINES)
