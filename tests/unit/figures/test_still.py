"""Charts and drawings: each is drawn, has alternative text, and has the same bytes twice."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from course_lab.figures.drawn.shelf import DRAWINGS, drawing
from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.still.dot_rows import mean_dots
from course_lab.figures.still.seed_dots import seed_dots
from course_lab.figures.still.table import Column, Table

CHARTS = {
    "map": lambda: attention_map([[0.9, 0.1], [0.2, 0.8]], ["the", "dog"], ["der", "Hund"]),
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


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_drawn_the_same_twice_and_has_alternative_text(name):
    svg = drawing(name).svg()
    assert svg == drawing(name).svg()
    (description,) = (e for e in ElementTree.fromstring(svg) if e.tag.endswith("desc"))
    assert "".join(description.itertext()) == drawing(name).description != ""


def test_charts_hold_the_numbers_that_are_passed_in():
    weights = np.array([[0.9, 0.1], [0.2, 0.8]])
    mesh = CHARTS["map"]().axes[0].collections[0]
    np.testing.assert_allclose(mesh.get_array().reshape(2, 2), weights)


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
