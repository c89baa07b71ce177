"""The finished book in Firefox, once: what another browser than Chromium could do otherwise."""

import base64

import pytest

from tests.book.checks import DESKTOP, HOME, HTML, LOCAL, PHONE, off_screen
from tests.book.firefox import firefox
from tests.book.test_plane import FIGURE
from tools.gates.web_pages import page_names
from tools.inputs.machine import firefox_path

pytestmark = pytest.mark.browser

PAGES = page_names(HTML)
FORMULAS = """() => {
    const wrong = [];
    const PARTS = {mfrac: 2, mroot: 2, msub: 2, msup: 2, munder: 2, mover: 2, msubsup: 3,
        munderover: 3};
    const LAID = {
        mfrac: (a, b) => a.bottom <= b.top + 1,
        msub: (a, b) => a.bottom < b.bottom + 1 && a.left < b.left,
        msup: (a, b) => b.top < a.top + 1 && a.left < b.left,
    };
    const box = e => e.getBoundingClientRect();
    const told = (what, math) => wrong.push(`${what}: ${math.textContent.slice(0, 60)}`);
    const loaded = [...document.fonts].filter(font => font.status === 'loaded');
    const font = loaded.some(font => /Course Math/.test(font.family));
    for (const math of document.querySelectorAll('.bd-article math')) {
        if (!math.checkVisibility()) continue;
        const {width, height} = box(math);
        if (width < 3 || height < 5 || height > 900) told('no box', math);
        const family = getComputedStyle(math).fontFamily;
        if (!font || !family.startsWith('"Course Math"')) told('not in its font', math);
        for (const note of math.querySelectorAll('annotation')) {
            if (note.checkVisibility() || box(note).width) told('annotation is shown', math);
        }
        for (const part of math.querySelectorAll(Object.keys(PARTS).join())) {
            const name = part.localName, [first, second] = [...part.children].map(box);
            if (part.children.length !== PARTS[name]) told(`${name} of other parts`, math);
            else if (box(part).width && LAID[name] && !LAID[name](first, second)) {
                told(`${name} is not laid out`, math);
            }
        }
    }
    return wrong;
}"""
"""Formulas without a box, in another font, or in one line."""
HALF_READ = "Invalid markup: Incorrect number of children for <"
"""Said when a page comes slowly and the end of a fraction is still on its way; FORMULAS asks in
the finished page."""
PICTURES = """() => [...document.querySelectorAll('.bd-article svg')]
    .filter(svg => svg.checkVisibility())
    .filter(svg => {
        const {width, height} = svg.getBoundingClientRect();
        const texts = [...svg.querySelectorAll('text')].filter(e => e.textContent.trim());
        const letters = texts.map(e => e.getBoundingClientRect().width);
        return width < 8 || height < 8 || letters.some(length => length === 0);
    })
    .map(svg => svg.outerHTML.slice(0, 80))"""
WROTE = "[...document.querySelectorAll('.cl-below .cl-text')].map(e => e.textContent).join(' ')"
SAYS = "document.querySelector('.cl-gaze .cl-say').textContent"
ABOVE, BELOW, BUTTON = ".cl-above .cl-word", ".cl-below .cl-word", ".cl-gaze button"
PLACE = "deeper-what-may-i-skip"
FOLDED = "document.querySelectorAll('.bd-article details:not([open], .cl-fig *)').length"


@pytest.fixture(scope="module")
def browser():
    """One for all tests of this file: it takes seconds to start."""
    path = firefox_path()
    if path is None:
        pytest.skip("no Firefox on this machine (install it, or name it in COURSE_FIREFOX)")
    with firefox(path) as tab:
        yield tab


@pytest.fixture
def visit(browser, book_address):
    """Open a page in the one tab; nothing fails and nothing is asked of another host meanwhile."""

    def open_page(name: str, width: int = DESKTOP):
        return browser.open(f"{book_address}/{name}", width)

    yield open_page
    assert strangers(browser, book_address) == []


def strangers(tab, book_address: str) -> list[str]:
    """What it asked of another host, what failed, and what it complained about."""
    own = (book_address, "about:", *LOCAL)
    asked = [url for url in tab.asked if not url.startswith(own)]
    complaints = [said for said in tab.complaints if not said.startswith(HALF_READ)]
    return [*asked, *tab.failed, *complaints]


def wrong(tab, width: int) -> list[str]:
    """What is wrong with the open page, at a width."""
    tab.resize(width)
    tab.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    tab.settle()
    wide = tab.evaluate("document.documentElement.scrollWidth")
    too_wide = [f"{wide} pixels wide"] if wide > width else []
    return [*too_wide, *off_screen(tab, width), *tab.evaluate(FORMULAS), *tab.evaluate(PICTURES)]


@pytest.mark.parametrize("name", PAGES or [None])
def test_a_page_is_sealed_silent_and_laid_out(visit, name):
    tab = visit(name)
    assert wrong(tab, DESKTOP) == []
    assert wrong(tab, PHONE) == []


def test_a_spoiled_page_is_noticed(browser, book_address):
    """Each check can fail: all of them, on a page that passes by itself."""
    name = next(name for name in PAGES if name.endswith("04_bahdanau.html"))
    tab = browser.open(f"{book_address}/{name}", PHONE)
    assert wrong(tab, PHONE) == []
    assert strangers(tab, book_address) == []
    tab.evaluate(
        """() => {
            const shown = [...document.querySelectorAll('.bd-article math')];
            const [first, second, third, fourth, fifth] = shown.filter(m => m.checkVisibility());
            first.style.fontFamily = 'serif';
            second.querySelector('annotation').style.cssText = 'display: block';
            third.style.cssText = 'display: inline-block; width: 0; height: 0; overflow: hidden';
            const line = document.createElement('mfrac');  // HTML: letters side by side
            line.innerHTML = '<span>a</span><span>b</span>';
            fourth.append(line);
            fifth.insertAdjacentHTML('beforeend', '<msub><mi>a</mi></msub>');
            document.querySelector('.bd-article figure svg').style.width = '0';
            document.querySelector('article').insertAdjacentHTML('beforeend',
                '<p style="width: 900px">wide</p><img src="http://example.org/a.png" alt="">');
            console.warn('a warning');
            setTimeout(() => missing(), 0);
        }"""
    )
    found = " | ".join(wrong(tab, PHONE))
    for what in ("pixels wide", "P wide", "not in its font", "annotation is shown", "no box"):
        assert what in found
    assert "mfrac is not laid out" in found
    assert "msub of other parts" in found
    assert "<svg" in found
    tab.until("() => performance.getEntriesByType('resource').some(e => /example/.test(e.name))")
    noticed = strangers(tab, book_address)
    assert noticed.count("http://example.org/a.png") == 2  # it was asked for, and it failed
    assert "a warning" in noticed
    assert any("missing is not defined" in one for one in noticed)


def which(tab, selector: str, words: str) -> int:
    """The first of those elements that has these words in it."""
    return tab.evaluate(
        """([selector, words]) => [...document.querySelectorAll(selector)]
            .findIndex(e => e.textContent.includes(words))""",
        [selector, words],
    )


@pytest.fixture
def piece(visit):
    """The running network of the home page, awake."""
    tab = visit(HOME)
    tab.click(BUTTON, which(tab, BUTTON, "Reset"))
    tab.until(f"{SAYS}.includes('right')")
    return tab


def test_covering_a_word_writes_the_german_anew(piece):
    before = piece.evaluate(WROTE)
    piece.click(ABOVE, which(piece, ABOVE, "horses"))
    piece.until(f"{SAYS}.includes('New:')")
    assert "Pferde" in before
    assert "Pferde" not in piece.evaluate(WROTE)
    assert "#gaze=" in piece.evaluate("location.href")
    piece.press("Enter")
    piece.until(f"text => {WROTE} === text", before)


def test_a_look_is_moved_by_dragging_and_by_keys(piece):
    before = piece.evaluate(WROTE)
    piece.drag(piece.middle(BELOW, 5), piece.middle(ABOVE, 1))
    piece.until(f"{SAYS}.includes('must look at “old”')")
    assert piece.evaluate(WROTE).split()[5] == "alten"
    piece.click(BELOW, 5)
    piece.until(f"text => {WROTE} === text", before)
    piece.evaluate(f"document.querySelectorAll('{BELOW}')[5].focus()")
    piece.press(*["ArrowLeft"] * 5)
    piece.until(f"{SAYS}.includes('must look at “old”')")
    assert piece.evaluate(WROTE).split()[5] == "alten"
    piece.press("Escape")
    piece.until(f"text => {WROTE} === text", before)


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_the_state_in_the_plane_is_dragged(browser, book_address, width):
    page = f'<!doctype html><meta charset="utf-8"><body>{FIGURE}'
    tab = browser.open(f"data:text/html;base64,{base64.b64encode(page.encode()).decode()}", width)
    x, y = tab.middle(".cl-s .cl-grip")
    tab.drag((x, y), (x - 70, y + 60))
    said = tab.evaluate("document.querySelector('.cl-say').textContent")
    assert said.startswith("s = (-1.00, 0.1")
    assert said.endswith(tab.evaluate("document.querySelector('.cl-sum').textContent"))
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert strangers(tab, book_address) == []


def test_a_link_into_a_fold_opens_it(visit):
    tab = visit(f"book/how_to_use.html#{PLACE}")
    fold = f"document.getElementById('{PLACE}')"
    assert tab.evaluate(f"{fold}.open")
    assert -5 <= tab.evaluate(f"{fold}.getBoundingClientRect().y") <= 300
    tab.click(f"#{PLACE} > summary")
    assert not tab.evaluate(f"{fold}.open")


def test_the_search_finds_sections_by_typing(visit):
    tab = visit("search.html")
    tab.press(*"attenton")
    tab.until("document.getElementById('search-status').textContent.includes('with “attention”')")
    first = tab.evaluate("document.querySelector('#search-results a').pathname")
    tab.press("Tab", "Enter")
    tab.until(f"location.pathname === '{first}'")


def test_paper_shows_what_is_folded_on_a_light_page(visit):
    tab = visit("book/how_to_use.html")
    tab.evaluate("document.documentElement.dataset.theme = 'dark'")
    folds = tab.evaluate(FOLDED)
    assert folds
    tab.evaluate(
        f"""() => addEventListener('beforeprint', () => {{
            window.printed = [{FOLDED}, document.documentElement.dataset.theme];
        }})"""
    )
    assert base64.b64decode(tab.print()).startswith(b"%PDF")
    assert tab.evaluate("window.printed") == [0, "light"]
    assert tab.evaluate("document.documentElement.dataset.theme") == "dark"
    assert tab.evaluate(FOLDED) == folds


def test_folds_are_laid_out_open_for_paper_without_a_script(visit):
    tab = visit("book/how_to_use.html")
    inside = f"document.querySelector('#{PLACE} p').checkVisibility()"
    assert not tab.evaluate(inside)
    tab.media("print")
    try:
        assert tab.evaluate(inside)
        assert not tab.evaluate("document.querySelector('.bd-sidebar-primary').checkVisibility()")
    finally:
        tab.media("")
    assert not tab.evaluate(inside)
