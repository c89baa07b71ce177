"""Type a sentence: the page's network is PyTorch's, and it reads as far as it is told."""

import base64

import pytest
import torch

from course_lab.experiments.bahdanau.in_page import load as load_chapter_4
from course_lab.experiments.lab.world import batch_of
from course_lab.experiments.seq2seq import in_page, one_vector
from course_lib.data.tokens.tokenizer import END
from course_lib.evaluation.translate import translate
from tests.book.checks import address_of, scripts

pytestmark = pytest.mark.browser

SENTENCES = 200
OPENED = in_page.SENTENCES[in_page.OPENING]


@pytest.fixture(scope="module")
def stored():
    return in_page.load()


@pytest.fixture(scope="module")
def figure():
    return in_page.show(load_chapter_4().gloss)._repr_html_()


class Piece:
    """The figure on a page, in a reader's words."""

    def __init__(self, page) -> None:
        self.page = page
        self.above = page.locator(".cl-above .cl-word")
        self.below = page.locator(".cl-below .cl-word")

    @property
    def wrote(self) -> str:
        return " ".join(self.below.locator(".cl-text").all_text_contents())

    @property
    def wrong(self) -> list[str]:
        return (
            self.below.and_(self.page.locator(".cl-wrong")).locator(".cl-text").all_text_contents()
        )

    @property
    def step(self) -> str:
        return self.page.locator(".cl-odds .cl-note").inner_text()

    @property
    def odds(self) -> list[list[str]]:
        """Word, share and mark of each row that is shown."""
        rows = self.page.locator(".cl-odds li:not(.cl-unseen)").all()
        parts = (".cl-text", ".cl-share", ".cl-mark")
        return [[row.locator(part).text_content() for part in parts] for row in rows]

    @property
    def says(self) -> str:
        return self.page.locator(".cl-say").inner_text()

    def read(self, words: int) -> None:
        self.above.nth(words - 1).click()
        self.page.wait_for_function(
            "n => document.querySelectorAll('.cl-above .cl-word:not(.cl-later)').length === n",
            arg=words,
        )

    def type(self, text: str) -> None:
        if not self.page.get_by_role("textbox").is_visible():
            self.page.get_by_text("Your own sentence").click()
        self.page.get_by_role("textbox").fill(text)
        self.page.keyboard.press("Enter")


def test_the_page_writes_what_pytorch_writes(chromium, stored):
    page = chromium.new_page()
    page.evaluate(
        f"base64 => {{ {scripts('maths', 'net', 'cho_net')};"
        " net = oneVectorNet(readTensors(base64).tensors); }",
        base64.b64encode(in_page.STORED.read_bytes()).decode(),
    )
    pairs = one_vector.the_world().test[:SENTENCES]
    wanted = translate(
        stored.model, [pair.source for pair in pairs], *stored.tokenizers, max_length=40
    )
    ids = [[*stored.tokenizers[0].encode(pair.source).ids, END] for pair in pairs]
    found = page.evaluate(
        "all => all.map(ids => net.write(net.read(ids)).map(step => step.token))", ids
    )
    assert found == [each.target.ids for each in wanted]
    vector = page.evaluate("ids => [...net.read(ids)]", ids[0])
    torch.testing.assert_close(
        torch.tensor(vector), in_page.vector_of(stored, pairs[0].source), atol=1e-5, rtol=1e-4
    )
    page.close()


def test_at_each_step_the_shares_are_pytorchs_also_with_true_words_before(chromium, stored):
    page = chromium.new_page()
    page.evaluate(
        f"base64 => {{ {scripts('maths', 'net', 'cho_net')};"
        " net = oneVectorNet(readTensors(base64).tensors); }",
        base64.b64encode(in_page.STORED.read_bytes()).decode(),
    )
    pair = in_page.pairs()[in_page.OPENING]
    batch = batch_of([pair], stored.tokenizers)
    with torch.inference_mode():
        logits = stored.model(batch.source, batch.source_mask, batch.target_in).logits[0]
    told = batch.target_out[0].tolist()
    steps = page.evaluate(
        "([ids, told]) => net.write(net.read(ids), told).map(step => [...step.shares])",
        [batch.source[0].tolist(), told],
    )
    assert len(steps) == len(told)
    torch.testing.assert_close(
        torch.tensor(steps), logits.softmax(-1)[: len(told)], atol=1e-4, rtol=1e-3
    )
    page.close()


def test_the_opening_does_what_the_page_says_of_it(show, figure):
    piece = Piece(show(figure))
    whole = piece.wrote
    assert whole.endswith("ein Lehrer liest die Bücher .")
    assert piece.wrong == ["schlafen", "und", "Anna", "ein", "Lehrer", "liest", "die", "Bücher"]
    right = piece.page.locator(".cl-line [lang=de]").all_text_contents()
    assert right[:6] == ["eine", "Katze", "hat", "den", "Brief", "gefunden"]
    piece.read(OPENED.split().index("letter") + 1)
    assert piece.wrote == "eine Katze hat den Brief gefunden ."
    assert "6 of 20 words and marks are read" in piece.says
    piece.read(20)
    assert piece.wrote == whole
    assert "The first wrong word is “schlafen”" in piece.says


def test_a_word_opens_its_step_and_the_right_one_stands_among_the_words(show, figure):
    piece = Piece(show(figure))
    # Before it is touched: Python's numbers, at the first wrong word.
    assert piece.step == "Step 10. It has just read “dann”. The most probable next words:"
    before = piece.odds
    assert before[0][0] == "schlafen"
    assert before[0][2] == "chosen"
    assert before[-1][::2] == ["tragen", "right"]
    piece.below.nth(0).click()
    assert "Step 1. It has just read the start mark" in piece.step
    assert piece.odds[0] == ["eine", piece.odds[0][1], "chosen, right"]
    assert float(piece.odds[0][1]) > 0.9
    # The network of the page finds the same.
    piece.read(19)
    piece.read(20)
    assert piece.odds == before
    # Beyond its first error nobody can say which word would be right.
    piece.below.nth(12).click()
    assert not any("right" in mark for _, _, mark in piece.odds)
    again = Piece(show(figure, at=address_of(piece.page)))
    again.page.wait_for_function(
        "document.querySelector('.cl-odds .cl-note').textContent.startsWith('Step 13')"
    )


def test_with_the_true_words_before_it_the_error_has_no_consequence(show, figure):
    piece = Piece(show(figure))
    switch = piece.page.get_by_role("radio", name="the true one")
    switch.check()
    piece.page.wait_for_function(
        "document.querySelector('.cl-say').textContent.startsWith('It reads the true words')"
    )
    right = in_page.pairs()[in_page.OPENING].target
    wrote = piece.wrote.split()
    assert len(wrote) == len(right)
    wrong = [a for a, b in zip(wrote, right, strict=True) if a != b]
    assert piece.wrong == wrong
    assert 0 < len(wrong) < 8
    assert f"of its {len(right)} choices {len(right) - len(wrong)} are right" in piece.says
    piece.below.nth(10).click()
    assert "It has just read “tragen”" in piece.step  # it wrote another word there
    again = Piece(show(figure, at=address_of(piece.page)))
    again.page.wait_for_function(
        "document.querySelector('.cl-odds .cl-note').textContent.includes('“tragen”')"
    )
    # Where the sentence is cut short, no translation of it is known.
    piece.read(6)
    assert switch.is_disabled()
    assert "The true words are known for whole sentences from the menu only." in piece.says
    assert piece.wrote == "eine Katze hat den Brief gefunden ."
    piece.page.get_by_role("button", name="Reset").click()
    assert piece.page.get_by_role("radio", name="its own").is_checked()
    assert "The first wrong word" in piece.says


def test_however_long_the_sentence_the_bars_are_as_many(show, figure):
    piece = Piece(show(figure))
    bars = piece.page.locator(".cl-vector rect")
    before = bars.first.get_attribute("height")
    for k, sentence in enumerate(in_page.SENTENCES):
        piece.page.get_by_role("combobox").select_option(index=k)
        assert piece.above.count() == len(sentence.split())
        # What is counted stands there: the full stop too.
        assert piece.page.locator("option").nth(k).text_content() == (
            f"{len(sentence.split())}: {sentence}"
        )
        assert f"{len(sentence.split())} words and marks in 64 numbers" in piece.says
        assert bars.count() == 64
    piece.page.get_by_role("combobox").select_option(index=0)
    assert "Every word of the translation is right" in piece.says
    assert bars.first.get_attribute("height") != before


def test_a_sentence_may_be_typed_and_an_unknown_word_is_told(show, figure):
    piece = Piece(show(figure))
    piece.type("The small dog sleeps")
    piece.page.wait_for_function("document.querySelectorAll('.cl-above .cl-word').length === 5")
    assert piece.wrote == "der kleine Hund schläft ."
    assert "The true words are known for whole sentences from the menu only." in piece.says
    piece.type("the purple dog sleeps .")
    # It is said at the form, and what stands in the figure is grey: it is no answer to this.
    refusal = piece.page.locator(".cl-refusal")
    assert refusal.text_content() == "The network does not know “purple”. Its words stand below."
    form, told = piece.page.locator("form").bounding_box(), refusal.bounding_box()
    assert 0 <= told["y"] - form["y"] - form["height"] < 20
    assert piece.says.startswith("Not translated.")
    assert piece.wrote == "der kleine Hund schläft ."
    colour = "e => getComputedStyle(e).borderTopColor"
    assert piece.below.first.evaluate(colour) == piece.above.first.evaluate(colour)
    piece.type("the dog " * 12)
    assert refusal.text_content() == "Wanted at most 20 words and marks, got 25."
    piece.type("the old dog sleeps")
    piece.page.wait_for_function("!document.querySelector('.cl-stale')")
    assert not refusal.is_visible()
    assert piece.below.first.evaluate(colour) != piece.above.first.evaluate(colour)
    piece.type("the small dog sleeps")
    piece.page.wait_for_function(
        "document.querySelector('.cl-above').textContent === 'thesmalldogsleeps.'"
    )
    again = Piece(show(figure, at=address_of(piece.page)))
    again.page.wait_for_function("document.querySelectorAll('.cl-above .cl-word').length === 5")
    assert again.wrote == "der kleine Hund schläft ."


def test_on_a_phone_the_german_is_in_sight_when_the_figure_opens(show, figure):
    page = show(figure, width=390, has_touch=True, is_mobile=True)
    top = page.locator(".cl-controls").bounding_box()["y"]
    below, switch = (page.locator(name).bounding_box() for name in (".cl-below", ".cl-feed"))
    # Neither a form nor the switch stands before it.
    assert below["y"] - top < 350
    assert switch["y"] >= below["y"] + below["height"]
    assert not page.get_by_role("textbox").is_visible()
    # The answer is where the reader sees it, and no keyboard stands over it.
    piece = Piece(page)
    piece.type("the small dog sleeps")
    page.wait_for_function("document.querySelectorAll('.cl-above .cl-word').length === 5")
    assert piece.above.first.bounding_box()["y"] >= 0
    assert page.evaluate("document.activeElement.tagName") == "BODY"
    piece.type("the purple dog")
    told = page.locator(".cl-refusal").bounding_box()
    assert told["y"] + told["height"] <= page.viewport_size["height"]


def test_it_reads_on_word_by_word_and_reset_goes_back(show, figure):
    piece = Piece(show(figure))
    whole = piece.wrote
    piece.read(4)
    piece.page.get_by_role("button", name="Step").click()
    assert piece.page.locator(".cl-above .cl-word:not(.cl-later)").count() == 5
    piece.page.get_by_role("button", name="Play").click()
    piece.page.wait_for_function(
        "document.querySelectorAll('.cl-above .cl-word:not(.cl-later)').length >= 7"
    )
    piece.page.get_by_role("button", name="Reset").click()
    assert piece.wrote == whole
    assert piece.page.get_by_role("button", name="Play").is_visible()
