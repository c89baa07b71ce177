"""Two ways to look: the script's numbers are NumPy's, and looks are drawn as they are stored."""

import re

import numpy as np
import pytest

from course_lab.figures.touch.glances import Look, Scene, estimate, glances

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
    return [float(text) for text in page.locator(".cl-bar-row .cl-share").all_text_contents()]


def numbers(page, selector: str, attribute: str) -> np.ndarray:
    read = f"all => all.map(e => +e.getAttribute('{attribute}'))"
    return np.array(page.locator(selector).evaluate_all(read))


def press(page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_it_opens_on_twelve_glances_and_the_numbers_of_python(show):
    page = show(FIGURE)
    found = estimate(CHANCES, REWARDS)
    assert values(page) == [round(found.plain, 2), round(found.against, 2)]
    assert page.locator(".cl-say").text_content().startswith("The first digit. 12 glances")
    # Two digits, at patches 1 and 2, and the two other patches together.
    assert page.locator(".cl-lesson circle").count() == 12 * 3
    assert page.locator(".cl-foot").all_text_contents() == [
        *("the 3", "to report"),
        *("the 5", ""),
        *("2 others", "together"),
    ]
    heights = numbers(page, ".cl-exact", "height")
    wanted = np.abs([found.exact[1], found.exact[2], found.exact[0] + found.exact[3]])
    np.testing.assert_allclose(heights / max(heights), wanted / max(wanted), atol=0.02)


def test_dots_and_their_average_are_those_of_the_glances(show):
    page = show(FIGURE)
    press(page, "Step")
    press(page, "Reset")
    # Twelve glances: three times each of the four draws.
    drawn = np.array([0, 1, 2, 0] * 3)
    rows = (np.array(REWARDS)[drawn])[:, None] * (np.eye(4)[drawn] - CHANCES)
    told = np.stack([rows[:, 1], rows[:, 2], rows[:, 0] + rows[:, 3]], axis=1)
    dots = numbers(page, ".cl-dot", "cy").reshape(3, 12).T
    means = numbers(page, ".cl-mean", "y1")
    zero = numbers(page, ".cl-axis", "y1")[0]
    scale = (zero - dots[0, 0]) / told[0, 0]
    np.testing.assert_allclose(zero - dots, scale * told, atol=0.5)
    np.testing.assert_allclose(zero - means, scale * told.mean(0), atol=0.5)
    assert page.locator(".cl-last").count() == 3


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


def test_a_baseline_brings_the_dots_nearer_and_leaves_the_bars(show):
    page = show(FIGURE)
    before, bars = values(page), numbers(page, ".cl-exact", "height")
    dots = numbers(page, ".cl-dot", "cy")
    page.get_by_role("radio", name="expected reward").check()
    assert values(page) == before
    assert numbers(page, ".cl-exact", "height").tolist() == bars.tolist()
    assert np.ptp(numbers(page, ".cl-dot", "cy")) < 0.8 * np.ptp(dots)
    assert "with a baseline" in page.locator(".cl-title").nth(2).inner_text()


def test_steps_go_through_the_digits_and_play_reaches_the_end(show):
    page = show(FIGURE, reduced_motion="reduce")
    press(page, "Step")
    said = page.locator(".cl-say")
    assert said.text_content().startswith("The second digit. 1 glance ")
    assert "wrong, it is 5" in page.locator(".cl-read").nth(0).inner_text()
    press(page, "Play")
    assert said.text_content().startswith("The first digit. 1 glance ")
    press(page, "20 times")
    assert "21 glances" in said.text_content()
    press(page, "Reset")
    assert "12 glances" in said.text_content()
