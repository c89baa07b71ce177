"""Readers meet the same conditions, and are measured by what they write on their own."""

from types import SimpleNamespace

import pytest
import torch

from course_lab.experiments.soft_and_hard import reading
from course_lab.experiments.soft_and_hard import scenes as shared
from course_lib.data.tokens.tokenizer import START
from course_lib.models.protocol import Output


@pytest.fixture(scope="module")
def held_out():
    return shared.held_out("valid", 40)


def test_a_batch_is_a_scene_in_and_its_digits_out(held_out):
    batch = shared.batch_of(held_out)
    assert batch.source.shape == (40, shared.PLACES, shared.PIXELS)
    assert (batch.target_in[:, 0] == START).all()
    assert torch.equal(batch.target_in[:, 1:], batch.target_out[:, :-1])
    assert torch.equal(batch.target_out - shared.FIRST, held_out.digits)
    assert batch.source_mask.all()
    assert batch.target_mask.all()
    assert batch.tokens == 120
    assert batch.target_out.max() < shared.VOCABULARY


def test_all_variants_have_the_same_parts():
    sizes = {
        tuple((name, tuple(p.shape)) for name, p in reading.make(variant, 0).named_parameters())
        for variant in reading.LEARNING_RATES
    }
    assert len(sizes) == 1
    one, other = (list(reading.make(v, 3).parameters()) for v in ("soft", "hard"))
    assert all(map(torch.equal, one, other))


def test_the_control_weighs_every_patch_alike(held_out):
    batch = shared.batch_of(held_out)
    for variant in ("equal", "equal, longer"):
        reader = reading.make(variant, 0)
        out = reader(batch.source, batch.source_mask, batch.target_in, return_attention=True)
        assert (out.attention == 1 / shared.PLACES).all()


def test_what_is_measured_has_a_known_answer(held_out, monkeypatch):
    true = (held_out.digits + shared.FIRST).tolist()
    weights = torch.nn.functional.one_hot(held_out.places, shared.PLACES).float()
    for row in range(10):
        true[row] = [shared.FIRST + 10] * shared.DIGITS  # all wrong
    true[10][0] = shared.FIRST + 10
    true[11] = true[11][:1]  # stopped early: two of three missing
    looked = list(weights)
    looked[0] = looked[0].roll(1, dims=0)
    moved = (held_out.places[0] == held_out.places[0].roll(1)).sum()
    answer = SimpleNamespace(ids=true, weights=looked)
    monkeypatch.setattr(reading, "greedy", lambda *_, **__: answer)
    found = reading.measure(reading.make("hard", 0), held_out)
    assert found.digits == pytest.approx((120 - 30 - 1 - 2) / 120)
    assert found.scenes == pytest.approx((40 - 12) / 40)
    assert found.places == pytest.approx((120 - 3 + int(moved)) / 120)


def test_the_reward_is_the_likelihood_and_a_bonus_for_the_improbable(held_out):
    batch = shared.batch_of(held_out)
    logits = torch.zeros(40, 3, shared.VOCABULARY, requires_grad=True)
    drawn = torch.full((40, 3), -2.0, requires_grad=True)
    output = Output(logits, None, drawn)
    plain = reading.reward(output, batch)
    torch.testing.assert_close(plain, torch.full((40,), -3 * float(torch.tensor(14.0).log())))
    more = reading.reward(output, batch, entropy=0.5)
    torch.testing.assert_close(more - plain, torch.full((40,), 3.0))
    more.sum().backward()
    assert drawn.grad is None  # the bonus counts as a number
    assert (logits.grad != 0).any()
