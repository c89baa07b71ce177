"""Generated batches: decided by seed, epoch and number, so that a run can be resumed anywhere."""

import pytest
import torch

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.batch_source import GeneratedBatches
from course_lib.models.registry import build
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import Loss


def numbers(seed: int = 0, batches: int = 3) -> GeneratedBatches:
    return GeneratedBatches(
        lambda draw: torch.randint(10**9, (4,), generator=draw), batches=batches, seed=seed
    )


def lists(batches) -> list[list[int]]:
    return [batch.tolist() for batch in batches]


def test_a_batch_depends_on_seed_epoch_and_number_alone():
    feed = numbers()
    whole = lists(feed.epoch(2))
    torch.rand(5)
    assert len(whole) == feed.len_epoch(2) == 3
    assert lists(numbers().epoch(2)) == whole
    assert lists(feed.epoch(2, start=1)) == whole[1:]
    assert lists(feed.epoch(2, start=3)) == []


def test_no_two_batches_are_the_same():
    feeds = [numbers(seed).epoch(n) for seed in range(4) for n in range(-1, 4)]
    found = [tuple(batch) for feed in feeds for batch in lists(feed)]
    assert len(set(found)) == len(found) == 4 * 5 * 3


def test_for_validation_the_same_ones_again_and_none_of_training():
    feed = numbers()
    first = lists(feed.sequential())
    assert lists(feed.sequential()) == first
    assert not any(batch in lists(feed.epoch(n)) for n in range(5) for batch in first)


class Miscounting(GeneratedBatches):
    """Says of an epoch that it has another number of batches than it gives."""

    said = 3

    def len_epoch(self, n: int) -> int:
        return self.said


def train(feed, valid=None, **settings):
    def objective(model, batch):
        return Loss(model(batch).sum(), len(batch))

    config = FitConfig(**settings)
    return fit(torch.nn.Linear(4, 1), feed, valid, config, objective=objective, progress=False)


def test_a_source_with_fewer_batches_than_it_says_is_an_error():
    feed = Miscounting(lambda draw: torch.rand(2, 4, generator=draw), batches=2)
    with pytest.raises(ValueError, match="as many batches of epoch 0"):
        train(feed, steps=9, validate_every=1)


def test_another_default_device_changes_no_batch_and_no_training():
    pairs = [EncodedPair([4 + n, 3], [4] * (n + 1)) for n in range(5)]
    made = [batch.source.tolist() for batch in Batches(pairs, pairs_per_batch=2).epoch(3)]
    settings = {"source_vocabulary": 9, "target_vocabulary": 5, "embedding": 4, "hidden": 4}
    model = build("dot", settings, torch.Generator().manual_seed(0))
    with torch.device("meta"):
        feed = Batches(pairs, pairs_per_batch=2)
        assert [batch.source.tolist() for batch in feed.epoch(3)] == made
        history = fit(model, feed, feed, FitConfig(steps=2), device="cpu", progress=False)
    assert history.best_metric is not None
