"""The smoothing picture: points where the pairs are, lines where the estimates are."""

import numpy as np

from course_lab.figures.still.smoothing import smoothing_plot

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
