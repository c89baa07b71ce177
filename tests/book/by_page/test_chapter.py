"""What every chapter has: folds, verdicts, solutions, glossary words, drawings.

What only looks, and what leaves a page as it was but for a fold, is done in one visit: to open a
page takes longer than all that is asked of it.
"""

import re

import pytest

from tests.book.checks import PHONE, turn

pytestmark = pytest.mark.browser

OPENS = ("book/claims.html",)
"""Beside the chapter itself."""
LEDGER = OPENS[0]
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


def test_it_holds_what_a_chapter_has(visit, chapter):
    ledger = links_of_the_ledger(visit(LEDGER).page, chapter)
    page = visit(chapter).page
    every_glossary_word_has_a_card(page)
    every_figure_has_a_number_a_caption_and_a_link(page)
    code_folds_under_its_name(page)
    every_link_of_the_ledger_lands_on_its_verdict(page, ledger, chapter)
    a_solution_opens_by_keyboard(page)
    it_prints_as_text(page)


def test_a_claim_is_told_in_one_box(visit, chapter):
    page = visit(chapter, script=False).page
    boxes = page.locator(".admonition.claim")
    assert boxes.count() == page.locator(".verdict").count()
    for box in boxes.all():
        box.evaluate(OPEN)
        assert box.locator(".verdict-claim, .verdict-sources").count() == 2
        assert box.locator(".verdict-word").bounding_box()["width"] > 20


def test_a_drawing_follows_the_page_and_can_be_read_on_a_phone(visit, chapter):
    page = visit(chapter, PHONE).page
    notes_of_figures_can_be_read(page)
    for drawing in page.locator("figure.drawing svg").all():
        drawing.evaluate(OPEN)
        assert drawing.bounding_box()["width"] <= PHONE
        letters, outside = drawing.evaluate(LETTERS, "text, tspan.ix")
        assert len(letters) > 3
        assert min(letters) >= SMALLEST_LETTERS
        assert outside == []
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


def notes_of_figures_can_be_read(page):
    for figure in page.locator("svg.course-figure").all():
        figure.evaluate(OPEN)
        letters, outside = figure.evaluate(LETTERS, 'text[style^="font-size:9.5px"]')
        assert min(letters, default=SMALLEST_LETTERS) >= SMALLEST_LETTERS
        assert outside == []


def every_glossary_word_has_a_card(page):
    missing = page.evaluate(
        """() => {
            const cards = JSON.parse(document.querySelector('.glossary-cards').textContent);
            return [...document.querySelectorAll('a.glossary-word')]
                .filter(a => !cards[a.hash.slice(1)]).map(a => a.textContent);
        }"""
    )
    assert missing == []


def every_figure_has_a_number_a_caption_and_a_link(page):
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


def code_folds_under_its_name(page):
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


def links_of_the_ledger(page, chapter):
    return page.eval_on_selector_all(
        f".ledger td a[href*='{chapter}#claim-']",
        "links => links.map(a => [a.hash, a.closest('tr').querySelector('.claim-id').textContent])",
    )


def every_link_of_the_ledger_lands_on_its_verdict(page, links, chapter):
    assert (len(links) > 0) == (page.locator(".verdict").count() > 0)
    for place, identifier in links:
        box = page.locator(f"[id='{place[1:]}']")
        assert box.count() == 1, place
        assert "verdict" in box.get_attribute("class"), place
        box.evaluate(OPEN)
        assert identifier in box.inner_text(), place
        assert box.bounding_box()["height"] > 20, place
        back = box.locator("a").first.get_attribute("href")
        assert back.endswith(f"claims.html#ledger-{identifier.lower()}"), place


def a_solution_opens_by_keyboard(page):
    summary = page.locator("details.hide summary", has_text="Show solution").first
    summary.focus()
    page.keyboard.press("Enter")
    assert summary.evaluate("s => s.parentElement.open")
    assert summary.inner_text().strip().endswith("Hide solution")


def it_prints_as_text(page):
    page.emulate_media(media="print")
    for hidden in (".bd-sidebar-primary", ".bd-header-article", ".prev-next-area"):
        assert not page.locator(hidden).first.is_visible(), hidden
    assert page.locator("h1:visible").count() == 1
    assert page.locator("article h2").first.is_visible()
