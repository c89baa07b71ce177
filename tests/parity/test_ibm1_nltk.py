"""Model 1 equals nltk's on the same pairs.

nltk translates from `AlignedSent.mots` to `AlignedSent.words`, so our target is its `words`. It
always has NULL, starts from the same uniform table and keeps probabilities at 1e-12 or more.

One difference is nltk's own: where a target word stands n times in a sentence, its denominator
is summed n times too, so the n tokens count as one. Brown et al. (1993) count them all.
`EveryToken` is nltk's class with that one sum put right.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate import AlignedSent
from nltk.translate import IBMModel1 as NltkModel1

from course_lib.alignment.ibm1 import IBMModel1

ITERATIONS = 8
SENTENCE = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=7)
DISTINCT = st.lists(st.sampled_from("ABCDEFGH"), min_size=1, max_size=7, unique=True)


class EveryToken(NltkModel1):
    def prob_all_alignments(self, src_sentence, trg_sentence):
        return {t: sum(self.prob_alignment_point(s, t) for s in src_sentence) for t in trg_sentence}


def run_both(pairs, iterations, reference):
    theirs = reference([AlignedSent(list(f), list(e)) for e, f in pairs], iterations)
    return IBMModel1.fit(pairs, iterations), theirs


def assert_equal_tables(ours, theirs):
    for e, row in ours.table.items():
        for f, probability in row.items():
            assert probability == pytest.approx(theirs.translation_table[f][e], abs=1e-9)


@given(st.lists(st.tuples(SENTENCE, DISTINCT), min_size=1, max_size=10), st.integers(0, ITERATIONS))
def test_tables_equal_nltks_where_no_target_word_repeats_in_a_sentence(pairs, iterations):
    assert_equal_tables(*run_both(pairs, iterations, NltkModel1))


@given(st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=10), st.integers(0, ITERATIONS))
def test_tables_equal_nltks_with_every_token_counted(pairs, iterations):
    assert_equal_tables(*run_both(pairs, iterations, EveryToken))


def test_nltk_counts_a_repeated_target_word_once():
    """The reason for `EveryToken`: if nltk changes this, the class can go."""
    pairs = [(["a"], ["X", "X", "Y"])]
    ours, theirs = run_both(pairs, 1, NltkModel1)
    assert ours.probability("X", "a") == pytest.approx(2 / 3)
    assert theirs.translation_table["X"]["a"] == pytest.approx(1 / 2)


# Sentences of our own, with the repetitions and lengths of real ones.
TEXT = [
    ("the old house stands beside the river", "das alte haus steht neben dem fluss"),
    ("a dog sleeps in the house", "ein hund schläft in dem haus"),
    ("the dog sees the river", "der hund sieht den fluss"),
    ("an old man and a dog walk along the river", "ein alter mann und ein hund gehen am fluss"),
    ("the man sleeps", "der mann schläft"),
    ("the man sees a house and the river", "der mann sieht ein haus und den fluss"),
]


def test_links_equal_nltks_when_ties_are_broken_its_way():
    pairs = [(e.split(), f.split()) for e, f in TEXT]
    corpus = [AlignedSent(list(f), list(e)) for e, f in pairs]
    EveryToken(corpus, ITERATIONS)
    ours = IBMModel1.fit(pairs, ITERATIONS)
    compared = 0
    for (source, target), sentence in zip(pairs, corpus, strict=True):
        theirs = dict(sentence.alignment)
        links = {j: i for i, j in ours.align(source, target, ties="last")}
        posterior = ours.posterior(source, target)
        for j, row in enumerate(posterior):
            # Words that always stand together differ in the last bits only: no best one.
            words = {[*source, None][i] for i in (row > row.max() * (1 - 1e-9)).nonzero()[0]}
            if len(words) == 1:
                assert links.get(j) == theirs[j]
                compared += 1
    assert compared > 25
