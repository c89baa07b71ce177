"""The stepper of self-attention and the growing tape: what they refuse, what they say."""

from course_lab.figures.touch.asking import Asked, asking
from course_lab.figures.touch.tape import growing_tape

NET = {"words": [[1, 0], [0, 1]], "queries": [[1, 0]], "keys": [[1, 0]], "values": [[1, 0]]}
NET |= {"answers": [[1], [0]]}
ONE = Asked(["_", "Hut"], ["der"], "the hat")
STEPS = {"weights": [[0.2, 0.8], [0.5, 0.5]], "shares": [[0.9, 0.1], [0.5, 0.5]]}


def make(sentences=(ONE,), steps=STEPS):
    return asking({"every word": NET}, ["_", "Hut"], list(sentences), ["der", "den"], steps=steps)


def test_it_says_where_each_blank_looks_and_what_it_becomes():
    assert "blank 1 looks most at “Hut” and becomes “der”" in make().alt
    assert ".80" in make()._repr_html_()


def test_the_tape_says_where_each_step_looks_back():
    figure = growing_tape({"a b": [[], [1.0], [0.3, 0.7]]}, "start")
    assert "“b” at “a”" in figure.alt
    assert "start" in figure._repr_html_()
