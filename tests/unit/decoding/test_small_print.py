"""What the docstrings of the searches promise at the borders."""

import pytest
import torch

from course_lib.data.tokens.tokenizer import PAD
from course_lib.decoding.beam import beam, beam_hypotheses
from course_lib.decoding.exact import most_probable
from course_lib.decoding.greedy import greedy
from course_lib.decoding.sample import kept_probabilities, sample
from tests.unit.decoding.test_beam import END, START, TRAP, A, B, C, Chain, batch


@pytest.mark.parametrize("search", ["beam", "sample", "exact"])
def test_other_start_and_end_tokens(search):
    model = Chain({START: {END: 1.0}, A: {C: 1.0}, C: {B: 1.0}})
    asked = {"start": A, "end": B, "max_length": 4}
    if search == "exact":
        found = [h.ids for h in most_probable(model, *batch([C, B]), **asked)]
    else:
        ways = {
            "beam": beam,
            "sample": lambda *b, **k: sample(*b, generator=torch.Generator(), **k),
        }
        found = ways[search](model, *batch([C, B]), **asked).ids
    assert found == [[C]]


@pytest.mark.parametrize("end", [PAD, A], ids=["PAD", "start"])
@pytest.mark.parametrize("search", [beam, greedy, most_probable])
def test_an_end_that_is_never_written_is_refused(search, end):
    asked = {"start": A, "end": end, "max_length": 4}
    with pytest.raises(ValueError, match=f"want an end that can be written; got {end}"):
        search(Chain(TRAP), *batch([C, B]), **asked)


def test_a_point_of_zero_draws_nothing_that_was_cut(monkeypatch):
    monkeypatch.setattr(torch, "rand", lambda count, **_: torch.zeros(count))
    model = Chain({START: {B: 1.0}, B: {END: 1.0}})
    asked = {"generator": torch.Generator(), "top_k": 1, "max_length": 3}
    assert sample(model, *batch([A, END]), **asked).ids == [[B]]


def test_a_nucleus_that_is_filled_exactly_takes_no_more():
    assert kept_probabilities(torch.zeros(2), top_p=0.5).tolist() == [1.0, 0.0]


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_raised_before_it_is_drawn_from(dtype):
    logits = torch.randn(3, 500, generator=torch.Generator().manual_seed(0)).to(dtype)
    torch.testing.assert_close(kept_probabilities(logits), logits.float().softmax(-1))


def test_a_sentence_is_searched_while_the_longest_could_still_win():
    shares = {START: {END: 0.65, A: 0.35}, A: {B: 1}, B: {C: 1}, C: {1: 1}, 1: {END: 1}}
    found = beam(Chain(shares), *batch([A, END]), beams=2, alpha=2.0, max_length=4)
    assert found.ids == [[A, B, C, 1]]


def test_log_probabilities_are_taken_in_single_precision():
    model = Chain({START: {A: 0.3, B: 0.7}, B: {END: 1.0}}).bfloat16()
    found = beam_hypotheses(model, *batch([A, END]), beams=2, alpha=0.0, max_length=3)[0][0]
    table = model.table.float().log_softmax(-1)
    assert found.ids == [B]
    assert found.log_probability == pytest.approx(float(table[START, B] + table[B, END]), abs=1e-6)


def test_a_nucleus_of_everything_cuts_nothing():
    peaked = 6 * torch.randn(200, 5, generator=torch.Generator().manual_seed(1))
    share = peaked.softmax(-1)
    kept = kept_probabilities(peaked, top_p=1.0)
    assert ((kept > 0) == (share > 0)).all()
    assert torch.allclose(kept, share)
