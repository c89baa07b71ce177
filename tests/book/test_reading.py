"""What a reader of a chapter meets: glossary, links to cells, the top line, a figure's keys."""

import pytest

from tests.book.checks import DESKTOP, PHONE, off_screen, turn, violations
from tests.book.conftest import settle

pytestmark = pytest.mark.browser

OPENS = ("notebooks/06a_where_to_look.html", "book/glossary.html")
CHAPTER = OPENS[0]
"""One that opens quickly: it stands for all."""
WORD, CARD = "a.glossary-word", "#glossary-card"


def test_a_card_shows_under_the_pointer_and_stays_while_it_is_read(visit):
    page = visit(CHAPTER).page
    word = page.locator(WORD).first
    assert page.locator(CARD).count() == 0
    word.hover()
    card = page.locator(CARD)
    assert card.is_visible()
    assert len(card.inner_text()) > 20
    assert word.get_attribute("aria-describedby") == "glossary-card"
    card.hover()
    page.wait_for_timeout(400)
    assert card.is_visible()
    page.mouse.move(2, 2)
    card.wait_for(state="hidden")
    assert word.get_attribute("aria-describedby") is None
    assert page.evaluate("window.courseShift") <= 0.05


def test_a_card_shows_on_focus_and_escape_takes_it_away(visit):
    page = visit(CHAPTER).page
    word = page.locator(WORD).first
    before = page.evaluate("document.documentElement.scrollHeight")
    word.focus()
    assert page.locator(CARD).is_visible()
    assert page.evaluate("document.documentElement.scrollHeight") == before
    page.keyboard.press("Escape")
    assert not page.locator(CARD).is_visible()
    assert word.evaluate("word => word === document.activeElement")
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html#term-*")


def test_the_first_touch_shows_the_card_and_the_second_follows_the_link(chromium, book_address):
    context = chromium.new_context(viewport={"width": PHONE, "height": 800}, has_touch=True)
    page = context.new_page()
    page.goto(f"{book_address}/{CHAPTER}")
    word = page.locator(WORD).first
    word.tap()
    card = page.locator(CARD)
    assert card.is_visible()
    box = card.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE
    page.locator("article h1").tap()
    assert not card.is_visible()
    word.tap()
    assert card.is_visible()
    word.tap()
    page.wait_for_url("**/glossary.html#term-*")
    context.close()


def test_without_a_script_a_word_is_a_link_to_its_entry(visit):
    page = visit(CHAPTER, script=False).page
    word = page.locator(WORD).first
    place = word.get_attribute("href").partition("#")[2]
    word.click()
    page.wait_for_url("**/glossary.html#*")
    assert page.locator(f"[id='{place}']").count() == 1


def test_a_cell_shows_its_link_on_hover_and_on_focus(visit):
    page = visit(CHAPTER).page
    cell = page.locator("div.cell").nth(2)
    link = cell.locator("> .cell-link")

    def seen() -> bool:
        return float(link.evaluate("a => getComputedStyle(a).opacity")) > 0.9

    page.mouse.move(2, 2)
    assert not seen()
    cell.hover()
    assert seen()
    page.mouse.move(2, 2)
    link.focus()
    assert seen()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == f"#{cell.get_attribute('id')}"
    assert 0 <= cell.bounding_box()["y"] < 300


@pytest.mark.parametrize("script", [True, False])
def test_the_line_at_the_top_gives_the_notebook(visit, script):
    page = visit(CHAPTER, script=script).page
    line = page.locator(".chapter-line")
    assert "minutes to read" in line.inner_text()
    with page.expect_download() as download:
        line.locator("a", has_text="Download the notebook").click()
    assert download.value.suggested_filename.endswith(".ipynb")


def test_arrow_keys_that_a_figure_takes_turn_no_page(visit):
    page = visit(CHAPTER).page
    page.locator("input[type=range]:visible").first.focus()
    before = page.url.partition("#")[0]
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    assert page.url.partition("#")[0] == before


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_a_card_is_readable_and_nothing_leaves_the_screen(visit, width):
    page = visit(CHAPTER, width).page
    page.locator(WORD).locator("visible=true").last.focus()
    for scheme in ("light", "dark"):
        turn(page, scheme)
        settle(page)
        assert page.locator(CARD).is_visible()
        assert violations(page, where={"include": [[CARD], [".chapter-line"]]}) == []
        assert off_screen(page, width) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
