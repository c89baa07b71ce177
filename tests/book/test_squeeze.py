"""Type a sentence: one vector reads as far as it is told, and its decoder can be opened."""

import pytest

from course_lab.experiments.seq2seq import in_page
from tests.book.catalogue import html
from tests.book.checks import address_of
from tests.book.piece import Piece

pytestmark = pytest.mark.browser

OPENED = in_page.SENTENCES[in_page.OPENING].split()


class Squeeze(Piece):
    """The figure, with its decoder's step."""

    def __init__(self, page) -> None:
        super().__init__(page, "squeeze")

    @property
    def wrong(self) -> list[str]:
        return self.texts(".cl-below .cl-wrong .cl-text")

    @property
    def step(self) -> str:
        return self.find(".cl-odds .cl-note").inner_text()

    @property
    def odds(self) -> list[list[str]]:
        """Word, share and mark of each row that is shown."""
        return self.find(".cl-odds li:not(.cl-unseen)").evaluate_all(
            """rows => rows.map(row => ['text', 'share', 'mark'].map(
                part => row.querySelector(`.cl-${part}`).textContent))"""
        )

    def stands(self, words: int) -> None:
        """Wait until this many words are read."""
        self.page.wait_for_function(
            "n => document.querySelectorAll('.cl-above .cl-word:not(.cl-later)').length === n",
            arg=words,
        )

    def read(self, words: int) -> None:
        self.above.nth(words - 1).click()
        self.stands(words)

    def type(self, text: str) -> None:
        if not self.root.get_by_role("textbox").is_visible():
            self.root.get_by_text("Your own sentence").click()
        self.root.get_by_role("textbox").fill(text)
        self.keys("Enter")


def test_the_opening_does_what_the_page_says_of_it(show):
    piece = Squeeze(show(html("squeeze")))
    whole = piece.wrote
    assert whole.endswith("ein Lehrer liest die Bücher .")
    assert piece.wrong == ["schlafen", "und", "Anna", "ein", "Lehrer", "liest", "die", "Bücher"]
    right = piece.texts(".cl-line [lang=de]")
    assert right[:6] == ["eine", "Katze", "hat", "den", "Brief", "gefunden"]
    piece.read(OPENED.index("letter") + 1)
    assert piece.wrote == "eine Katze hat den Brief gefunden ."
    assert "6 of 20 words and marks are read" in piece.says
    piece.read(20)
    assert piece.wrote == whole
    assert "The first wrong word is “schlafen”" in piece.says
    piece.read(4)
    piece.press("Step")
    piece.stands(5)
    piece.press("Play")
    piece.stands(7)
    piece.press("Reset")
    assert piece.wrote == whole
    assert piece.button("Play").is_visible()


def test_a_word_opens_its_step_and_the_right_one_stands_among_the_words(show):
    piece = Squeeze(show(html("squeeze")))
    # Before it is touched: Python's numbers, at the first wrong word.
    assert piece.step == "Step 10. It has just read “dann”. The most probable next words:"
    before = piece.odds
    assert (before[0][0], before[0][2]) == ("schlafen", "chosen")
    assert before[-1][::2] == ["tragen", "right"]
    piece.below.nth(0).click()
    assert "Step 1. It has just read the start mark" in piece.step
    assert piece.odds[0][::2] == ["eine", "chosen, right"]
    assert float(piece.odds[0][1]) > 0.9
    # The network of the page finds the same.
    piece.read(19)
    piece.read(20)
    assert piece.odds == before
    # Beyond its first error nobody can say which word would be right.
    piece.below.nth(12).click()
    assert not any("right" in mark for _, _, mark in piece.odds)


def test_with_the_true_words_before_it_the_error_has_no_consequence(show):
    piece = Squeeze(show(html("squeeze")))
    piece.choose("the true one")
    piece.until("It reads the true words")
    right = in_page.pairs()[in_page.OPENING].target
    wrong = [a for a, b in zip(piece.wrote.split(), right, strict=True) if a != b]
    assert piece.wrong == wrong
    assert 0 < len(wrong) < 8
    assert f"of its {len(right)} choices {len(right) - len(wrong)} are right" in piece.says
    piece.below.nth(10).click()
    assert "It has just read “tragen”" in piece.step  # it wrote another word there
    # Where the sentence is cut short, no translation of it is known.
    piece.read(6)
    assert piece.root.get_by_role("radio", name="the true one").is_disabled()
    assert "The true words are known for whole sentences from the menu only." in piece.says
    assert piece.wrote == "eine Katze hat den Brief gefunden ."
    piece.press("Reset")
    assert piece.root.get_by_role("radio", name="its own").is_checked()
    assert "The first wrong word" in piece.says


def test_a_sentence_may_be_typed_and_an_unknown_word_is_told(show):
    piece = Squeeze(show(html("squeeze")))
    piece.type("The small dog sleeps")
    piece.stands(5)
    assert piece.wrote == "der kleine Hund schläft ."
    assert "The true words are known for whole sentences from the menu only." in piece.says
    again = Squeeze(show(html("squeeze"), at=address_of(piece.page)))
    again.stands(5)
    assert again.wrote == "der kleine Hund schläft ."
    piece.type("the purple dog sleeps .")
    # It is said at the form, and what stands in the figure is grey: it is no answer to this.
    refusal = piece.find(".cl-refusal")
    assert refusal.text_content() == "The network does not know “purple”. Its words stand below."
    form, told = piece.find("form").bounding_box(), refusal.bounding_box()
    assert 0 <= told["y"] - form["y"] - form["height"] < 20
    assert piece.says.startswith("Not translated.")
    assert piece.wrote == "der kleine Hund schläft ."
    edges = [f".cl-{row} .cl-word" for row in ("below", "above")]
    below, above = (piece.style(word, "borderTopColor") for word in edges)
    assert below == above
    piece.type("the dog " * 12)
    assert refusal.text_content() == "Wanted at most 20 words and marks, got 25."
    piece.type("the old dog sleeps")
    piece.page.wait_for_function("!document.querySelector('.cl-stale')")
    assert not refusal.is_visible()
    assert piece.style(edges[0], "borderTopColor") != above
