"""Two ways to look: the script's numbers are NumPy's, and looks are drawn as they are stored."""

import re

import numpy as np
import pytest

from course_lib.figures.touch.glances import Look, Scene, estimate, glances
from tests.book.checks import colour_violations, violations
from tests.book.test_interactive_figures import DARK, LIGHT, show

__all__ = ["show"]

pytestmark = pytest.mark.browser

CHANCES = [0.5, 0.3, 0.2, 0.0]
REWARDS = [-3.0, -0.5, -2.0, -4.0]
DRAWS = [0.1, 0.6, 0.95, 0.4]


def scene(shift: int) -> Scene:
    ink = np.linspace(0, 1, 16).reshape(4, 4)
    hard, reward = np.roll(CHANCES, shift), np.roll(REWARDS, shift)
    looks = [
        Look(3, (1 + shift) % 4, hard, 3, hard, reward, [8, 3, 5, 1]),
        Look(5, (2 + shift) % 4, hard, 9, hard[::-1], reward, [8, 3, 5, 1]),
    ]
    return Scene(ink, looks)


FIGURE = glances([scene(0), scene(1)], 2, DRAWS)._repr_html_()


def values(page) -> list[float]:
    return [float(text) for text in page.locator(".cl-bar-value").all_text_contents()]


def press(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_it_opens_on_twelve_glances_and_the_numbers_of_python(show):
    page = show(FIGURE)
    found = estimate(CHANCES, REWARDS)
    assert values(page) == [round(found.plain, 2), round(found.against, 2), 0]
    assert page.locator(".cl-say").inner_text().startswith("The first digit. 12 glances")
    assert page.locator(".cl-lesson circle").count() == 12 * 4
    heights = page.locator(".cl-exact").evaluate_all(
        "all => all.map(e => +e.getAttribute('height'))"
    )
    assert heights.index(max(heights)) == int(np.abs(found.exact).argmax())


def test_each_look_is_the_next_of_the_stored_draws(show):
    page = show(FIGURE)
    press(page, "Step")
    press(page, "Reset")
    seen = []
    for _ in range(4):
        press(page, "Look again")
        words = page.locator(".cl-read").nth(1).inner_text()
        seen.append(re.search(r"row (\d), column (\d) and says (\d)", words).groups())
    # Twelve were drawn, so that the next is the first of the four again.
    assert seen == [("1", "1", "8"), ("1", "2", "3"), ("2", "1", "5"), ("1", "1", "8")]
    assert "right. Reward −0.50" not in words
    assert "says 3: right" in page.locator(".cl-read").nth(0).inner_text()


def test_a_baseline_moves_the_dots_and_not_the_bars(show):
    page = show(FIGURE)
    before = values(page)
    spots = "all => all.map(e => +e.getAttribute('cy'))"
    dots = page.locator(".cl-dot").evaluate_all(spots)
    page.get_by_role("radio", name="expected reward").check()
    assert values(page) == before
    assert page.locator(".cl-dot").evaluate_all(spots) != dots
    assert "with a baseline" in page.locator(".cl-view-name").nth(2).inner_text()


def test_steps_go_through_the_digits_and_play_reaches_the_end(show):
    page = show(FIGURE, reduced_motion="reduce")
    press(page, "Step")
    assert page.locator(".cl-say").inner_text().startswith("The second digit. 1 glance ")
    assert "wrong, it is 5" in page.locator(".cl-read").nth(0).inner_text()
    press(page, "Play")
    assert page.locator(".cl-say").inner_text().startswith("The first digit. 1 glance ")
    press(page, "20 times")
    assert "21 glances" in page.locator(".cl-say").inner_text()
    press(page, "Reset")
    assert "12 glances" in page.locator(".cl-say").inner_text()


def test_another_scene_is_drawn_anew(show):
    page = show(FIGURE)
    page.get_by_role("radio", name="2", exact=True).check()
    found = estimate(np.roll(CHANCES, 1), np.roll(REWARDS, 1))
    assert values(page)[0] == round(found.plain, 2)
    assert "1 glance " in page.locator(".cl-say").inner_text()


@pytest.mark.parametrize(("html", "width"), [(LIGHT, 900), (DARK, 390)])
def test_it_is_accessible_and_fits(show, html, width):
    page = show(FIGURE, width=width, html=html)
    assert violations(page) == []
    assert colour_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
