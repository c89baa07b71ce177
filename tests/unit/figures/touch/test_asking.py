"""The stepper of self-attention and the growing tape: what they refuse, what they say."""

import pytest

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


def test_nets_stand_in_the_order_in_which_they_were_given():
    both = {"z": NET, "earlier words": NET}
    html = asking(both, ["_", "Hut"], [ONE], ["der", "den"], steps=STEPS)._repr_html_()
    assert html.index('"name":"z"') < html.index('"name":"earlier words"')


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="Mond"):
        make([Asked(["_", "Mond"], ["der"], "the moon")])
    with pytest.raises(ValueError, match="each blank"):
        make([Asked(["_", "Hut"], [], "the hat")])
    with pytest.raises(ValueError, match="2 words"):
        make(steps={**STEPS, "weights": [[1.0]]})


def test_the_tape_says_where_each_step_looks_back():
    figure = growing_tape({"a b": [[], [1.0], [0.3, 0.7]]}, "start")
    assert "“b” at “a”" in figure.alt
    assert "start" in figure._repr_html_()


def test_a_tape_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="sentence"):
        growing_tape({}, "start")
    with pytest.raises(ValueError, match="t weights"):
        growing_tape({"a b": [[], [1.0]]}, "start")
