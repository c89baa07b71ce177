"""Panels of dots: every run on the row of its name, and words that say the medians."""

import pytest

from course_lib.figures.still.seed_dots import COLOUR, WIDTH, seed_dots
from course_lib.figures.text import width_of

LEFT = {"bag": [0.6, 0.7, 0.5], "network": [1.0, 0.9]}
RIGHT = {"bag": [0.0], "network": [0.8]}


def test_it_draws_each_run_on_the_row_of_its_name():
    left, right = seed_dots({"short": LEFT, "long": RIGHT}, headline="Right").axes
    assert [label.get_text() for label in left.get_yticklabels()] == ["bag", "network"]
    assert [label.get_text() for label in right.get_yticklabels()] == []
    assert [axes.get_title(loc="left") for axes in (left, right)] == ["short", "long"]
    assert [list(line.get_xdata()) for line in left.lines] == [[0.6, 0.7, 0.5], [1.0, 0.9]]
    assert [list(line.get_xdata()) for line in right.lines] == [[0.0], [0.8]]
    assert left.lines[0].get_ydata()[0] > left.lines[1].get_ydata()[0]
    assert [bar.get_width() for bar in left.patches] == [0.6, 0.95]
    assert {line.get_color() for line in left.lines} == {COLOUR}


def test_an_axis_that_begins_later_has_lines_at_the_medians_and_no_bars():
    (axes,) = seed_dots({"share": LEFT}, headline="Right", low=0.5, colours=["#123456"]).axes
    assert axes.get_xlim() == (0.5, 1)
    assert not axes.patches
    assert [list(line.get_xdata()) for line in axes.lines[:2]] == [[0.6, 0.6], [0.95, 0.95]]
    assert [list(line.get_xdata()) for line in axes.lines[2:]] == list(LEFT.values())
    assert axes.get_xlabel() == "dots: seeds; line: median"
    assert {line.get_color() for line in axes.lines} == {"#123456"}


def test_its_words_say_the_medians_and_its_repr_no_number_that_was_measured():
    picture = seed_dots({"short": LEFT, "long": RIGHT}, headline="Right", runs="folds")
    assert "the folds. bag: short 0.60, long 0.00; network: short 0.95, long 0.80." in picture.alt
    assert repr(picture) == "<Picture: Right, 2 rows>"
    assert picture.axes[-1].get_xlabel() == "dots: folds; bar: median"


def test_names_stand_in_full_where_there_is_room_and_leave_the_panels_some():
    name = "equal weights on both levels, longer"
    axes = seed_dots({"x": {name: [0.5]}, "y": {name: [0.5]}}, headline="Right").axes
    assert axes[0].get_yticklabels()[0].get_text() == name
    assert axes[0].get_position().x0 * WIDTH * 72 > width_of(name, 11.0)
    (only, _) = seed_dots({"x": {"w" * 90: [0.5]}, "y": {"w" * 90: [0.5]}}, headline="R").axes
    assert only.get_yticklabels()[0].get_text().endswith("…")
    assert only.get_position().width * WIDTH > 1.2


@pytest.mark.parametrize(
    "panels",
    [{}, {"a": {}}, {"a": {"x": []}}, {"a": {"x": [2.0]}}, {"a": {"x": [0.5]}, "b": {"y": [0.5]}}],
)
def test_what_cannot_be_drawn_is_refused(panels):
    with pytest.raises(ValueError, match="wanted a"):
        seed_dots(panels, headline="Right")
