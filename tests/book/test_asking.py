"""The stepper of self-attention in a browser: its numbers are PyTorch's, each cell is in reach."""

import pytest
import torch

from course_lab.experiments.self_attention import in_page
from tests.book.catalogue import html
from tests.book.piece import Piece

pytestmark = pytest.mark.browser

SENTENCES = list(in_page.SENTENCES)
STEPS = ("X", "QKV", "QKᵀ", "÷√dₖ", "mask", "softmax", "×V", "out")
MATRIX = ".cl-matrix tbody tr"


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
