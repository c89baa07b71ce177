"""A live cell answers what its controls say, kindly where that is wrong, and stands still alone."""

import sys

import pytest

from course_lab.figures.live import Live
from course_lib.errors import CourseError


def twice(word, times):
    if word == "bad":
        raise CourseError("want another word; got 'bad'")
    return " ".join([word] * times)


def live(**changed):
    return Live(twice, **({"word": "ha", "times": range(1, 5), "start": {"times": 2}} | changed))


def test_it_answers_the_first_values_and_shows_them_without_a_kernel():
    html = live()._repr_mimebundle_()["text/html"]
    assert "<p>ha ha</p>" in html
    assert "<td>2</td>" in html


def test_a_control_that_is_moved_asks_again():
    word, times, shown = live().controls().children
    assert shown.value == "<p>ha ha</p>"
    times.value = 3
    assert shown.value == "<p>ha ha ha</p>"
    word.value = "ho"
    assert shown.value == "<p>ho ho ho</p>"


def test_a_wrong_input_is_answered_in_words_and_the_next_one_works():
    word, _, shown = live().controls().children
    word.value = "bad"
    assert "want another word; got &#x27;bad&#x27;" in shown.value
    assert "alert" in shown.value
    word.value = "<b>"
    assert shown.value == "<p>&lt;b&gt; &lt;b&gt;</p>"


@pytest.mark.parametrize(
    ("choice", "kind", "value"),
    [
        ("text", "Text", "text"),
        (True, "Checkbox", True),
        (range(2, 9, 2), "IntSlider", 2),
        ((0.5, 2.0, 0.1), "FloatSlider", 0.5),
        (["a", "b"], "Dropdown", "a"),
    ],
)
def test_each_choice_has_its_control(choice, kind, value):
    control = Live(str, object=choice).controls().children[0]
    assert type(control).__name__ == kind
    assert control.value == value


def test_without_ipywidgets_it_says_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    monkeypatch.setattr("course_lab.figures.live.find_spec", lambda name: None)
    bundle = live()._repr_mimebundle_()
    assert "install the package ipywidgets" in bundle["text/html"]
    assert len(bundle) == 2
