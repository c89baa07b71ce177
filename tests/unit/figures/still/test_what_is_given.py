"""Panels of dots, bars and lines: every number that is given is drawn, and every name shown."""

import numpy as np
import pytest

from course_lab.figures.still.dot_rows import mean_dots
from course_lab.figures.still.looks_and_worth import looks_and_worth
from course_lab.figures.still.risk_by_length import equal_risk
from course_lab.figures.still.seed_dots import seed_dots
from course_lab.figures.still.smoothing import smoothing_plot
from course_lab.figures.still.two_budgets import Budgets, two_budgets
from course_lab.figures.still.worth import Worth, weight_and_worth

X = np.linspace(0, 1, 5)
AXES = {"x_name": "x", "y_name": "y"}
# The picture; for each panel its rows of numbers, in order; names that stand in it.
GIVEN = {
    "mean_dots": (
        mean_dots({"bag": [0.6, 0.7], "net": [0.8, 0.9, 0.7]}, floor=0.5, marks={"guess": 0.55}),
        [[[0.55, 0.55], [0.6, 0.7], [0.8, 0.9, 0.7], [0.65], [0.8]]],
        ["bag", "net", "guess", "0.65", "0.80"],
    ),
    "seed_dots": (
        seed_dots(
            {"short": {"bag": [0.6, 0.7], "net": [1.0]}, "long": {"bag": [0.0], "net": [0.8]}},
            headline="Right",
        ),
        [[[0.6, 0.7], [1.0]], [[0.0], [0.8]]],
        ["bag", "net", "short", "long"],
    ),
    "weight_and_worth": (
        weight_and_worth({"king": Worth([0.0, 0.25], [1.0, 0.75]), "place": Worth([0.5], [0.9])}),
        [[[0.0, 0.25], [0.5]], [[1.0, 0.75], [0.9]]],
        ["king", "place"],
    ),
    "two_budgets": (
        two_budgets({"bag": Budgets(7395, [0.6, 0.7], [0.8, 0.9]), "LSTM": Budgets(9, [0.5])}),
        [[[0.6, 0.7], [0.65], [0.8, 0.9], [0.85], [0.5], [0.5]]],
        ["bag", "LSTM", "7,395"],
    ),
    "looks_and_worth": (
        looks_and_worth(
            {
                "verbs": {"first": [(0.2, 1.5), (0.9, 0.1)], "second": [(0.3, 0.2)]},
                "nouns": {"first": [(0.5, -0.05)], "second": [(0.4, 0.1)]},
            },
            **AXES,
        ),
        [[[0.2, 0.9], [0.3]], [[0.5], [0.4]]],
        ["verbs", "nouns"],
    ),
    "smoothing_plot": (
        smoothing_plot([0.1, 0.9], [1.0, -1.0], X, {"narrow": X, "wide": 0.5 + 0 * X}),
        [[[0.1, 0.9], X], [[0.1, 0.9], X]],
        ["narrow", "wide"],
    ),
}


@pytest.mark.parametrize(("picture", "panels", "names"), GIVEN.values(), ids=GIVEN)
def test_it_is_drawn_and_named(picture, panels, names):
    for axes, rows in zip(picture.axes, panels, strict=True):
        drawn = [np.round(np.asarray(line.get_xdata(), float), 6).tolist() for line in axes.lines]
        kept = [row[: len(wanted)] for row, wanted in zip(drawn, rows, strict=False)]
        np.testing.assert_allclose(np.concatenate(kept), np.concatenate(rows), atol=1e-6)
        if len(axes.get_yticklabels()) == len(rows) and names[0] in _said(axes.get_yticklabels()):
            heights = [np.mean(line.get_ydata()) for line in axes.lines]
            assert heights == sorted(heights, reverse=True), "the first row stands on top"
    texts = {
        text
        for axes in picture.axes
        for part in (axes.texts, axes.get_yticklabels(), axes.get_xticklabels())
        for text in _said(part)
    }
    titles = {axes.get_title(loc=loc) for axes in picture.axes for loc in ("left", "right")}
    assert set(names) <= texts | titles


def _said(texts):
    return [text.get_text() for text in texts]


def test_an_equal_risk_is_that_of_the_shortest_at_every_word():
    assert equal_risk([0.9, 0.5], [1.0, 2.0]) == pytest.approx([0.9, 0.81])
