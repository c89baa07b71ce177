"""Which end profits: the runs, how words are sorted, and what is read from the stored shares."""

from itertools import pairwise

from course_lab.experiments.lab.world import vocabularies
from course_lab.experiments.seq2seq.measures import Share, by_fifths
from course_lib.data.pairs import AlignedPair
from course_lib.data.tokens.tokenizer import START
from tests.stubs import NextWord


def test_the_same_words_are_sorted_by_both_sentences():
    words = [f"w{i}" for i in range(14)]
    target = [*reversed(words), "."]
    links = frozenset({(i, 13 - i) for i in range(14) if i != 7} | {(14, 14)})
    pair = AlignedPair((*words, "."), tuple(target), links, links)
    tokenizers = vocabularies([pair])
    ids = tokenizers[1].encode(target).ids
    follows = dict(pairwise([START, *ids]))
    follows[START] = ids[5]  # the first word is wrong: the last one of the source
    found = by_fifths(NextWord(follows, len(tokenizers[1])), [pair], tokenizers)
    # Without the full stop, and without the eighth English word, which has no link.
    assert found["target"] == [Share(2, 3), Share(3, 3), Share(2, 2), Share(3, 3), Share(2, 2)]
    assert found["source"] == [Share(3, 3), Share(3, 3), Share(2, 2), Share(3, 3), Share(1, 2)]
    with_marks = by_fifths(NextWord(follows, len(tokenizers[1])), [pair], tokenizers, marks=True)
    assert with_marks["target"][-1] == Share(3, 3)
