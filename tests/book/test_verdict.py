"""Change a word: menus, words and pairs do what they say, and the shares are PyTorch's."""

import pytest
import torch

from course_lab.experiments.decomposable import in_page
from course_lab.experiments.decomposable.in_page import MENUS
from tests.book.catalogue import html
from tests.book.piece import Piece

pytestmark = pytest.mark.browser

NO = [*MENUS.slots["who"]].index("no young doctor")
WITH_NO = [(NO, *chosen[1:]) for chosen in (MENUS.premise, MENUS.hypothesis)]


def wanted(premise=MENUS.premise, hypothesis=MENUS.hypothesis, out=(), apart=()):
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
    return pytest.approx(found.tolist(), abs=0.006)


def take_no(piece, side: str) -> None:
    piece.root.get_by_label(f"{side}: who", exact=True).select_option(index=NO)


def test_a_changed_word_and_a_word_left_out_move_the_verdict_until_the_reset(show):
    """The steps below the figure, in their order: a word left out stays out until the reset."""
    piece = Piece(show(html("verdict")))
    assert piece.shares == wanted()
    take_no(piece, "Hypothesis")
    assert piece.shares == wanted(hypothesis=WITH_NO[1])
    assert piece.says.startswith("contradiction")
    assert "moved" in piece.says
    word = piece.find(".cl-looks tbody .cl-word").nth(1)
    word.click()
    assert piece.shares == wanted(hypothesis=WITH_NO[1], out=[1])
    assert piece.shares[2] < 0.01  # no contradiction any more
    piece.press("Reset")
    assert piece.shares == wanted()
    assert piece.shares[0] > 0.9
    for side in ("Premise", "Hypothesis"):
        take_no(piece, side)
    assert piece.shares == wanted(*WITH_NO)
    assert piece.shares[1] > 0.9
    assert "without" not in piece.says
    piece.press("Reset")
    word.focus()
    for pressed, out in (("true", [1]), ("false", [])):
        piece.keys("Enter")
        assert word.get_attribute("aria-pressed") == pressed
        assert piece.shares == wanted(out=out)


def test_two_words_are_kept_apart_by_pointer_and_keyboard(show):
    piece = Piece(show(html("verdict")))
    row = piece.find(".cl-looks tbody tr").nth(1)
    # every and every: the verdict hangs on them; animal and dog do not look at each other.
    pair = row.locator(".cl-pair").nth(1)
    pair.click()
    assert pair.get_attribute("aria-pressed") == "true"
    assert piece.shares == wanted(apart=[(1, 1)])
    assert piece.says.startswith("neutral")
    assert "with “every” and “every” kept apart" in piece.says
    piece.keys("ArrowDown", "ArrowRight", "Enter")
    assert piece.shares == wanted(apart=[(1, 1), (2, 2)])
    piece.press("Reset")
    # Who is kept apart from everybody finds nothing.
    for each in row.locator(".cl-pair").all():
        each.click()
    assert all(share == share for share in piece.shares)
    assert set(row.locator(".cl-pair").all_text_contents()) == {"×"}


def test_a_faint_weight_is_not_printed_and_the_longest_premise_fits_on_a_phone(show):
    piece = Piece(show(html("verdict"), width=390))
    fields = piece.find(".cl-looks .cl-pair").evaluate_all(
        "all => all.map(one => [one.ariaLabel, one.textContent])"
    )
    for label, text in fields:
        weight = float(label.split(", ")[-1].split(":")[0])
        assert bool(text) == (weight > 0.1) or 0.09 <= weight <= 0.1
        assert not text or float(text) >= 0.095
    piece.root.get_by_label("Premise: does", exact=True).select_option(index=1)
    box = piece.find(".cl-scroll:has(.cl-looks)")
    assert box.evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    small = box.locator("button").evaluate_all(
        "all => all.filter((one) => Math.min(one.offsetWidth, one.offsetHeight) < 24).length"
    )
    assert small == 0
