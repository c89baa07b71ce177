"""What is looked for on an open page; each answers with what is wrong."""

import gzip
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from course_lab.figures.touch.core import web_file
from tools.project import BUILD

HTML = BUILD / "html"
DESKTOP, PHONE = 1280, 390
MAX_KILOBYTES, HOME_KILOBYTES = 300, 105
"""What a page may weigh, compressed; home is where a reader with a phone begins."""
HOME = "book/index.html"
MAX_REQUESTS = 30
MAX_SHIFT = 0.05
"""Layout shift, as browsers sum it up: parts of the screen that jumped by parts of its height."""
COLOUR_RULES = {
    "color-contrast": "[data-look]",
    "link-in-text-block": ":is(a[href], [role=link])[data-look]",
}
"""axe's rules about colours, and of what they are asked where looks are marked."""
ON_A_PHONE = ("aria-hidden-focus", "scrollable-region-focusable")
"""axe's rules that may say something else of a narrow page: what scrolls or is hidden."""
DARK = 'html lang="en" data-theme="dark"'
LIGHT = 'html lang="en" data-theme="light"'
LOCAL = ("data:", "blob:")
SETTLE = """async (pause = 50) => {
    await document.fonts.ready;
    await new Promise(done => requestAnimationFrame(() => setTimeout(done, pause)));
    const waited = '.cl-fig[data-found]:not([data-on]), html[data-letters]';
    const busy = () => document.querySelector(waited);
    while (busy()) await new Promise(done => setTimeout(done, 20));
}"""
"""Waits until fonts are there, the page has been laid out anew and every figure stands."""

LAY_OUT = """async () => {
    const all = document.createElement('style');
    all.textContent = '.bd-article section { content-visibility: visible !important }';
    document.head.append(all);
    const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    await frame(); await frame();
}"""
"""Lays out what a phone leaves for later, so that what is wide there has been fitted as well."""


def look_at(page, book_address, width, scheme, asked, failed, complaints) -> None:
    """What holds in every variant."""
    assert [url for url in asked if not url.startswith((book_address, *LOCAL))] == []
    assert failed == []
    assert complaints == []
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert len(asked) <= MAX_REQUESTS
    assert page.evaluate("window.courseShift") <= MAX_SHIFT


def settle(page) -> None:
    """Wait until nothing on the page is going to move any more."""
    page.evaluate(SETTLE)


def address_of(page) -> str:
    """The part after #, once it is written: core.js writes at most once in 200 ms, and a timer of
    the page's own is not earlier than that one, however slow the machine is."""
    return page.evaluate("new Promise(done => setTimeout(() => done(location.hash), 250))")


def scripts(*names: str) -> str:
    """The parts of figures of these names, to be tried in a page alone."""
    return "\n".join(web_file(f"{name}.js") for name in names)


def page_of(body: str, html: str = LIGHT) -> str:
    """A page of its own around figures."""
    ground = "#14181e" if html == DARK else "#fff"
    return (
        f'<!doctype html><{html}><head><title>Figures</title><meta name="viewport" '
        f'content="width=device-width"></head><body style="background:{ground};margin:8px">'
        f"<main><h1 style='color:#777'>Figures</h1>{body}</main></body></html>"
    )


def said(page, kind: str) -> str:
    """What the first figure of a kind says."""
    return page.locator(f".cl-{kind} .cl-say").first.inner_text()


def turn(page, scheme: str) -> None:
    """Light to dark or back, as a reader's system does it in the evening."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(
        "scheme => document.documentElement.dataset.theme === scheme", arg=scheme
    )


def violations(
    page, options: dict | None = None, where: str | dict | None = None, looks: bool = False
) -> list[str]:
    """What axe-core finds, one line for each place; with `looks` its colours' rules ask those."""
    if page.evaluate("typeof axe === 'undefined'"):
        from axe_playwright_python.base import AXE_SCRIPT

        page.evaluate(AXE_SCRIPT)
    asked = {"resultTypes": ["violations"], **(options or {})}
    found = page.evaluate(RUN_AXE, [where, asked, COLOUR_RULES if looks else {}])
    return [
        f"{violation['id']}: {' '.join(map(str, node['target']))}: {node['html'][:120]}"
        for violation in found
        for node in violation["nodes"]
        if not (violation["id"] == "empty-table-header" and _holds_a_formula(page, node))
    ]


RUN_AXE = """async ([where, options, narrowed]) => {
    axe.reset();
    axe.configure({rules: Object.entries(narrowed).map(([id, selector]) => ({id, selector}))});
    return (await axe.run(where ?? document, options)).violations;
}"""


def _holds_a_formula(page, node: dict) -> bool:
    """A formula is MathML, whose letters axe does not read; a screen reader does."""
    return page.evaluate(
        "place => document.querySelector(place).querySelector('math') !== null", node["target"][0]
    )


def spoiled(page, judged: set[str], *, others: bool | Sequence[str] = ()) -> list[str]:
    """What axe-core's rules about colours find in one element of each look.

    Two texts have the same look if their own colour and weight are the same, both are large or
    neither is (18 points, or 14 in bold: of large ones WCAG asks for less, and of sizes nothing
    else), and so are colour, picture and opacity of everything that they stand in. Of those, one
    with the least inside is asked, so that little else is, and rather words than a single sign.

    Args:
        page: what is looked at.
        judged: looks that need not be judged again, on whatever page they were; those of this page
            are added if nothing is found. Where all are known axe need not find out where each
            thing stands, which is most of its time.
        others: which other rules are asked of the whole page too; all of them if true.
    """
    looks, chosen = page.evaluate(MARK_LOOKS, list(judged))
    assert looks
    if others is True:
        options = {} if chosen else {"rules": {name: {"enabled": False} for name in COLOUR_RULES}}
    else:
        rules = [*(COLOUR_RULES if chosen else ()), *(others or ())]
        options = {"runOnly": {"type": "rule", "values": rules}}
    found = violations(page, options, looks=True) if chosen or others else []
    judged.update(() if found else looks)
    return found


def assert_accessible_and_fits(page, width: int) -> None:
    """A figure alone in a page breaks no rule, has no colour that is hard to see, and fits."""
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


MARK_LOOKS = """judged => {
    for (const e of document.querySelectorAll('[data-look]')) e.removeAttribute('data-look');
    const grounds = new Map(), chosen = new Map();
    const theme = document.documentElement.dataset.theme;
    const ground = e => {
        if (!e) return '';
        if (!grounds.has(e)) {
            const s = getComputedStyle(e);
            const plain = s.backgroundColor === 'rgba(0, 0, 0, 0)' && s.backgroundImage === 'none'
                && s.opacity === '1' && s.filter === 'none' && s.mixBlendMode === 'normal';
            // Shades of weights in ten steps: every table would have looks of its own otherwise.
            const w = e.style?.getPropertyValue('--w'), turns = /cl-turn-light|cl-turn-dark/g;
            const shade = w && [Math.round(w * 10), theme, e.getAttribute('class')?.match(turns)];
            const own = plain ? '' : '|' + [shade || s.backgroundColor, s.backgroundImage,
                s.opacity, s.filter, s.mixBlendMode].join();
            grounds.set(e, ground(e.parentElement) + own);
        }
        return grounds.get(e);
    };
    for (const e of document.body.querySelectorAll('*')) {
        const text = [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim());
        const field = e.matches('input, select, textarea, button');
        if (!(text || field) || !e.checkVisibility()) continue;
        const s = getComputedStyle(e), link = e.closest('a');
        const size = parseFloat(s.fontSize), bold = s.fontWeight >= 700;
        const large = size >= 24 || bold && size >= 56 / 3;
        const look = [s.color, large, bold, s.textShadow, s.textDecorationLine,
            !!link && link.className, link && getComputedStyle(link.parentElement).color,
            e.closest('.cl-fig') ? 'figure' : '', ground(e)].join('/');
        const brief = e.textContent.trim().length < 2;  // of one sign axe says nothing
        const inside = e.getElementsByTagName('*').length + (brief ? 1e6 : 0);
        if (!chosen.has(look) || inside < chosen.get(look)[0]) chosen.set(look, [inside, e]);
    }
    const looks = [...chosen.keys()];
    for (const look of judged) chosen.delete(look);
    for (const [, e] of chosen.values()) e.setAttribute('data-look', '');
    return [looks, chosen.size];
}"""
"""Marks one element of each look that is none of these: all looks, and how many were marked."""


@contextmanager
def net_fetched_by_touch(visited) -> Iterator[None]:
    """A page has not asked for its network before, and once afterwards, without a complaint."""
    assert not any("course-net" in url for url in visited.asked)
    yield
    assert sum("course-net" in url for url in visited.asked) == 1
    assert (visited.failed, visited.complaints) == ([], [])


def assert_printed_open_and_light(page) -> None:
    """Paper shows what is folded, and a dark page light; the screen is as it was, afterwards."""
    folds = page.locator(".bd-article details:not([open])").count()
    assert folds
    page.evaluate(WATCH_PRINTING)
    assert page.pdf().startswith(b"%PDF")
    assert page.evaluate("window.printed") == {"folded": 0, "theme": "light"}
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.locator(".bd-article details:not([open])").count() == folds


WATCH_PRINTING = """() => addEventListener('beforeprint', () => {
    window.printed = {
        folded: document.querySelectorAll('.bd-article details:not([open], .cl-fig *)').length,
        theme: document.documentElement.dataset.theme,
    };
})"""


def broken_commands(page, width: int) -> list[str]:
    """Commands in a line of text that stand in more boxes than one, or reach over the edge."""
    return page.eval_on_selector_all(
        ".bd-article :is(p, li) code",
        """(codes, width) => codes.filter(c => c.checkVisibility() && c.textContent.includes(' '))
            .filter(c => c.getClientRects().length > 1 || c.getBoundingClientRect().right > width)
            .map(c => c.textContent)""",
        width,
    )


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
            .filter(e => !e.closest('table, pre *, .math, .text_html'))
            .filter(e => e.getBoundingClientRect().width > 0)
            .filter(e => e.getBoundingClientRect().right > width + 1
                      || e.getBoundingClientRect().left < -1)
            .filter(e => !e.closest('[hidden], .onlyprint, .visually-hidden'))
            .map(e => e.tagName + ' ' + e.textContent.slice(0, 60))""",
        width,
    )


def heavy_files(asked: list[str], book_address: str, page: str = "") -> list[tuple[str, int]]:
    """The heaviest files of a page that weighs too much, or an icon font that came back."""
    files = {url.removeprefix(f"{book_address}/").split("?")[0] for url in asked}
    sizes = {name: _sent(HTML / name) for name in files if (HTML / name).is_file()}
    fonts = [(name, size) for name, size in sizes.items() if "fontawesome/webfonts" in name]
    if sum(sizes.values()) <= 1000 * (HOME_KILOBYTES if page == HOME else MAX_KILOBYTES):
        return fonts
    return sorted(sizes.items(), key=lambda entry: -entry[1])[:5]


def _sent(path) -> int:
    """Bytes of a file as a server sends it; fonts and pictures are compressed already."""
    content = path.read_bytes()
    packed = path.suffix in (".woff2", ".png")
    return len(content) if packed else len(gzip.compress(content))
