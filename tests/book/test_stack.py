"""A word's way up the stack: each station shows its own numbers, by keys, touch and address."""

import numpy as np
import pytest

from tests.book.catalogue import HEADS, LOOK, STATIONS, WORDS, html, walk
from tests.book.piece import Piece

pytestmark = pytest.mark.browser


class Stack(Piece):
    """The figure, with its open station."""

    def station(self, name: str):
        return self.find(".cl-station", has_text=name)

    @property
    def open(self) -> str:
        return self.find(".cl-station[aria-current]").inner_text()

    @property
    def columns(self) -> list[str]:
        """Those of the open attention that can be seen."""
        return self.texts(".cl-panel thead th:not(.cl-unseen)")

    @property
    def looks(self) -> list[str]:
        """What the open head reads of each word, from the top down."""
        return self.texts(".cl-panel td.cl-w")

    def take_word(self, text: str) -> None:
        self.find(".cl-chip", has_text=text).click()


def test_it_opens_on_the_look_with_its_numbers(show):
    piece = Stack(show(html("stack")))
    assert (piece.open, piece.looks) == ("cross", [".25", ".50", ".25"])
    assert piece.says == "“Haus” asks over there."
    assert piece.texts(".cl-strip .cl-note") == [
        "what comes in; the line leads it past",
        "normed",
        "what the 2 heads read, side by side",
        "found",
        "⊕ what goes on: the sum",
    ]
    # The way past leads from what comes in to the sum.
    assert (piece.count(".cl-past .cl-strip"), piece.count(".cl-past table")) == (3, 1)
    # A bar stands up for plus and hangs for minus.
    first = piece.find(".cl-strip .cl-bars").nth(0).locator("rect")
    shape = "all => all.map(e => [e.y.baseVal.value, e.height.baseVal.value])"
    (top, up), (zero, none), (under, down), (_, half) = first.evaluate_all(shape)
    assert (none, up == down > half > 0) == (0, True)
    assert top == pytest.approx(zero - up)
    assert under == pytest.approx(zero)
    # An attention has a row a word and a column a step.
    assert piece.columns == ["key", "score", "weight", "value", "× weight"]
    assert piece.texts(".cl-panel tbody th") == [*WORDS["source"], "sum"]
    scores = piece.texts(".cl-panel tbody td:nth-of-type(2)")
    assert scores[:3] == ["0.5", "−1.5", "2.0"]
    # A value times its weight is drawn so much smaller.
    scales = piece.numbers(".cl-panel .cl-bars-value rect:nth-of-type(1)", "height")
    assert min(scales[::2]) > 0
    wanted = LOOK[0, 2] * np.array(scales[::2])[:3]
    np.testing.assert_allclose(scales[1::2][:3], wanted, atol=0.01)


def test_the_first_layer_is_shown_part_by_part(show):
    first = STATIONS[1]._replace(name="1 look")
    piece = Stack(show(walk([STATIONS[0], first, *STATIONS[2:]])._repr_html_()))
    every, heights = ["key", "score", "weight", "value", "× weight"], set()
    for seen, told in (
        (0, "is number 5"),
        (2, "The query of “house” meets every key: a dot product, over √2,"),
        (3, "The softmax"),
        (5, "Each value times its weight"),
        (5, "“house” asks."),
    ):
        piece.press("Step")
        assert piece.columns == every[:seen]
        assert told in piece.says
        heights.add(piece.root.bounding_box()["height"])
    assert max(heights) - min(heights) < 1
    sums = piece.root.get_by_text("what goes on: the sum")
    assert sums.is_visible()
    piece.press("Back")
    assert "Each value" in piece.says
    assert not sums.is_visible()
    # The key of a station shows it whole.
    piece.station("look").click()
    assert "“house” asks." in piece.says


def test_steps_and_arrows_go_up_and_what_was_written_is_fed_in(show):
    piece = Stack(show(html("stack")))
    for name in ("token", "look", "cross", "words"):
        piece.press("Step")
        assert piece.open == name
    assert piece.texts(".cl-panel tbody th") == ["<end>"]
    # After the last word it begins anew; from a station that was opened it goes on.
    piece.press("Step")
    assert piece.open == "token"
    piece.station("cross").click()
    piece.press("Step")
    assert piece.open == "words"
    piece.station("cross").click()
    piece.keys("ArrowUp", "ArrowUp")
    assert piece.open == "words"
    piece.keys("ArrowDown", "ArrowDown")
    assert piece.open == "look"
    piece.press("Reset")
    assert piece.open == "cross"
    piece.take_word("das")
    piece.station("words").click()
    piece.press("Step")
    assert piece.open == "cross"  # the lowest of this decoder
    assert piece.texts(".cl-target .cl-chip[aria-pressed=true]")[0].startswith("Haus")
    assert "“Haus” was written and is fed in" in piece.says
    assert piece.root.get_by_text("3 words so far, 4 numbers each").is_visible()
    # Another word reads something else, and one of the other side begins at the bottom.
    piece.take_word("das")
    assert piece.looks == ["1", "", ""]
    piece.press("the")
    assert (piece.open, piece.says) == ("token", "“the” is number 4.")
    assert piece.count(".cl-panel table:visible") == 0
    assert piece.texts(".cl-strip .cl-note") == ["row"]


def test_one_head_shows_its_vectors_and_another_can_be_chosen(show):
    other = np.ones((2, 3, 2))
    other[1] = [1, -1]
    heads = HEADS._replace(queries=other, keys=other, values=other, read=other)
    cross = STATIONS[2]._replace(heads=heads)
    piece = Stack(show(walk([*STATIONS[:2], cross, STATIONS[3]], head=1)._repr_html_()))

    def hanging(role: str) -> list[bool]:
        tops = piece.numbers(f".cl-past .cl-bars-{role} rect:nth-of-type(2)", "y")
        return [top >= 14 for top in tops]

    counts = {"query": 1, "key": 3, "value": 6}
    assert {role: hanging(role) for role in counts} == {r: [True] * n for r, n in counts.items()}
    piece.button("head 1").press("Enter")
    assert piece.page.evaluate("document.activeElement.ariaLabel") == "head 1"
    assert {role: hanging(role) for role in counts} == {r: [False] * n for r, n in counts.items()}
    assert piece.texts(".cl-choice button[aria-pressed=true]") == ["1"]
    # Of what all heads read that of this one stands out.
    aside = (
        piece.find(".cl-strip", has_text="side by side")
        .locator("rect")
        .evaluate_all("all => all.map(bar => bar.classList.contains('cl-aside'))")
    )
    assert aside == [False, False, True, True]


def test_later_words_are_hidden_where_the_mask_hides_them(show):
    own = STATIONS[2]._replace(name="own", heads=HEADS._replace(reads="target", hides=True))
    piece = Stack(show(walk([*STATIONS[:2], own, STATIONS[3]])._repr_html_()))
    assert piece.texts(".cl-panel tbody th") == [*WORDS["target"], "sum"]
    piece.take_word("das")
    assert piece.texts(".cl-panel tbody th") == ["<start>", "das", "1 later", "sum"]
    (later,) = piece.texts(".cl-chip.cl-later")
    assert later.startswith("Haus")
    assert piece.root.get_by_text("2 words so far, 4 numbers each").is_visible()
