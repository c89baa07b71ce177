"""A table that a cell shows, in the looks of the book."""

import pytest

from course_lib.figures.still.marked import Marked, Wrong
from course_lib.figures.still.table import Column, Table
from tests.book.checks import DESKTOP, PHONE, colour_violations, violations
from tests.book.conftest import settle

pytestmark = pytest.mark.browser

PAGE = "book/how_to_use.html"
PUT = """html => {
    document.querySelector('article').insertAdjacentHTML('beforeend', `<div class="cell"
        ><div class="cell_output"><div class="output text_html">${html}</div></div></div>`);
    dispatchEvent(new Event('resize'));
}"""

LOOKS = "box => getComputedStyle(box).backgroundImage"


def wide() -> str:
    columns = [Column(f"{n} to {n + 9} words", unit="share", best="highest") for n in range(14)]
    rows = {name: [0.05 * k for k in range(14)] for name in ("Cho", "Bahdanau")}
    return Table("Right to the last word", "model", columns, rows)._repr_html_()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_a_wide_table_scrolls_alone_by_keys_and_is_readable(visit, scheme, width):
    page = visit(PAGE, width, scheme).page
    page.evaluate(PUT, wide())
    settle(page)
    box = page.locator(".cl-table-box")
    assert box.get_attribute("tabindex") == "0"
    assert box.get_attribute("aria-label") == "Table"
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.querySelector('.cl-table-box').scrollLeft > 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # The caption stays in view, and a shadow at the edge says that there is more.
    box.evaluate("box => { box.scrollLeft = box.scrollWidth; }")
    caption, frame = box.locator("caption").bounding_box(), box.bounding_box()
    assert frame["x"] - 1 <= caption["x"]
    assert caption["x"] + caption["width"] <= frame["x"] + frame["width"] + 1
    assert "radial-gradient" in box.evaluate(LOOKS)
    assert violations(page, where=".cl-table-box") == []
    assert colour_violations(page) == []


def test_a_narrow_table_has_the_looks_of_the_book_and_no_stop_for_keys(visit):
    page = visit(PAGE).page
    made = Table("Small", "model", [Column("n", best="lowest")], {"a": [1], "b": [2]})
    page.evaluate(PUT, made._repr_html_())
    settle(page)
    box = page.locator(".cl-table-box")
    assert box.get_attribute("tabindex") is None
    assert box.evaluate(LOOKS) == "none"
    caption, table = box.locator("caption").bounding_box(), box.locator("tbody").bounding_box()
    assert caption["y"] < table["y"]
    assert box.locator("td").first.evaluate("td => getComputedStyle(td).textAlign") == "right"
    looks = "e => getComputedStyle(e).borderBottomColor"
    ours = box.locator("td").first.evaluate(looks)
    assert ours == page.locator("table.table td").first.evaluate(looks)


@pytest.mark.parametrize("width", [DESKTOP, PHONE])
def test_glossed_lines_begin_at_one_place_and_a_wrong_word_is_underlined(visit, width):
    page = visit(PAGE, width).page
    many = ["die", "Mütter", "haben", "heute", "einen", "Ball", "im", "Garten", "gefunden", "."]
    page.evaluate(PUT, Marked({"long": many}, {"Mütter": "mothers"})._repr_html_())
    settle(page)
    assert page.locator(".cl-table-box").get_attribute("tabindex") is None, "a long line wraps"
    page.evaluate("document.querySelector('.cl-table-box').closest('.cell').remove()")
    lines = {"table": ["ein", Wrong("Katze")], "right": ["eine", "Katze", "schläft", "heute"]}
    page.evaluate(PUT, Marked(lines, {"Katze": "cat"})._repr_html_())
    settle(page)
    cells = page.locator("table.cl-glossed td")
    assert cells.evaluate_all("all => all.map(e => getComputedStyle(e).textAlign)") == ["left"] * 2
    underlined = page.locator("table.cl-glossed u")
    assert underlined.count() == 1
    line = "e => getComputedStyle(e).textDecorationLine"
    assert underlined.evaluate(line) == "underline"
    assert cells.nth(1).locator("ruby").evaluate(line) == "none"
