"""What comes out of the printer, and boxes that print and screen share."""

import pytest

from tests.book.checks import assert_printed_open_and_light

pytestmark = pytest.mark.browser

OPENS = ("book/index.html", "book/how_to_use.html", "notebooks/13_real_translation.html")


def test_folds_are_printed_open_and_a_dark_page_light(visit):
    page = visit("notebooks/13_real_translation.html", scheme="dark").page
    assert_printed_open_and_light(page)


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
