"""A word's way up the stack: each station shows its own numbers, by keys, touch and address."""

import numpy as np
import pytest

from course_lib.figures.touch.stack import Station, follow
from tests.book.checks import assert_accessible_and_fits
from tests.book.test_interactive_figures import DARK, LIGHT, show

__all__ = ["show"]

pytestmark = pytest.mark.browser

WORDS = {"source": ["the", "house", "<end>"], "target": ["<start>", "das", "Haus"]}
VECTORS = np.array([[1.0, 0.0, -1.0, 0.5]] * 3)
LOOK = np.array([[[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.25, 0.5, 0.25]]] * 2)
GUESSES = [[("das", 0.9)], [("Haus", 0.8)], [("<end>", 1.0)]]
STATIONS = [
    Station("token", "source", "(3,)", "{word} is a number.", "here"),
    Station("look", "source", "(3, 4)", "{word} asks.", "here", VECTORS, LOOK, "source"),
    Station(
        "cross", "target", "(3, 4)", "{word} asks over there.", "here", VECTORS, LOOK, "source"
    ),
    Station("words", "target", "(3, 9)", "What comes after {word}?", "here", guesses=GUESSES),
]
FIGURE = follow(WORDS, STATIONS, chosen={"source": 1, "target": 2}, opened=2)._repr_html_()


def station(page, name: str):
    return page.locator(".cl-station", has_text=name)


def row(page, number: int = 0) -> list[str]:
    cells = page.locator(".cl-panel tbody tr").nth(number).locator("td")
    return cells.all_text_contents()


def open_name(page) -> str:
    return page.locator(".cl-station[aria-current]").inner_text()


def test_it_opens_on_the_look_and_says_what_happens(show):
    page = show(FIGURE)
    assert open_name(page) == "cross"
    assert row(page) == [".25", ".50", ".25"]
    assert page.locator(".cl-say").inner_text() == "“Haus” asks over there."
    assert page.locator(".cl-strip rect").count() == 4


def test_another_word_reads_something_else(show):
    page = show(FIGURE)
    page.get_by_role("button", name="das", exact=True).click()
    assert row(page) == ["1", "", ""]
    # A word of the other side begins at the bottom of its own column.
    page.get_by_role("button", name="the", exact=True).click()
    assert open_name(page) == "token"
    assert page.locator(".cl-panel table:visible").count() == 0
    page.get_by_role("button", name="Reset").click()
    assert row(page) == [".25", ".50", ".25"]


def test_step_leads_from_the_bottom_to_the_words(show):
    page = show(FIGURE)
    page.get_by_role("button", name="Step").click()
    assert open_name(page) == "words"
    assert page.locator(".cl-panel tbody th").all_text_contents() == ["<end>"]
    page.get_by_role("button", name="Step").click()
    assert open_name(page) == "token"


def test_arrow_keys_go_up_and_down(show):
    page = show(FIGURE)
    station(page, "cross").focus()
    page.keyboard.press("ArrowUp")
    assert open_name(page) == "words"
    page.keyboard.press("ArrowUp")
    assert open_name(page) == "words"
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    assert open_name(page) == "look"


def test_the_address_keeps_the_station_and_the_words(show):
    page = show(FIGURE)
    station(page, "look").click()
    page.get_by_role("button", name="the", exact=True).click()
    page.wait_for_function("location.hash === '#stack=1.0.2'")
    other = show(FIGURE, at="#stack=3.0.1")
    assert open_name(other) == "words"
    assert other.locator(".cl-say").inner_text() == "What comes after “das”?"
    odd = show(FIGURE, at="#stack=9.0.1")
    assert open_name(odd) == "cross"


def test_it_plays_to_the_end_for_those_who_asked_for_rest(show):
    page = show(FIGURE, reduced_motion="reduce")
    page.get_by_role("button", name="Play").click()
    assert open_name(page) == "words"
    page.get_by_role("button", name="Play").click()
    assert open_name(page) == "token"


@pytest.mark.parametrize(("html", "width"), [(LIGHT, 900), (DARK, 390)])
def test_it_is_accessible_and_fits(show, html, width):
    page = show(f"{FIGURE}<h2 id='here' style='color:#777'>Here</h2>", width=width, html=html)
    assert_accessible_and_fits(page, width)
