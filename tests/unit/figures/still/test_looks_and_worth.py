"""Heads as points: where they stand, and what is refused."""

import pytest

from course_lib.figures.still.looks_and_worth import looks_and_worth

GROUPS = {"verbs": [(0.2, 1.5), (0.9, 0.1)], "nouns": [(0.5, -0.05)]}
NAMES = {"x_name": "looks that found", "y_name": "nats lost"}


def test_a_point_for_each_head():
    axes = looks_and_worth(GROUPS, **NAMES).axes[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines["verbs"].get_xdata().tolist() == [0.2, 0.9]
    assert lines["verbs"].get_ydata().tolist() == [1.5, 0.1]
    assert lines["verbs"].get_linestyle() == "None"
    assert lines["verbs"].get_marker() != lines["nouns"].get_marker()


def test_it_says_what_it_shows():
    alt = looks_and_worth(GROUPS, **NAMES).alt
    assert "nats lost against looks that found" in alt
    assert "verbs: 2 heads, up to 0.90 across and 1.50 up" in alt


@pytest.mark.parametrize("groups", [{}, {"verbs": []}, {"verbs": [(1.2, 0.0)]}])
def test_what_cannot_be_drawn_is_refused(groups):
    with pytest.raises(ValueError, match=r"needs a group|wanted shares"):
        looks_and_worth(groups, **NAMES)
