"""How pages of the finished book look and answer: boxes, formulas, ledger, keys."""

import pytest

from course_lab.figures.palette import MODELS, NEUTRALS, ROLES
from tests.book.checks import HOME, HTML
from tools.gates.web_pages import page_names

pytestmark = pytest.mark.browser

GUIDE, NOTATION, CLAIMS = "book/how_to_use.html", "book/notation.html", "book/claims.html"
OPENS = (
    "book/index.html",
    "book/how_to_use.html",
    "book/notation.html",
    "book/claims.html",
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_notation_shows_each_colour_and_its_formulas_need_no_script(visit, scheme):
    for script in (True, False):
        page = visit(NOTATION, scheme=scheme, script=script).page
        assert page.locator("math").count() > 10
        formula = page.locator("math").first
        assert 5 < formula.bounding_box()["width"] < 200
        assert "\\" not in formula.locator("mrow, mi").first.text_content()
        if script:
            the_colours_are_those_of_figures(page, scheme)
            it_is_copied_as_tex(page)
            assert page.evaluate("document.fonts.check('16px \"Course Math\"')")


def the_colours_are_those_of_figures(page, scheme: str) -> None:
    shown = page.eval_on_selector_all(
        "ul.colours i",
        """samples => samples.map(i => {
            const box = i.getBoundingClientRect();
            return [getComputedStyle(i).backgroundColor, box.width > 10 && box.height > 8];
        })""",
    )
    wanted = [*ROLES.values(), *MODELS.values(), *NEUTRALS]
    for (colour, seen), one in zip(shown, wanted, strict=True):
        red, green, blue = (int(getattr(one, scheme)[i : i + 2], 16) for i in (1, 3, 5))
        assert colour == f"rgb({red}, {green}, {blue})"
        assert seen


def it_is_copied_as_tex(page) -> None:
    tex, plain, taken = page.evaluate(
        """() => {
            const part = document.querySelector('math').closest('li, p, td, tr');
            document.getSelection().selectAllChildren(part);
            const data = new DataTransfer();
            const event = new ClipboardEvent('copy', {clipboardData: data, bubbles: true,
                cancelable: true});
            document.dispatchEvent(event);
            const tex = part.querySelector('annotation').textContent;
            return [tex, data.getData('text/plain'), event.defaultPrevented];
        }"""
    )
    assert taken
    assert f"${tex.strip()}$" in plain


def test_the_guide_has_lines_of_70_characters_and_four_kinds_of_box(visit):
    page = visit(GUIDE).page
    lengths = page.evaluate(
        """() => [...document.querySelectorAll('.bd-article section > p')].flatMap(p => {
            const lines = Math.round(p.clientHeight / parseFloat(getComputedStyle(p).lineHeight));
            return lines > 3 ? [p.textContent.length / (lines - 0.5)] : [];
        })"""
    )
    assert 58 <= sum(lengths) / len(lengths) <= 82
    looks = page.eval_on_selector_all(
        ":is(.by-hand, .claim, .slip, .papers).admonition",
        "boxes => boxes.map(b => getComputedStyle(b).borderLeftColor"
        " + getComputedStyle(b.firstElementChild, '::after').maskImage)",
    )
    assert len(looks) == len(set(looks)) == 4


def test_every_link_of_the_ledger_leads_into_a_chapter(visit):
    """What it lands on there is for the tests of each chapter to say."""
    links = visit(CLAIMS).page.eval_on_selector_all(
        ".ledger td a[href*='#claim-']", "links => links.map(a => a.pathname)"
    )
    assert len(links) >= 4
    assert [link for link in links if "/notebooks/" not in link] == []


def test_home_shows_the_collapse_and_a_way_in_and_arrow_keys_turn_the_pages(visit, book_address):
    page = visit(HOME).page
    assert "one vector" in page.locator("figure.collapse svg desc").text_content()
    way_in = page.locator(".start a").first
    way_in.click(trial=True)  # it could be pressed: the chapter is not opened for that
    leads_to = way_in.evaluate("a => a.href").removeprefix(f"{book_address}/")
    assert leads_to.startswith("notebooks/")
    assert leads_to in page_names(HTML)
    # A still figure follows the switch and is light on paper.
    card = "() => getComputedStyle(document.querySelector('svg.course-figure path')).fill"
    light = page.evaluate(card)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(card) != light
    page.emulate_media(media="print")
    assert page.evaluate(card) == light
    page.emulate_media(media="screen")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.url.endswith("index.html")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda address: not address.endswith("index.html"))
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**/{HOME}")
