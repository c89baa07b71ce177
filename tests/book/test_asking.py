"""The stepper of self-attention in a browser: its numbers are PyTorch's, each cell is in reach."""

import re

import pytest
import torch

from course_lab.experiments.self_attention import in_page
from tests.book.catalogue import html
from tests.book.piece import Piece

pytestmark = pytest.mark.browser

SENTENCES = list(in_page.SENTENCES)
STEPS = ("X", "QKV", "QKᵀ", "÷√dₖ", "mask", "softmax", "×V", "out")
PHONE = 358
"""Pixels that a page of the book leaves a figure on a screen of 390."""
MATRIX = ".cl-matrix tbody tr"
# What is said of each cell at two steps, and the table of its row at a third.
EVERY_CELL = """() => {
    const step = name => [...document.querySelectorAll('.cl-fig input[type=radio]')]
        .find(e => e.labels[0].textContent.trim() === name).click();
    const say = () => document.querySelector('.cl-say').innerText;
    const cell = (i, j) => document.querySelectorAll('.cl-matrix tbody tr')[i]
        .querySelectorAll('button')[j];
    const size = document.querySelectorAll('.cl-matrix tbody tr').length, found = [];
    for (let i = 0; i < size; i += 1) for (let j = 0; j < size; j += 1) {
        step('QKᵀ');
        cell(i, j).click();
        const one = {sum: say(), score: cell(i, j).innerText, rows: []};
        step('÷√dₖ');
        one.scaled = say();
        if (i === j) {
            step('×V');
            one.rows = [...document.querySelectorAll('.cl-role-context tbody tr')]
                .filter(row => row.checkVisibility())
                .map(row => [...row.querySelectorAll('td')].map(e => e.innerText));
        }
        found.push(one);
    }
    return found;
}"""


def looked(net: str, sentence: str):
    with torch.inference_mode():
        return in_page.load()[net].look(*in_page.ids_of(sentence))


def as_weights(found: torch.Tensor) -> list[list[str]]:
    texts = [[f"{value:.2f}" for value in row] for row in found.tolist()]
    return [["0" if t == "0.00" else "1" if t == "1.00" else t[1:] for t in row] for row in texts]


def number(text: str) -> float:
    return float(text.replace("−", "-").strip("()"))


def test_steps_lead_to_the_blanks_answer_and_each_cell_is_in_reach(show):
    piece = Piece(show(html("asking")))
    assert "of its attention, more than to any other" in piece.says
    assert piece.root.get_by_role("radio", name="softmax").is_checked()
    names = piece.find(".cl-matrix button").evaluate_all("all => all.map(one => one.ariaLabel)")
    # No sign stands for a word in what is read out.
    assert len(names) == 36
    assert not any("_" in name for name in names)
    assert names[-1].startswith("the full stop attends to the full stop: ")
    # The blanks stay open until the last step has found what they become.
    for step in STEPS:
        piece.choose(step)
        assert "_" not in piece.says
        last = step == STEPS[-1]
        assert piece.texts(".cl-filled b") == (["der", "den"] if last else ["_₁", "_₂"])
        assert ("der" in piece.find(".cl-asked").inner_text()) == last
        if step == "QKV":
            tops = piece.texts(".cl-three caption")
            assert [top.partition(":")[0] for top in tops] == ["Q = X WQ", "K = X WK", "V = X WV"]
            assert piece.texts(".cl-three caption sub") == ["Q", "K", "V"]
    piece.choose("softmax")
    piece.root.get_by_role("button", name="Mann attends to trägt").click()
    assert piece.find(".cl-matrix tr.cl-lit th").inner_text() == "Mann"
    piece.keys("ArrowDown")
    pressed = piece.find('.cl-matrix [aria-pressed="true"]')
    assert pressed.get_attribute("aria-label").startswith("trägt attends to trägt")
    piece.press("Reset")
    assert pressed.get_attribute("aria-label").startswith("blank 2 attends to Brief")
    piece.press("Step")
    assert piece.root.get_by_role("radio", name="×V").is_checked()
    # Without places both blanks get one answer.
    piece.choose("left out", "out")
    first, second = piece.find(".cl-filled").all_inner_texts()
    assert first.split()[:2] == second.split()[:2]


@pytest.mark.parametrize("net", ["every word", "earlier words"])
def test_every_sentence_and_net_has_the_numbers_of_pytorch(show, net):
    piece = Piece(show(html("asking")))
    piece.choose(net, "QKᵀ")
    first = looked(net, SENTENCES[0])
    shown = [number(text) for text in piece.rows(MATRIX)[0]]
    assert shown == pytest.approx(first.scores[0, 0].tolist(), abs=0.06)
    piece.choose("mask")
    hidden = [5, 4, 3, 2, 1, 0] if net == "earlier words" else [0] * 6
    assert [row.count("−∞") for row in piece.rows(MATRIX)] == hidden
    for place, sentence in enumerate(SENTENCES):
        piece.take(place)
        found = looked(net, sentence)
        piece.choose("softmax")
        assert piece.rows(MATRIX) == as_weights(found.weights[0])
        piece.choose("out")
        blanks = [t for t, w in enumerate(in_page.blanked(sentence).words) if w == "_"]
        best = found.logits[0, blanks].softmax(-1).max(-1).values
        told = piece.find(".cl-filled small").all_inner_texts()
        assert [text.split()[0] for text in told] == [f"{share:.2f}" for share in best]


@pytest.mark.parametrize("net", ["every word", "earlier words"])
def test_whoever_adds_up_what_is_shown_comes_to_the_sum_that_is_shown(show, net):
    piece = Piece(show(html("asking")))
    piece.choose(net)
    cells = piece.page.evaluate(EVERY_CELL)
    assert len(cells) == 36
    for cell in cells:
        terms, said = cell["sum"].partition(": ")[2].replace("−", "-").rstrip(".").split(" ≈ ")
        pairs = [
            term.replace("+", "").split("·")
            for term in re.sub(r" ([+-]) ", r" \1", terms).split(" ")
        ]
        added = sum(number(a) * number(b) for a, b in pairs)
        assert added == pytest.approx(float(said), abs=0.1)
        assert cell["score"] == f"{float(said):.1f}".replace("-", "−")
        score, scaled = map(
            number, cell["scaled"].rstrip(".").partition(": ")[2].split(" becomes ")
        )
        assert score / 2 == pytest.approx(scaled, abs=0.0101)
        if cell["rows"]:
            *parts, total = [[number(text) for text in row] for row in cell["rows"]]
            for c in range(1, len(total)):
                assert sum(p[0] * p[c] for p in parts) == pytest.approx(total[c], abs=0.1)
    assert sum(bool(cell["rows"]) for cell in cells) == 6


def test_on_a_phone_all_tables_are_whole_and_no_step_changes_the_height(show):
    piece = Piece(show(f"<div style='width:{PHONE}px'>{html('asking')}</div>", 390, has_touch=True))
    for place in range(len(SENTENCES)):
        piece.take(place)
        heights = set()
        for step in STEPS:
            piece.choose(step)
            wide = piece.find(".cl-stage .cl-scroll:visible").evaluate_all(
                "all => all.filter(box => box.scrollWidth > box.clientWidth).length"
            )
            assert wide == 0
            heights.add(piece.root.evaluate("figure => figure.offsetHeight"))
        assert len(heights) == 1
        first, second, third = (e.bounding_box() for e in piece.find(".cl-three table").all())
        assert first["y"] == second["y"] < third["y"]
