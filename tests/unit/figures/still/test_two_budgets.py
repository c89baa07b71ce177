"""Rows of two lanes: the shorter training hollow, the longer full below, the sizes at the right."""

import pytest

from course_lab.figures.still.two_budgets import Budgets, two_budgets
from course_lab.figures.style import CARD

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
