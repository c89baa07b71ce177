"""Folds of a chapter on screen and paper: one chapter stands for all, since all wear one style."""

import pytest

from tests.book.checks import DESKTOP, PHONE, assert_printed_open_and_light

pytestmark = pytest.mark.browser

OPENS = ("notebooks/06a_where_to_look.html",)
CHAPTER = OPENS[0]


def test_folds_are_printed_open_and_a_dark_page_light(visit):
    assert_printed_open_and_light(visit(CHAPTER, scheme="dark").page)


def test_a_fold_that_was_open_stays_open(visit):
    page = visit(CHAPTER).page
    page.locator("details.hide summary").first.click()
    page.pdf()
    assert page.locator("details.hide[open]").count() == 1


def test_folds_are_printed_open_without_a_script_too(visit):
    page = visit(CHAPTER, script=False).page
    code = page.locator("details.hide pre").first
    assert not code.is_visible()
    page.emulate_media(media="print")
    assert code.bounding_box()["height"] > 20


def test_a_chapter_begins_with_its_title_and_no_contents(visit):
    page = visit(CHAPTER).page
    page.emulate_media(media="print")
    assert not page.locator("#jb-print-docs-body").is_visible()
    title = page.locator("h1:visible")
    assert title.count() == 1
    assert title.bounding_box()["y"] < 60
    question = page.locator("article p").first
    assert question.is_visible()


def test_no_frame_is_torn_and_nothing_fades_in(visit):
    page = visit(CHAPTER).page
    page.emulate_media(media="print")
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


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_show_solution_looks_like_a_control(visit, width):
    page = visit(CHAPTER, width).page
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


def test_what_lies_deep_in_a_folded_cell_is_opened_too(visit):
    page = visit(CHAPTER).page
    place = page.locator("details.hide").last
    place.evaluate("cell => { cell.querySelector('pre').id = 'deep'; }")
    assert not place.evaluate("fold => fold.open")
    page.evaluate("location.hash = 'deep'")
    page.wait_for_function("document.getElementById('deep').closest('details').open")
