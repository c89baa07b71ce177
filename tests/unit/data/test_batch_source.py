"""Generated batches: decided by seed, epoch and number, so that a run can be resumed anywhere."""

import pytest
import torch

from course_lib.data.batch import Batches, EncodedPair
from course_lib.data.batch_source import BatchSource, GeneratedBatches
from course_lib.errors import CourseError
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


def test_both_feeds_are_feeds():
    assert isinstance(numbers(), BatchSource)
    assert isinstance(Batches([EncodedPair([4, 3], [4])], pairs_per_batch=1), BatchSource)
    assert not isinstance([], BatchSource)


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


def test_an_epoch_without_batches_is_refused():
    with pytest.raises(ValueError, match="at least one batch in an epoch; got 0"):
        numbers(batches=0)


class Told(GeneratedBatches):
    """Says of an epoch that it has another number of batches than it gives."""

    said = 3

    def len_epoch(self, n: int) -> int:
        return self.said


def train(feed, valid=None, **settings):
    def objective(model, batch):
        return Loss(model(batch).sum(), len(batch))

    config = FitConfig(**settings)
    return fit(torch.nn.Linear(4, 1), feed, valid, config, objective=objective, progress=False)


@pytest.mark.parametrize(("gives", "said"), [(2, 3), (4, 3), (1, 0)])
def test_a_feed_that_miscounts_its_epoch_is_told_and_not_waited_for(gives, said):
    feed = Told(lambda draw: torch.rand(2, 4, generator=draw), batches=gives)
    feed.said = said
    with pytest.raises(ValueError, match=f"as many batches of epoch 0 .* got .* instead of {said}"):
        train(feed, steps=9, validate_every=1)


def test_validation_batches_that_are_none_are_told():
    feed = Told(lambda draw: torch.rand(2, 4, generator=draw), batches=3)
    nothing = Told(lambda draw: torch.rand(2, 4, generator=draw), batches=1)
    nothing.sequential = lambda: iter(())
    with pytest.raises(CourseError, match="want at least one validation batch; got none"):
        train(feed, nothing, steps=3)
    assert train(feed, None, steps=3).steps == 3


@pytest.mark.parametrize("mode", [torch.no_grad, torch.inference_mode])
def test_it_trains_whatever_mode_the_caller_is_in(mode):
    feed = Told(lambda draw: torch.rand(2, 4, generator=draw), batches=3)
    model = torch.nn.Linear(4, 1)
    before = model.weight.detach().clone()

    def objective(model, batch):
        return Loss(model(batch).sum(), len(batch))

    with mode():
        fit(model, feed, None, FitConfig(steps=2), objective=objective, progress=False)
        assert not torch.is_grad_enabled()
    assert not torch.equal(model.weight, before)
    assert not model.weight.is_inference()


def test_without_a_standard_error_it_shows_nothing(monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    feed = Told(lambda draw: torch.rand(2, 4, generator=draw), batches=3)

    def objective(model, batch):
        return Loss(model(batch).sum(), len(batch))

    history = fit(torch.nn.Linear(4, 1), feed, None, FitConfig(steps=2), objective=objective)
    assert history.steps == 2


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
