"""The stepper of self-attention in a browser: its numbers are PyTorch's, each cell is in reach."""

import itertools
import re

import pytest
import torch

from course_lab.experiments.self_attention import in_page

pytestmark = pytest.mark.browser

FIGURE = in_page.show()._repr_html_()
SENTENCES = list(in_page.SENTENCES)
STEPS = ("X", "QKV", "QKᵀ", "÷√dₖ", "mask", "softmax", "×V", "out")
PHONE = 358
"""Pixels that a page of the book leaves a figure on a screen of 390."""


def looked(net: str, sentence: str):
    with torch.inference_mode():
        return in_page.load()[net].look(*in_page.ids_of(sentence))


def matrix(page) -> list[list[str]]:
    rows = page.locator(".cl-matrix tbody tr").all()
    return [row.locator("button").all_inner_texts() for row in rows]


def as_weights(found: torch.Tensor) -> list[list[str]]:
    texts = [[f"{value:.2f}" for value in row] for row in found.tolist()]
    return [["0" if t == "0.00" else "1" if t == "1.00" else t[1:] for t in row] for row in texts]


def test_it_opens_on_the_weights_and_the_blank_that_asks_its_noun(show):
    page = show(FIGURE)
    assert matrix(page) == as_weights(looked("every word", SENTENCES[0]).weights[0])
    assert "of its attention, more than to any other" in page.locator(".cl-say").inner_text()
    assert page.get_by_role("radio", name="softmax").is_checked()


def test_the_blanks_stay_open_until_the_last_step_has_found_what_they_become(show):
    page = show(FIGURE)
    line = page.locator(".cl-asked")
    for step in STEPS[:-1]:
        page.get_by_role("radio", name=step, exact=True).check()
        assert page.locator(".cl-filled b").all_inner_texts() == ["_₁", "_₂"]
        assert "der" not in line.inner_text()
        assert "✓" not in line.inner_text()
    page.get_by_role("radio", name="out", exact=True).check()
    assert page.locator(".cl-filled b").all_inner_texts() == ["der", "den"]


@pytest.mark.parametrize("net", ["every word", "earlier words"])
def test_every_sentence_and_net_has_the_numbers_of_pytorch(show, net):
    page = show(FIGURE)
    page.get_by_role("radio", name=net).check()
    for number, sentence in enumerate(SENTENCES):
        page.locator("select").select_option(str(number))
        found = looked(net, sentence)
        page.get_by_role("radio", name="softmax").check()
        assert matrix(page) == as_weights(found.weights[0])
        page.get_by_role("radio", name="out", exact=True).check()
        blanks = [t for t, w in enumerate(in_page.blanked(sentence).words) if w == "_"]
        best = found.logits[0, blanks].softmax(-1).max(-1).values
        shown = page.locator(".cl-filled small").all_inner_texts()
        assert [text.split()[0] for text in shown] == [f"{share:.2f}" for share in best]


def test_scores_scale_and_mask_are_shown_step_by_step(show):
    page = show(FIGURE)
    page.get_by_role("radio", name="QKᵀ").check()
    found = looked("every word", SENTENCES[0])
    first = [float(text.replace("−", "-")) for text in matrix(page)[0]]
    assert first == pytest.approx(found.scores[0, 0].tolist(), abs=0.06)
    page.get_by_role("radio", name="earlier words").check()
    page.get_by_role("radio", name="mask").check()
    assert [row.count("−∞") for row in matrix(page)] == [5, 4, 3, 2, 1, 0]


def test_without_places_both_blanks_get_one_answer(show):
    page = show(FIGURE)
    page.get_by_role("radio", name="left out").check()
    page.get_by_role("radio", name="out", exact=True).check()
    first, second = page.locator(".cl-filled").all_inner_texts()
    assert first.split()[:2] == second.split()[:2]


def test_a_cell_is_picked_by_click_and_by_key_and_stays_in_the_address(show):
    page = show(FIGURE)
    page.get_by_role("button", name="Mann asks trägt").click()
    assert page.locator(".cl-matrix tr.cl-lit th").inner_text() == "Mann"
    page.keyboard.press("ArrowDown")
    pressed = page.locator('.cl-matrix [aria-pressed="true"]')
    assert pressed.get_attribute("aria-label").startswith("trägt asks trägt")
    page.wait_for_function("location.hash.includes('asking=')")
    page.get_by_role("button", name="Reset").click()
    assert pressed.get_attribute("aria-label").startswith("blank 2 asks Brief")
    page.get_by_role("button", name="Step").click()
    assert page.get_by_role("radio", name="×V").is_checked()


def hand_sum(told: str) -> tuple[float, float]:
    """What the products in a sentence add up to, and what the sentence says that they do."""
    terms, said = told.partition(": ")[2].replace("−", "-").rstrip(".").split(" ≈ ")
    signed = re.sub(r" ([+-]) ", r" \1", terms).split(" ")
    pairs = [term.replace("+", "").split("·") for term in signed]
    return sum(float(a) * float(b.strip("()")) for a, b in pairs), float(said)


@pytest.mark.parametrize("net", ["every word", "earlier words"])
def test_whoever_adds_up_what_is_shown_comes_to_the_sum_that_is_shown(show, net):
    page = show(FIGURE)
    page.get_by_role("radio", name=net).check()
    size = len(matrix(page))
    for i, j in itertools.product(range(size), repeat=2):
        page.get_by_role("radio", name="QKᵀ").check()
        page.locator(".cl-matrix tbody tr").nth(i).locator("button").nth(j).click()
        added, said = hand_sum(page.locator(".cl-say").inner_text())
        assert added == pytest.approx(said, abs=0.1)
        assert matrix(page)[i][j] == f"{said:.1f}".replace("-", "−")
        page.get_by_role("radio", name="÷√dₖ").check()
        told = page.locator(".cl-say").inner_text().rstrip(".").replace("−", "-")
        score, scaled = [float(part) for part in told.partition(": ")[2].split(" becomes ")]
        assert score / 2 == pytest.approx(scaled, abs=0.0101)
        if i != j:
            continue
        page.get_by_role("radio", name="×V").check()
        table = page.locator(".cl-role-context:visible tbody tr").all()
        rows = [
            [float(t.replace("−", "-")) for t in r.locator("td").all_inner_texts()] for r in table
        ]
        *parts, total = rows
        for c in range(1, len(total)):
            assert sum(part[0] * part[c] for part in parts) == pytest.approx(total[c], abs=0.1)


def test_no_sign_stands_for_a_word_in_what_is_read_out(show):
    page = show(FIGURE)
    names = page.locator(".cl-matrix button").evaluate_all("all => all.map(one => one.ariaLabel)")
    assert len(names) == 49
    assert not any("_" in name for name in names)
    assert names[-1].startswith("the full stop asks the full stop: ")
    page.get_by_role("radio", name="QKV").check()
    tops = page.locator(".cl-three caption").all_inner_texts()
    assert [top.partition(":")[0] for top in tops] == ["Q = X WQ", "K = X WK", "V = X WV"]
    assert page.locator(".cl-three caption sub").all_inner_texts() == ["Q", "K", "V"]
    for step in STEPS:
        page.get_by_role("radio", name=step, exact=True).check()
        assert "_" not in page.locator(".cl-say").inner_text()


def test_on_a_phone_all_tables_are_whole_and_no_step_changes_the_height(show):
    page = show(f"<div style='width:{PHONE}px'>{FIGURE}</div>", width=390, has_touch=True)
    for number in range(len(SENTENCES)):
        page.locator("select").select_option(str(number))
        heights = set()
        for step in STEPS:
            page.get_by_role("radio", name=step, exact=True).check()
            rooms = page.locator(".cl-stage .cl-scroll:visible").evaluate_all(
                "all => all.map(box => [box.clientWidth, box.scrollWidth])"
            )
            assert [whole for seen, whole in rooms if whole > seen] == []
            heights.add(page.locator(".cl-fig").evaluate("figure => figure.offsetHeight"))
        assert len(heights) == 1
        first, second, third = page.locator(".cl-three table").all()
        assert first.bounding_box()["y"] == second.bounding_box()["y"] < third.bounding_box()["y"]
