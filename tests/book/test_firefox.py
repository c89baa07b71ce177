"""The finished book in Firefox, once: what another browser than Chromium could do otherwise."""

import base64

import pytest

from tests.book.catalogue import html
from tests.book.checks import DESKTOP, HOME, PHONE
from tests.book.firefox_checks import strangers, wrong

pytestmark = pytest.mark.browser

OPENS = ("book/index.html", "book/how_to_use.html", "book/notation.html", "search.html")
GUIDE, FORMULAS, SEARCH = OPENS[1:]
WROTE = "[...document.querySelectorAll('.cl-below .cl-text')].map(e => e.textContent).join(' ')"
SAYS = "document.querySelector('.cl-gaze .cl-say').textContent"
ABOVE, BELOW, BUTTON = ".cl-above .cl-word", ".cl-below .cl-word", ".cl-gaze button"
PLACE = "deeper-what-may-i-skip"
FOLDED = "document.querySelectorAll('.bd-article details:not([open], .cl-fig *)').length"


def test_a_spoiled_page_is_noticed(firefox_tab, book_address):
    """Each check can fail: all of them, on a page that passes by itself."""
    tab = firefox_tab.open(f"{book_address}/{FORMULAS}", PHONE)
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
            document.querySelector('article').insertAdjacentHTML('beforeend',
                '<figure><svg style="width: 0"><text>flat</text></svg></figure>' +
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


def test_a_word_is_covered_and_a_look_is_moved_by_dragging_and_by_keys(firefox_visit):
    """The running network of the home page."""
    piece = firefox_visit(HOME)
    piece.click(BUTTON, which(piece, BUTTON, "Reset"))
    piece.until(f"{SAYS}.includes('right')")
    before = piece.evaluate(WROTE)
    piece.click(ABOVE, which(piece, ABOVE, "horses"))
    piece.until(f"{SAYS}.includes('New:')")
    assert "Pferde" in before
    assert "Pferde" not in piece.evaluate(WROTE)
    assert "#gaze=" in piece.evaluate("location.href")
    piece.press("Enter")
    piece.until(f"text => {WROTE} === text", before)
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
def test_the_state_in_the_plane_is_dragged(firefox_tab, book_address, width):
    page = f'<!doctype html><meta charset="utf-8"><body>{html("plane")}'
    tab = firefox_tab.open(
        f"data:text/html;base64,{base64.b64encode(page.encode()).decode()}", width
    )
    x, y = tab.middle(".cl-q .cl-grip")
    tab.drag((x, y), (x - 70, y + 60))
    said = tab.evaluate("document.querySelector('.cl-say').textContent")
    assert said.startswith("s = (-1.00, 0.1")
    assert said.endswith(tab.evaluate("document.querySelector('.cl-sum').textContent"))
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    assert strangers(tab, book_address) == []


def test_a_link_into_a_fold_opens_it(firefox_visit):
    tab = firefox_visit(f"{GUIDE}#{PLACE}")
    fold = f"document.getElementById('{PLACE}')"
    assert tab.evaluate(f"{fold}.open")
    assert -5 <= tab.evaluate(f"{fold}.getBoundingClientRect().y") <= 300
    tab.click(f"#{PLACE} > summary")
    assert not tab.evaluate(f"{fold}.open")


def test_paper_shows_what_is_folded_on_a_light_page(firefox_visit):
    tab = firefox_visit(GUIDE)
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


def test_the_search_finds_sections_by_typing(firefox_visit):
    tab = firefox_visit(SEARCH)
    tab.press(*"attenton")
    tab.until("document.getElementById('search-status').textContent.includes('with “attention”')")
    tab.press("Tab")
    tab.until("document.activeElement === document.querySelector('#search-results a')")
