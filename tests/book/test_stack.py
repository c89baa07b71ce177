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


def looks(page, head: int = 0) -> list[str]:
    """What a head reads of each word, from the top down."""
    return page.locator(f".cl-panel tbody td:nth-of-type({head + 1})").all_text_contents()


def open_name(page) -> str:
    return page.locator(".cl-station[aria-current]").inner_text()


def test_it_opens_on_the_look_and_says_what_happens(show):
    page = show(FIGURE)
    assert open_name(page) == "cross"
    assert looks(page) == [".25", ".50", ".25"]
    assert page.locator(".cl-say").inner_text() == "“Haus” asks over there."
    assert page.locator(".cl-strip rect").count() == 4


def test_words_stand_below_each_other_and_heads_side_by_side(show):
    page = show(FIGURE)
    assert page.locator(".cl-panel thead th").all_text_contents() == ["head 1", "head 2"]
    assert page.locator(".cl-panel tbody th").all_text_contents() == WORDS["source"]


def test_stations_of_one_number_stand_in_one_frame(show):
    floors = ["1 look", "1 feed", "2 look"]
    more = [STATIONS[1]._replace(name=name) for name in floors]
    page = show(
        follow(
            WORDS, [STATIONS[0], *more, *STATIONS[2:]], chosen={"source": 1, "target": 2}, opened=0
        )._repr_html_()
    )
    frames = page.locator(".cl-source .cl-layer")
    assert frames.count() == 2
    assert frames.nth(0).locator("button").all_inner_texts() == ["2 look"]
    assert frames.nth(1).locator("button").all_inner_texts() == ["1 feed", "1 look"]
    assert page.locator(".cl-source .cl-station").all_inner_texts() == [*floors[::-1], "token"]
    assert page.get_by_role("group", name="layer 1").count() == 1


@pytest.mark.parametrize("width", [900, 390])
def test_lines_lead_from_the_memory_to_all_that_read_it(show, width):
    crossing = [STATIONS[2]._replace(name=f"{n} cross") for n in (1, 2)]
    stations = [*STATIONS[:2], *crossing, STATIONS[3]]
    page = show(
        follow(WORDS, stations, chosen={"source": 1, "target": 2}, opened=0)._repr_html_(),
        width=width,
    )
    tips = page.locator(".cl-wire-head")
    assert tips.count() == 2
    for n in (1, 2):
        key, tip = (part.bounding_box() for part in (station(page, f"{n} cross"), tips.nth(n - 1)))
        assert abs(tip["x"] + tip["width"] - key["x"]) < 3
        assert abs(tip["y"] + tip["height"] / 2 - key["y"] - key["height"] / 2) < 3
    lit = page.locator(".cl-wire.cl-lit")
    assert lit.count() == 0
    station(page, "2 cross").click()
    assert lit.count() == 1
    station(page, "look").click()  # what leaves it is read by both
    assert lit.count() == 2


def test_another_word_reads_something_else(show):
    page = show(FIGURE)
    page.get_by_role("button", name="das", exact=True).click()
    assert looks(page) == ["1", "", ""]
    # A word of the other side begins at the bottom of its own column.
    page.get_by_role("button", name="the", exact=True).click()
    assert open_name(page) == "token"
    assert page.locator(".cl-panel table:visible").count() == 0
    page.get_by_role("button", name="Reset").click()
    assert looks(page) == [".25", ".50", ".25"]


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
