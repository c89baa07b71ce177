"""A document heated on two levels: what is shown and covered is what was computed."""

import pytest

from course_lab.experiments.two_levels import in_page
from course_lab.figures.touch.heat import HeatedDocument, document_heat

pytestmark = pytest.mark.browser

ONE = HeatedDocument(
    "yes",
    [["the", "king"], ["a", "dog", "runs"]],
    [0.75, 0.25],
    [[0.125, 0.875], [0.25, 0.25, 0.5]],
    [0.875, 0.125],
    [[0.25, 0.75], [0.8, 0.2]],
    [[[0.7, 0.3], [0.1, 0.9]], [[0.6, 0.4]] * 3],
)
TWO = ONE._replace(title="no", sentence_weights=[0.25, 0.75], answer=[0.25, 0.75])
FIGURE = document_heat([ONE, TWO], ["yes", "no"], question="Is it?")._repr_html_()


def answers(page) -> list[str]:
    return [row.inner_text() for row in page.locator(".cl-bar-row .cl-share").all()]


def words(page) -> list[str]:
    return page.locator(".cl-word .cl-text").all_text_contents()


def test_it_opens_on_the_heaviest_sentence(show):
    page = show(FIGURE)
    assert words(page) == ["the", "king"]
    assert page.locator(".cl-word .cl-share").all_text_contents() == [".13", ".88"]
    assert answers(page) == ["0.88", "0.13"]


def test_a_covered_sentence_gives_the_stored_answer_and_uncovers_again(show):
    page = show(FIGURE)
    cover = page.get_by_role("button", name="Cover sentence 1")
    cover.click()
    assert answers(page) == ["0.25", "0.75"]
    assert "The answer is now “no”" in page.locator(".cl-say").inner_text()
    assert page.locator(".cl-gone").all_text_contents() == ["the", "king"] * 2
    cover.click()
    assert answers(page) == ["0.88", "0.13"]
    assert not page.locator(".cl-gone").count()


def test_another_sentence_opens_and_its_words_are_covered_by_key_too(show):
    page = show(FIGURE)
    page.locator(".cl-line").nth(1).press("Enter")
    assert words(page) == ["a", "dog", "runs"]
    page.locator(".cl-word").nth(2).press("Space")
    assert answers(page) == ["0.60", "0.40"]
    assert "“runs” in sentence 2, weight 0.50" in page.locator(".cl-say").inner_text()


def test_on_a_phone_there_is_room_for_the_longest_that_is_said(show):
    page = show(in_page.show()._repr_html_(), width=390)
    below = page.locator(".cl-fold").bounding_box()
    for number in (3, 1):
        page.get_by_role("button", name=f"Cover sentence {number}").click()
        assert page.locator(".cl-fold").bounding_box() == below
    assert page.locator(".cl-struck").count() == 1


def test_numbers_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="wanted a document from 0 to 0, got 1"):
        document_heat([ONE], ["yes", "no"], question="?", chosen=1)
    with pytest.raises(ValueError, match="'yes': wanted a weight for each of its 5 words"):
        document_heat([ONE._replace(word_weights=[[1.0], [1.0]])], ["yes", "no"], question="?")
    with pytest.raises(ValueError, match="3 probabilities"):
        document_heat([ONE], ["yes", "no", "?"], question="?")
