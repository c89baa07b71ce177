"""Heads to switch: the page's network is PyTorch's, maps and words do what they say."""

import base64
import re

import pytest
import torch

from course_lab.experiments.multi_head import gaps, in_page
from course_lib.models.cloze import without_heads
from tests.book.checks import scripts

pytestmark = pytest.mark.browser

FIGURE = in_page.show()._repr_html_()
PAGE = in_page.load()
TEXT, GAP = in_page.SENTENCES[0]


def shares(page) -> list[float]:
    return [float(text) for text in page.locator(".cl-share").all_text_contents()]


def wanted(text=TEXT, gap=GAP, off=()) -> list[float]:
    """Bars as PyTorch has them: the likeliest words of the whole network, without some heads.

    Then the likeliest of the other words, and the rest of these.
    """
    whole = in_page.filled(PAGE, text.split(), gap)
    found = in_page.filled(PAGE._replace(model=without_heads(PAGE.model, off)), text.split(), gap)
    named = found[whole.topk(in_page.SHOWN).indices]
    others = found.index_fill(0, whole.topk(in_page.SHOWN).indices, 0)
    return [*named.tolist(), others.max().item(), (others.sum() - others.max()).item()]


def test_the_page_computes_what_pytorch_computes(chromium):
    page = chromium.new_page()
    page.evaluate(
        f"base64 => {{ {scripts('maths', 'net', 'switches')};"
        f" net = clozeNet(readTensors(base64).tensors, {gaps.HEADS}); }}",
        base64.b64encode(in_page.STORED.read_bytes()).decode(),
    )
    for parsed in gaps.make_world().test[:25]:
        batch = gaps.batch_of([parsed.words], [1], PAGE.vocabulary)
        ids = batch.inputs[0][0].tolist()
        for off in ([], [(0, 1), (1, 2)]):
            names = [f"{n}.{h}" for n, h in off]
            found = page.evaluate("([ids, off]) => net.fill(ids, 1, new Set(off))", [ids, names])
            model = without_heads(PAGE.model, off)
            with torch.no_grad():
                logits = model(*batch.inputs)[0].softmax(-1)
                looks = model.attention_maps(*batch.inputs[:2])[0]
            torch.testing.assert_close(torch.tensor(found["shares"]), logits, atol=1e-5, rtol=1e-4)
            torch.testing.assert_close(torch.tensor(found["weights"]), looks, atol=1e-5, rtol=1e-4)
    page.close()


def test_a_head_goes_off_and_on_by_pointer_and_keyboard(show):
    page = show(FIGURE)
    assert shares(page) == pytest.approx(wanted(), abs=0.006)
    head = page.locator(".cl-head").first
    head.click()
    assert head.get_attribute("aria-pressed") == "false"
    assert shares(page) == pytest.approx(wanted(off=[(0, 0)]), abs=0.006)
    said = page.locator(".cl-say").inner_text()
    assert "“has”" in said
    assert "without layer 1, head 1" in said
    page.keyboard.press("Enter")
    assert shares(page) == pytest.approx(wanted(), abs=0.006)


def test_another_word_becomes_the_gap_another_sentence_is_taken_and_reset_goes_back(show):
    page = show(FIGURE)
    page.locator(".cl-word").nth(1).click()
    assert shares(page) == pytest.approx(wanted(gap=1), abs=0.006)
    text, gap = in_page.SENTENCES[3]
    page.locator("select").select_option(index=3)
    assert page.locator(".cl-word").count() == len(text.split())
    assert shares(page) == pytest.approx(wanted(text, gap), abs=0.006)
    page.locator(".cl-head").nth(5).click()
    page.get_by_role("button", name="All heads on").click()
    assert shares(page) == pytest.approx(wanted(text, gap), abs=0.006)
    page.get_by_role("button", name="Reset").click()
    assert shares(page) == pytest.approx(wanted(), abs=0.006)


def test_the_word_that_wins_has_a_bar_with_its_name_whatever_is_off(show):
    page = show(FIGURE)
    for head in page.locator(".cl-head").all()[:7]:
        head.click()
        said = re.search("The network says “(.*?)”", page.locator(".cl-say").inner_text())[1]
        names = page.locator(".cl-bar-rows .cl-label").all_inner_texts()
        *named, rest = shares(page)
        assert names[named.index(max(named))] == said
        assert max(named) >= max(named[:-1])
        assert rest >= 0
        assert names[-1] == "any other word"
    assert said not in names[: in_page.SHOWN]


def test_a_first_tap_shows_where_a_head_looks_and_the_next_one_switches_it(show):
    page = show(FIGURE, width=390, has_touch=True)
    head = page.locator(".cl-head").nth(2)
    before = shares(page)
    head.tap()
    assert (
        "layer 1, head 3. Tap its map to switch it off." in page.locator(".cl-stage").inner_text()
    )
    assert head.get_attribute("aria-pressed") == "true"
    assert page.locator(".cl-head.cl-seen .cl-name").all_inner_texts() == ["layer 1, head 3"]
    assert shares(page) == before
    head.tap()
    assert head.get_attribute("aria-pressed") == "false"
    assert head.locator(".cl-mode").inner_text() == "off"
    assert "layer 1, head 3. Tap its map to switch it on." in page.locator(".cl-stage").inner_text()
    assert shares(page) == pytest.approx(wanted(off=[(0, 2)]), abs=0.006)
    head.tap()
    assert shares(page) == before


def test_by_key_the_focus_shows_a_head_and_enter_switches_it_after_a_finger_too(show):
    page = show(FIGURE, width=390, has_touch=True)
    page.locator(".cl-head").nth(4).tap()
    page.keyboard.press("Tab")
    assert page.locator(".cl-head.cl-seen .cl-name").all_inner_texts() == ["layer 2, head 2"]
    page.keyboard.press("Enter")
    assert page.locator(".cl-head.cl-off .cl-name").all_inner_texts() == ["layer 2, head 2"]
    page.keyboard.press("Space")
    assert page.locator(".cl-head.cl-off").count() == 0
