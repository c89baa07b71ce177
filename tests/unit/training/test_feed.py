"""Fresh batches: decided by seed, epoch and number, so that a run can be taken up anywhere."""

import pytest
import torch

from course_lib.data.batch import Batches, EncodedPair
from course_lib.training.feed import Feed, Fresh


def numbers(seed: int = 0, batches: int = 3) -> Fresh:
    return Fresh(
        lambda draw: torch.randint(10**9, (4,), generator=draw), batches=batches, seed=seed
    )


def lists(batches) -> list[list[int]]:
    return [batch.tolist() for batch in batches]


def test_both_feeds_are_feeds():
    assert isinstance(numbers(), Feed)
    assert isinstance(Batches([EncodedPair([4, 3], [4])], pairs_per_batch=1), Feed)
    assert not isinstance([], Feed)


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
    with pytest.raises(ValueError, match="a batch or more in an epoch, got 0"):
        numbers(batches=0)
