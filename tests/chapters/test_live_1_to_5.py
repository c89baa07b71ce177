"""Live cells answer good input with a figure or a sentence, and bad input in words."""

from types import SimpleNamespace

import matplotlib.pyplot as plt
import pytest
import torch

from course_lab import charts
from course_lab.experiments.bahdanau import in_page as looking_back
from course_lab.experiments.recurrence import gradient
from course_lab.experiments.seq2seq import in_page as one_vector
from course_lib.evaluation.translate import translate
from tests.chapters.live_cells import live_function

BAD_SENTENCES = ["", "  ", "the wombat sleeps .", "</s>", "the dog " * 30]


@pytest.fixture(autouse=True)
def no_window(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    with plt.style.context(charts.STYLE):
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
    assert plt.gca().get_title(loc="left") == cell
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


@pytest.fixture
def through_the_vector():
    names = {"page": one_vector.load(), "translate": translate}
    return live_function("02", "through_the_vector", **names)


@pytest.mark.parametrize("sentence", ["the girls sleep .", "The girls  sleep", "the girls sleep."])
def test_2_translates_a_sentence(through_the_vector, sentence, capsys):
    through_the_vector(sentence)
    assert "Mädchen schlafen" in capsys.readouterr().out


@pytest.mark.parametrize("sentence", BAD_SENTENCES)
def test_2_says_what_it_wants(through_the_vector, sentence, capsys):
    through_the_vector(sentence)
    assert "Please type up to 50 words" in capsys.readouterr().out


@pytest.fixture
def look():
    stored = looking_back.load()
    names = {"in_page": looking_back, "translate": translate}
    names |= {"attentive": looking_back.rebuilt(stored), "charts": charts}
    names["world"] = SimpleNamespace(tokenizers=looking_back.tokenizers(stored))
    return live_function("04", "look", **names)


@pytest.mark.parametrize("sentence", ["the old dog sleeps .", "The old dog  sleeps."])
def test_4_draws_where_it_looks(look, sentence, capsys):
    look(sentence)
    across = [label.get_text() for label in plt.gca().get_xticklabels()]
    assert across == ["the", "old", "dog", "sleeps", ".", "end"]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("sentence", BAD_SENTENCES)
def test_4_says_what_it_wants(look, sentence, capsys):
    look(sentence)
    assert "Please type up to 50 words" in capsys.readouterr().out
    assert not plt.get_fignums()


@pytest.fixture
def ask():
    keys = torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
    legs = torch.tensor([[4.0], [4.0], [0.0]])
    return live_function("05", "ask", torch=torch, k=keys, legs=legs)


def test_5_answers_as_by_hand(ask, capsys):
    ask()
    assert "answer 1.34 legs" in capsys.readouterr().out
    ask(1, 0, "distance")
    assert "answer 3.77 legs" in capsys.readouterr().out
    ask(1000.0, -1000.0)
    assert "answer 4.00 legs" in capsys.readouterr().out


@pytest.mark.parametrize("bad", [(1.0, 0.0, "cosine"), (float("nan"), 0.0), (float("inf"), 0.0)])
def test_5_says_what_it_wants(ask, bad, capsys):
    ask(*bad)
    assert "Please choose two numbers" in capsys.readouterr().out
