"""The net that writes in the page: it is PyTorch's, and every control does what it says."""

import base64
import re

import pytest
import torch

from course_lab.experiments.recurrence import in_page
from tests.book.checks import scripts

pytestmark = pytest.mark.browser

FIGURE = in_page.show()._repr_html_()
OPENING = in_page.BEGINNINGS[0].split()


def words(page) -> list[str]:
    return page.locator(".cl-line .cl-word").all_text_contents()


def focused(page) -> str:
    return page.evaluate("document.activeElement.getAttribute('aria-label')")


def offered(page) -> list[tuple[str, float]]:
    keys = page.locator(".cl-next button")
    names = keys.locator(".cl-label").all_text_contents()
    return list(zip(names, map(float, keys.locator(".cl-share").all_text_contents()), strict=True))


def wanted(begun, temperature=1.0) -> list[float]:
    found = in_page.load().following(begun, temperature)
    return found.topk(6).values.tolist()


def test_the_page_computes_what_pytorch_computes(chromium):
    stored, page = in_page.load(), chromium.new_page()
    page.evaluate(
        f"base64 => {{ {scripts('maths', 'net', 'forecast')};"
        " net = wordNet(readTensors(base64).tensors); }",
        base64.b64encode(in_page.STORED.read_bytes()).decode(),
    )
    for begun in (*in_page.BEGINNINGS, "today two children who have slept"):
        ids = [stored.words.index(word) for word in begun.split()]
        for temperature in (0.5, 1.0, 2.0):
            found = page.evaluate(
                "([ids, t]) => net.following(net.read(ids), t)", [ids, temperature]
            )
            wished = stored.following(begun.split(), temperature)
            torch.testing.assert_close(torch.tensor(found), wished, atol=1e-5, rtol=1e-3)
    page.close()


def test_it_opens_on_the_verb_of_the_wrong_noun(show):
    page = show(FIGURE)
    assert words(page) == OPENING
    assert [share for _, share in offered(page)] == pytest.approx(wanted(OPENING), abs=0.006)
    assert offered(page)[0][0] == "sleep"
    assert page.locator(".cl-state .cl-unit").count() == in_page.WIDTH


def test_a_chosen_word_is_read_and_a_click_goes_back(show):
    page = show(FIGURE)
    second = offered(page)[1][0]
    page.locator(".cl-next button").nth(1).click()
    assert words(page) == [*OPENING, second]
    # The key that is pressed stays, with the focus, as a word of chapter 2's sentence does.
    page.locator(".cl-line .cl-word").nth(1).click()
    assert words(page) == OPENING[:2]
    assert focused(page) == "dog: go back to it"
    assert [share for _, share in offered(page)] == pytest.approx(wanted(OPENING[:2]), abs=0.006)


def test_all_words_can_be_taken_away_at_once(show):
    page = show(FIGURE)
    clear = page.get_by_role("button", name="Take all words away")
    clear.click()
    assert words(page) == []
    assert clear.count() == 0
    assert [share for _, share in offered(page)] == pytest.approx(wanted([]), abs=0.006)
    assert page.evaluate("document.activeElement.closest('.cl-next') !== null")


def test_the_word_that_ends_the_sentence_hands_the_focus_to_play(show):
    page = show(FIGURE)
    page.get_by_label("any other word").select_option(label="sleeps")
    stop = page.get_by_role("button", name=re.compile(r"^\., probability"))
    stop.focus()
    page.keyboard.press("Enter")
    assert words(page)[-1] == in_page.STOP
    assert page.evaluate("document.activeElement.textContent") == "Play"
    # A key elsewhere keeps it.
    page.get_by_role("button", name="Reset").click()
    page.get_by_label("any other word").select_option(label="sleeps")
    step = page.get_by_role("button", name="Step")
    while words(page)[-1] != in_page.STOP:
        step.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Step"


def test_on_a_phone_the_sums_and_what_is_said_are_in_sight_below_the_words(show):
    page = show(FIGURE, width=390, has_touch=True, is_mobile=True)
    line, say, state, sums, following = (
        page.locator(name).first.bounding_box()
        for name in (".cl-line", ".cl-say", ".cl-state", ".cl-sums", ".cl-next")
    )
    order = [line, say, state, sums, following]
    assert [box["y"] for box in order] == sorted(box["y"] for box in order)
    controls = page.locator(".cl-controls").bounding_box()
    assert sums["y"] + sums["height"] - controls["y"] < 480
    # What is said of a sentence's end stands where the end is seen.
    page.get_by_label("any other word").select_option(label=in_page.STOP)
    assert "The sentence is over" in page.locator(".cl-say").inner_text()
    assert not page.locator(".cl-sum").first.is_visible()


def test_any_word_of_the_net_can_be_added(show):
    page, stored = show(FIGURE), in_page.load()
    menu = page.get_by_label("any other word")
    assert menu.locator("option").count() == len(stored.words)
    menu.select_option(label="king")
    assert words(page) == [*OPENING, "king"]
    assert menu.input_value() == "0"  # ready for the next word
    menu.select_option(label=in_page.STOP)
    assert words(page)[-1] == in_page.STOP
    assert menu.is_disabled()
    assert not page.get_by_text("What may come next").is_visible()


def test_the_verbs_for_one_and_for_many_are_added_up(show):
    page, stored = show(FIGURE), in_page.load()
    for begun, which in ((OPENING, 0), (["the", "dog"], 1)):
        page.locator(".cl-controls select").select_option(index=which)
        following = stored.following(begun)
        for place, verbs in enumerate((in_page.FOR_ONE, in_page.FOR_MANY)):
            wished = sum(following[stored.words.index(verb)].item() for verb in verbs)
            row = page.locator(".cl-sums .cl-bar-row").nth(place)
            assert row.locator("span").first.text_content() == ", ".join(verbs)
            assert float(row.locator(".cl-share").text_content()) == pytest.approx(wished, abs=6e-3)


def test_a_sentence_that_begins_otherwise_is_the_readers_own(show):
    page = show(FIGURE)
    menu = page.locator(".cl-controls select")
    chosen = "e => e.options[e.selectedIndex].textContent"
    assert menu.evaluate(chosen) == in_page.BEGINNINGS[0]
    page.locator(".cl-line .cl-word").nth(3).click()
    assert menu.evaluate(chosen) == "(your own)"
    menu.select_option(index=0)
    assert words(page) == OPENING
    assert menu.evaluate(chosen) == in_page.BEGINNINGS[0]


def test_step_draws_a_word_and_reset_draws_the_same_again(show):
    page = show(FIGURE)
    step = page.get_by_role("button", name="Step")
    runs = []
    for _ in range(2):
        for _ in range(3):
            step.click()
        runs.append(words(page))
        page.get_by_role("button", name="Reset").click()
    assert runs[0] == runs[1]
    assert len(runs[0]) == len(OPENING) + 3
    assert words(page) == OPENING
