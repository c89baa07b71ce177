"""The net that writes in the page: controls do what they say, its shares are PyTorch's."""

import re

import pytest

from course_lab.experiments.recurrence import in_page
from tests.book.catalogue import html
from tests.book.piece import Piece

pytestmark = pytest.mark.browser

OPENING = in_page.BEGINNINGS[0].split()


class Writing(Piece):
    """The figure, with its line of words."""

    @property
    def words(self) -> list[str]:
        return self.texts(".cl-line .cl-word")

    def offers(self, begun) -> bool:
        """Whether its bars are what PyTorch says follows these words."""
        shown = [float(text) for text in self.texts(".cl-next .cl-share")]
        wanted = in_page.load().following(begun, 1.0).topk(6).values.tolist()
        return shown == pytest.approx(wanted, abs=0.006)

    def add(self, word: str) -> None:
        self.root.get_by_label("any other word").select_option(label=word)

    def focus_is(self, asked: str) -> str:
        return self.page.evaluate(f"document.activeElement.{asked}")


def test_a_chosen_word_is_read_and_a_click_goes_back(show):
    piece = Writing(show(html("forecast")))
    assert piece.words == OPENING
    assert piece.offers(OPENING)
    assert piece.texts(".cl-next .cl-label")[0] == "sleep"
    assert piece.count(".cl-state .cl-unit") == in_page.WIDTH
    second = piece.texts(".cl-next .cl-label")[1]
    piece.find(".cl-next button").nth(1).click()
    assert piece.words == [*OPENING, second]
    # The key that is pressed stays, with the focus, as a word of chapter 2's sentence does.
    piece.find(".cl-line .cl-word").nth(1).click()
    assert piece.words == OPENING[:2]
    assert piece.focus_is("ariaLabel") == "dog: go back to it"
    assert piece.offers(OPENING[:2])
    piece.press("Take all words away")
    assert piece.words == []
    assert piece.button("Take all words away").count() == 0
    assert piece.offers([])
    assert piece.focus_is("closest('.cl-next') !== null")


def test_any_word_can_be_added_and_the_last_one_hands_the_focus_to_play(show):
    piece = Writing(show(html("forecast")))
    menu = piece.root.get_by_label("any other word")
    assert menu.locator("option").count() == len(in_page.load().words)
    piece.add("king")
    assert piece.words == [*OPENING, "king"]
    assert menu.input_value() == "0"  # ready for the next word
    begun = piece.find(".cl-controls select")
    chosen = "e => e.options[e.selectedIndex].textContent"
    assert begun.evaluate(chosen) == in_page.BEGINNINGS[0]
    piece.find(".cl-line .cl-word").nth(3).click()
    assert begun.evaluate(chosen) == "(your own)"
    begun.select_option(index=0)
    assert (piece.words, begun.evaluate(chosen)) == (OPENING, in_page.BEGINNINGS[0])
    piece.add("sleeps")
    piece.root.get_by_role("button", name=re.compile(r"^\., probability")).press("Enter")
    assert piece.words[-1] == in_page.STOP
    assert piece.focus_is("textContent") == "Play"
    assert menu.is_disabled()
    assert not piece.root.get_by_text("What may come next").is_visible()
    # A key elsewhere keeps it.
    piece.press("Reset")
    piece.add("sleeps")
    while piece.words[-1] != in_page.STOP:
        piece.button("Step").press("Enter")
    assert piece.focus_is("textContent") == "Step"


def test_the_verbs_for_one_and_for_many_are_added_up(show):
    piece, stored = Writing(show(html("forecast"))), in_page.load()
    for begun, which in ((OPENING, 0), (["the", "dog"], 1)):
        piece.find(".cl-controls select").select_option(index=which)
        following = stored.following(begun)
        for place, verbs in enumerate((in_page.FOR_ONE, in_page.FOR_MANY)):
            wanted = sum(following[stored.words.index(verb)].item() for verb in verbs)
            row = piece.find(".cl-sums .cl-bar-row").nth(place)
            assert row.locator("span").first.text_content() == ", ".join(verbs)
            assert float(row.locator(".cl-share").text_content()) == pytest.approx(wanted, abs=6e-3)
