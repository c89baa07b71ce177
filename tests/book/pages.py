"""What holds for each page of the built book, found in one visit."""

import functools
import gzip
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

ROOT = Path(__file__).parents[2]
HTML = ROOT / "_build" / "html"
PAGES = sorted(
    path.relative_to(HTML).as_posix()
    for path in [*HTML.glob("*.html"), *HTML.glob("book/*.html"), *HTML.glob("notebooks/*.html")]
    if path.name != "index.html" or path.parent != HTML  # that one only leads on
)
MAX_BYTES = 350_000

MARK_LOOKS = """() => {
    // Of the texts that look alike, axe judges the colours of one: all would take it minutes.
    const looks = new Map(), grounds = new Map(), kept = new Set();
    const ground = e => {
        if (!e) return '';
        if (!grounds.has(e)) {
            const s = getComputedStyle(e);
            grounds.set(e, [ground(e.parentElement), s.backgroundColor, s.backgroundImage,
                s.opacity].join().replace(',rgba(0, 0, 0, 0),none,1', ''));
        }
        return grounds.get(e);
    };
    for (const e of document.body.querySelectorAll('*')) {
        e.removeAttribute('data-look');
        e.removeAttribute('data-out');
        const text = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim().length > 1);
        if (!text && !e.matches('input, select') || !e.checkVisibility()) continue;
        const s = getComputedStyle(e), link = Boolean(e.closest('a'));
        const look = [s.color, s.fontSize, s.fontWeight, link, ground(e)].join('/');
        if (!looks.has(look)) looks.set(look, e);
    }
    for (const e of looks.values()) {
        e.setAttribute('data-look', '');
        for (let at = e; at; at = at.parentElement) kept.add(at);
    }
    for (const e of document.body.querySelectorAll('*')) {
        if (!kept.has(e) && !e.closest('head, [data-look]')) e.setAttribute('data-out', '');
    }
}"""

AXE = """async colours => {
    const style = document.createElement('style');
    style.textContent = colours ? '[data-out] { display: none !important }' : '';
    document.head.append(style);
    const rules = ['color-contrast', 'link-in-text-block'];
    const links = ':is(a[href], [role=link]):is([data-look], :has([data-look]))';
    const selectors = ['[data-look]', links];
    axe.configure({rules: rules.map((id, i) => ({id, selector: selectors[i]}))});
    // Letters of MathML are none to axe, so a head that is a formula is empty to it.
    const off = {};
    for (const id of [...rules, 'empty-table-header']) off[id] = {enabled: false};
    const asked = colours ? {runOnly: rules} : {rules: off};
    const {violations} = await axe.run(document, {resultTypes: ['violations'], ...asked});
    style.remove();
    return violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.target} ${n.html.slice(0, 90)}`));
}"""
LAY_OUT = """document.head.insertAdjacentHTML('beforeend', `<style>
    .bd-article section { content-visibility: visible !important }
    dt.sig { overflow: clip }
</style>`)"""
"""Lays out what a phone leaves for later and would clip, so that too wide a part of it is seen.

Long signatures of the library's pages are clipped there, with this and without.
"""


def check_page(visit, name: str) -> None:
    """Check one page of the book in one visit; the fixture looks for other hosts and errors.

    No axe violation, light and dark; no sideways scrolling on a phone; not too heavy; links lead
    somewhere; it can be read without JavaScript.
    """
    assert_links_lead_somewhere(name)
    assert_readable_without_script(name)
    visited = visit(name)
    page = visited.page
    assert sum(map(_sent, {url.split("/", 3)[3] for url in visited.requests})) <= MAX_BYTES
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert violations(page, colours_only=True) == []
    # On the library's pages names of modules run out of a narrow window, until they can break.
    is_library = name.startswith("book/library_")
    if not is_library:
        page.evaluate(LAY_OUT)
    for width in () if is_library else (390, 320):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def violations(page, colours_only: bool = False) -> list[str]:
    """What axe-core finds on an open page, a line for each element."""
    from axe_playwright_python.base import AXE_SCRIPT

    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(AXE_SCRIPT)
    page.evaluate(MARK_LOOKS)
    found = page.evaluate(AXE, True)
    return found if colours_only else found + page.evaluate(AXE, False)


def _sent(name: str) -> int:
    """Bytes of a file as a server would send it; fonts and pictures are compressed already."""
    path = HTML / unquote(urlsplit(name).path)
    content = path.read_bytes() if path.is_file() else b""
    return len(content if path.suffix in (".woff2", ".png") else gzip.compress(content))


@functools.cache
def _soup(name: str) -> BeautifulSoup:
    return BeautifulSoup((HTML / name).read_text(encoding="utf-8"), "lxml")


@functools.cache
def _ids(name: str) -> set[str]:
    return set(re.findall(r'\b(?:id|name)="([^"]*)"', (HTML / name).read_text(encoding="utf-8")))


def assert_links_lead_somewhere(name: str) -> None:
    """Check that every file which a page names exists, and every id in a page of the book."""
    dead = []
    for element in _soup(name).select("[href], [src]"):
        link = element.get("href") or element.get("src") or ""
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        file = (HTML / name).parent / unquote(parts.path) if parts.path else HTML / name
        if not file.is_file():
            dead.append(link)
        # An address with a sign of equality is the state of a figure.
        elif file.suffix == ".html" and "=" not in parts.fragment:
            target = file.resolve().relative_to(HTML.resolve()).as_posix()
            if unquote(parts.fragment) not in {"", *_ids(target)}:
                dead.append(link)
    assert dead == []


def assert_readable_without_script(name: str) -> None:
    """Check that a page has a heading, and its formulas and figures, before any script."""
    soup = _soup(name)
    assert soup.select("h1")
    assert [f for f in soup.select(".cl-fig") if not f.select("table, svg")] == []
    assert soup.select(".math:not(:has(math))") == []
