"""Pairs as batches: the right label beside each, START before both sentences, masks."""

from course_lib.data.inference_pairs import LABELS, InferencePair
from course_lib.data.labelled import LabelledBatches
from course_lib.data.tokens.tokenizer import START, WordVocabulary

PAIRS = [
    InferencePair(("a",) * (1 + n % 5), ("b",) * (1 + n % 3), LABELS[n % 3]) for n in range(20)
]
WORDS = WordVocabulary(["a", "b"])


def test_an_epoch_has_every_pair_once_with_its_label():
    feed = LabelledBatches(PAIRS, WORDS, pairs_per_batch=6, seed=3)
    assert len(feed) == len(PAIRS)
    seen = []
    for batch in feed.epoch(0):
        premise, premise_mask, hypothesis, hypothesis_mask = batch.inputs
        for row, place in enumerate(batch.index):
            pair = PAIRS[place]
            assert LABELS[batch.label[row]] == pair.label
            assert premise_mask[row].sum() == 1 + len(pair.premise)
            assert hypothesis_mask[row].sum() == 1 + len(pair.hypothesis)
            assert premise[row, 0] == hypothesis[row, 0] == START
            seen.append(place)
    assert sorted(seen) == list(range(len(PAIRS)))
    assert feed.len_epoch(0) == 4
    assert seen != list(range(len(PAIRS)))


def test_a_resumed_epoch_is_the_same():
    feed = LabelledBatches(PAIRS, WORDS, pairs_per_batch=6, seed=3)
    whole, rest = list(feed.epoch(1)), list(feed.epoch(1, 2))
    assert [b.index for b in whole[2:]] == [b.index for b in rest]
