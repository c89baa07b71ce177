"""What is folded: by mouse, keys and touch, with a link into it, on paper, and without scripts."""

import pytest

from tests.book.checks import (
    DESKTOP,
    PHONE,
    assert_printed_open_and_light,
    off_screen,
    settle,
    spoiled,
    violations,
)

pytestmark = pytest.mark.browser

OPENS = ("book/how_to_use.html", "notebooks/06a_where_to_look.html", "book/index.html")
PAGE, CHAPTER, HOME = OPENS
"""A chapter stands for all, since all wear one style."""
PLACE = "deeper-what-may-i-skip"
FOLD = f"[id={PLACE}]"


def is_open(fold) -> bool:
    return fold.evaluate("fold => fold.open")


@pytest.mark.parametrize("script", [True, False])
def test_a_fold_opens_by_mouse_and_keys_and_is_printed_open(visit, script):
    page = visit(PAGE, script=script).page
    inside = page.locator(f"{FOLD} p").first
    assert not inside.is_visible()
    page.locator(f"{FOLD} > summary").click()
    assert inside.is_visible()
    page.keyboard.press("Enter")
    assert not inside.is_visible()
    page.emulate_media(media="print")
    if script:
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert is_open(page.locator(FOLD))
    assert inside.bounding_box()["height"] > 10
    page.emulate_media(media="screen")
    if script:
        page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not inside.is_visible()


def test_a_fold_opens_by_touch(visit):
    page = visit(PAGE, PHONE, has_touch=True).page
    summary = page.locator(f"{FOLD} > summary")
    assert summary.bounding_box()["height"] >= 40
    summary.tap()
    assert is_open(page.locator(FOLD))
    assert off_screen(page, PHONE) == []


def test_a_link_into_a_fold_opens_it_and_does_so_again(visit):
    page = visit(f"{PAGE}#{PLACE}").page
    fold = page.locator(FOLD)
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


@pytest.mark.parametrize(("width", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_an_open_fold_is_readable(visit, width, scheme):
    page = visit(f"{PAGE}#{PLACE}", width, scheme).page
    settle(page)
    assert violations(page, where=FOLD) == []
    assert spoiled(page, set()) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_folds_of_a_chapter_look_like_controls_and_are_printed(visit, width):
    page = visit(CHAPTER, width, scheme="dark").page
    summary = page.locator("details.hide summary", has_text="Show solution").first
    looks = summary.evaluate(
        """s => {
            const style = getComputedStyle(s);
            return [style.display, style.cursor, ['Top', 'Right', 'Bottom', 'Left'].map(
                side => style[`border${side}Width`] + style[`border${side}Color`])];
        }"""
    )
    assert looks[:2] == ["inline-block", "pointer"]
    assert len(set(looks[2])) == 1
    assert not looks[2][0].startswith("0px")
    box = summary.bounding_box()
    assert box["height"] >= 24
    assert box["width"] < 250
    if width == PHONE:
        return
    page.locator("details.hide summary").first.click()
    assert_printed_open_and_light(page)
    assert page.locator("details.hide[open]").count() == 1
    # What lies deep in a folded cell is opened too.
    place = page.locator("details.hide").last
    place.evaluate("cell => { cell.querySelector('pre').id = 'deep'; }")
    assert not is_open(place)
    page.evaluate("location.hash = 'deep'")
    page.wait_for_function("document.getElementById('deep').closest('details').open")


def test_on_paper_a_chapter_begins_with_its_title_no_frame_is_torn_and_nothing_fades_in(visit):
    page = visit(CHAPTER).page
    page.emulate_media(media="print")
    assert not page.locator("#jb-print-docs-body").is_visible()
    title = page.locator("h1:visible")
    assert title.count() == 1
    assert title.bounding_box()["y"] < 60
    assert page.locator("article p").first.is_visible()
    torn = page.eval_on_selector_all(
        ".bd-article :is(.cell_input, .cell_input pre, .admonition:not(.hide), .verdict)",
        "boxes => boxes.filter(b => getComputedStyle(b).breakInside !== 'avoid').length",
    )
    assert torn == 0
    fading = page.eval_on_selector_all(
        "details.hide",
        """folds => folds.flatMap(fold => {
            fold.open = true;
            return [...fold.children].filter(c => getComputedStyle(c).animationName !== 'none');
        }).length""",
    )
    assert fading == 0
    assert not page.locator("details.hide summary:visible").count()
