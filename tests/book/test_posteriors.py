"""A soft alignment in a browser: an aligner's words, no temperature, and gold links marked."""

import pytest

from course_lib.figures.touch.posteriors import posterior_explorer
from tests.book.checks import assert_accessible_and_fits
from tests.book.test_interactive_figures import DARK, LIGHT, said, show
from tests.unit.figures.touch.test_posteriors import PAIR

__all__ = ["show"]

pytestmark = pytest.mark.browser

FIGURE = posterior_explorer([PAIR])._repr_html_()


def test_it_opens_on_its_word_and_says_who_wrote_what(show):
    page = show(FIGURE)
    assert said(page, "posteriors") == "“wartet” came from “waits” 1.00. No gold link."
    assert page.locator("input[type=range]").count() == 0
    assert not page.get_by_text("Temperature").count()
    page.locator(".cl-target .cl-word").first.click()
    assert said(page, "posteriors") == "“er” came from “he” 0.75, “NULL” 0.25. Gold: “he”."
    page.locator(".cl-source .cl-word").nth(2).click()
    assert said(page, "posteriors").startswith("“NULL” wrote “er” 0.25.")
    # The explorer's style is this figure's too: gold links have their frame.
    outline = page.locator("td.cl-sure").evaluate("e => getComputedStyle(e).outlineStyle")
    assert outline == "solid"
    page.get_by_role("button", name="Reset").click()
    assert said(page, "posteriors").startswith("“wartet” came from")


def test_the_address_leads_back_to_a_word(show):
    page = show(FIGURE, at="#posteriors=0.0.0.12.1")
    assert said(page, "posteriors").startswith("“he” wrote “er” 0.75.")


@pytest.mark.parametrize(("html", "width"), [(LIGHT, 900), (DARK, 390)])
def test_it_is_accessible_and_fits(show, html, width):
    page = show(FIGURE, width=width, html=html)
    assert_accessible_and_fits(page, width)
