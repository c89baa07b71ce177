"""Rows of dots: each seed on the row of its name, the mean beside it, marks through all rows."""

import pytest

from course_lab.figures.still.dot_rows import mean_dots
from course_lab.figures.style import NARROW
from tests.unit.figures.still.test_lines import assert_words_inside

ROWS = {"bag": [0.6, 0.7], "attention": [0.8, 0.9, 0.7]}


def test_each_seed_stands_on_the_row_of_its_name_and_the_mean_beside_it():
    (axes,) = mean_dots(ROWS, floor=0.5, marks={"always neutral": 0.55}).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["bag", "attention"]
    (mark, bag, attention, *strokes) = axes.lines
    assert list(mark.get_xdata()) == [0.55, 0.55]
    assert list(bag.get_xdata()) == ROWS["bag"]
    assert list(attention.get_xdata()) == ROWS["attention"]
    assert set(bag.get_ydata()) == {1}
    assert set(attention.get_ydata()) == {0}
    assert [stroke.get_xdata()[0] for stroke in strokes] == pytest.approx([0.65, 0.8])
    texts = [text.get_text() for text in axes.texts]
    assert texts == ["always neutral", "0.65", "0.80"]
    assert axes.get_xlim() == (0.5, 1.0)


def test_it_is_narrow_and_no_word_leaves_it():
    long = {"bag, with contrast, four times as long": [0.8], "LSTM, with contrast": [0.6]}
    name = "error that is left of the difference (share)"
    picture = mean_dots(long, marks={"a half": 0.5, "guessing zero": 1.0}, x_name=name)
    (axes,) = picture.axes
    assert picture.get_figwidth() == NARROW
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "bag, with contrast,\nfour times as long",
        "LSTM, with contrast",
    ]
    assert axes.get_xlabel() == name
    assert_words_inside(picture)


def test_names_of_marks_that_would_meet_stand_at_the_outer_sides_of_them():
    near = {"always neutral": 0.57, "LSTM of 2015": 0.65}
    picture = mean_dots(ROWS, floor=0.5, ceiling=0.9, marks=near)
    sides = {text.get_text(): text.get_ha() for text in picture.axes[0].texts}
    assert (sides["always neutral"], sides["LSTM of 2015"]) == ("right", "left")
    assert_words_inside(picture)
    apart = mean_dots(ROWS, floor=0.5, marks={"half": 0.5, "all": 0.9}).axes[0].texts
    assert {text.get_ha() for text in apart if text.get_text() in ("half", "all")} == {"center"}


def test_its_words_say_the_means_and_its_repr_no_number_that_was_measured():
    picture = mean_dots(ROWS, marks={"chance": 0.33})
    assert "bag: 0.65; attention: 0.80; dashed line, chance: 0.33" in picture.alt
    assert "0." not in repr(picture)


@pytest.mark.parametrize("rows", [{}, {"a": []}, {"a": [0.4]}, {"a": [1.2]}])
def test_what_cannot_be_drawn_is_refused(rows):
    with pytest.raises(ValueError, match="wanted"):
        mean_dots(rows, floor=0.5)


def test_a_mark_beyond_the_axis_is_refused():
    with pytest.raises(ValueError, match="wanted numbers"):
        mean_dots(ROWS, floor=0.5, marks={"chance": 0.33})
