"""Heads as points: where they stand, and what is refused."""

from course_lab.figures.still.looks_and_worth import looks_and_worth

GROUPS = {"verbs": [(0.2, 1.5), (0.9, 0.1)], "nouns": [(0.5, -0.05)]}
NAMES = {"x_name": "looks that found", "y_name": "nats lost"}


def test_a_panel_for_each_group_and_a_point_for_each_head():
    panels = looks_and_worth(GROUPS, **NAMES).axes
    assert [axes.get_title(loc="left") for axes in panels] == list(GROUPS)
    for axes, points in zip(panels, GROUPS.values(), strict=True):
        (heads,) = axes.get_lines()
        assert heads.get_xydata().tolist() == [list(point) for point in points]
        assert heads.get_linestyle() == "None"
