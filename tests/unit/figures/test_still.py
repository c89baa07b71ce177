"""Charts: each is drawn, has alternative text, and has the same bytes twice."""

import re

import numpy as np
import pytest

from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.still.dot_rows import mean_dots
from course_lab.figures.still.gradients import gradient_plot
from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.still.seed_dots import seed_dots
from course_lab.figures.still.table import Column, Table
from course_lab.figures.still.time_to_learn import time_to_learn

CHARTS = {
    "map": lambda: attention_map([[0.9, 0.1], [0.2, 0.8]], ["the", "dog"], ["der", "Hund"]),
    "lengths": lambda: length_curve([(3, 9), (10, 19)], {"Cho": [[0.5, 0.4], [0.6, 0.2]]}),
    "gradients": lambda: gradient_plot([1, 2, 3], {"tanh": [1, 1e-2, 1e-4]}),
    "times": lambda: time_to_learn([10, 20], {"GRU": [[50, 300], [100, None]]}, 1000),
    "dots": lambda: mean_dots({"bag": [0.6, 0.7], "net": [0.8]}),
    "seeds": lambda: seed_dots({"short": {"bag": [0.6, 0.7]}}, headline="Right"),
}


@pytest.mark.parametrize("draw", CHARTS.values(), ids=CHARTS)
def test_a_chart_is_drawn_the_same_twice_and_has_alternative_text(draw):
    assert draw().alt
    # The ids in a picture are counted, so that two pictures on a page have none in common.
    first, second = (re.sub(r"fig-\d+-", "", draw().svg()) for _ in range(2))
    assert first == second
    assert draw().png() == draw().png()


def test_charts_hold_the_numbers_that_are_passed_in():
    weights = np.array([[0.9, 0.1], [0.2, 0.8]])
    mesh = CHARTS["map"]().axes[0].collections[0]
    np.testing.assert_allclose(mesh.get_array().reshape(2, 2), weights)
    (line, *_) = CHARTS["lengths"]().axes[0].get_lines()
    np.testing.assert_allclose(line.get_ydata(), [0.55, 0.3])  # the mean of the seeds


def test_a_table_marks_the_best_in_text_and_on_the_page():
    columns = (Column("exact match", unit="share", best="highest", margin=0.01), Column("updates"))
    rows = {"Cho": (0.111, 1200), "Bahdanau": (0.9712, 800), "twin": (0.9651, None)}
    table = Table("Attention <wins>", "model", columns, rows)
    assert [line.split() for line in repr(table).splitlines()[2:5]] == [
        ["Cho", "0.11", "1,200"],
        ["Bahdanau", "0.97*", "800"],
        ["twin", "0.97*", "–"],
    ]
    html = table._repr_html_()
    assert "Attention &lt;wins&gt;" in html
    assert html.count("<strong") == 2
    assert "not measured" in html
