"""What a figure cannot show truly is refused; known German words are marked."""

import pytest
from course_book.language import marked

from course_lab.figures.touch.attention import AttentionExample, attention_explorer

NAN = float("nan")


def example(scores, *links) -> AttentionExample:
    return AttentionExample(["a"], ["x"], scores, *links)


REFUSED = [
    (lambda: attention_explorer([example([[1.0, 2.0]])]), r"\(1, 1\)"),
    (lambda: attention_explorer([example([[NAN]])]), "minus infinity"),
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
