"""Characters as tokens, and windows of a text: all once an epoch, the next one the target."""

import torch

from course_lib.data.characters import Characters, Windows

TEXT = "to be, or not to be"


def test_text_and_back():
    letters = Characters(TEXT)
    ids = letters.encode("not be")
    assert letters.decode(ids) == "not be"
    assert letters.decode([0, *ids, 3]) == "not be"
    assert min(letters.encode(TEXT)) == 4
    assert max(letters.encode(TEXT)) == len(letters) - 1


def test_targets_are_the_next_tokens():
    ids = list(range(100, 200))
    for batch in Windows(ids, length=5, per_batch=3).epoch(0):
        assert torch.equal(batch.target_out, batch.target_in + 1)
        assert batch.tokens == 5 * len(batch)
        assert batch.target_mask.all()


def test_an_epoch_reads_each_token_once_and_another_is_cut_elsewhere():
    """But for less than a window at either end, which the cut leaves."""
    windows = Windows(list(range(1000)), length=10, per_batch=7, seed=3)
    epochs = []
    for n in range(4):
        batches = list(windows.epoch(n))
        assert len(batches) == windows.len_epoch(n)
        read = torch.cat([batch.target_in.flatten() for batch in batches])
        low, high = int(read.min()), int(read.max())
        assert torch.equal(read.sort().values, torch.arange(low, high + 1))
        assert low < 10
        assert high >= 989
        epochs.append(read)
    assert len({int(read.min()) % 10 for read in epochs}) > 1
    assert torch.equal(next(windows.epoch(2)).target_in, next(windows.epoch(2)).target_in)
    assert not torch.equal(next(windows.epoch(2)).target_in, next(windows.epoch(3)).target_in)
    rest = list(windows.epoch(1, start=5))
    assert torch.equal(rest[0].target_in, list(windows.epoch(1))[5].target_in)


def test_validation_reads_the_text_in_order():
    batches = list(Windows(list(range(100)), length=7, per_batch=2).sequential())
    read = torch.cat([batch.target_in.flatten() for batch in batches])
    assert torch.equal(read, torch.arange(98))
