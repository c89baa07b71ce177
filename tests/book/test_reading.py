"""What a reader of a chapter meets: glossary, links to cells, the top line, a figure's keys."""

import pytest

from tests.book.checks import DESKTOP, PHONE, off_screen, settle, turn, violations

pytestmark = pytest.mark.browser

OPENS = ("notebooks/06a_where_to_look.html", "book/glossary.html")
CHAPTER = OPENS[0]
"""One that opens quickly: it stands for all."""
WORD, CARD = "a.glossary-word", "#glossary-card"


def test_a_card_shows_under_the_pointer_and_on_focus_and_escape_takes_it_away(visit):
    page = visit(CHAPTER).page
    word, card = page.locator(WORD).first, page.locator(CARD)
    before = page.evaluate("document.documentElement.scrollHeight")
    assert card.count() == 0
    word.hover()
    assert len(card.inner_text()) > 20
    assert word.get_attribute("aria-describedby") == "glossary-card"
    card.hover()
    page.wait_for_timeout(400)  # it stays while it is read
    assert card.is_visible()
    page.mouse.move(2, 2)
    card.wait_for(state="hidden")
    assert word.get_attribute("aria-describedby") is None
    word.focus()
    assert card.is_visible()
    assert page.evaluate("document.documentElement.scrollHeight") == before
    assert page.evaluate("window.courseShift") <= 0.05
    page.keyboard.press("Escape")
    assert not card.is_visible()
    assert word.evaluate("word => word === document.activeElement")
    # A cell shows its link on hover and on focus.
    cell = page.locator("div.cell").nth(2)
    link = cell.locator("> .cell-link")

    def seen() -> bool:
        return float(link.evaluate("a => getComputedStyle(a).opacity")) > 0.9

    assert not seen()
    cell.hover()
    assert seen()
    page.mouse.move(2, 2)
    link.focus()
    assert seen()
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == f"#{cell.get_attribute('id')}"
    assert 0 <= cell.bounding_box()["y"] < 300
    # Arrow keys that a figure takes turn no page.
    page.locator("input[type=range]:visible").first.focus()
    before = page.url.partition("#")[0]
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    assert page.url.partition("#")[0] == before
    word.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html#term-*")


def test_the_first_touch_shows_the_card_and_the_second_follows_the_link(visit):
    page = visit(CHAPTER, PHONE, has_touch=True).page
    word, card = page.locator(WORD).first, page.locator(CARD)
    word.tap()
    box = card.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE
    page.locator("article h1").tap()
    assert not card.is_visible()
    word.tap()
    assert card.is_visible()
    word.tap()
    page.wait_for_url("**/glossary.html#term-*")


@pytest.mark.parametrize("script", [True, False])
def test_the_line_at_the_top_gives_the_notebook_and_words_are_links_without_a_script(visit, script):
    page = visit(CHAPTER, script=script).page
    line = page.locator(".chapter-line")
    assert "with pencil and exercises" in line.inner_text()
    with page.expect_download() as download:
        line.locator("a", has_text="Download the notebook").click()
    assert download.value.suggested_filename.endswith(".ipynb")
    if not script:
        word = page.locator(WORD).first
        place = word.get_attribute("href").partition("#")[2]
        word.click()
        page.wait_for_url("**/glossary.html#*")
        assert page.locator(f"[id='{place}']").count() == 1


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
