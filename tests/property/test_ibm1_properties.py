"""On any corpus: the likelihood never falls and every table is a distribution."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.alignment.ibm1 import IBMModel1

SENTENCE = st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=7)
CORPUS = st.lists(st.tuples(SENTENCE, SENTENCE), min_size=1, max_size=12)


@given(CORPUS, st.booleans())
def test_the_log_likelihood_never_falls(corpus, null):
    steps = IBMModel1.fit(corpus, 15, null=null).log_likelihoods
    assert len(steps) == 16
    for before, after in pairwise(steps):
        assert after >= before - 1e-9 * abs(before)
    assert steps[-1] <= 1e-9


@given(CORPUS, st.booleans(), st.integers(1, 8))
def test_every_source_word_has_a_distribution_over_its_companions(corpus, null, iterations):
    table = IBMModel1.fit(corpus, iterations, null=null).table
    met = {e: {f for s, t in corpus if e is None or e in s for f in t} for e in table}
    assert set(table) == {e for s, _ in corpus for e in s} | ({None} if null else set())
    for e, row in table.items():
        assert set(row) == met[e]
        assert min(row.values()) >= 0
        assert sum(row.values()) == pytest.approx(1, abs=1e-12)


@given(CORPUS, st.booleans())
def test_posterior_rows_of_training_pairs_are_distributions_and_links_lie_inside(corpus, null):
    model = IBMModel1.fit(corpus, 4, null=null)
    for source, target in corpus:
        posterior = model.posterior(source, target)
        assert posterior.shape == (len(target), len(source) + null)
        np.testing.assert_allclose(posterior.sum(axis=1), 1)
        links = model.align(source, target)
        assert len({j for _, j in links}) == len(links)
        for i, j in links:
            assert posterior[j, i] >= posterior[j].max() * (1 - 1e-8)
        if not null:
            assert len(links) == len(target)


@given(CORPUS, st.randoms(use_true_random=False))
def test_neither_the_order_of_pairs_nor_of_words_changes_the_table(corpus, random):
    before = IBMModel1.fit(corpus, 5)
    for source, target in corpus:
        random.shuffle(source)
        random.shuffle(target)
    random.shuffle(corpus)
    after = IBMModel1.fit(corpus, 5)
    for e, row in before.table.items():
        assert after.table[e] == pytest.approx(row, abs=1e-10)


@given(CORPUS)
def test_the_whole_corpus_twice_is_the_same_corpus(corpus):
    once, twice = IBMModel1.fit(corpus, 5), IBMModel1.fit(corpus * 2, 5)
    np.testing.assert_allclose(np.array(once.log_likelihoods) * 2, twice.log_likelihoods)
