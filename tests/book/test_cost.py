"""Growing costs in a browser: bars of what is chosen, relative to the longest, and a cache."""

import pytest

from course_lab.figures.touch.cost import growing_costs
from tests.book.checks import said
from tests.unit.figures.touch.test_cost import EXAMPLE

pytestmark = pytest.mark.browser

FIGURE = growing_costs(**EXAMPLE)._repr_html_()


def bars(page, of: int) -> list[tuple[float, str]]:
    rows = page.locator(".cl-bar-rows").nth(of).locator(".cl-bar-row").all()
    return [
        (
            float(row.locator(".cl-bar").get_attribute("style")[7:-2]),
            row.inner_text().split("\n")[-1],
        )
        for row in rows
    ]


def test_bars_follow_length_and_quantity_and_the_cache_fills(show):
    page = show(FIGURE)
    assert bars(page, 0) == [(100, "300 million"), (100, "300 million")]
    assert bars(page, 1) == [(9.4, "96 MiB"), (1.2, "12 MiB")]
    page.get_by_role("slider").press("End")
    assert bars(page, 0) == [(100, "19 billion"), (16.8, "3.2 billion")]
    assert bars(page, 1) == [(100, "1 GiB"), (12.5, "128 MiB")]
    page.get_by_role("radio", name="seconds").check()
    assert bars(page, 0) == [(0, "not measured"), (100, "700 ms")]
    assert said(page, "cost") == "4,096 words, seconds: attention not measured, GRU 700 ms."
    page.get_by_role("slider").press("Home")
    assert bars(page, 0) == [(20, "2 ms"), (100, "10 ms")]
    page.get_by_role("button", name="Reset").click()
    assert bars(page, 0) == [(100, "300 million"), (100, "300 million")]
