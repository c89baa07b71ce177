"""One attention step in the plane: its numbers are NumPy's, and the state goes where it is put."""

import re

import numpy as np
import pytest

from course_lab.figures.touch.plane import attended, attention_plane
from tests.book.test_gaze import swipe

pytestmark = pytest.mark.browser

H = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])
FIGURE = attention_plane(["the", "dog", "sleeps"], H, [0, 1])._repr_html_()


def table(page) -> list[list[float]]:
    rows = page.locator(".cl-stage tbody tr")
    return [list(map(float, row.locator("td").all_text_contents())) for row in rows.all()]


def wanted(state) -> list[list[float]]:
    scores, weights, _ = attended(H, np.array(state))
    columns = zip(scores, np.exp(scores), weights, strict=True)
    return [[round(float(x), 3) for x in row] for row in columns]


def state_of(page) -> list[float]:
    found = re.search(r"s = \((.*?), (.*?)\)", page.locator(".cl-say").inner_text())
    return [float(found[1]), float(found[2])]


def test_it_opens_on_the_numbers_of_the_page(show):
    page = show(FIGURE)
    assert table(page) == wanted([0, 1])
    assert page.locator(".cl-sum").inner_text() == "c = (0.54, 0.28)"


def test_the_state_is_dragged_and_stays_in_the_plane(show):
    page = show(FIGURE)
    box = page.locator(".cl-q .cl-grip").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 70, y + 60, steps=4)
    # Held with the mouse, the diamond has no frame as for the keyboard.
    style = "e => getComputedStyle(e).outlineStyle"
    assert page.locator(".cl-q").evaluate(style) == "none"
    moved = state_of(page)
    assert moved[0] < -0.5
    assert moved[1] < 0.6
    assert table(page) == wanted(moved)
    page.mouse.move(x - 900, y + 60)
    page.mouse.up()
    assert state_of(page)[0] == -2
    page.get_by_role("button", name="Reset").click()
    assert table(page) == wanted([0, 1])


def test_the_state_is_dragged_by_a_finger_and_the_page_stays(show):
    page = show(f"{FIGURE}<div style='height:3000px'></div>", width=390, has_touch=True)
    box = page.locator(".cl-q .cl-grip").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    swipe(page, (x, y), *((x - 10 * i, y + 12 * i) for i in range(1, 8)))
    assert state_of(page)[1] < 0.5
    assert page.evaluate("scrollY") == 0
    swipe(page, (30, y + 150), *((30, y + 150 - 20 * i) for i in range(1, 8)))
    page.wait_for_function("scrollY > 60")


def test_the_first_table_is_for_paper_only(show):
    page = show(FIGURE)
    assert page.locator("table:visible").count() == 1
    assert page.get_by_role("button", name="numbers").count() == 0
    page.emulate_media(media="print")
    assert page.locator("table:visible").count() == 2


def test_arrow_keys_move_the_state(show):
    page = show(FIGURE)
    page.locator(".cl-q").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert state_of(page) == [0.1, 0.9]
    assert table(page) == wanted([0.1, 0.9])


def test_it_is_built_up_step_by_step(show):
    page = show(FIGURE)
    step = page.get_by_role("button", name="Step")
    cells = page.locator(".cl-stage tbody tr").first.locator("td")

    def shown() -> list[bool]:
        return [bool(text.strip()) for text in cells.all_text_contents()]

    step.click()
    assert shown() == [False, False, False]
    assert page.locator(".cl-c").is_hidden()
    step.click()
    assert shown() == [True, False, False]
    step.click()
    assert shown() == [True, True, True]
    step.click()
    assert page.locator(".cl-c").is_visible()
    assert "never leaves the triangle" in page.locator(".cl-say").inner_text()


def test_points_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="wanted 2 annotations and a state in the plane"):
        attention_plane(["a", "b"], H, [0, 1])
    with pytest.raises(ValueError, match="within 2 of zero"):
        attention_plane(["a", "b", "c"], 3 * H, [0, 1])
