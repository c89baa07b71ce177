"""A table that a cell shows, in the looks of the book."""

import pytest

from course_lab.figures.still.table import Column, Table
from tests.book.checks import DESKTOP, PHONE, settle, spoiled, violations

pytestmark = pytest.mark.browser

PAGE = "book/how_to_use.html"
OPENS = ("book/how_to_use.html",)
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


@pytest.fixture
def put(visit):
    """Puts what a cell shows into a page, in the place of what was put before; gives its box."""

    def opened(width: int, scheme: str = "light"):
        page = visit(PAGE, width, scheme).page

        def shown(html: str):
            page.evaluate("document.querySelectorAll('.cl-table-box').forEach(e => e.remove())")
            page.evaluate(PUT, html)
            settle(page)
            return page.locator(".cl-table-box")

        return page, shown

    return opened


@pytest.mark.parametrize(("width", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_a_wide_table_scrolls_alone_by_keys_and_a_narrow_one_has_no_stop(put, width, scheme):
    page, shown = put(width, scheme)
    box = shown(wide())
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
    assert spoiled(page, set()) == []

    made = Table("Small", "model", [Column("n", best="lowest")], {"a": [1], "b": [2]})
    box = shown(made._repr_html_())
    assert box.get_attribute("tabindex") is None
    assert box.evaluate(LOOKS) == "none"
    caption, table = box.locator("caption").bounding_box(), box.locator("tbody").bounding_box()
    assert caption["y"] < table["y"]
    assert box.locator("td").first.evaluate("td => getComputedStyle(td).textAlign") == "right"
    looks = "e => getComputedStyle(e).borderBottomColor"
    ours = box.locator("td").first.evaluate(looks)
    assert ours == page.locator("table.table td").first.evaluate(looks)

    if width == PHONE:  # it takes all the room, and its columns stay apart
        columns = [Column("having read"), Column("at their place"), Column("in any order")]
        box = shown(Table("Small", "net", columns, {"a": [1, 50, 100]})._repr_html_())
        table, room = box.locator("table").bounding_box(), box.bounding_box()
        assert table["width"] == pytest.approx(room["width"], abs=1)
        padding = "e => parseFloat(getComputedStyle(e).paddingLeft)"
        assert min(box.locator("td").nth(k).evaluate(padding) for k in range(3)) >= 6
        assert box.locator("th").first.evaluate(padding) == 0
