"""Change a word: the page's network is PyTorch's, menus and words do what they say."""

import base64

import pytest
import torch

from course_lab.experiments.decomposable import in_page
from course_lab.experiments.decomposable.in_page import MENUS
from tests.book.checks import scripts

pytestmark = pytest.mark.browser

FIGURE = in_page.show()._repr_html_()


def shares(page) -> list[float]:
    return [float(text) for text in page.locator(".cl-share").all_text_contents()]


def wanted(premise, hypothesis, out=(), apart=()) -> list[float]:
    """What PyTorch says with places of the hypothesis left out, and pairs (j, i) kept apart."""
    model, words = in_page.load()
    sentences = [in_page.sentence(MENUS, chosen) for chosen in (premise, hypothesis)]
    ids, mask, others, other_mask = in_page.inputs_of(words, *sentences)
    with torch.no_grad():
        a, b = model.words(ids), model.words(others)
        e = model.attend(a) @ model.attend(b).transpose(1, 2)
        for j, i in apart:
            e[0, i, j] = -torch.inf
        first = model.compared(a, e.softmax(2) @ b, mask)
        second = model.compared(b, e.softmax(1).transpose(1, 2) @ a, other_mask)
        second[:, list(out)] = 0.0
        both = torch.cat([first.sum(1), second.sum(1)], dim=-1)
        found = model.verdict(model.aggregate(both))[0].softmax(-1)
    return found.tolist()


def test_the_page_computes_what_pytorch_computes(chromium):
    model, words = in_page.load()
    page = chromium.new_page()
    page.evaluate(
        f"base64 => {{ {scripts('maths', 'net', 'verdict')};"
        " net = decomposableNet(readTensors(base64).tensors); }",
        base64.b64encode(in_page.STORED.read_bytes()).decode(),
    )
    pairs = in_page.drawn(60, seed=3)
    ids = [[[0, *(words.index(word) for word in side)] for side in pair[:2]] for pair in pairs]
    found = page.evaluate(
        "all => all.map(([a, b]) => net.look(a, b, [new Set(), new Set()], new Set()))", ids
    )
    for pair, one in zip(pairs, found, strict=True):
        with torch.no_grad():
            looked = model.explain(*in_page.inputs_of(words, *pair[:2]))
        logits = looked.logits[0].softmax(-1)
        torch.testing.assert_close(torch.tensor(one["shares"]), logits, atol=1e-5, rtol=1e-4)
        weights = torch.tensor(one["weights"][1])
        torch.testing.assert_close(weights, looked.hypothesis_weights[0], atol=1e-5, rtol=1e-4)
    page.close()


def test_a_changed_word_moves_the_verdict_and_reset_brings_it_back(show):
    page = show(FIGURE)
    first = wanted(MENUS.premise, MENUS.hypothesis)
    assert shares(page) == pytest.approx(first, abs=0.006)
    no = list(MENUS.slots["who"]).index("no young doctor")
    page.get_by_label("Hypothesis: who", exact=True).select_option(index=no)
    changed = wanted(MENUS.premise, (no, *MENUS.hypothesis[1:]))
    assert shares(page) == pytest.approx(changed, abs=0.006)
    assert page.locator(".cl-say").inner_text().startswith("contradiction")
    assert "moved" in page.locator(".cl-say").inner_text()
    page.get_by_role("button", name="Reset").click()
    assert shares(page) == pytest.approx(first, abs=0.006)


def test_after_a_reset_both_get_no_and_nothing_follows(show):
    """The steps below the figure, in their order: a word left out stays out until the reset."""
    page = show(FIGURE)
    no = list(MENUS.slots["who"]).index("no young doctor")
    sides = [(no, *chosen[1:]) for chosen in (MENUS.premise, MENUS.hypothesis)]
    page.get_by_label("Hypothesis: who", exact=True).select_option(index=no)
    page.locator(".cl-looks tbody .cl-word").nth(1).click()
    without = wanted(MENUS.premise, sides[1], out=[1])
    assert shares(page) == pytest.approx(without, abs=0.006)
    assert without[2] < 0.01  # no contradiction any more
    page.get_by_role("button", name="Reset").click()
    assert shares(page)[0] > 0.9
    for side in ("Premise", "Hypothesis"):
        page.get_by_label(f"{side}: who", exact=True).select_option(index=no)
    assert shares(page) == pytest.approx(wanted(*sides), abs=0.006)
    assert shares(page)[1] > 0.9
    assert "without" not in page.locator(".cl-say").inner_text()


def test_a_faint_weight_is_not_printed(show):
    page = show(FIGURE)
    fields = page.locator(".cl-looks .cl-pair")
    told = [float(each.split(", ")[-1].split(":")[0]) for each in labels(fields)]
    printed = fields.all_text_contents()
    assert {bool(text) for text, weight in zip(printed, told, strict=True) if weight < 0.09} == {
        False
    }
    assert {bool(text) for text, weight in zip(printed, told, strict=True) if weight > 0.1} == {
        True
    }
    assert min(float(text) for text in printed if text) >= 0.095


def labels(fields) -> list[str]:
    return fields.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")


def test_the_longest_premise_fits_on_a_phone(show):
    page = show(FIGURE, width=390)
    page.get_by_label("Premise: does", exact=True).select_option(index=1)
    box = page.locator(".cl-scroll:has(.cl-looks)")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    small = box.locator("button").evaluate_all(
        "all => all.filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 24).length"
    )
    assert small == 0


def test_a_word_is_left_out_by_pointer_and_keyboard(show):
    page = show(FIGURE)
    word = page.locator(".cl-looks tbody .cl-word").nth(2)
    word.click()
    assert word.get_attribute("aria-pressed") == "true"
    without = wanted(MENUS.premise, MENUS.hypothesis, out=[2])
    assert shares(page) == pytest.approx(without, abs=0.006)
    page.keyboard.press("Enter")
    assert word.get_attribute("aria-pressed") == "false"


def test_two_words_are_kept_apart_by_pointer_and_keyboard(show):
    page = show(FIGURE)
    first = shares(page)
    # every and every: the verdict hangs on them; animal and dog do not look at each other.
    pairs = page.locator(".cl-looks tbody tr").nth(1).locator(".cl-pair")
    pairs.nth(1).click()
    assert pairs.nth(1).get_attribute("aria-pressed") == "true"
    without = wanted(MENUS.premise, MENUS.hypothesis, apart=[(1, 1)])
    assert shares(page) == pytest.approx(without, abs=0.006)
    said = page.locator(".cl-say").inner_text()
    assert said.startswith("neutral")
    assert "with “every” and “every” kept apart" in said
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    both = wanted(MENUS.premise, MENUS.hypothesis, apart=[(1, 1), (2, 2)])
    assert shares(page) == pytest.approx(both, abs=0.006)
    page.get_by_role("button", name="Reset").click()
    assert shares(page) == first
    page.locator(".cl-looks tbody tr").nth(6).locator(".cl-pair").nth(7).click()
    assert shares(page) == pytest.approx(first, abs=0.1)


def test_who_is_kept_apart_from_everybody_finds_nothing(show):
    page = show(FIGURE)
    row = page.locator(".cl-looks tbody tr").nth(1)
    for pair in row.locator(".cl-pair").all():
        pair.click()
    assert all(share == share for share in shares(page))
    assert set(row.locator(".cl-pair").all_text_contents()) == {"×"}
