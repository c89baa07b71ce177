"""A word's way up the stack: each station shows its own numbers, by keys, touch and address."""

import numpy as np
import pytest

from course_lab.figures.touch.stack import Heads, Station, Strip, follow

pytestmark = pytest.mark.browser

WORDS = {"source": ["the", "house", "<end>"], "target": ["<start>", "das", "Haus"]}
VECTORS = np.array([[1.0, 0.0, -1.0, 0.5]] * 3)
LOOK = np.array([[[0.5, 0.5, 0.0], [1.0, 0.0, 0.0], [0.25, 0.5, 0.25]]] * 2)
LOOK[1] = [[0.25, 0.25, 0.5]] * 3
SCORES = np.array([[[0.5, -1.5, 2.0]] * 3] * 2)
ONES = np.ones((2, 3, 2))
HEADS = Heads(ONES, ONES, SCORES, LOOK, ONES, ONES, "source")
GUESSES = [[("das", 4.0, 0.9)], [("Haus", 5.0, 0.8)], [("<end>", -1.5, 1.0)]]
ATTENDS = {
    "entering": VECTORS,
    "inside": [Strip("normed", VECTORS), Strip("found", VECTORS)],
    "adds": True,
    "heads": HEADS,
}
STATIONS = [
    Station(
        "token",
        "source",
        "4 numbers",
        "{word} is number {number}.",
        "here",
        inside=[Strip("row", VECTORS)],
        numbers=[4, 5, 6],
    ),
    Station("look", "source", "4 numbers", "{word} asks.", "here", **ATTENDS),
    Station("cross", "target", "4 numbers", "{word} asks over there.", "here", **ATTENDS),
    Station("words", "target", "4 numbers", "What comes after {word}?", "here", guesses=GUESSES),
]
CHOSEN = {"source": 1, "target": 2}
GLOSS = {"das": "the", "Haus": "house"}
FIGURE = follow(WORDS, STATIONS, chosen=CHOSEN, opened=2, gloss=GLOSS)._repr_html_()


def station(page, name: str):
    return page.locator(".cl-station", has_text=name)


def looks(page) -> list[str]:
    """What the open head reads of each word, from the top down."""
    return page.locator(".cl-panel td.cl-w").all_text_contents()


def columns(page) -> list[str]:
    """The columns of the open attention that can be seen."""
    return page.locator(".cl-panel thead th:not(.cl-unseen)").all_text_contents()


def chip(page, text: str):
    return page.locator(".cl-chip", has_text=text)


def labels(page) -> list[str]:
    return page.locator(".cl-strip .cl-note").all_text_contents()


def open_name(page) -> str:
    return page.locator(".cl-station[aria-current]").inner_text()


def test_it_opens_on_the_look_and_says_what_happens(show):
    page = show(FIGURE)
    assert open_name(page) == "cross"
    assert looks(page) == [".25", ".50", ".25"]
    assert page.locator(".cl-say").inner_text() == "“Haus” asks over there."
    assert labels(page) == [
        "what comes in; the line leads it past",
        "normed",
        "what the 2 heads read, side by side",
        "found",
        "⊕ what goes on: the sum",
    ]
    assert page.locator(".cl-strip .cl-bars").nth(0).locator("rect").count() == 4
    # The way past leads from what comes in to the sum.
    past = page.locator(".cl-past")
    assert past.locator(".cl-strip").count() == 3
    assert past.locator("table").count() == 1


def test_a_bar_stands_up_for_plus_and_hangs_for_minus(show):
    page = show(FIGURE)
    bars = page.locator(".cl-strip .cl-bars").nth(0).locator("rect")
    heights = [float(bars.nth(i).get_attribute("height")) for i in range(4)]
    tops = [float(bars.nth(i).get_attribute("y")) for i in range(4)]
    middle = tops[1]
    assert heights[1] == 0
    assert heights[0] == heights[2] > heights[3] > 0
    assert tops[0] == middle - heights[0]
    assert tops[2] == middle


def test_an_attention_has_a_row_a_word_and_a_column_a_step(show):
    page = show(FIGURE)
    assert columns(page) == ["key", "score", "weight", "value", "× weight"]
    named = page.locator(".cl-panel tbody th").all_text_contents()
    assert named == [*WORDS["source"], "sum"]
    assert page.locator(".cl-panel tbody td:nth-of-type(2)").all_text_contents()[:3] == [
        "0.5",
        "−1.5",
        "2.0",
    ]
    # A value times its weight is drawn so much smaller.
    scales = page.locator(".cl-panel .cl-bars-value rect:nth-of-type(1)").evaluate_all(
        "all => all.map(e => Number(e.getAttribute('height')))"
    )
    assert min(scales[::2]) > 0
    for whole, weighted, weight in zip(scales[::2], scales[1::2], LOOK[0, 2], strict=True):
        assert weighted == pytest.approx(weight * whole, abs=0.01)


def test_the_first_layer_is_shown_part_by_part(show):
    first = STATIONS[1]._replace(name="1 look")
    page = show(
        follow(WORDS, [STATIONS[0], first, *STATIONS[2:]], chosen=CHOSEN, opened=2)._repr_html_()
    )
    step, says = page.get_by_role("button", name="Step"), page.locator(".cl-say")
    heights = set()
    for seen, told in (
        ([], "is number 5"),
        (["key", "score"], "The query of “house” meets every key: a dot product, over √2,"),
        (["key", "score", "weight"], "The softmax"),
        (["key", "score", "weight", "value", "× weight"], "Each value times its weight"),
        (["key", "score", "weight", "value", "× weight"], "“house” asks."),
    ):
        step.click()
        assert columns(page) == seen
        assert told in says.inner_text()
        heights.add(page.locator(".cl-fig").bounding_box()["height"])
    assert max(heights) - min(heights) < 1
    sums = page.get_by_text("what goes on: the sum")
    assert sums.is_visible()
    page.get_by_role("button", name="Back").click()
    assert "Each value" in says.inner_text()
    assert not sums.is_visible()
    # The key of a station shows it whole.
    station(page, "look").click()
    assert "“house” asks." in says.inner_text()


def test_what_was_written_is_fed_in(show):
    page = show(FIGURE)
    chip(page, "das").click()
    step = page.get_by_role("button", name="Step")
    station(page, "words").click()
    step.click()
    assert open_name(page) == "cross"  # the lowest of this decoder
    assert page.locator(".cl-target .cl-chip[aria-pressed=true]").inner_text().startswith("Haus")
    assert "“Haus” was written and is fed in" in page.locator(".cl-say").inner_text()
    assert page.get_by_text("3 words so far, 4 numbers each").is_visible()
    # After the last word it begins anew.
    station(page, "words").click()
    step.click()
    assert open_name(page) == "token"


def test_one_head_shows_its_vectors_and_another_can_be_chosen(show):
    other = np.ones((2, 3, 2))
    other[1] = [1, -1]
    heads = HEADS._replace(queries=other, keys=other, values=other, read=other)
    cross = STATIONS[2]._replace(heads=heads)
    page = show(
        follow(
            WORDS, [*STATIONS[:2], cross, STATIONS[3]], chosen=CHOSEN, opened=2, head=1
        )._repr_html_()
    )

    def hanging(role: str) -> list[bool]:
        rects = page.locator(f".cl-past .cl-bars-{role} rect:nth-of-type(2)").all()
        return [float(rect.get_attribute("y")) >= 14 for rect in rects]

    counts = {"query": 1, "key": 3, "value": 6}
    for role, count in counts.items():
        assert hanging(role) == [True] * count
    page.get_by_role("button", name="head 1").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.ariaLabel") == "head 1"
    for role, count in counts.items():
        assert hanging(role) == [False] * count
    pressed = page.locator(".cl-choice button[aria-pressed=true]")
    assert pressed.all_text_contents() == ["1"]
    # Of what all heads read that of this one stands out.
    beside = page.locator(".cl-strip", has_text="side by side").locator("rect")
    aside = [("cl-aside" in (bar.get_attribute("class") or "")) for bar in beside.all()]
    assert aside == [False, False, True, True]


def test_later_words_are_hidden_where_the_mask_hides_them(show):
    own = STATIONS[2]._replace(name="own", heads=HEADS._replace(reads="target", hides=True))
    page = show(
        follow(WORDS, [*STATIONS[:2], own, STATIONS[3]], chosen=CHOSEN, opened=2)._repr_html_()
    )
    rows = page.locator(".cl-panel tbody th")
    assert rows.all_text_contents() == [*WORDS["target"], "sum"]
    chip(page, "das").click()
    assert rows.all_text_contents() == ["<start>", "das", "1 later", "sum"]
    later = page.locator(".cl-chip.cl-later")
    assert later.count() == 1
    assert later.inner_text().startswith("Haus")
    assert page.get_by_text("2 words so far, 4 numbers each").is_visible()


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
    crosses = station(page, "cross")
    for n in (1, 2):
        reader = crosses.nth(2 - n)  # from the top down
        key, tip = (part.bounding_box() for part in (reader, tips.nth(n - 1)))
        assert abs(tip["x"] + tip["width"] - key["x"]) < 3
        assert abs(tip["y"] + tip["height"] / 2 - key["y"] - key["height"] / 2) < 3
    lit = page.locator(".cl-wire.cl-lit")
    assert lit.count() == 0
    crosses.nth(0).click()
    assert lit.count() == 1
    station(page, "look").click()  # what leaves it is read by both
    assert lit.count() == 2


def test_another_word_reads_something_else(show):
    page = show(FIGURE)
    chip(page, "das").click()
    assert looks(page) == ["1", "", ""]
    # A word of the other side begins at the bottom of its own column.
    page.get_by_role("button", name="the", exact=True).click()
    assert open_name(page) == "token"
    assert page.locator(".cl-panel table:visible").count() == 0
    assert page.locator(".cl-say").inner_text() == "“the” is number 4."
    assert labels(page) == ["row"]
    page.get_by_role("button", name="Reset").click()
    assert looks(page) == [".25", ".50", ".25"]


def test_played_it_begins_at_the_bottom_and_leads_to_the_words(show):
    page = show(FIGURE)
    step = page.get_by_role("button", name="Step")
    step.click()
    assert open_name(page) == "token"
    for name in ("look", "cross", "words"):
        step.click()
        assert open_name(page) == name
    assert page.locator(".cl-panel tbody th").all_text_contents() == ["<end>"]
    step.click()
    assert open_name(page) == "token"
    page.get_by_role("button", name="Reset").click()
    assert open_name(page) == "cross"
    step.click()
    assert open_name(page) == "token"
    # From a station that was opened it goes on.
    station(page, "cross").click()
    step.click()
    assert open_name(page) == "words"


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


def test_on_a_phone_the_keys_that_step_stay_in_sight(show):
    page = show(f"{FIGURE}<div style='height:2000px'></div>", width=390)
    panel = page.locator(".cl-panel").bounding_box()
    page.evaluate(f"scrollTo(0, {panel['y']} - 60)")
    keys = page.locator(".cl-stack .cl-controls")
    box = keys.bounding_box()
    assert 0 <= box["y"] < 2
    assert box["y"] + box["height"] <= 62
    keys.get_by_role("button", name="Step").click()
    assert open_name(page) == "token"
