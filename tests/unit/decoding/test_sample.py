"""Sampling: what is kept, what is drawn, and whose draws depend on whom."""

import pytest
import torch

from course_lib.data.tokens.tokenizer import END, START
from course_lib.decoding.greedy import greedy
from course_lib.decoding.sample import kept_probabilities, sample
from course_lib.models.registry import build
from tests.sizes import small
from tests.stubs import NextWord, Reciter
from tests.unit.decoding.test_beam import batch

A, B, C = 4, 5, 6
SHARES = torch.tensor([0.5, 0.25, 0.15, 0.1])
LOGITS = SHARES.log() + 3


def seed(number: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(number)


@pytest.mark.parametrize(
    ("settings", "wanted"),
    [
        ({}, [0.5, 0.25, 0.15, 0.1]),
        ({"top_k": 2}, [2 / 3, 1 / 3, 0, 0]),
        ({"top_k": 9}, [0.5, 0.25, 0.15, 0.1]),
        ({"top_p": 0.74}, [2 / 3, 1 / 3, 0, 0]),
        ({"top_p": 0.76}, [5 / 9, 2.5 / 9, 1.5 / 9, 0]),
        ({"top_p": 0.75}, [2 / 3, 1 / 3, 0, 0]),
        ({"top_p": 0.9}, [5 / 9, 2.5 / 9, 1.5 / 9, 0]),
        ({"top_p": 0.01}, [1, 0, 0, 0]),
        ({"top_p": 1.0}, [0.5, 0.25, 0.15, 0.1]),
        ({"top_k": 2, "top_p": 0.6}, [1, 0, 0, 0]),
        ({"temperature": 0.5}, [0.25 / 0.345, 0.0625 / 0.345, 0.0225 / 0.345, 0.01 / 0.345]),
    ],
)
def test_what_is_kept_by_hand(settings, wanted):
    order = torch.tensor([2, 0, 3, 1])
    wanted = torch.tensor(wanted, dtype=torch.float32)
    for logits, share in ((LOGITS, wanted), (LOGITS[order], wanted[order])):
        torch.testing.assert_close(kept_probabilities(logits, **settings), share)


def test_a_sum_that_is_exactly_enough_keeps_no_more():
    share = torch.tensor([0.5, 0.3, 0.1, 0.1])
    kept = kept_probabilities(share.log(), top_p=0.8)
    torch.testing.assert_close(kept, torch.tensor([0.625, 0.375, 0.0, 0.0]))


class Shares(NextWord):
    """Every token by fixed probabilities."""

    def __init__(self) -> None:
        super().__init__({}, 7)
        table = torch.zeros(7)
        table[torch.tensor([A, B, C, END])] = SHARES
        self.table[:] = table.log()


def test_tokens_come_as_often_as_they_are_probable():
    source = batch(*[[A, END]] * 4000)
    drawn = sample(Shares(), *source, generator=seed(), max_length=1)
    first = [ids[0] if ids else END for ids in drawn.ids]
    found = torch.tensor([first.count(token) / 4000 for token in (A, B, C, END)])
    # Three standard deviations of a share of 4,000.
    torch.testing.assert_close(found, SHARES, rtol=0, atol=0.024)
    cut = sample(Shares(), *source, generator=seed(), max_length=3, top_k=2)
    assert {token for ids in cut.ids for token in ids} == {A, B}


@pytest.mark.parametrize("name", ["cho", "luong", "transformer"])
def test_the_one_best_token_is_greedy_search_and_a_seed_means_the_same(name):
    model = build(name, small(name, 7), seed(1)).eval()
    source = batch([A, B, END], [C, END])
    wanted = greedy(model, *source, max_length=5, return_attention=True)
    for settings in ({"top_k": 1}, {"top_p": 1e-6}, {"temperature": 1e-4}):
        found = sample(
            model, *source, generator=seed(), max_length=5, return_attention=True, **settings
        )
        assert found.ids == wanted.ids
        assert found.finished == wanted.finished
    one, same, other = (
        sample(model, *source, generator=seed(s), max_length=20).ids for s in (3, 3, 4)
    )
    assert one == same != other


def test_who_ends_early_changes_nothing_for_the_others():
    """Row 1 draws the same whether row 0 has left the batch or not."""
    plain = Shares()
    kept = sample(plain, *batch([A, END], [A, END]), generator=seed(5), max_length=30)
    endless = Shares()
    step = endless.step

    def never(token, state, memory, *, return_attention=False):
        found = step(token, state, memory, return_attention=return_attention)
        logits = found.logits.clone()
        if len(logits) == 2:
            logits[0, END] = -torch.inf
        return found._replace(logits=logits)

    endless.step = never
    other = sample(endless, *batch([A, END], [A, END]), generator=seed(5), max_length=30)
    assert len(other.ids[0]) > len(kept.ids[0])
    assert other.ids[1] == kept.ids[1]


def test_finished_sentences_leave_the_batch():
    model = Reciter()
    found = greedy(
        model, *batch([A, END], [END], [B, B, B, END]), max_length=9, return_attention=True
    )
    assert model.fed == [[START] * 3, [A, B], [B], [B]]
    assert found.ids == [[A], [], [B, B, B]]
    assert [tuple(w.shape) for w in found.weights] == [(1, 2), (0, 1), (3, 4)]
    assert torch.equal(found.weights[2], torch.eye(4)[:3])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_raised_before_it_is_drawn_from(dtype):
    logits = torch.randn(3, 500, generator=torch.Generator().manual_seed(0)).to(dtype)
    torch.testing.assert_close(kept_probabilities(logits), logits.float().softmax(-1))


def test_a_nucleus_of_everything_cuts_nothing():
    peaked = 6 * torch.randn(200, 5, generator=torch.Generator().manual_seed(1))
    share = peaked.softmax(-1)
    kept = kept_probabilities(peaked, top_p=1.0)
    assert ((kept > 0) == (share > 0)).all()
    assert torch.allclose(kept, share)


def test_a_point_of_zero_draws_nothing_that_was_cut(monkeypatch):
    monkeypatch.setattr(torch, "rand", lambda count, **_: torch.zeros(count))
    model = NextWord({START: B, B: END}, 7)
    asked = {"generator": torch.Generator(), "top_k": 1, "max_length": 3}
    assert sample(model, *batch([A, END]), **asked).ids == [[B]]
