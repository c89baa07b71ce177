"""Live cells answer good input with a figure or a sentence, and bad input in words."""

import matplotlib.pyplot as plt
import pytest

from course_lab.experiments.recurrence import gradient
from tests.chapters.live_cells import live_function


@pytest.fixture(autouse=True)
def no_window(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    yield
    plt.close("all")


@pytest.fixture
def gradient_back():
    return live_function("01", "gradient_back", gradient=gradient, plt=plt)


@pytest.mark.parametrize("cell", gradient.CELLS)
def test_1_draws_the_gradient_of_every_cell(gradient_back, cell, capsys):
    gradient_back(cell, 1.0, 5)
    (line,) = plt.gca().lines
    assert len(line.get_xdata()) == 6
    assert plt.gca().get_title() == cell
    gradient_back(cell, 0.1, 1)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (("Tanh", 1.0, 5), "'Tanh' is not one of: linear, tanh"),
        (("tanh", 0, 5), "want a scale"),
        (("tanh", 1.0, 0), "1 to 500 steps"),
    ],
)
def test_1_says_what_is_wrong(gradient_back, bad, said, capsys):
    gradient_back(*bad)
    assert said in capsys.readouterr().out
    assert not plt.get_fignums()
