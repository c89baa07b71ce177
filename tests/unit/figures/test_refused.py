"""What a figure cannot show truly is refused; known German words are marked."""

import numpy as np
import pytest

from course_lab.figures.language import marked
from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.touch.attention import AttentionExample, attention_explorer
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.length import length_explorer
from course_lab.figures.touch.plane import attention_plane
from course_lab.figures.touch.posteriors import posterior_explorer
from course_lab.figures.touch.rows import attention_rows

NAN, HALVES, TWO = float("nan"), np.full((2, 2), 0.5), ["a", "b"]
POINTS = [[1, 0], [0, 1], [-1, -1]]


def example(scores, *links) -> AttentionExample:
    return AttentionExample(["a"], ["x"], scores, *links)


REFUSED = [
    (lambda: attention_map(HALVES, TWO, ["c"]), "target by source"),
    (lambda: attention_map(3 * HALVES, TWO, TWO), "must lie in"),
    (lambda: attention_map(HALVES, "ab", TWO), "as a list of words"),
    (lambda: length_explorer([(1, 5), (5, 9)], {"a": [0.5, 0.5]}, choose="n", y_name="y"), "rise"),
    (lambda: em_steps([(["a"], ["x"])], [[[[0.5, 0.5]]]], [-1.0]), "1 by 1"),
    (lambda: em_steps([(["a"], ["x"])], [[[[1.5]]]], [-1.0]), r"0\.\.1"),
    (lambda: attention_explorer([example([[1.0, 2.0]])]), "1 by 1"),
    (lambda: attention_explorer([example([[NAN]])]), "minus infinity"),
    (lambda: attention_explorer([example([[1.0]], {(1, 0)})]), "outside"),
    (lambda: attention_explorer([AttentionExample("ab", TWO, HALVES)]), "as a list of words"),
    (lambda: posterior_explorer([example([[1.1]])]), r"0\.\.1"),
    (lambda: attention_plane(TWO, POINTS, [0, 1]), "2 annotations and a"),
    (lambda: attention_plane(["a", "b", "c"], [[3, 0]] * 3, [0, 1]), "within 2 of zero"),
    (lambda: attention_rows(TWO, POINTS, [0, 1]), "2 annotations and a"),
]


@pytest.mark.parametrize(("draw", "said"), REFUSED)
def test_what_would_be_a_falsehood_is_refused(draw, said):
    with pytest.raises((ValueError, TypeError), match=said):
        draw()


def test_german_words_of_a_page_are_marked_and_english_ones_are_not():
    page = marked("<p>The word <em>Hund</em> is a noun. Gradients die. She has a hat.</p>")
    assert page.count('lang="de"') == 1
    assert '<bdi lang="de" translate="no">Hund</bdi>' in page
    assert marked(page) == page
