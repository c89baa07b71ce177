"""The sliding window in a browser: it opens on what is missed, and its numbers are NumPy's."""

import pytest

from course_lab.figures.touch.window import sliding_window, windowed
from tests.unit.figures.touch.test_window import EXAMPLE

pytestmark = pytest.mark.browser

FIGURE = sliding_window([EXAMPLE], 1)._repr_html_()


def column(page) -> list[float]:
    rows = page.locator(".cl-window-bars tbody tr")
    return [float(row.locator("td").last.inner_text()) for row in rows.all()][:-1]


def wanted(radius: int, predicted: bool, t: int) -> list[float]:
    return [round(float(x), 2) for x in windowed(EXAMPLE, radius, predicted)[t]]


def test_it_opens_on_a_missed_link_and_follows_kind_radius_and_step(show):
    page = show(FIGURE)
    count = page.locator(".cl-window-count")
    assert count.inner_text().startswith("2 of 3 gold links fall outside")
    assert "“wir” (we): position 2" in page.locator(".cl-say").inner_text()
    assert column(page) == wanted(1, False, 2)
    page.get_by_role("radio", name="local-p").check()
    assert column(page) == wanted(1, True, 2)
    assert count.inner_text().startswith("0 of 3")
    page.locator("input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    assert column(page) == wanted(2, True, 2)
    page.get_by_role("button", name="Step").click()
    assert column(page) == wanted(2, True, 0)
    page.get_by_role("button", name="Reset").click()
    assert column(page) == wanted(1, False, 2)
