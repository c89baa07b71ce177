"""Rows of dots: each seed on the row of its name, the mean beside it, marks through all rows."""

import pytest

from course_lab.figures.still.dot_rows import mean_dots

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
