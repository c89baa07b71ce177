"""Batches hold what was given, padded at the end, in an order that seed and epoch decide."""

import logging
from itertools import pairwise

import pytest
import torch

from course_lib.data.batch import Batches, EncodedPair, collate, encode_pairs
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import END, PAD, START, WordVocabulary

PAIRS = [EncodedPair([10, 11, END], [20]), EncodedPair([12, END], [21, 22, 23])]


@pytest.fixture
def vocabulary():
    return WordVocabulary.from_sentences([["a", "b", "c", "d"]])


def test_collate_pads_at_the_end_and_shifts_the_target():
    batch = collate(PAIRS, [7, 3])
    assert batch.source.tolist() == [[10, 11, END], [12, END, PAD]]
    assert batch.source_mask.tolist() == [[True, True, True], [True, True, False]]
    assert batch.target_in.tolist() == [[START, 20, PAD, PAD], [START, 21, 22, 23]]
    assert batch.target_out.tolist() == [[20, END, PAD, PAD], [21, 22, 23, END]]
    assert batch.target_mask.tolist() == [[True, True, False, False], [True] * 4]
    assert batch.index == (7, 3)
    assert batch.tokens == 6 == int(batch.target_mask.sum())
    assert len(batch) == 2
    assert batch.source.dtype == torch.long


def test_pairs_are_encoded_with_an_end_on_the_source_only(vocabulary):
    link = AlignedPair(("a", "b"), ("c",))
    for pair in (link, ("a b", "c"), (["a", "b"], ["c"])):
        encoded = encode_pairs([pair], vocabulary, vocabulary)
        assert encoded == [EncodedPair([4, 5, END], [6])]


def test_pairs_over_the_limit_are_left_out_counted_and_logged(vocabulary, caplog):
    pairs = [("a b c", "a"), ("a b", "a"), ("a", "a b c d"), ("a", "b")]
    with caplog.at_level(logging.WARNING):
        encoded = encode_pairs(pairs, vocabulary, vocabulary, max_tokens=2)
    assert encoded == [EncodedPair([4, 5, END], [4]), EncodedPair([4, END], [5])]
    assert [r.getMessage() for r in caplog.records] == [
        "left out 2 of 4 pairs: longer than 2 tokens"
    ]


def spread(limit: int, *lengths: tuple[int, int]) -> list[tuple[int, ...]]:
    encoded = [EncodedPair([4] * s + [END], [5] * t) for s, t in lengths]
    return order(Batches(encoded, tokens_per_batch=limit, shuffle=False).epoch(0))


def test_the_limit_counts_rows_times_the_wider_side_with_its_special_token():
    for sides in ((4, 1), (1, 4)):
        assert spread(10, sides, sides) == [(0, 1)]
        assert spread(9, sides, sides) == [(0,), (1,)]


def test_a_pair_over_the_limit_stands_alone_and_does_not_narrow_the_next_batch():
    assert spread(20, (29, 1), (3, 3), (3, 3), (3, 3)) == [(0,), (1, 2, 3)]


def many(count: int) -> list[EncodedPair]:
    generator = torch.Generator().manual_seed(5)
    lengths = torch.randint(1, 40, (count, 2), generator=generator).tolist()
    return [EncodedPair([4] * s + [END], [5] * t) for s, t in lengths]


def order(batches) -> list[tuple[int, ...]]:
    return [batch.index for batch in batches]


def test_an_epochs_order_hangs_on_seed_and_epoch_alone():
    first = Batches(many(300), pairs_per_batch=8, seed=1)
    list(first.epoch(0))  # what was asked for before must not matter
    second = Batches(many(300), pairs_per_batch=8, seed=1)
    torch.manual_seed(99)
    assert order(first.epoch(3)) == order(second.epoch(3))
    assert order(first.epoch(3)) != order(first.epoch(4))
    assert order(first.epoch(3)) != order(Batches(many(300), pairs_per_batch=8, seed=2).epoch(3))
    # Neighbouring seeds and epochs must not share an order: seed 1, epoch 4 is not 2, 3.
    assert order(first.epoch(4)) != order(Batches(many(300), pairs_per_batch=8, seed=2).epoch(3))


@pytest.mark.parametrize("bucket_by", ["wider", "source"])
def test_batches_come_in_no_order_of_length(bucket_by):
    """Short sentences first, or last, in every epoch would be a curriculum that nobody chose."""
    batches = Batches(many(300), pairs_per_batch=8, bucket_by=bucket_by)
    firsts = set()
    for n in range(4):
        widths = [batch.source.shape[1] for batch in batches.epoch(n)]
        rising = sum(a < b for a, b in pairwise(widths)) / sum(a != b for a, b in pairwise(widths))
        assert 0.25 < rising < 0.75
        firsts.add(widths[0])
    assert len(firsts) > 1


def test_an_epoch_can_be_entered_in_the_middle():
    batches = Batches(many(100), tokens_per_batch=200, seed=1)
    assert order(batches.epoch(2, start=3)) == order(batches.epoch(2))[3:]
    assert order(batches.epoch(2, start=batches.len_epoch(2))) == []


def test_batches_hold_pairs_of_similar_length():
    def padding(batches):
        cells, real = 0, 0
        for batch in batches:
            cells += batch.source.numel() + batch.target_in.numel()
            real += int(batch.source_mask.sum() + batch.target_mask.sum())
        return 1 - real / cells

    # The same lengths on both sides, so that what is left is the bucketing's own padding.
    pairs = [EncodedPair([4] * n + [END], [5] * n) for n in range(1, 41)] * 10
    batches = Batches(pairs, pairs_per_batch=16)
    assert padding(batches.epoch(0)) < 0.10
    assert padding(batches.sequential()) > 0.30


def test_batches_by_source_length_hardly_pad_the_source():
    pairs = many(400)
    batches = Batches(pairs, pairs_per_batch=4, bucket_by="source")
    same = [batch.source_mask.all().item() for batch in batches.epoch(0)]
    # A batch may straddle two lengths, but only where one ends: there are 39 of them.
    assert same.count(False) < 40 <= len(same) - 40
    assert sorted(i for index in order(batches.epoch(0)) for i in index) == list(range(400))


def test_sequential_keeps_the_order_of_the_data():
    batches = Batches(many(100), tokens_per_batch=200)
    flat = [position for index in order(batches.sequential()) for position in index]
    assert flat == list(range(100))
    unshuffled = Batches(many(100), tokens_per_batch=200, shuffle=False)
    assert order(unshuffled.epoch(5)) == order(batches.sequential())


def test_the_length_is_the_number_of_pairs_and_len_epoch_that_of_batches():
    batches = Batches(many(100), pairs_per_batch=8)
    assert len(batches) == 100
    assert batches.len_epoch(0) == 13 == len(list(batches.epoch(0)))
