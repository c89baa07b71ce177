"""Change a word: the page's network is PyTorch's, menus and words do what they say."""

import base64
import re

import pytest
import torch

from course_lib.experiments.decomposable import in_page
from course_lib.experiments.decomposable.in_page import MENUS
from course_lib.figures.touch.core import web_file
from tests.book.checks import colour_violations, violations
from tests.book.test_interactive_figures import DARK, LIGHT, show

__all__ = ["show"]

pytestmark = pytest.mark.browser

FIGURE = in_page.show()._repr_html_()


def shares(page) -> list[float]:
    return [float(text) for text in page.locator(".cl-share").all_text_contents()]


def wanted(premise, hypothesis, out=()) -> list[float]:
    model, words = in_page.load()
    sentences = [in_page.sentence(MENUS, chosen) for chosen in (premise, hypothesis)]
    with torch.no_grad():
        looked = model.look(*in_page.inputs_of(words, *sentences))
        second = looked.hypothesis_compared.clone()
        second[:, list(out)] = 0.0
        both = torch.cat([looked.premise_compared.sum(1), second.sum(1)], dim=-1)
        found = model.verdict(model.aggregate(both))[0].softmax(-1)
    return found.tolist()


def test_the_page_computes_what_pytorch_computes(chromium):
    model, words = in_page.load()
    page = chromium.new_page()
    page.evaluate(
        f"base64 => {{ {web_file('net.js')}; {web_file('verdict.js')};"
        " net = decomposableNet(readTensors(base64).tensors); }",
        base64.b64encode(in_page.STORED.read_bytes()).decode(),
    )
    pairs = in_page.drawn(60, seed=3)
    ids = [[[0, *(words.index(word) for word in side)] for side in pair[:2]] for pair in pairs]
    found = page.evaluate("all => all.map(([a, b]) => net.look(a, b, [new Set(), new Set()]))", ids)
    for pair, one in zip(pairs, found, strict=True):
        with torch.no_grad():
            looked = model.look(*in_page.inputs_of(words, *pair[:2]))
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


def test_a_word_is_left_out_by_pointer_and_keyboard(show):
    page = show(FIGURE)
    word = page.locator(".cl-board tbody .cl-word").nth(2)
    word.click()
    assert word.get_attribute("aria-pressed") == "true"
    without = wanted(MENUS.premise, MENUS.hypothesis, out=[2])
    assert shares(page) == pytest.approx(without, abs=0.006)
    page.keyboard.press("Enter")
    assert word.get_attribute("aria-pressed") == "false"


def test_the_state_is_in_the_address(show):
    page = show(FIGURE)
    page.get_by_label("Premise: whom", exact=True).select_option(index=4)
    page.locator(".cl-board tbody .cl-word").nth(1).click()
    match = re.search(r"#verdict=([\d.]+)~([\d.]+)~~1$", page.evaluate("location.hash"))
    assert match
    assert match[1].split(".")[2] == "4"


@pytest.mark.parametrize(("html", "width"), [(LIGHT, 900), (DARK, 390)])
def test_it_is_accessible_and_fits(show, html, width):
    page = show(FIGURE, width=width, html=html)
    page.locator(".cl-board tbody .cl-word").nth(1).click()
    assert violations(page) == []
    assert colour_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
