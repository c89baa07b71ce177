"""Model 1 against its definition: every alignment written out, on corpora small enough for it."""

import itertools
import math

import numpy as np
import pytest

from course_lib.alignment.ibm1 import IBMModel1
from course_lib.data.mini_world.grammar import sample

# "der" stands twice in a target and "the" twice in a source, so multiplicities count.
TOY = [
    (("the", "house"), ("das", "haus")),
    (("the", "book"), ("das", "buch")),
    (("a", "book"), ("ein", "buch")),
    (("the", "dog", "sees", "the", "cat"), ("der", "hund", "sieht", "der", "katze")),
]


def enumerate_em(pairs, iterations, null):
    """EM by the sum over all (l + 1)^m alignments (Brown et al. 1993, Model 1)."""
    sources = sorted({e for source, _ in pairs for e in source}) + ([None] if null else [])
    targets = sorted({f for _, target in pairs for f in target})
    t = {(f, e): 1 / len(targets) for e in sources for f in targets}
    likelihoods = []
    for _ in range(iterations + 1):
        counts = dict.fromkeys(t, 0.0)
        likelihood = 0.0
        for source, target in pairs:
            writers = [*source, None] if null else list(source)
            joint = {}
            for alignment in itertools.product(writers, repeat=len(target)):
                key = (*alignment,)
                chance = math.prod(t[f, e] for f, e in zip(target, alignment, strict=True))
                joint[key] = joint.get(key, 0.0) + chance / len(writers) ** len(target)
            total = sum(joint.values())
            likelihood += math.log(total)
            for alignment, chance in joint.items():
                for f, e in zip(target, alignment, strict=True):
                    counts[f, e] += chance / total
        likelihoods.append(likelihood)
        if len(likelihoods) <= iterations:
            norm = {e: sum(counts[f, e] for f in targets) for e in sources}
            t = {(f, e): counts[f, e] / norm[e] for f, e in t}
    return t, likelihoods


@pytest.mark.parametrize("null", [True, False])
@pytest.mark.parametrize("iterations", [0, 1, 4])
def test_it_equals_the_sum_over_all_alignments(null, iterations):
    model = IBMModel1.fit(TOY, iterations, null=null)
    table, likelihoods = enumerate_em(TOY, iterations, null)
    np.testing.assert_allclose(model.log_likelihoods, likelihoods, rtol=0, atol=1e-9)
    assert model.null is null
    for (f, e), expected in table.items():
        if iterations or f in model.table[e]:
            assert model.probability(f, e) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("null", [True, False])
def test_a_corpus_ten_times_over_gives_the_same_table(null):
    """Ten times the cells of the same words are looked up in a table, and not sorted."""
    once = IBMModel1.fit(TOY, 3, null=null)
    often = IBMModel1.fit(TOY * 10, 3, null=null)
    assert {e: set(row) for e, row in often.table.items()} == {
        e: set(row) for e, row in once.table.items()
    }
    for e, row in once.table.items():
        for f, t in row.items():
            assert often.probability(f, e) == pytest.approx(t, abs=1e-12)
    assert often.log_likelihoods == pytest.approx([10 * x for x in once.log_likelihoods])


def test_rows_of_the_posterior_sum_to_one_with_null_last():
    model = IBMModel1.fit(TOY, 3)
    posterior = model.posterior(*TOY[0])
    assert posterior.shape == (2, 3)
    np.testing.assert_allclose(posterior.sum(axis=1), 1)
    by_hand = [model.probability("das", e) for e in ("the", "house", None)]
    np.testing.assert_allclose(posterior[0], np.array(by_hand) / sum(by_hand))
    assert IBMModel1.fit(TOY, 3, null=False).posterior(*TOY[0]).shape == (2, 2)


def test_words_that_never_met_get_no_link():
    model = IBMModel1.fit(TOY, 3, null=False)
    posterior = model.posterior(("the", "unicorn"), ("einhorn", "das"))
    assert posterior.tolist() == [[0, 0], [1, 0]]
    assert model.align(("unicorn",), ("einhorn",)) == set()
    assert model.align(("the", "unicorn"), ("einhorn", "das")) == {(0, 1)}


def test_a_word_best_explained_by_null_gets_no_link():
    # "ja" stands everywhere, beside every source word: nothing but NULL is always there.
    pairs = [((chr(97 + i),), (chr(65 + i), "ja")) for i in range(8)]
    model = IBMModel1.fit(pairs, 10)
    assert model.align(("a",), ("A", "ja")) == {(0, 0)}
    without = IBMModel1.fit(pairs, 10, null=False)
    assert without.align(("a",), ("A", "ja")) == {(0, 0), (0, 1)}


def test_ties_are_broken_as_asked():
    model = IBMModel1.fit(TOY, 10)
    source, target = ("the", "x", "the", "x", "the"), ("der", "der", "der")
    assert model.align(source, target) == {(0, 0), (2, 1), (4, 2)}
    assert model.align(source, target, ties="first") == {(0, 0), (0, 1), (0, 2)}
    assert model.align(source, target, ties="last") == {(4, 0), (4, 1), (4, 2)}
    halves = model.align(("the", "the"), ("der",) * 10)
    assert halves == {(0, j) for j in range(5)} | {(1, j) for j in range(5, 10)}
    with pytest.raises(ValueError, match="got 'middle'"):
        model.align(source, target, ties="middle")


@pytest.mark.parametrize("less", [0.2999, 0.29999999])
def test_what_is_less_by_more_than_rounding_is_no_tie(less):
    model = IBMModel1({"a": {"x": less}, "b": {"x": 0.3}, "c": {"x": less}}, ())
    for ties in ("first", "diagonal", "last"):
        assert model.align(("a", "b", "c"), ("x",), ties=ties) == {(1, 0)}


def test_what_cannot_be_fitted_is_refused():
    with pytest.raises(ValueError, match="not enough values"):
        IBMModel1.fit([], 1)
    with pytest.raises(ValueError, match=r"pair 1: .*empty sentence"):
        IBMModel1.fit([TOY[0], ((), ("das",))], 1)


def test_text_is_split_into_words_wherever_words_are_wanted():
    pairs = [("das Haus", "the house"), ("das Buch", "the book")]
    text = IBMModel1.fit(pairs, 5)
    words = IBMModel1.fit([(s.split(), t.split()) for s, t in pairs], 5)
    assert text.table == words.table
    assert set(text.table) == {None, "das", "Haus", "Buch"}
    assert text.align("das Buch", "the book") == words.align(["das", "Buch"], ["the", "book"])
    assert text.posterior("das Buch", "the book").shape == (2, 3)


def test_small_blocks_give_what_one_block_gives(monkeypatch):
    pairs = [(p.source, p.target) for p in sample("train", 40, seed=2, max_words=20)]
    whole = IBMModel1.fit(pairs, 4)
    # Some rows are longer than such a block, others fit into one together.
    monkeypatch.setattr("course_lib.alignment.ibm1._BLOCK", 12)
    parts = IBMModel1.fit(pairs, 4)
    assert parts.log_likelihoods == pytest.approx(whole.log_likelihoods, rel=1e-12)
    for word, row in whole.table.items():
        assert parts.table[word] == pytest.approx(row, rel=1e-9, abs=1e-12)
