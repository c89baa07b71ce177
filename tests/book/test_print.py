"""What comes out of the printer, and the controls and boxes that print and screen share."""

import pytest

from tests.book.checks import DESKTOP, PHONE

pytestmark = pytest.mark.browser

OPENS = (
    "book/index.html",
    "book/how_to_use.html",
    "book/claims.html",
    "notebooks/01_recurrence.html",
    "notebooks/02_seq2seq.html",
)
CHAPTER, COMMANDS = OPENS[-2:]
WATCH = """() => addEventListener('beforeprint', () => {
    window.printed = {
        folded: document.querySelectorAll('.bd-article details:not([open], .cl-fig *)').length,
        theme: document.documentElement.dataset.theme,
    };
})"""


@pytest.mark.parametrize("name", [CHAPTER, "book/claims.html"])
def test_folds_are_printed_open_and_a_dark_page_light(visit, name):
    page = visit(name, scheme="dark").page
    folds = page.locator(".bd-article details:not([open])").count()
    assert folds
    page.evaluate(WATCH)
    assert page.pdf().startswith(b"%PDF")
    assert page.evaluate("window.printed") == {"folded": 0, "theme": "light"}
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.locator(".bd-article details:not([open])").count() == folds


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


def test_signs_are_printed_with_their_colour(visit):
    """A printer leaves out grounds, and our signs are cut out of one."""
    page = visit("book/how_to_use.html").page
    page.emulate_media(media="print")
    kept = page.eval_on_selector_all(
        ".bd-article .admonition > .admonition-title",
        "titles => titles.map(t => getComputedStyle(t, '::after').printColorAdjust)",
    )
    assert kept
    assert set(kept) == {"exact"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_boxes_and_cards_throw_no_shadow(visit, scheme):
    for name in ("book/how_to_use.html", "book/index.html"):
        shadows = visit(name, scheme=scheme).page.eval_on_selector_all(
            ".bd-article :is(.admonition, .sd-card)",
            "boxes => boxes.map(b => getComputedStyle(b).boxShadow)",
        )
        assert shadows
        assert set(shadows) == {"none"}


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


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_a_command_in_a_line_stands_in_one_box(visit, width):
    page = visit(COMMANDS, width).page
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true; })")
    codes = page.eval_on_selector_all(
        ".bd-article :is(p, li) code",
        """codes => codes.filter(c => c.checkVisibility() && c.textContent.includes(' ')).map(
            c => [c.textContent, c.getClientRects().length, c.getBoundingClientRect().right])""",
    )
    assert any("python -m" in text for text, _, _ in codes)
    assert [text for text, boxes, _ in codes if boxes > 1] == []
    assert [text for text, _, right in codes if right > width] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
