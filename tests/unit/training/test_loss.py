"""Losses are counted by tokens; perplexity is their exponential."""

import inspect
import math

import pytest
import torch
from torch import nn

from course_lib.data.batch import Batches, EncodedPair
from course_lib.training.loss import perplexity, summed_loss, token_loss
from course_lib.training.objective import measure
from tests.stubs import Uneven


def batches():
    easy = EncodedPair([9, 3], [5] * 7)
    hard = EncodedPair([8, 3], [5])
    return Batches([easy, hard], pairs_per_batch=1)


def test_a_long_sentence_weighs_more_than_a_short_one():
    nats, tokens = measure(Uneven(10), batches().sequential())
    assert tokens == 8 + 2
    # Averaged over the two batches instead, this would be log(10) / 2.
    assert nats / tokens == pytest.approx(math.log(10) * 2 / 10, rel=1e-6)


def test_measuring_is_in_eval_mode_without_gradients_and_gives_the_mode_back():
    model = Uneven(10)
    measure(model.train(), batches().sequential())
    assert set(model.modes) == {(False, False)}
    assert model.training
    measure(model.eval(), batches().sequential())
    assert not model.training


def test_measuring_leaves_frozen_parts_frozen():
    model = Uneven(10).train()
    model.part = nn.Linear(1, 1).eval().requires_grad_(False)
    measure(model, batches().sequential())
    assert model.training
    assert not model.part.training
    assert not model.part.weight.requires_grad


def test_uniform_logits_cost_the_logarithm_of_the_vocabulary():
    mask = torch.tensor([[True, True, False]])
    loss = token_loss(torch.zeros(1, 3, 10), torch.tensor([[4, 3, 0]]), mask)
    assert loss.count == 2
    assert float(loss.mean) == pytest.approx(math.log(10))
    assert perplexity(float(loss.total), loss.count) == pytest.approx(10.0)


def test_by_hand_with_label_smoothing():
    logits = torch.log(torch.tensor([[[0.7, 0.2, 0.1]]]))
    one = torch.ones(1, 1, dtype=torch.bool)
    got = summed_loss(logits, torch.tensor([[0]]), one, label_smoothing=0.3)
    # The true token gets 1 - 0.3 + 0.1, each other one 0.1.
    wanted = -(0.8 * math.log(0.7) + 0.1 * math.log(0.2) + 0.1 * math.log(0.1))
    assert float(got) == pytest.approx(wanted, rel=1e-6)


def test_perplexity_of_a_hopeless_model_is_infinite_and_of_nothing_an_error():
    assert perplexity(1e6, 10) == math.inf
    assert perplexity(0.0, 3) == 1.0
    with pytest.raises(ValueError, match="at least one token"):
        perplexity(0.0, 0)


@pytest.mark.parametrize("label_smoothing", [-0.1, 1.0, float("nan")])
def test_an_impossible_label_smoothing_is_refused(label_smoothing):
    one = torch.ones(1, 1, dtype=torch.bool)
    with pytest.raises(ValueError, match="label smoothing from 0"):
        summed_loss(torch.zeros(1, 1, 4), torch.zeros(1, 1).long(), one, label_smoothing)


@pytest.mark.parametrize("token", [-100, -1, 4])
def test_a_real_target_outside_the_vocabulary_is_an_error_not_padding(token):
    one = torch.ones(1, 1, dtype=torch.bool)
    with pytest.raises(RuntimeError, match="out of bounds"):
        summed_loss(torch.zeros(1, 1, 4), torch.tensor([[token]]), one)


@pytest.mark.parametrize("kind", [torch.float32, torch.bool, torch.complex64])
def test_targets_that_are_no_integers_are_refused(kind):
    one = torch.ones(1, 1, dtype=torch.bool)
    # The decorator of the tests would refuse them first.
    plain = inspect.unwrap(summed_loss)
    with pytest.raises(TypeError, match="want targets as ids, of an integer type"):
        plain(torch.zeros(1, 1, 4), torch.ones(1, 1).to(kind), one)
    with pytest.raises(TypeError, match="want a boolean mask"):
        plain(torch.zeros(1, 1, 4), torch.zeros(1, 1).long(), one.long())


def test_small_integers_are_ids_too():
    one = torch.ones(1, 1, dtype=torch.bool)
    target = torch.tensor([[100]])
    logits = torch.randn(1, 1, 256)
    wanted = summed_loss(logits, target, one)
    assert torch.equal(summed_loss(logits, target.to(torch.int8), one), wanted)


def test_a_mean_over_nothing_is_an_error_not_nan():
    nothing = token_loss(torch.zeros(1, 1, 4), torch.zeros(1, 1).long(), torch.tensor([[False]]))
    with pytest.raises(ValueError, match="a token or more"):
        _ = nothing.mean
