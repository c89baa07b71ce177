"""The translator to steer: words are covered, looks are dragged, sentences grow."""

import re

import pytest

from course_lab.experiments.bahdanau import in_page
from tests.book.catalogue import html
from tests.book.piece import Piece, middle

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def stored():
    return in_page.load()


@pytest.fixture(scope="module")
def first():
    """The figure with a sentence in which a name is given."""
    return in_page.show(0)._repr_html_()


def awake(page) -> Piece:
    piece = Piece(page, "gaze")
    piece.press("Reset")
    return piece


def later(piece) -> int:
    """How many words stand there already."""
    return piece.count(".cl-below .cl-word:not(.cl-later)")


def test_the_pages_open_on_a_sentence_that_one_vector_turns_round(show, stored):
    piece = Piece(show(html("gaze")))
    entry = stored.families[in_page.OPENING][0]
    assert piece.wrote == entry["de"] == "die alten Pferde haben die großen jungen Hunde gefunden ."
    lines = piece.find(".cl-line")
    assert "die jungen Hunde haben die großen alten Pferde" in lines.nth(1).inner_text()
    turned = lines.nth(1).locator("em")
    assert sorted(turned.all_inner_texts()) == sorted(["jungen", "Hunde", "alten", "Pferde"])
    struck = turned.first.evaluate("e => getComputedStyle(e).textDecorationLine")
    assert struck == "line-through"
    # What the network writes is right: that line would say it twice.
    assert lines.nth(0).is_hidden()
    board = piece.find(".cl-board").bounding_box()
    assert lines.nth(1).bounding_box()["y"] < board["y"]
    assert piece.texts(".cl-below .cl-gloss")[2] == "horses"


def test_the_opening_sentence_does_what_the_page_says_of_it(show):
    piece = awake(show(html("gaze")))
    assert "Every word is right" in piece.says
    free = piece.wrote
    found, horses = piece.above.nth(4), piece.above.nth(2)
    assert (found.inner_text(), horses.inner_text()) == ("found", "horses")
    found.click()
    assert piece.wrote == free
    assert "Nothing changes" in piece.says
    found.click()
    horses.click()
    assert horses.get_attribute("aria-pressed") == "true"
    assert piece.wrote == free.replace("Pferde", "Kinder")
    assert "New:" in piece.says
    new = piece.below.nth(2).locator(".cl-text")
    assert new.evaluate("e => getComputedStyle(e).textDecorationLine") == "underline"
    horses.press("Enter")
    assert piece.wrote == free
    big, old = piece.below.nth(5), piece.above.nth(1)
    assert big.locator(".cl-text").inner_text() == "großen"
    piece.drag(middle(big), middle(old))
    assert piece.wrote == "die alten Pferde haben die alten Pferde gefunden ."


@pytest.mark.parametrize("touch", [False, True])
def test_a_look_is_dragged_to_another_word_with_something_that_follows(show, first, touch):
    piece = awake(show(first, has_touch=touch))
    start, end = middle(piece.below.nth(1)), middle(piece.above.nth(8))
    if touch:
        x, y = middle(piece.find(".cl-ring").nth(1))
        piece.swipe((x, y), (x + 20, y - 20), end)
    else:
        piece.drag(start, (start[0] + 60, start[1] - 70), let_go=False)
        assert piece.count(".cl-thread") == 1
        piece.page.mouse.up()
        assert "on an English word" in piece.says
        assert piece.count(".cl-thread") == 0
        piece.drag(start, end, let_go=False)
        assert "cl-drop" in piece.above.nth(8).get_attribute("class")
        piece.page.mouse.up()
        assert piece.count(".cl-drop") == 0
    assert "must look at “book”" in piece.says
    assert "cl-forced" in piece.below.nth(1).get_attribute("class")
    assert piece.wrote.split()[1] == "Buch"
    if not touch:
        piece.page.mouse.move(*middle(piece.below.nth(1)))
        assert "click it to let go" in piece.says
    piece.below.nth(1).click()
    assert piece.wrote.split()[1] == "Mann"


def test_a_finger_on_the_german_words_scrolls_the_page(show, first):
    page = show(first + "<div style='height:3000px'></div>", width=390, has_touch=True)
    piece = awake(page)
    x, y = middle(piece.below.nth(1))
    piece.swipe((x, y + 4), *((x, y + 4 - 20 * i) for i in range(1, 8)))
    page.wait_for_function("window.scrollY > 60")
    assert "must look" not in piece.says
    ring = piece.find(".cl-ring").nth(1).bounding_box()
    assert ring["width"] >= 32
    assert ring["height"] >= 28


def test_what_is_said_and_what_is_drawn_follow_the_word_that_is_pointed_at(show, first):
    piece = awake(show(first))
    said, drawn = piece.says, piece.count(".cl-arcs path")
    heard = piece.below.nth(5)
    heard.hover()
    assert piece.says.startswith("Step 6: “gehört”, looks most at “heard” (0.")
    assert piece.count(".cl-faint") > 0
    piece.page.mouse.move(5, 5)
    assert piece.says == said
    assert (piece.count(".cl-arcs path"), piece.count(".cl-faint, .cl-here")) == (drawn, 0)
    heard.click()
    piece.page.mouse.move(5, 5)
    assert piece.says.startswith("Step 6:")
    piece.keys("Escape")
    assert piece.count(".cl-faint") == 0


def test_a_sentence_grows_may_be_typed_and_an_unknown_word_is_told(show, first, stored):
    piece = awake(show(first))
    assert piece.wrote == stored.families[0][0]["de"]
    piece.find(".cl-more summary").click()
    slider = piece.root.get_by_role("slider")
    for length in (3, 6):
        slider.fill(str(length + 1))
        entry = stored.families[0][length]
        assert piece.wrote == entry["de"]
        lines = piece.find(".cl-line").all_inner_texts()
        assert entry["de"] in lines[0]
        assert entry["one vector"] in re.sub(r"\s+", " ", lines[1])
        assert piece.count("em") > 2
        assert slider.get_attribute("aria-valuetext") == f"{len(entry['en'].split())} words"
    piece.take(4)
    assert piece.wrote == stored.families[4][6]["de"]
    for text, said in (
        ("The small dog sleeps", ""),
        ("the purple dog sleeps .", "does not know “purple”"),
        ("the dog " * 30, "Wanted at most 50 words, got 61"),
    ):
        piece.root.get_by_role("textbox").fill(text)
        piece.keys("Enter")
        assert said in piece.says
        assert piece.wrote == "der kleine Hund schläft ."
    for text, warned in (
        ("the dog laughs and the cat laughs .", True),
        ("the man sees the woman with the book .", True),
        ("the old man sees a dog .", False),
    ):
        piece.root.get_by_role("textbox").fill(text)
        piece.keys("Enter")
        assert ("Do not trust this one: it is unsure at" in piece.says) == warned
    menu = piece.find("select")
    assert menu.evaluate("e => e.selectedOptions[0].textContent") == "(your own)"
    menu.select_option(index=0)
    assert menu.locator("option:not([hidden])").count() == menu.locator("option").count() - 1


def test_it_plays_step_by_step_and_with_reduced_motion_at_once(show, first):
    piece = awake(show(first))
    piece.press("Step")
    assert (later(piece), "Step 1: “der”" in piece.says) == (1, True)
    piece.press("Step")
    assert later(piece) == 2
    assert piece.count(".cl-here") >= 1
    piece.press("Play")
    piece.below.nth(2).and_(piece.page.locator(":not(.cl-later)")).wait_for()
    piece.press("Pause")
    out = later(piece)
    piece.press("Play")
    assert later(piece) == out + 1
    piece.button("Play").wait_for()
    assert piece.count(".cl-faint, .cl-here") == 0
    assert "Every word is right" in piece.says
    calm = awake(show(first, reduced_motion="reduce"))
    calm.press("Play")
    assert calm.count(".cl-later") == 0
    assert "asks for little motion" in calm.says
