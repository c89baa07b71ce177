"""Sampling: lengths, splits, seeds, and what happens when sentences run out."""

from collections import Counter
from hashlib import sha256
from itertools import chain

import pytest

from course_lib.data.mini_world.grammar import SPLITS, sample, split_of
from course_lib.errors import CourseError


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("size", ["full", "tiny"])
def test_a_sample_has_the_count_and_every_length_is_exact_and_about_as_frequent(split, size):
    pairs = sample(split, 60, seed=3, min_words=8, max_words=10, vocabulary=size)
    assert len(pairs) == len({pair.source for pair in pairs}) == 60
    lengths = Counter(len(pair.source) for pair in pairs)
    assert set(lengths) == {8, 9, 10}
    assert all(8 < count < 35 for count in lengths.values())


@pytest.mark.parametrize("length", [3, 4, 5, 8, 30, 59, 60])
def test_each_end_of_the_dial_is_reached(length):
    pairs = sample("train", 10, min_words=length, max_words=length)
    assert [len(pair.source) for pair in pairs] == [length] * 10


def test_a_longer_sample_begins_with_the_shorter_one():
    assert sample("valid", 40, seed=1)[:15] == sample("valid", 15, seed=1)


@pytest.mark.parametrize(
    ("size", "digest"),
    [("full", "ec153197aa93dd34"), ("tiny", "310a7789d8def599")],
)
def test_the_sample_of_a_seed_is_the_same_on_every_machine(size, digest):
    pairs = sample("train", 200, seed=0, vocabulary=size)
    text = "\n".join(
        f"{' '.join(p.source)}|{' '.join(p.target)}|{sorted(p.sure)}|{sorted(p.possible)}"
        for p in pairs
    )
    # A change of grammar or lexicon changes this; results trained before it are then of another
    # world and must be made again.
    assert sha256(text.encode()).hexdigest()[:16] == digest


def test_no_sentence_is_in_two_splits():
    splits = {
        split: {
            pair.source
            for seed in (0, 1)
            for pair in sample(split, 30, seed=seed, min_words=5, max_words=6, vocabulary="tiny")
        }
        for split in SPLITS
    }
    everything = list(chain(*splits.values()))
    assert len(everything) == len(set(everything))


def test_the_split_hangs_on_the_sentence_alone():
    for split in ("train", "valid", "test"):
        for seed in (0, 9):
            pairs = sample(split, 10, seed=seed)
            assert {split_of(" ".join(pair.source)) for pair in pairs} == {split}


def test_too_many_short_sentences_are_refused_in_one_line():
    with pytest.raises(CourseError, match=r"wanted 2000 different test sentences of 3 to 3 words"):
        sample("test", 2000, min_words=3, max_words=3, vocabulary="tiny")
