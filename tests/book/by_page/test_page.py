"""Every page of the finished book, opened in a browser that has no network.

A page is opened twice, on a desk and on a phone, and seen light and dark each time: opening it, and
axe's finding out where each thing stands, is what takes the time. Colours are asked of one element
of each look that no page before had. What a chapter has besides is asked in the same two visits.
"""

import re

import pytest

from tests.book.checks import (
    DESKTOP,
    HTML,
    LAY_OUT,
    ON_A_PHONE,
    PHONE,
    broken_commands,
    heavy_files,
    look_at,
    off_screen,
    scrolling,
    spoiled,
    turn,
)

pytestmark = pytest.mark.browser

OPENS = ("book/claims.html",)
"""Read beside the page itself."""
WHOLE = ("book/index.html", "notebooks/06a_where_to_look.html", "search.html")
"""One page of each kind."""
OPEN_ALL = "document.querySelectorAll('details').forEach(d => { d.open = true; })"
OPEN = """box => {
    for (let at = box; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
}"""
SMALLEST_LETTERS = 11
LETTERS = """(svg, which) => {
    const box = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll(which)];
    const sizes = texts.map(e => parseFloat(getComputedStyle(e).fontSize) * svg.getScreenCTM().a);
    const outside = texts.filter(e => {
        const text = e.getBoundingClientRect();
        return text.left < box.left - 1 || text.right > box.right + 1;
    });
    return [sizes, outside.map(e => e.textContent)];
}"""
"""How large some words of a picture are in pixels, and which of them reach over its edge."""
STROKE = "() => getComputedStyle(document.querySelector('.drawing .state rect')).stroke"


def test_page_is_sealed_silent_accessible_and_fits(visit, book_address, page_name, judged):
    is_chapter = page_name.startswith("notebooks/")
    page, *told = visit(page_name)
    look_at(page, book_address, DESKTOP, "light", *told)
    assert heavy_files(told[0], book_address, page_name) == []
    assert spoiled(page, judged, others=True) == []
    turn(page, "dark")
    look_at(page, book_address, DESKTOP, "dark", *told)
    assert spoiled(page, judged) == []
    if is_chapter:
        turn(page, "light")
        it_holds_what_a_chapter_has(page, page_name)
    page.evaluate(OPEN_ALL)
    assert scrolling(page, "div.cell_input pre") == [], "code wider than the column"
    assert scrolling(page, "div.wrapping pre") == [], "printed sentences that do not wrap"
    assert scrolling(page, "div.math") == [], "formulas wider than the column"
    assert off_screen(page, DESKTOP) == []
    assert broken_commands(page, DESKTOP) == [], "commands that do not stand in one box"

    page, *told = visit(page_name, PHONE, "dark")
    look_at(page, book_address, PHONE, "dark", *told)
    assert spoiled(page, judged) == []
    assert off_screen(page, PHONE) == []
    turn(page, "light")
    look_at(page, book_address, PHONE, "light", *told)
    page.evaluate(LAY_OUT)
    # The frame around a page is the same on all.
    assert spoiled(page, judged, others=page_name in WHOLE or ON_A_PHONE) == []
    page.evaluate(OPEN_ALL)
    assert broken_commands(page, PHONE) == [], "commands that do not stand in one box"
    if is_chapter:
        pictures_can_be_read_on_a_phone(page)
        a_drawing_follows_the_page(page)


def it_holds_what_a_chapter_has(page, chapter: str) -> None:
    every_glossary_word_has_a_card(page)
    every_figure_has_a_number_a_caption_and_a_link(page)
    code_folds_under_its_name(page)
    a_solution_opens_by_keyboard(page)
    every_claim_is_told_in_one_box(page)
    every_link_of_the_ledger_lands_on_its_verdict(page, chapter)
    it_prints_as_text(page)


def pictures_can_be_read_on_a_phone(page) -> None:
    for kind, which, least in (
        ("figure.drawing svg", "text, tspan.ix", 4),
        ("svg.course-figure", 'text[style^="font-size:9.5px"]', 0),
    ):
        for picture in page.locator(kind).all():
            letters, outside = picture.evaluate(LETTERS, which)
            assert picture.bounding_box()["width"] <= PHONE
            assert len(letters) >= least
            assert min(letters, default=SMALLEST_LETTERS) >= SMALLEST_LETTERS
            assert outside == []


def a_drawing_follows_the_page(page) -> None:
    if not page.locator(".drawing .state rect").count():
        return
    colours = {}
    for scheme in ("light", "dark"):
        turn(page, scheme)
        colours[scheme] = page.evaluate(STROKE)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        colours[scheme, "switched"] = page.evaluate(STROKE)
        page.emulate_media(media="print")
        colours[scheme, "paper"] = page.evaluate(STROKE)
        page.emulate_media(media="screen")
        page.evaluate("scheme => document.documentElement.dataset.theme = scheme", scheme)
    assert colours["light"] != colours["dark"]
    assert colours["light", "switched"] == colours["dark", "switched"] == colours["dark"]
    assert colours["light", "paper"] == colours["dark", "paper"] == colours["light"]


def every_glossary_word_has_a_card(page) -> None:
    missing = page.evaluate(
        """() => {
            const cards = JSON.parse(document.querySelector('.glossary-cards').textContent);
            return [...document.querySelectorAll('a.glossary-word')]
                .filter(a => !cards[a.hash.slice(1)]).map(a => a.textContent);
        }"""
    )
    assert missing == []


def every_figure_has_a_number_a_caption_and_a_link(page) -> None:
    """What a cell draws and what is there to touch; a drawing may stand in a line of text."""
    said = page.evaluate(
        """() => [...document.querySelectorAll('.cl-fig, svg.course-figure')].map(e => {
            const figure = e.closest('figure');
            const caption = figure && figure.querySelector('figcaption');
            const part = kind => caption ? caption.querySelector(kind)?.textContent.trim() : null;
            const link = caption && caption.querySelector('a.headerlink');
            return [part('.caption-number'), part('.caption-text'),
                    link && link.hash === '#' + figure.id];
        })"""
    )
    numbers = [number for number, *_ in said]
    assert None not in numbers
    assert len(set(numbers)) == len(numbers)
    for number, caption, linked in said:
        assert re.fullmatch(r"Figure \d+[abc]?\.\d+", number)
        assert len(caption) > 30, number
        assert linked, number
    assert not re.search(r"figure (above|at\s+the\s+top)", page.locator(".bd-article").inner_text())


def code_folds_under_its_name(page) -> None:
    if not page.locator("div.cell.tag_fold details.hide").count():
        return
    first = page.locator("div.cell.tag_fold details.hide").first
    summary = first.locator("> summary")
    assert len(summary.inner_text().strip(" ▸")) > 5
    code = first.locator("pre").first
    assert not code.is_visible()
    summary.focus()
    page.keyboard.press("Space")
    assert code.is_visible()
    # Of the verdicts that are the chapter's thread: some stand in a fold of their own.
    box = page.locator(".bd-article section > div.cell .verdict").first
    if box.count():
        assert box.is_visible()


def a_solution_opens_by_keyboard(page) -> None:
    summary = page.locator("details.hide summary", has_text="Show solution").first
    summary.focus()
    page.keyboard.press("Enter")
    assert summary.evaluate("s => s.parentElement.open")
    assert summary.inner_text().strip().endswith("Hide solution")


def every_claim_is_told_in_one_box(page) -> None:
    boxes = page.locator(".admonition.claim")
    assert boxes.count() == page.locator(".verdict").count()
    for box in boxes.all():
        box.evaluate(OPEN)
        assert box.locator(".verdict-claim, .verdict-sources").count() == 2
        assert box.locator(".verdict-word").bounding_box()["width"] > 20


def every_link_of_the_ledger_lands_on_its_verdict(page, chapter: str) -> None:
    ledger = (HTML / OPENS[0]).read_text(encoding="utf-8")
    found = [
        (place, re.search(r'class="claim-id"[^>]*>([^<]+)<', row)[1])
        for row in ledger.split("<tr")
        for place in re.findall(rf'href="[^"]*{re.escape(chapter)}#(claim-[^"]+)"', row)
    ]
    assert (len(found) > 0) == (page.locator(".verdict").count() > 0)
    for place, identifier in found:
        box = page.locator(f"[id='{place}']")
        assert box.count() == 1, place
        assert "verdict" in box.get_attribute("class"), place
        box.evaluate(OPEN)
        assert identifier in box.inner_text(), place
        assert box.bounding_box()["height"] > 20, place
        back = box.locator("a").first.get_attribute("href")
        assert back.endswith(f"claims.html#ledger-{identifier.lower()}"), place


def it_prints_as_text(page) -> None:
    page.emulate_media(media="print")
    for hidden in (".bd-sidebar-primary", ".bd-header-article", ".prev-next-area"):
        assert not page.locator(hidden).first.is_visible(), hidden
    assert page.locator("h1:visible").count() == 1
    assert page.locator("article h2").first.is_visible()
    page.emulate_media(media="screen")
