"""A deck works in a folder of its own, its figures too; the printed book has its outline."""

import pytest

from tests.book.checks import HTML
from tools import pdf, slides

pytestmark = pytest.mark.browser


def test_a_figure_answers_on_a_slide(built, chromium, tmp_path):
    """However far it is zoomed, a ring lands on the word where it is let go."""
    deck, _ = slides.write(HTML, tmp_path / "slides", "04_*")
    page = chromium.new_page(viewport={"width": 1280, "height": 720})
    wrong = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("requestfailed", lambda request: wrong.append(request.url))
    page.goto(f"{deck.as_uri()}#/1")
    written = page.locator("section.present .cl-ring")
    written.nth(9).wait_for()
    before = page.locator("section.present .cl-fig").inner_text()
    ring = written.nth(2).bounding_box()
    word = page.locator("section.present .cl-word", has_text="dogs").first.bounding_box()
    page.mouse.move(*_middle(ring))
    page.mouse.down()
    page.mouse.move(*_middle(word), steps=8)
    page.mouse.up()
    page.wait_for_function(
        "was => document.querySelector('section.present .cl-fig').innerText != was", arg=before
    )
    assert 15 <= page.evaluate("Reveal.getTotalSlides()") <= 25
    assert not wrong
    page.close()


def _middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_printed_book_has_an_outline_and_numbers(built, chromium):
    whole = pdf.printed(chromium, HTML, ["book/index", "book/notation"])
    chapters = [entry.title for entry in whole.outline if not isinstance(entry, list)]
    assert chapters == ["From Recurrence to Attention", "Notation"]
    for number, page in enumerate(whole.pages, 1):
        assert page.extract_text().split()[-1] == str(number)


def test_a_chapter_begins_on_its_first_page(built, chromium):
    """A figure to touch with its tables is too long for the rest of the page, so it breaks."""
    first, *_ = pdf.printed(chromium, HTML, ["notebooks/01_recurrence"]).pages
    assert "What may come next" in first.extract_text()
