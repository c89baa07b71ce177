"""What each single update does: its dropout, its learning rate, its moments, its mode."""

import random
from itertools import pairwise

import pytest
import torch
from torch import nn

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.models.registry import build
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import translation_loss
from tests.sizes import small as sized

VOCABULARY = 10


def small(dropout=0.0):
    config = {"source_vocabulary": VOCABULARY, "target_vocabulary": VOCABULARY}
    config |= {"embedding": 6, "hidden": 8, "dropout": dropout}
    return build("dot", config, torch.Generator().manual_seed(0))


def one_batch():
    """The same batch in every step, so that what differs between steps is not the data."""
    draw = random.Random(0)
    lines = [draw.choices(range(4, VOCABULARY), k=draw.randint(2, 6)) for _ in range(8)]
    pairs = [EncodedPair([*line, END], line) for line in lines]
    return Batches(pairs, pairs_per_batch=8, shuffle=False)


def train(model, config, **options):
    return fit(model, one_batch(), None, config, device="cpu", progress=False, **options)


def steps_of(model, config):
    """How far each step moved each weight: one dictionary a step."""
    seen = [{name: p.detach().clone() for name, p in model.named_parameters()}]

    def metric(model):
        seen.append({name: p.detach().clone() for name, p in model.named_parameters()})
        return 0.0

    train(model, config, metric=metric)
    return [
        {name: (after[name] - before[name]).double() for name in after}
        for before, after in pairwise(seen)
    ]


def test_each_step_has_its_own_learning_rate_not_its_neighbours():
    """Without moments and with a tiny epsilon an update is the rate in the gradient's direction."""
    config = FitConfig(
        steps=5,
        validate_every=1,
        learning_rate=1e-3,
        warmup=5,
        betas=(0.0, 0.0),
        epsilon=1e-30,
        clip_norm=None,
    )
    for number, moved in enumerate(steps_of(small(), config), start=1):
        largest = max(float(change.abs().max()) for change in moved.values())
        assert largest == pytest.approx(1e-3 * number / 5, rel=1e-3), f"step {number}"


@pytest.mark.parametrize("betas", [(0.9, 0.999), (0.5, 0.8)])
def test_moments_decay_by_the_betas(betas):
    """Kingma & Ba 2015, algorithm 1, on one weight whose gradients are known."""
    epsilon, rate = 1e-8, 1e-2
    gradients = []
    model = small()
    weight = model.words.weight
    (batch,) = one_batch().sequential()
    # The hook sees the gradient of the summed loss, which is then divided by the tokens.
    weight.register_hook(lambda gradient: gradients.append(gradient.double() / batch.tokens))
    config = FitConfig(
        steps=3, validate_every=1, learning_rate=rate, betas=betas, epsilon=epsilon, clip_norm=None
    )
    moves = [step["words.weight"] for step in steps_of(model, config)]
    mean, square = 0.0, 0.0
    for t, (gradient, moved) in enumerate(zip(gradients, moves, strict=True), start=1):
        mean = betas[0] * mean + (1 - betas[0]) * gradient
        square = betas[1] * square + (1 - betas[1]) * gradient**2
        unbiased = mean / (1 - betas[0] ** t), square / (1 - betas[1] ** t)
        wanted = -rate * unbiased[0] / (unbiased[1].sqrt() + epsilon)
        torch.testing.assert_close(moved, wanted, rtol=1e-3, atol=1e-6)


def test_a_better_score_gives_patience_back():
    metrics = iter([1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 0.0, 9.0])
    config = FitConfig(steps=50, validate_every=1, patience=2)
    history = train(small(), config, metric=lambda _: next(metrics))
    assert (history.steps, history.best_step, history.stopped) == (7, 5, "patience")


def test_an_update_starts_from_no_old_gradient():
    """Left-over gradients of the caller, or of the step before, are not added to."""
    left, right = small(), small()
    for parameter in right.parameters():
        parameter.grad = torch.full_like(parameter, 1e3)
    for model in (left, right):
        train(model, FitConfig(steps=2, learning_rate=1e-2))
    for one, other in zip(left.parameters(), right.parameters(), strict=True):
        assert torch.equal(one, other)


def test_an_update_is_by_the_mean_over_the_tokens_of_its_batch():
    """With a huge epsilon AdamW moves by rate / epsilon times the gradient."""
    config = FitConfig(steps=1, learning_rate=1e6, epsilon=1e6, clip_norm=None, validate_every=1)
    model = small()
    (batch,) = one_batch().sequential()
    logits = model(batch.source, batch.source_mask, batch.target_in).logits
    loss = torch.nn.functional.cross_entropy(
        logits[batch.target_mask], batch.target_out[batch.target_mask]
    )
    gradients = torch.autograd.grad(loss, list(model.parameters()))
    names = [name for name, _ in model.named_parameters()]
    (moved,) = steps_of(model, config)
    for name, gradient in zip(names, gradients, strict=True):
        torch.testing.assert_close(moved[name], -gradient.double(), rtol=1e-2, atol=1e-6)


WIDTH, WARMUP = 8, 3


def task():
    lines = [[4, 5, 6], [6], [5, 4, 4, 7]]
    return Batches([EncodedPair([*line, END], line) for line in lines], pairs_per_batch=3)


def model():
    return build("transformer", sized("transformer", 9), torch.Generator().manual_seed(0))


@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_the_objective_smooths_as_torch_does_in_value_and_gradient(smoothing):
    net, batch = model().double(), next(task().sequential())
    found = translation_loss(net, batch, label_smoothing=smoothing).mean
    ours = torch.autograd.grad(found, [*net.parameters()])
    logits = net(batch.source, batch.source_mask, batch.target_in).logits
    real = batch.target_mask
    loss = nn.CrossEntropyLoss(label_smoothing=smoothing)(logits[real], batch.target_out[real])
    torch.testing.assert_close(found, loss)
    for one, two in zip(ours, torch.autograd.grad(loss, [*net.parameters()]), strict=True):
        torch.testing.assert_close(one, two, rtol=1e-8, atol=1e-12)


def test_every_update_is_in_training_mode_whatever_the_caller_left_and_validation_did():
    modes = []
    model = small(dropout=0.5)
    model.register_forward_hook(
        lambda net, *_: modes.append(net.training) if torch.is_grad_enabled() else None
    )
    train(model.eval(), FitConfig(steps=4, validate_every=2), metric=lambda net: 0.0)
    assert modes == [True] * 4
    assert not model.training
