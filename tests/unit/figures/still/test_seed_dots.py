"""Panels of dots: every run on the row of its name, and words that say the medians."""

import pytest

from course_lab.figures.still.seed_dots import COLOUR, seed_dots
from course_lab.figures.style import NARROW
from tests.unit.figures.still.test_lines import assert_words_inside

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
    assert [label.get_text() for label in axes.get_xticklabels()] == ["0.5", "0.75", "1"]
    assert [text.get_text() for text in axes.figure.texts] == ["dots: seeds; line: median"]
    assert {line.get_color() for line in axes.lines} == {"#123456"}


def test_its_words_say_the_medians_and_its_repr_no_number_that_was_measured():
    picture = seed_dots({"short": LEFT, "long": RIGHT}, headline="Right", runs="folds")
    assert "the folds. bag: short 0.60, long 0.00; network: short 0.95, long 0.80." in picture.alt
    assert repr(picture) == "<Picture: Right, 2 rows>"
    assert [text.get_text() for text in picture.texts] == ["dots: folds; bar: median"]


def test_a_long_name_or_title_is_on_two_lines_and_only_a_very_long_one_is_cut():
    name, title = "equal weights on both levels", "probability lost without it"
    row = {name: [0.5], "bag": [0.2]}
    left, right = seed_dots({title: row, "x": row}, headline="Right").axes
    assert [label.get_text() for label in left.get_yticklabels()] == [
        "equal weights\non both levels",
        "bag",
    ]
    assert left.get_title(loc="left") == "probability\nlost without it"
    assert right.get_title(loc="left") == "x"
    (only, _) = seed_dots({"x": {"w" * 90: [0.5]}, "y": {"w" * 90: [0.5]}}, headline="R").axes
    assert only.get_yticklabels()[0].get_text().endswith("…")
    assert only.get_position().width * NARROW > 1.0


@pytest.mark.parametrize("panels", [1, 2, 3])
def test_it_is_narrow_and_no_word_leaves_it(panels):
    row = {"no word GRU, attention, 4 times": [0.0, 1.0], "temperature 0.25": [0.5]}
    titles = ("right and new", "different", "attention weight on it")[:panels]
    picture = seed_dots(dict.fromkeys(titles, row), headline="Right")
    assert picture.get_figwidth() == NARROW
    assert_words_inside(picture)


@pytest.mark.parametrize(
    "panels",
    [{}, {"a": {}}, {"a": {"x": []}}, {"a": {"x": [2.0]}}, {"a": {"x": [0.5]}, "b": {"y": [0.5]}}],
)
def test_what_cannot_be_drawn_is_refused(panels):
    with pytest.raises(ValueError, match="wanted a"):
        seed_dots(panels, headline="Right")
