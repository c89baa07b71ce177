"""Rows of two lanes: the shorter training hollow, the longer full below, the sizes at the right."""

import pytest

from course_lab.figures.still.two_budgets import Budgets, two_budgets
from course_lab.figures.style import CARD, NARROW
from tests.unit.figures.still.test_lines import assert_words_inside

MODELS = {"bag": Budgets(7395, [0.6, 0.7], [0.8, 0.9]), "LSTM": Budgets(15779, [0.5, 0.52])}


def test_a_model_has_a_lane_for_each_training_and_the_stroke_is_the_mean():
    (axes,) = two_budgets(MODELS, floor=0.4).axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["bag", "LSTM"]
    hollow, mean, full, later, alone, its_mean = axes.lines
    assert list(hollow.get_xdata()) == [0.6, 0.7]
    assert hollow.get_markerfacecolor() == CARD != full.get_markerfacecolor()
    assert list(full.get_xdata()) == [0.8, 0.9]
    assert hollow.get_ydata()[0] > 1 > full.get_ydata()[0] > alone.get_ydata()[0] > 0
    strokes = [line.get_xdata()[0] for line in (mean, later, its_mean)]
    assert strokes == pytest.approx([0.65, 0.85, 0.51])
    assert [text.get_text() for text in axes.texts] == ["7,395", "15,779", "parameters"]


def test_it_is_narrow_and_its_note_takes_as_many_lines_as_it_needs():
    picture = two_budgets({"decomposable 16": Budgets(3219, [0.75], [0.8])}, floor=0.7)
    assert picture.get_figwidth() == NARROW
    assert [text.get_text() for text in picture.texts] == [
        "stroke: mean of the seeds",
        "hollow: 600 updates; full: four times as many;",
    ]
    assert_words_inside(picture)
    short = two_budgets(MODELS, note="dots: seeds; stroke: mean")
    assert [text.get_text() for text in short.texts] == ["dots: seeds; stroke: mean"]


def test_its_words_say_the_means_and_its_repr_no_number_that_was_measured():
    picture = two_budgets(MODELS)
    assert "bag, 7,395: 0.65, 0.85 after the longer training; LSTM, 15,779: 0.51." in picture.alt
    assert "0." not in repr(picture)


@pytest.mark.parametrize(
    "models",
    [{}, {"bag": Budgets(3, [])}, {"bag": Budgets(3, [1.2])}, {"bag": Budgets(3, [0.6], [0.3])}],
)
def test_what_cannot_be_drawn_is_refused(models):
    with pytest.raises(ValueError, match="wanted"):
        two_budgets(models, floor=0.4)
