"""What holds for each page of the built book, found in one visit."""

import functools
import gzip
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from axe_playwright_python.base import AXE_SCRIPT

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
    window.others = [...document.body.querySelectorAll('*')].filter(e => !kept.has(e)
        && kept.has(e.parentElement) && !e.parentElement.closest('[data-look]'));
}"""
AXE = """async colours => {
    const rules = ['color-contrast', 'link-in-text-block'], off = {};
    const links = ':is(a[href], [role=link]):is([data-look], :has([data-look]))';
    const selectors = ['[data-look]', links];
    axe.configure({rules: rules.map((id, i) => ({id, selector: selectors[i]}))});
    // Letters of MathML are none to axe, so a head that is a formula is empty to it.
    for (const id of [...rules, 'empty-table-header']) off[id] = {enabled: false};
    // While colours are judged, all that looks like something that stays is taken away.
    const holes = colours ? others.map(e => [document.createComment(''), e]) : [];
    for (const [hole, e] of holes) e.replaceWith(hole);
    const asked = {preload: false, ...(colours ? {runOnly: rules} : {rules: off})};
    const {violations} = await axe.run(document, {resultTypes: ['violations'], ...asked});
    for (const [hole, e] of holes) hole.replaceWith(e);
    return violations.flatMap(v => v.nodes.map(n => `${v.id}: ${n.target} ${n.html.slice(0, 90)}`));
}"""
BARE = """() => {
    // Coloured words of code, signs of a formula and shapes of a drawing say nothing of their own
    // to who listens, and are most of a page.
    for (const e of document.querySelectorAll('pre, math')) e.textContent = e.textContent;
    const shapes = 'svg :is(path, line, circle, rect, polyline, polygon, use)';
    for (const e of document.querySelectorAll(shapes)) {
        if (!e.matches('[role], [tabindex], [aria-label], [lang], :has(*)')) e.remove();
    }
}"""
AS_SENT = """async () => {
    const text = await (await fetch(location.href)).text();
    const sent = new DOMParser().parseFromString(text, 'text/html');  // runs no script
    const bare = '.cl-fig:not(:has(table, svg)), .math:not(:has(math)), body:not(:has(h1))';
    return {
        bare: [...sent.querySelectorAll(bare)].map(e => e.outerHTML.slice(0, 90)),
        links: [...sent.querySelectorAll('[href], [src]')].map(e =>
            e.getAttribute('href') ?? e.getAttribute('src')),
    };
}"""
"""What a reader without JavaScript would miss on an open page, and where the page leads to."""
LAY_OUT = """document.head.insertAdjacentHTML('beforeend',
    '<style>.bd-article section { content-visibility: visible !important }</style>')"""
"""Lays out what a phone leaves for later and would clip, so that too wide a part of it is seen."""

BARE_ROOTS = """() => [...document.querySelectorAll('msqrt')].filter(e =>
    e.getBoundingClientRect().left > e.firstElementChild.getBoundingClientRect().left - 3).length"""
"""Roots without their sign, which a browser leaves out where the font of formulas lacks it."""


def check_page(visit, name: str) -> None:
    """Check one page of the book in one visit; the fixture looks for other hosts and errors.

    No axe violation, light and dark; no sideways scrolling on a phone; not too heavy; links lead
    somewhere; it can be read without JavaScript.
    """
    visited = visit(name, width=320)
    page = visited.page
    sent = page.evaluate(AS_SENT)
    assert sent["bare"] == []
    assert dead_links(name, sent["links"]) == []
    fetched = {url.split("/", 3)[3] for url in visited.requests if url.startswith("http")}
    assert sum(map(_sent, fetched)) <= MAX_BYTES
    page.evaluate(LAY_OUT)
    for width in (320, 390, 1280):
        page.set_viewport_size({"width": width, "height": 844})
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(BARE_ROOTS) == 0
    # The check takes parts of the page away, of which a figure may complain.
    assert visited.problems == []
    page.evaluate(AXE_SCRIPT)
    assert wrong_colours(page) == []
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert wrong_colours(page) == []
    page.evaluate(BARE)
    page.wait_for_timeout(500)  # 300 ms after a change the theme gives what scrolls a tab stop
    assert page.evaluate(AXE, False) == []
    visited.problems.clear()


def wrong_colours(page) -> list[str]:
    """What axe-core says of the colours of an open page, a line for each element."""
    page.evaluate(MARK_LOOKS)
    return page.evaluate(AXE, True)


def _sent(name: str) -> int:
    """Bytes of a file as a server would send it; fonts and pictures are compressed already."""
    path = HTML / unquote(urlsplit(name).path)
    content = path.read_bytes() if path.is_file() else b""
    return len(content if path.suffix in (".woff2", ".png") else gzip.compress(content))


@functools.cache
def _ids(name: str) -> set[str]:
    return set(re.findall(r'\b(?:id|name)="([^"]*)"', (HTML / name).read_text(encoding="utf-8")))


def dead_links(name: str, links: list[str]) -> list[str]:
    """Those links of a page that lead to no file, or to no id in a page of the book."""
    dead = []
    for link in links:
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
    return dead
