"""Every page of the finished book, opened in a browser that has no network."""

import gzip

import pytest

from tools.project import BUILD

HTML = BUILD / "html"
DESKTOP, PHONE = 1280, 390
MODES = [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")]
MAX_KILOBYTES = 700
"""What a page may weigh, compressed: Sphinx's own scripts and styles, MathJax, two pictures."""

pytestmark = pytest.mark.browser

PAGES = sorted(
    path.relative_to(HTML).as_posix()
    for path in [*HTML.glob("*/*.html"), HTML / "search.html", HTML / "genindex.html"]
    if not path.parent.name.startswith("_") and path.is_file()
)
CHAPTERS = [name for name in PAGES if name.startswith("notebooks/")]
LOCAL = ("data:", "blob:")


def test_there_are_pages_to_open():
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built (make book)")
    assert "book/index.html" in PAGES
    assert CHAPTERS


@pytest.mark.parametrize(("width", "scheme"), MODES)
@pytest.mark.parametrize("name", PAGES)
def test_page_is_sealed_silent_accessible_and_fits(visit, book_address, name, width, scheme):
    """One visit for all that can be seen in one: opening a page is what takes the time."""
    page, asked, failed, complaints = visit(name, width, scheme)
    assert [url for url in asked if not url.startswith((book_address, *LOCAL))] == []
    assert failed == []
    assert complaints == []
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("mjx-merror").count() == 0
    assert violations(page) == []
    if (width, scheme) == MODES[0]:
        assert heavy_files(asked, book_address) == []
        assert dead_links(page, book_address) == []
        page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert scrolling(page, "div.cell_input pre") == [], "code wider than the column"
        assert scrolling(page, "div.wrapping pre") == [], "printed sentences that do not wrap"
        assert scrolling(page, "div.math") == [], "formulas wider than the column"
    assert off_screen(page, width) == []


def violations(page) -> list[str]:
    """What axe-core finds, one line for each place."""
    from axe_playwright_python.sync_playwright import Axe

    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['html'][:120]}"
        for violation in Axe().run(page).response["violations"]
        for node in violation["nodes"]
    ]


def scrolling(page, selector: str) -> list[str]:
    """The text of boxes that show only a part of it."""
    return page.eval_on_selector_all(
        selector,
        "boxes => boxes.filter(b => b.scrollWidth > b.clientWidth).map(b => b.textContent)",
    )


def off_screen(page, width: int) -> list[str]:
    """Prose and pictures that reach over the edge of the screen."""
    return page.evaluate(
        """width => [...document.querySelectorAll('article :is(p, li, h1, h2, img, figure, pre)')]
            .filter(e => !e.closest('table, pre *, mjx-container, .math, .text_html'))
            .filter(e => e.getBoundingClientRect().width > 0)
            .filter(e => e.getBoundingClientRect().right > width + 1
                      || e.getBoundingClientRect().left < -1)
            .filter(e => !e.closest('[hidden], .onlyprint, .visually-hidden'))
            .map(e => e.tagName + ' ' + e.textContent.slice(0, 60))""",
        width,
    )


def dead_links(page, book_address: str) -> list[str]:
    """Links inside the book whose page or place is missing."""
    dead = []
    addresses = page.eval_on_selector_all(
        "main a[href]", "links => [...new Set(links.map(a => a.href))]"
    )
    for address in addresses:
        if not address.startswith(book_address):
            continue
        file, _, place = address.removeprefix(f"{book_address}/").partition("#")
        path = HTML / file.partition("?")[0]
        found = path.is_file()
        if found and place and path.suffix == ".html":
            found = f'id="{place}"' in path.read_text(encoding="utf-8")
        dead += [] if found else [address]
    return dead


def heavy_files(asked: list[str], book_address: str) -> list[tuple[str, int]]:
    """The heaviest files of a page that weighs too much, or an icon font that came back."""
    files = {url.removeprefix(f"{book_address}/").split("?")[0] for url in asked}
    sizes = {name: _sent(HTML / name) for name in files if (HTML / name).is_file()}
    fonts = [(name, size) for name, size in sizes.items() if "fontawesome/webfonts" in name]
    if sum(sizes.values()) <= 1024 * MAX_KILOBYTES:
        return fonts
    return sorted(sizes.items(), key=lambda entry: -entry[1])[:5]


def _sent(path) -> int:
    """Bytes of a file as a server sends it; fonts and pictures are compressed already."""
    content = path.read_bytes()
    packed = path.suffix in (".woff2", ".png")
    return len(content) if packed else len(gzip.compress(content))


def test_a_broken_page_is_noticed(visit, book_address):
    """The checks above can fail: each of them, on a page that was spoiled."""
    page = visit("book/how_to_use.html", PHONE).page
    page.evaluate(
        """() => {
            document.querySelector('.admonition-title').style.color = '#c8d8dc';
            document.querySelector('article').insertAdjacentHTML('beforeend', `
                <img src="data:,"><p style="width: 900px">wide</p>
                <div class="cell_input"><pre style="white-space: pre">${'x'.repeat(200)}</pre></div>
                <a href="nowhere.html">a</a><a href="claims.html#claim-c99">b</a>`);
        }"""
    )
    found = {line.split(":")[0] for line in violations(page)}
    assert {"color-contrast", "image-alt"} <= found
    assert scrolling(page, "div.cell_input pre") == ["x" * 200]
    assert "P wide" in off_screen(page, PHONE)
    assert len(dead_links(page, book_address)) == 2
    assert heavy_files([f"{book_address}/_static/mathjax/tex-svg-full.js"] * 2, book_address) == []
    heavy = ["tex-svg-full.js", "tex-chtml-full.js", "tex-chtml-full-speech.js"]
    assert heavy_files([f"{book_address}/_static/mathjax/{f}" for f in heavy], book_address)


def test_formulas_are_drawn_and_can_be_read_without_script(visit):
    assert visit("book/notation.html").page.locator("mjx-container").count() > 10
    formula = visit("book/notation.html", script=False).page.locator("span.math").first
    assert formula.inner_text().startswith("\\(")
    assert formula.bounding_box()["width"] > 40


def test_a_line_of_prose_has_about_70_characters(visit):
    lengths = visit("book/how_to_use.html").page.evaluate(
        """() => [...document.querySelectorAll('.bd-article section > p')].flatMap(p => {
            const lines = Math.round(p.clientHeight / parseFloat(getComputedStyle(p).lineHeight));
            return lines > 3 ? [p.textContent.length / (lines - 0.5)] : [];
        })"""
    )
    assert lengths
    assert 58 <= sum(lengths) / len(lengths) <= 82


def test_every_link_of_the_ledger_lands_on_its_verdict(visit, book_address):
    links = visit("book/claims.html").page.eval_on_selector_all(
        ".ledger td a[href*='#claim-']",
        "links => links.map(a => [a.href, a.closest('tr').querySelector('.claim-id').textContent])",
    )
    assert len(links) >= 4
    pages = {}
    for address, identifier in links:
        name, _, place = address.removeprefix(f"{book_address}/").partition("#")
        page = pages[name] if name in pages else pages.setdefault(name, visit(name).page)
        box = page.locator(f"[id='{place}']")
        assert box.count() == 1, address
        assert "verdict" in box.get_attribute("class"), address
        assert identifier in box.inner_text(), address
        assert box.bounding_box()["height"] > 20, address
        back = box.locator("a").first.get_attribute("href")
        assert back.endswith(f"claims.html#ledger-{identifier.lower()}"), address


def test_the_home_page_shows_the_collapse_and_a_way_in(visit):
    page = visit("book/index.html").page
    figure = page.locator("figure.collapse img")
    assert "one vector" in figure.get_attribute("alt")
    assert figure.evaluate("image => image.complete && image.naturalWidth > 0")
    box = figure.bounding_box()
    assert box["y"] + box["height"] <= 900
    page.locator(".start a").first.click()
    page.wait_for_url("**/notebooks/*.html")


def test_the_four_kinds_of_box_look_different(visit):
    looks = visit("book/how_to_use.html").page.eval_on_selector_all(
        ":is(.by-hand, .claim, .slip, .papers).admonition",
        "boxes => boxes.map(b => getComputedStyle(b).borderLeftColor"
        " + getComputedStyle(b.firstElementChild, '::after').maskImage)",
    )
    assert len(looks) == len(set(looks)) == 4


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_prints_as_text_and_its_solutions_open_by_keyboard(visit, name):
    page = visit(name).page
    summary = page.locator("details.hide summary", has_text="Show solution").first
    summary.focus()
    page.keyboard.press("Enter")
    assert summary.evaluate("s => s.parentElement.open")
    assert summary.inner_text().strip().endswith("Hide solution")
    page.emulate_media(media="print")
    for hidden in (".bd-sidebar-primary", ".bd-header-article", ".prev-next-area"):
        assert not page.locator(hidden).first.is_visible(), hidden
    assert page.locator("h1:visible").count() == 1
    assert page.locator("article h2").first.is_visible()
