"""What is folded: by mouse, keys and touch, with a link into it, on paper, and without scripts."""

import pytest

from tests.book.checks import DESKTOP, PHONE, colour_violations, off_screen, violations
from tests.book.conftest import settle

pytestmark = pytest.mark.browser

OPENS = ("book/how_to_use.html",)
PAGE = OPENS[0]
PLACE = "deeper-what-may-i-skip"


def is_open(fold) -> bool:
    return fold.evaluate("fold => fold.open")


@pytest.mark.parametrize("script", [True, False])
def test_a_fold_opens_by_mouse_and_keys(visit, script):
    page = visit(PAGE, script=script).page
    fold = page.locator(f"details[id={PLACE}]")
    assert not fold.locator("p").first.is_visible()
    fold.locator("summary").click()
    assert fold.locator("p").first.is_visible()
    page.keyboard.press("Enter")
    assert not fold.locator("p").first.is_visible()


def test_a_fold_opens_by_touch(chromium, book_address):
    context = chromium.new_context(viewport={"width": PHONE, "height": 800}, has_touch=True)
    page = context.new_page()
    page.goto(f"{book_address}/{PAGE}")
    summary = page.locator(f"[id={PLACE}] > summary")
    assert summary.bounding_box()["height"] >= 40
    summary.tap()
    assert is_open(page.locator(f"[id={PLACE}]"))
    assert off_screen(page, PHONE) == []
    context.close()


def test_a_link_into_a_fold_opens_it_and_does_so_again(visit):
    page = visit(f"{PAGE}#{PLACE}").page
    fold = page.locator(f"[id={PLACE}]")
    assert is_open(fold)
    fold.locator("summary").click()
    assert not is_open(fold)
    page.evaluate(
        """place => document.querySelector('article').insertAdjacentHTML('beforeend',
            `<p><a id="again" href="#${place}">there</a></p>`)""",
        PLACE,
    )
    page.locator("#again").click()
    assert is_open(fold)
    assert -5 <= fold.bounding_box()["y"] <= 300
    other = visit(PAGE).page
    assert not is_open(other.locator(f"[id={PLACE}]"))


@pytest.mark.parametrize("script", [True, False])
def test_paper_shows_what_is_folded_and_the_screen_folds_it_again(visit, script):
    page = visit(PAGE, script=script).page
    inside = page.locator(f"[id={PLACE}] p").first
    page.emulate_media(media="print")
    if script:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert is_open(page.locator(f"[id={PLACE}]"))
    assert inside.is_visible()
    assert inside.bounding_box()["height"] > 10
    page.emulate_media(media="screen")
    if script:
        page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not inside.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_an_open_fold_is_readable(visit, scheme, width):
    page = visit(f"{PAGE}#{PLACE}", width, scheme).page
    settle(page)
    assert violations(page, where=f"[id={PLACE}]") == []
    assert colour_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
