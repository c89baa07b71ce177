"""A soft alignment in a browser: an aligner's words, no temperature, and gold links marked."""

import pytest

from course_lab.figures.touch.attention import AttentionExample
from course_lab.figures.touch.posteriors import posterior_explorer
from tests.book.checks import said
from tests.unit.figures.touch.test_posteriors import PAIR

pytestmark = pytest.mark.browser

FIGURE = posterior_explorer([PAIR])._repr_html_()


def test_it_opens_on_its_word_and_says_who_wrote_what(show):
    page = show(FIGURE)
    assert said(page, "posteriors") == "“wartet” came from “waits” 1.00. No true link."
    assert page.locator("input[type=range]").count() == 0
    assert not page.get_by_text("Temperature").count()
    page.locator(".cl-target .cl-word").first.click()
    assert said(page, "posteriors") == "“er” came from “he” 0.75, “NULL” 0.25. True: “he”."
    page.locator(".cl-source .cl-word").nth(2).click()
    assert said(page, "posteriors").startswith("“NULL” wrote “er” 0.25.")
    # The explorer's style is this figure's too: gold links have their frame.
    outline = page.locator("td.cl-sure").evaluate("e => getComputedStyle(e).outlineStyle")
    assert outline == "solid"
    page.get_by_role("button", name="Reset").click()
    assert said(page, "posteriors").startswith("“wartet” came from")


def test_a_chosen_link_that_is_not_even_possible_has_a_red_frame(show):
    links = {"links": {(0, 0)}, "possible": {(1, 1)}}
    chosen = [[0.25, 0.75, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    example = AttentionExample(["he", "waits", "NULL"], ["er", "wartet", "."], chosen, **links)
    page = show(posterior_explorer([example])._repr_html_())
    # What NULL wrote is no link, and no wrong one.
    wrong, true = page.locator("td.cl-wrong"), page.locator("td.cl-sure")
    assert wrong.all_text_contents() == [".75×"]
    frame = "e => getComputedStyle(e).outlineColor"
    assert wrong.evaluate(frame) == "rgb(176, 48, 49)" != true.evaluate(frame)
    assert page.get_by_role("img", name="wrong link").is_visible()
    table = page.locator("table:visible")
    place = table.bounding_box()
    page.get_by_label("True links").uncheck()
    assert wrong.evaluate("e => getComputedStyle(e).outlineWidth") == "0px"
    assert page.locator(".cl-mark:visible").count() == 0
    # The marks keep their room.
    assert table.bounding_box() == place
