"""Every page of the finished book, opened in a browser that has no network.

Each page is opened in four variants, wide and narrow, light and dark. All of axe's rules are asked
once a page. In the other variants are asked those that the variant can touch: on the phone every
rule but those about colours, and about colours in each variant one element of each look.
"""

import gzip

import pytest

from tools.gates.web_pages import page_names
from tools.project import BUILD

HTML = BUILD / "html"
DESKTOP, PHONE = 1280, 390
WHOLE, *VARIANTS = [(DESKTOP, "light"), (DESKTOP, "dark"), (PHONE, "light"), (PHONE, "dark")]
MAX_KILOBYTES = 700
"""What a page may weigh, compressed: Sphinx's own scripts and styles, MathJax, two pictures."""
COLOUR_RULES = ["color-contrast", "link-in-text-block"]

pytestmark = pytest.mark.browser

LOCAL = ("data:", "blob:")


def test_there_are_pages_to_open():
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built (make book)")
    pages = page_names(HTML)
    assert "book/index.html" in pages
    assert any(name.startswith("notebooks/") for name in pages)


def test_page_is_sealed_silent_accessible_and_fits(visit, book_address, page_name):
    """One visit for all that can be seen in one: opening a page is what takes the time."""
    width, scheme = WHOLE
    page, asked, failed, complaints = visit(page_name, width, scheme)
    look_at(page, book_address, width, scheme, asked, failed, complaints)
    assert violations(page) == []
    assert heavy_files(asked, book_address) == []
    page.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert scrolling(page, "div.cell_input pre") == [], "code wider than the column"
    assert scrolling(page, "div.wrapping pre") == [], "printed sentences that do not wrap"
    assert scrolling(page, "div.math") == [], "formulas wider than the column"
    assert off_screen(page, width) == []


@pytest.mark.parametrize(("width", "scheme"), VARIANTS)
def test_page_is_as_good_in_its_other_variants(visit, book_address, page_name, width, scheme):
    page, asked, failed, complaints = visit(page_name, width, scheme)
    look_at(page, book_address, width, scheme, asked, failed, complaints)
    if (width, scheme) == (PHONE, "light"):
        others = {rule: {"enabled": False} for rule in COLOUR_RULES}
        assert violations(page, {"rules": others}) == []
    assert colour_violations(page) == []
    assert off_screen(page, width) == []


def look_at(page, book_address, width, scheme, asked, failed, complaints) -> None:
    """What holds in every variant."""
    assert [url for url in asked if not url.startswith((book_address, *LOCAL))] == []
    assert failed == []
    assert complaints == []
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("mjx-merror").count() == 0


def violations(page, options: dict | None = None, where: str | None = None) -> list[str]:
    """What axe-core finds, one line for each place."""
    from axe_playwright_python.sync_playwright import Axe

    asked = {"resultTypes": ["violations"], **(options or {})}
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['html'][:120]}"
        for violation in Axe().run(page, context=where, options=asked).response["violations"]
        for node in violation["nodes"]
    ]


def colour_violations(page) -> list[str]:
    """What axe-core's rules about colours find in one element of each look.

    Two texts have the same look if their own colour, size and weight are the same, and colour,
    picture and opacity of everything that they stand in. Of those, one with the least inside is
    asked, so that little else is.
    """
    assert page.evaluate(MARK_LOOKS) > 0
    options = {"runOnly": {"type": "rule", "values": COLOUR_RULES}}
    return violations(page, options, "[data-look]")


MARK_LOOKS = """() => {
    const grounds = new Map(), chosen = new Map();
    const ground = e => {
        if (!e) return '';
        if (!grounds.has(e)) {
            const s = getComputedStyle(e);
            const plain = s.backgroundColor === 'rgba(0, 0, 0, 0)' && s.backgroundImage === 'none'
                && s.opacity === '1' && s.filter === 'none' && s.mixBlendMode === 'normal';
            const own = plain ? '' : '|' + [s.backgroundColor, s.backgroundImage, s.opacity,
                s.filter, s.mixBlendMode].join();
            grounds.set(e, ground(e.parentElement) + own);
        }
        return grounds.get(e);
    };
    for (const e of document.body.querySelectorAll('*')) {
        const text = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        const field = e.matches('input, select, textarea, button');
        if (!(text || field) || !e.checkVisibility()) continue;
        const s = getComputedStyle(e), link = e.closest('a');
        const look = [s.color, s.fontSize, s.fontWeight, s.textShadow, s.textDecorationLine,
            !!link && link.className, link && getComputedStyle(link.parentElement).color,
            e.closest('.cl-fig') ? 'figure' : '', ground(e)].join('/');
        const inside = e.getElementsByTagName('*').length;
        if (!chosen.has(look) || inside < chosen.get(look)[0]) chosen.set(look, [inside, e]);
    }
    for (const [, e] of chosen.values()) e.setAttribute('data-look', '');
    return chosen.size;
}"""
"""Marks one element of each look; how many looks there are."""


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
    colours_alone = visit("book/how_to_use.html", PHONE, "dark").page
    assert colour_violations(colours_alone) == []
    page = visit("book/how_to_use.html", PHONE).page
    page.evaluate(
        """() => {
            document.querySelector('.admonition-title').style.color = '#c8d8dc';
            document.querySelector('article').insertAdjacentHTML('beforeend', `
                <img src="data:,"><p style="width: 900px">wide</p>
                <div class="cell_input"><pre style="white-space: pre">${'x'.repeat(200)}</pre></div>`);
        }"""
    )
    found = {line.split(":")[0] for line in violations(page)}
    assert {"color-contrast", "image-alt"} <= found
    assert any(line.startswith("color-contrast") for line in colour_violations(page))
    assert scrolling(page, "div.cell_input pre") == ["x" * 200]
    assert "P wide" in off_screen(page, PHONE)
    assert heavy_files([f"{book_address}/_static/mathjax/tex-svg-full.js"] * 2, book_address) == []
    heavy = ["tex-svg-full.js", "tex-chtml-full.js", "tex-chtml-full-speech.js"]
    assert heavy_files([f"{book_address}/_static/mathjax/{f}" for f in heavy], book_address)
