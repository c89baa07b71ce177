"""The averaged weights are the recursion's; they are validated and kept, and they survive."""

import random
from dataclasses import replace

import pytest
import torch

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.tokens.tokenizer import END
from course_lib.models.registry import build
from course_lib.training.average import MovingAverage
from course_lib.training.checkpoint import weights_of
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import measure

VOCABULARY = 9
CONFIG = FitConfig(steps=8, validate_every=4, learning_rate=0.02, average=0.6)


def copy_task(count=20, seed=0):
    draw = random.Random(seed)
    lines = [draw.choices(range(4, VOCABULARY), k=draw.randint(1, 6)) for _ in range(count)]
    return Batches([EncodedPair([*line, END], line) for line in lines], pairs_per_batch=4)


def small():
    config = {"source_vocabulary": VOCABULARY, "target_vocabulary": VOCABULARY}
    config |= {"embedding": 5, "hidden": 6, "dropout": 0.3}
    return build("dot", config, torch.Generator().manual_seed(0))


def train(config, folder=None, valid=True, **options):
    model = small()
    held_out = copy_task(6, seed=5) if valid else None
    options = {"device": "cpu", "progress": False} | options
    return model, fit(model, copy_task(), held_out, config, directory=folder, **options)


def copies(model):
    return {name: tensor.detach().clone() for name, tensor in weights_of(model).items()}


def by_hand(decay, steps):
    """The recursion over the weights of a run that averages nothing, step by step."""
    mean = copies(small())
    for step in range(1, steps + 1):
        model, _ = train(replace(CONFIG, steps=step, average=None), valid=False)
        beta = min(decay, (1 + step) / (10 + step))
        mean = {name: beta * mean[name] + (1 - beta) * w for name, w in weights_of(model).items()}
    return mean


@pytest.mark.parametrize("decay", [0.2, 0.9])
def test_the_average_is_the_recursion(decay):
    model, _ = train(replace(CONFIG, steps=5, average=decay), valid=False)
    for name, tensor in by_hand(decay, 5).items():
        torch.testing.assert_close(weights_of(model)[name], tensor, msg=name)


def test_averaged_weights_are_scored_and_kept_and_the_updates_do_not_see_them():
    seen = []

    def metric(model):
        seen.append(copies(model))
        return float(len(seen))

    model, history = train(CONFIG, metric=metric)
    for name, tensor in by_hand(0.6, 8).items():
        torch.testing.assert_close(seen[-1][name], tensor, msg=name)
        torch.testing.assert_close(weights_of(model)[name], tensor, msg=name)
    total, count = measure(model, copy_task(6, seed=5).sequential())
    assert history.records[-1].valid_loss == pytest.approx(total / count)
    _, plain = train(replace(CONFIG, average=None))
    assert [r.train_loss for r in history.records] == [r.train_loss for r in plain.records]
    assert history.records[-1].valid_loss != plain.records[-1].valid_loss


def test_a_resumed_run_has_the_same_average(tmp_path):

    config = replace(CONFIG, checkpoint_every=1, validate_every=7)
    whole, _ = train(config, tmp_path / "whole")

    def breaks(model):
        raise OSError

    with pytest.raises(OSError):
        train(config, tmp_path / "half", metric=breaks)
    # The run that goes on was asked for the same settings.
    half, _ = train(config, tmp_path / "half", resume=True)
    for name, tensor in weights_of(whole).items():
        assert torch.equal(weights_of(half)[name], tensor), name


def test_the_model_has_its_own_weights_again_even_after_an_error():
    model = small()
    average, before = MovingAverage(model, 0.9), copies(model)
    with torch.no_grad():
        for tensor in weights_of(model).values():
            tensor.add_(1.0)
    with average.applied():
        assert all(torch.equal(t, before[name]) for name, t in weights_of(model).items())
    with pytest.raises(KeyError), average.applied():
        raise KeyError
    assert all(torch.equal(t, before[name] + 1.0) for name, t in weights_of(model).items())
