"""Heads as points: where they stand, and what is refused."""

import pytest

from course_lab.figures.still.looks_and_worth import looks_and_worth
from course_lab.figures.style import NARROW
from tests.unit.figures.still.test_lines import assert_words_inside

GROUPS = {"verbs": [(0.2, 1.5), (0.9, 0.1)], "nouns": [(0.5, -0.05)]}
NAMES = {"x_name": "looks that found", "y_name": "nats lost"}


def test_a_panel_for_each_group_and_a_point_for_each_head():
    panels = looks_and_worth(GROUPS, **NAMES).axes
    assert [axes.get_title(loc="left") for axes in panels] == list(GROUPS)
    for axes, points in zip(panels, GROUPS.values(), strict=True):
        (heads,) = axes.get_lines()
        assert heads.get_xydata().tolist() == [list(point) for point in points]
        assert heads.get_linestyle() == "None"


def test_all_panels_have_the_same_axes_and_hold_their_points():
    panels = looks_and_worth({**GROUPS, "articles": [(1.0, 0.4)]}, **NAMES).axes
    limits = {(axes.get_xlim(), axes.get_ylim()) for axes in panels}
    assert len(limits) == 1
    ((left, right), (low, high)) = limits.pop()
    assert left < 0 < 1 < right
    assert low < -0.05 < 1.5 < high


def test_numbers_stand_at_the_left_and_below_the_last_panel_of_a_column():
    groups = {name: [(0.5, 1.0)] for name in ("one", "two", "three")}
    shown = []
    for axes in looks_and_worth(groups, **NAMES).axes:
        ticks = (axis.get_major_ticks()[0] for axis in (axes.yaxis, axes.xaxis))
        shown.append(tuple(tick.label1.get_visible() for tick in ticks))
    assert shown == [(True, False), (False, True), (True, True)]


def test_it_is_narrow_and_no_word_leaves_it():
    heads = ((0.5, 0.5), (1.0, 4.0))
    groups = {"determiner to noun": heads, "adjective to noun": heads}
    names = {"x_name": "looks that found the word (share of gaps)", "y_name": "nats lost"}
    picture = looks_and_worth(groups, **names)
    assert picture.get_figwidth() == NARROW
    assert [axes.get_title(loc="left") for axes in picture.axes] == list(groups)
    assert_words_inside(picture)


def test_it_says_what_it_shows():
    alt = looks_and_worth(GROUPS, **NAMES).alt
    assert "nats lost against looks that found" in alt
    assert "verbs: 2 heads, up to 0.90 across and 1.50 up" in alt


@pytest.mark.parametrize("groups", [{}, {"verbs": []}, {"verbs": [(1.2, 0.0)]}])
def test_what_cannot_be_drawn_is_refused(groups):
    with pytest.raises(ValueError, match=r"needs a group|wanted shares"):
        looks_and_worth(groups, **NAMES)
