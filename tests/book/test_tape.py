"""The growing tapes in a browser: a place a step, lines back to all that was before."""

import re

import pytest

from course_lab.experiments.self_attention import tape
from course_lab.figures.touch.tape import growing_tape

pytestmark = pytest.mark.browser

MAPS = tape.load_maps()
FIGURE = growing_tape(MAPS, tape.START_WORD)._repr_html_()
LAST = len(next(iter(MAPS.values()))) - 1


def places(page) -> int:
    return page.locator(".cl-place").count() // 2


def test_it_opens_on_the_whole_tape_and_grows_by_a_place_a_step(show):
    page = show(FIGURE)
    assert places(page) == LAST + 1
    assert page.locator(".cl-back").count() == LAST
    page.get_by_role("button", name="Step").click()
    assert places(page) == 1
    for step in range(1, 4):
        page.get_by_role("button", name="Step").click()
        assert places(page) == step + 1
        assert page.locator(".cl-back").count() == step
    page.get_by_role("button", name="Back").click()
    assert places(page) == 3
    page.get_by_role("button", name="Reset").click()
    assert places(page) == LAST + 1
    page.get_by_role("button", name="Back").click()
    assert places(page) == LAST
    assert page.locator(".cl-say").inner_text().startswith(f"Step {LAST} reads")


def test_back_goes_on_from_where_reset_led_whatever_was_played_before(show):
    page = show(FIGURE)
    page.locator("select").select_option("1")
    page.get_by_role("button", name="Play").click()
    page.get_by_role("button", name="Reset").click()
    assert page.locator("select").input_value() == "0"
    page.get_by_role("button", name="Back").click()
    assert places(page) == LAST
    assert page.get_by_role("button", name="Play").is_visible()
    for _ in range(LAST + 2):
        page.get_by_role("button", name="Back").click()
    assert places(page) == 1


def test_what_is_said_of_a_step_adds_up_to_one_and_step_t_writes_place_t(show):
    page = show(FIGURE)
    for number, (sentence, rows) in enumerate(MAPS.items()):
        page.locator("select").select_option(str(number))
        words = [tape.START_WORD, *sentence.split()]
        for step in range(len(rows)):
            page.get_by_role("button", name="Step", exact=True).click()
            said = page.locator(".cl-say").inner_text()
            assert said.startswith(f"Step {step + 1} reads “{words[step]}”")
            newest = page.locator(".cl-tape-cell").all_text_contents()[-2:]
            low = "".join("₀₁₂₃₄₅₆₇₈₉"[int(digit)] for digit in str(step + 1))
            assert newest == [f"h{low}", f"c{low}"]
            if step < 2:
                continue
            last, back = [float(each) for each in re.findall(r"\d\.\d\d", said)[:2]]
            assert f"the last place, “{words[step - 1]}”, {back:.2f} further back" in said
            assert last == pytest.approx(rows[step][-1], abs=0.006)
            assert last + back == pytest.approx(1)


def test_another_sentence_shows_its_own_weights(show):
    page = show(FIGURE)
    page.locator("select").select_option("1")
    rows = list(MAPS.values())[1]
    texts = page.locator(".cl-tape-weight").all_text_contents()
    shown = [float(text) for text in texts]
    assert shown == pytest.approx(rows[-1], abs=0.006)
