"""The training loop does what its settings say, and writes down what it did."""

import math
import random
import signal
from dataclasses import replace

import pytest
import torch
from torch import nn

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.models.registry import MODELS, build
from course_lib.training import fit as fit_module
from course_lib.training.config import FitConfig
from course_lib.training.fit import adamw, fit
from course_lib.training.objective import measure, summed_loss
from tests.sizes import small as small_sizes

VOCABULARY = 10


def copy_task(count, seed=0, **sizes):
    draw = random.Random(seed)
    lines = [draw.choices(range(4, VOCABULARY), k=draw.randint(1, 7)) for _ in range(count)]
    sizes = sizes or {"pairs_per_batch": 8}
    return Batches([EncodedPair([*line, END], line) for line in lines], seed=seed, **sizes)


def small(name="dot", seed=0, **settings):
    return build(
        name, small_sizes(name, VOCABULARY) | settings, torch.Generator().manual_seed(seed)
    )


def weights(model):
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def same(left, right):
    return left.keys() == right.keys() and all(torch.equal(left[k], right[k]) for k in left)


def train(model, config, batches=None, valid=None, **options):
    batches = copy_task(24) if batches is None else batches
    return fit(model, batches, valid, config, device="cpu", progress=False, **options)


@pytest.mark.parametrize("name", sorted(MODELS))
def test_every_model_learns(name):
    model = small(name)
    batches = copy_task(24)
    before = measure(model, batches.sequential())[0]
    train(model, FitConfig(steps=12, learning_rate=0.02), batches)
    assert measure(model, batches.sequential())[0] < 0.9 * before


@pytest.mark.parametrize("label_smoothing", [0.0, 0.2])
def test_the_train_loss_is_the_mean_over_tokens_not_over_batches(label_smoothing):
    # A learning rate too small to move a weight: the loss of an epoch can be summed again.
    model = small()
    batches = copy_task(20, tokens_per_batch=24)
    assert len({batch.tokens / len(batch) for batch in batches.epoch(0)}) > 1
    config = FitConfig(epochs=1, learning_rate=1e-30, label_smoothing=label_smoothing)
    (record,) = train(model, config, batches).records
    nats = tokens = 0
    for batch in batches.epoch(0):
        logits = model(batch.source, batch.source_mask, batch.target_in).logits.detach()
        nats += float(summed_loss(logits, batch.target_out, batch.target_mask, label_smoothing))
        tokens += batch.tokens
    assert record.train_loss == pytest.approx(nats / tokens, rel=1e-6)


def test_the_order_of_batches_is_planned_once_an_epoch(monkeypatch, tmp_path):
    planned, plan = [], Batches._order
    monkeypatch.setattr(Batches, "_order", lambda self, n: planned.append(n) or plan(self, n))
    config = FitConfig(epochs=4, schedule="cosine", checkpoint_every=1)
    train(small(), config, valid=copy_task(8), directory=tmp_path)
    assert planned == [0, 1, 2, 3]


def test_a_record_covers_the_steps_since_the_one_before():
    model = small()
    batches = copy_task(24)
    config = FitConfig(steps=6, validate_every=2, learning_rate=1e-30)
    records = train(model, config, batches).records
    assert [record.step for record in records] == [2, 4, 6]
    assert [record.epoch for record in records] == pytest.approx([2 / 3, 4 / 3, 2])
    order = [*batches.epoch(0), *batches.epoch(1)]
    for i, record in enumerate(records):
        nats, tokens = measure(model, order[2 * i : 2 * i + 2])
        assert record.train_loss == pytest.approx(nats / tokens, rel=1e-6)


def test_the_gradient_norm_is_recorded_before_clipping():
    model = small()
    batches = copy_task(8)
    (record,) = train(
        model, FitConfig(steps=1, learning_rate=1e-30, clip_norm=1e-3), batches
    ).records
    (batch,) = batches.epoch(0)
    logits = model(batch.source, batch.source_mask, batch.target_in).logits
    (summed_loss(logits, batch.target_out, batch.target_mask) / batch.tokens).backward()
    norm = math.sqrt(sum(float(p.grad.pow(2).sum()) for p in model.parameters()))
    assert norm > 1e-2
    assert record.gradient_norm == pytest.approx(norm, rel=1e-5)


def test_the_gradient_is_clipped():
    # With a huge epsilon AdamW's first update is proportional to the gradient.
    def moved(clip_norm):
        model = small()
        before = weights(model)
        config = FitConfig(steps=1, epsilon=1e6, learning_rate=1e6, clip_norm=clip_norm)
        (record,) = train(model, config, copy_task(8)).records
        change = [(after - before[name]).norm() for name, after in weights(model).items()]
        return float(torch.stack(change).norm()), record.gradient_norm

    free, norm = moved(None)
    assert free == pytest.approx(norm, rel=1e-3)
    assert moved(norm / 4)[0] == pytest.approx(norm / 4, rel=1e-3)
    assert moved(norm * 4)[0] == pytest.approx(norm, rel=1e-3)


def test_reading_losses_late_as_on_a_gpu_changes_no_number(monkeypatch):
    config = FitConfig(steps=11, validate_every=5, learning_rate=0.01)
    left, right = small(dropout=0.2), small(dropout=0.2)
    at_once = train(left, config, valid=copy_task(8))
    monkeypatch.setitem(fit_module._READ_EVERY, "cpu", 3)
    late = train(right, config, valid=copy_task(8))
    untimed = [[replace(r, seconds=0.0) for r in h.records] for h in (at_once, late)]
    assert untimed[0] == untimed[1]
    assert same(weights(left), weights(right))


def test_the_best_weights_are_restored():
    seen, metrics = [], iter([0.1, 0.7, 0.2, 0.7])

    def metric(model):
        assert not model.training
        seen.append(weights(model))
        return next(metrics)

    model = small()
    history = train(model, FitConfig(steps=8, validate_every=2), metric=metric)
    assert (history.best_step, history.best_metric) == (4, 0.7)
    assert [record.metric for record in history.records] == [0.1, 0.7, 0.2, 0.7]
    assert not same(seen[1], seen[3])
    assert same(weights(model), seen[1])


def test_by_default_the_lowest_validation_loss_is_the_best():
    model = small(dropout=0.5)
    valid = copy_task(12, seed=9)
    history = train(model, FitConfig(steps=12, validate_every=3, learning_rate=0.02), valid=valid)
    lowest = min(history.records, key=lambda record: record.valid_loss)
    assert history.best_step == lowest.step
    nats, tokens = measure(model, valid.sequential())
    # Measured again without dropout, on the restored weights.
    assert nats / tokens == lowest.valid_loss == -lowest.metric


def test_patience_counts_validations_without_a_better_score():
    metrics = iter([1.0, 2.0, 2.0, 1.5, 3.0])
    history = train(
        small(), FitConfig(steps=50, validate_every=1, patience=2), metric=lambda _: next(metrics)
    )
    assert history.stopped == "patience"
    assert (history.steps, history.best_step) == (4, 2)


def test_validating_does_not_change_the_training():
    left, right = small(dropout=0.3), small(dropout=0.3)
    config = {"steps": 9, "learning_rate": 0.01}
    train(left, FitConfig(**config))
    seen = []

    def metric(model):
        torch.rand(7)  # not even a metric that draws random numbers
        seen.append(weights(model))
        return 0.0

    train(right, FitConfig(**config, validate_every=2), valid=copy_task(8), metric=metric)
    assert same(weights(left), seen[-1])


def test_the_seed_decides_the_dropout_and_nothing_global_does():
    def after(seed, global_seed):
        torch.manual_seed(global_seed)
        model = small(dropout=0.4)
        train(model, FitConfig(steps=4, seed=seed))
        return weights(model)

    assert same(after(1, 5), after(1, 6))
    assert not same(after(1, 5), after(2, 5))


def test_the_callers_random_numbers_mode_gradients_and_signals_are_left_alone():
    model = small(dropout=0.2)
    torch.manual_seed(3)
    expected = torch.rand(2)
    torch.manual_seed(3)
    handler = signal.getsignal(signal.SIGINT)
    for mode in (True, False):
        train(model.train(mode), FitConfig(steps=2))
        assert model.training is mode
    assert all(parameter.grad is None for parameter in model.parameters())
    assert signal.getsignal(signal.SIGINT) is handler
    assert torch.equal(torch.rand(2), expected)


def test_weight_decay_is_for_matrices_alone():
    class Vectors(nn.Module):
        def __init__(self):
            super().__init__()
            self.matrix = nn.Parameter(torch.ones(2, 2))
            self.vector = nn.Parameter(torch.ones(2))
            self.number = nn.Parameter(torch.ones(()))

    model = small()
    model.extra = Vectors()
    config = FitConfig(steps=1, learning_rate=0.1, weight_decay=0.5)
    optimizer = adamw([*model.parameters()], config, torch.device("cpu"))
    for parameter in model.extra.parameters():
        parameter.grad = torch.zeros_like(parameter)
    optimizer.step()
    assert torch.allclose(model.extra.matrix, torch.tensor(1 - 0.1 * 0.5))
    assert (model.extra.vector == 1).all()
    assert model.extra.number == 1
