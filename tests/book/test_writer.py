"""The Transformer that runs in the page can be steered: heads, uses, steps, a reader's sentence."""

import pytest

from course_lab.experiments.transformer import in_page, peers
from course_lib.evaluation.translate import translate
from tests.book.catalogue import html
from tests.book.piece import Piece
from tests.book.test_networks import transformer_without

pytestmark = pytest.mark.browser

HEADS = peers.TRANSFORMER["heads"]
OPENING = in_page.SENTENCES[0]


class Writer(Piece):
    """The figure, with its heads opened."""

    def __init__(self, page) -> None:
        super().__init__(page, "writer")
        self.heads = self.find(".cl-head")

    @property
    def wrote(self) -> str:
        """Of the start mark, which is no key, nothing."""
        return " ".join(self.texts(".cl-below button .cl-text")).removesuffix(" end")

    @property
    def line(self) -> str:
        return self.find(".cl-line").inner_text()

    def looks(self, row: str = "above") -> list[str]:
        return [text.strip() for text in self.texts(f".cl-{row} .cl-word .cl-look")]

    def ask(self, name: str) -> None:
        self.find(".cl-key", has_text=name).click()

    def open(self) -> "Writer":
        self.find("summary", has_text="heads: choose").click()
        return self

    def switch(self, place: int, name: str) -> None:
        self.heads.nth(place).click()
        self.press(f"Switch {name} off")


def test_it_opens_on_a_step_of_pythons_and_the_network_finds_the_same(show):
    piece = Writer(show(html("writer")))
    first = piece.looks(), piece.heads.first.locator(".cl-cell").count()
    assert (piece.wrote, piece.line, first[0][3]) == (OPENING[1], "Every word is right.", "1")
    assert not piece.heads.first.is_visible()
    assert piece.count(".cl-arcs path") == 1
    piece.take(1)
    assert piece.wrote == in_page.SENTENCES[1][1]
    piece.take(0)
    piece.find(".cl-below button").nth(in_page.STEP).click()
    assert (piece.looks(), piece.heads.first.locator(".cl-cell").count()) == first
    assert piece.wrote == OPENING[1]
    assert "After “Brief” it writes “getragen”" in piece.says
    assert "looks most at “carried”, 1.00" in piece.says


def test_each_sentence_comes_out_as_the_page_says(show):
    piece, wrong = Writer(show(html("writer"))), []
    for i, (_, right) in enumerate(in_page.SENTENCES):
        piece.take(i)
        assert (piece.line == "Every word is right.") == (piece.wrote == right)
        if piece.wrote != right:
            wrong.append(i)
            assert piece.line == f"right {right}"
    assert wrong == [4, 5, 7]
    assert piece.count(".cl-below button") == in_page.MOST
    assert piece.wrote.endswith("im großen jungen Mann im großen jungen Mann im")
    # Without the head that finds the links the kings hear the man, and the *not* is gone.
    piece.take(3)
    piece.open().switch(HEADS + 3, "layer 2, head 4")
    assert "den die Könige hört" in piece.wrote
    assert "nicht" not in piece.wrote


def test_heads_are_switched_off_one_by_one_by_mouse_and_by_keys(show):
    piece, stored = Writer(show(html("writer"))).open(), in_page.load()
    names = [f"cross.1.{h}" for h in range(HEADS)]
    for h in range(HEADS):
        piece.switch(HEADS + h, f"layer 2, head {h + 1}")
        model = transformer_without(stored.model, names[: h + 1])
        words = OPENING[0].split()
        (wanted,) = translate(model, [words], *stored.tokenizers, max_length=in_page.MOST)
        assert piece.wrote == " ".join(wanted.target.words), names[h]
    assert "With heads off word" in piece.says
    assert piece.count(".cl-changed") == 1
    assert f"with every head {OPENING[1]}" in piece.line
    assert "off" in piece.heads.nth(HEADS).get_attribute("aria-label")
    button = piece.button("All heads on")
    button.press("Enter")
    assert button.is_disabled()
    assert (piece.wrote, piece.count(".cl-arcs path")) == (OPENING[1], 1)
    piece.press("Switch layer 2, head 4 off")
    assert "layer 2, head 4 is off. With heads off it writes the same words" in piece.says
    assert (piece.count(".cl-arcs path"), set(piece.looks())) == (0, {""})
    piece.press("All heads on")
    # What the page says: without this one head it stutters.
    piece.ask("German → German")
    piece.switch(0, "layer 1, head 1")
    assert piece.wrote == "eine eine eine Frau getragen getragen ."
    piece.press("All heads on")
    piece.ask("German → English")
    piece.heads.first.press("Enter")
    assert piece.heads.first.get_attribute("aria-pressed") == "true"
    assert "layer 1, head 1 looks most" in piece.says


def test_the_three_uses_ask_their_own_words(show):
    piece = Writer(show(html("writer"))).open()
    piece.ask("German → German")
    assert set(piece.looks()) == {""}
    # A step has read what stands before it, and nothing later.
    seen = piece.looks("below")
    assert any(seen[: in_page.STEP + 1])
    assert set(seen[in_page.STEP + 1 :]) == {""}
    # Lines lead to what is read, and stay between the two rows of words.
    arcs = piece.find(".cl-arcs path")
    assert arcs.count() == sum(bool(share) for share in seen)
    ends = arcs.evaluate_all("all => all.map(e => e.getBBox()).map(b => [b.y, b.y + b.height])")
    board, above, below = (
        piece.find(f".cl-{part}").bounding_box() for part in ("board", "above", "below")
    )
    assert min(top for top, _ in ends) >= above["y"] + above["height"] - board["y"]
    assert max(end for _, end in ends) == pytest.approx(below["y"] - board["y"], abs=1)
    piece.above.nth(3).click()
    assert "asks its own sentence" in piece.says
    shares = piece.looks()
    assert arcs.count() == sum(bool(share) for share in shares) - bool(shares[3])
    assert set(piece.looks("below")) == {""}
    piece.find(".cl-below button").nth(4).click()
    assert "it writes “Brief”" in piece.says
    assert arcs.count() >= 1


def test_a_sentence_of_ones_own_is_written_or_refused_in_words(show):
    piece = Writer(show(html("writer")))
    piece.find("summary", has_text="Your own").click()
    for sentence, said in {
        "Anna reads a letter": "",
        "Anna reads a newspaper": "does not know “newspaper”",
        " ": "Wanted a sentence",
        "the dog " * 15: "Wanted at most 22 words, got 31",
    }.items():
        piece.find("input[type=text]").fill(sentence)
        piece.press("Write it")
        assert said in piece.says
        assert piece.wrote == "Anna liest einen Brief ."
    assert piece.find("select option:checked").inner_text() == "(your own)"
    assert piece.line.strip() == ""
    piece.press("Reset")
    assert piece.wrote == OPENING[1]
