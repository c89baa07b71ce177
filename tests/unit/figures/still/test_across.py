"""The name of a horizontal axis: below the middle, or moved until the picture holds it."""

import pytest

from course_lab.figures.still.across import name_across
from course_lab.figures.style import Picture, house_style
from tests.unit.figures.still.test_lines import assert_words_inside


def named(name):
    with house_style():
        picture = Picture(4.0, 3.0, "An axis", "")
        axes = picture.add_axes((0.6, 0.3, 0.3, 0.6))
        axes.set(xticks=[], yticks=[])
        name_across(axes, name)
    return axes


def test_a_short_name_stands_below_the_middle():
    axes = named("words")
    assert axes.xaxis.label.get_position()[0] == pytest.approx(0.5)
    assert_words_inside(axes.figure)


def test_a_long_one_moves_and_is_not_cut():
    name = "share of sentences without an error"
    axes = named(name)
    assert axes.get_xlabel() == name
    assert axes.xaxis.label.get_position()[0] < 0.3
    assert_words_inside(axes.figure)


def test_one_that_no_picture_holds_is_cut():
    axes = named("share of sentences " * 9)
    assert axes.get_xlabel().endswith("…")
    assert_words_inside(axes.figure)
