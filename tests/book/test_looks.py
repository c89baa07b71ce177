"""How pages of the finished book look and answer: boxes, formulas, ledger, print."""

import pytest

from course_lab.figures.palette import MODELS, NEUTRALS, ROLES
from tests.book.checks import (
    HOME,
    HTML,
    PHONE,
    broken_commands,
    colour_violations,
    heavy_files,
    look_at,
    off_screen,
    scrolling,
    violations,
)
from tools.gates.web_pages import page_names

pytestmark = pytest.mark.browser

OPENS = (
    "book/index.html",
    "book/how_to_use.html",
    "book/notation.html",
    "book/claims.html",
)


def test_there_are_pages_to_open(built):
    pages = page_names(HTML)
    assert "book/index.html" in pages
    assert any(name.startswith("notebooks/") for name in pages)


def test_a_broken_page_is_noticed(visit, book_address):
    """Each check of a page can fail: all of them, on a page that was spoiled."""
    colours_alone = visit("book/how_to_use.html", PHONE, "dark").page
    assert colour_violations(colours_alone) == []
    page = visit("book/how_to_use.html", PHONE).page
    page.evaluate(
        """() => {
            document.querySelector('.admonition-title').style.color = '#c8d8dc';
            document.querySelector('article').insertAdjacentHTML('beforeend', `
                <img src="data:,"><p style="width: 900px">wide</p>
                <div class="cell_input"><pre style="white-space: pre">${'x'.repeat(200)}</pre>
                </div>
                <p>${'word '.repeat(9)}<code style="display: inline; white-space: normal"
                    >${'python '.repeat(9)}</code></p>`);
        }"""
    )
    found = {line.split(":")[0] for line in violations(page)}
    assert {"color-contrast", "image-alt"} <= found
    assert any(line.startswith("color-contrast") for line in colour_violations(page))
    together = {line.split(":")[0] for line in colour_violations(page, others=True)}
    assert {"color-contrast", "image-alt"} <= together
    assert scrolling(page, "div.cell_input pre") == ["x" * 200]
    assert "P wide" in off_screen(page, PHONE)
    assert broken_commands(page, PHONE) == ["python " * 9]


def test_a_page_over_its_budget_is_noticed(visit, book_address, tmp_path):
    """Bytes, requests and jumps, each on a page that stays within all of them by itself."""
    page, asked, failed, complaints = visit("book/how_to_use.html")
    look_at(page, book_address, 1280, "light", asked, failed, complaints)
    index = [
        f"{book_address}/{name}" for name in ("_static/course-search.js", "book/notation.html")
    ]
    more = [f"{book_address}/{path.relative_to(HTML)}" for path in HTML.glob("*/*.*")]
    assert heavy_files(asked, book_address, HOME) == []
    assert heavy_files([*asked, *index], book_address) == []
    assert heavy_files([*asked, *index], book_address, HOME)
    assert heavy_files([*asked, *more], book_address)
    with pytest.raises(AssertionError):
        look_at(page, book_address, 1280, "light", [*asked, *index * 30], failed, complaints)
    page.evaluate("scrollTo(0, 0)")
    page.evaluate(
        """() => document.querySelector('article').insertAdjacentHTML('afterbegin',
            '<p style="height: 500px"></p>')"""
    )
    page.wait_for_function("window.courseShift > 0")
    with pytest.raises(AssertionError):
        look_at(page, book_address, 1280, "light", asked, failed, complaints)


def test_formulas_need_no_script_and_are_set_in_their_font(visit):
    for script in (True, False):
        page = visit("book/notation.html", script=script).page
        assert page.locator("math").count() > 10
        formula = page.locator("math").first
        assert 5 < formula.bounding_box()["width"] < 200
        assert "\\" not in formula.locator("mrow, mi").first.text_content()
    page = visit("book/notation.html").page
    assert page.evaluate("document.fonts.check('16px \"Course Math\"')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_notation_shows_each_colour_as_figures_wear_it(visit, scheme):
    page = visit("book/notation.html", scheme=scheme).page
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


def test_a_formula_is_copied_as_tex(visit):
    page = visit("book/notation.html").page
    copied = page.evaluate(
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
    tex, plain, taken = copied
    assert taken
    assert f"${tex.strip()}$" in plain


def test_a_line_of_prose_has_about_70_characters(visit):
    lengths = visit("book/how_to_use.html").page.evaluate(
        """() => [...document.querySelectorAll('.bd-article section > p')].flatMap(p => {
            const lines = Math.round(p.clientHeight / parseFloat(getComputedStyle(p).lineHeight));
            return lines > 3 ? [p.textContent.length / (lines - 0.5)] : [];
        })"""
    )
    assert lengths
    assert 58 <= sum(lengths) / len(lengths) <= 82


def test_every_link_of_the_ledger_leads_into_a_chapter(visit):
    """What it lands on there is for the tests of each chapter to say."""
    links = visit("book/claims.html").page.eval_on_selector_all(
        ".ledger td a[href*='#claim-']", "links => links.map(a => a.pathname)"
    )
    assert len(links) >= 4
    assert [link for link in links if "/notebooks/" not in link] == []


def test_the_home_page_shows_the_collapse_and_a_way_in(visit, book_address):
    page = visit(HOME).page
    assert "one vector" in page.locator("figure.collapse svg desc").text_content()
    way_in = page.locator(".start a").first
    way_in.click(trial=True)  # it could be pressed: the chapter is not opened for that
    leads_to = way_in.evaluate("a => a.href").removeprefix(f"{book_address}/")
    assert leads_to.startswith("notebooks/")
    assert leads_to in page_names(HTML)


def test_arrow_keys_turn_the_pages(visit):
    page = visit(HOME).page
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.url.endswith("index.html")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda address: not address.endswith("index.html"))
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(f"**/{HOME}")


def test_a_static_figure_follows_the_switch_and_is_light_on_paper(visit):
    page = visit("book/index.html").page
    card = "() => getComputedStyle(document.querySelector('svg.course-figure path')).fill"
    light = page.evaluate(card)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert page.evaluate(card) != light
    page.emulate_media(media="print")
    assert page.evaluate(card) == light


def test_the_four_kinds_of_box_look_different(visit):
    looks = visit("book/how_to_use.html").page.eval_on_selector_all(
        ":is(.by-hand, .claim, .slip, .papers).admonition",
        "boxes => boxes.map(b => getComputedStyle(b).borderLeftColor"
        " + getComputedStyle(b.firstElementChild, '::after').maskImage)",
    )
    assert len(looks) == len(set(looks)) == 4
