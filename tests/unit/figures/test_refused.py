"""What a figure cannot show truly is refused; a live cell answers its controls."""

import numpy as np
import pytest

from course_lab.figures.language import marked
from course_lab.figures.live import Live
from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.touch.attention import AttentionExample, attention_explorer
from course_lib.errors import CourseError

NAN, HALVES, TWO = float("nan"), np.full((2, 2), 0.5), ["a", "b"]


def example(scores, *links) -> AttentionExample:
    return AttentionExample(["a"], ["x"], scores, *links)


REFUSED = [
    (lambda: attention_map(HALVES, TWO, ["c"]), "target by source"),
    (lambda: attention_map(3 * HALVES, TWO, TWO), "must lie in"),
    (lambda: attention_map(HALVES, "ab", TWO), "as a list of words"),
    (lambda: attention_explorer([example([[1.0, 2.0]])]), "1 by 1"),
    (lambda: attention_explorer([example([[NAN]])]), "minus infinity"),
    (lambda: attention_explorer([example([[1.0]], {(1, 0)})]), "outside"),
]


@pytest.mark.parametrize(("draw", "said"), REFUSED)
def test_what_would_be_a_falsehood_is_refused(draw, said):
    with pytest.raises((ValueError, TypeError), match=said):
        draw()


def test_a_live_cell_answers_its_controls_and_says_what_is_wrong():
    def twice(word, times):
        if word == "bad":
            raise CourseError("want another word; got 'bad'")
        return " ".join([word] * times)

    live = Live(twice, word="ha", times=range(1, 5), start={"times": 2})
    assert "<p>ha ha</p>" in live._repr_mimebundle_()["text/html"]  # without a kernel
    word, times, shown = live.controls().children
    times.value = 3
    assert shown.value == "<p>ha ha ha</p>"
    word.value = "bad"
    assert "want another word; got &#x27;bad&#x27;" in shown.value
    word.value = "<b>"
    assert shown.value == "<p>&lt;b&gt; &lt;b&gt; &lt;b&gt;</p>"


def test_german_words_of_a_page_are_marked_and_english_ones_are_not():
    page = marked("<p>The word <em>Hund</em> is a noun. Gradients die. She has a hat.</p>")
    assert page.count('lang="de"') == 1
    assert '<bdi lang="de" translate="no">Hund</bdi>' in page
    assert marked(page) == page
