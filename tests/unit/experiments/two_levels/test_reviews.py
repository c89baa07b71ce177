"""Reviews: two models that learn from some documents and are judged by others."""

import pytest

from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.two_levels import reviews
from course_lib.data.document import Document

FILLER = (("and", "so", "on", "."),)


def toy(count: int, offset: int = 0) -> list[Document]:
    """A film is good where somebody says so, in some sentence."""
    filler = [tuple(line.split()) for line in ("the film runs .", "a plot is .", "people act .")]
    documents = []
    for number in range(offset, offset + count):
        label = number % 2
        lines = list(filler)
        lines.insert(number % 4, ("it", "is", "superb" if label else "dull", "."))
        documents.append(Document(tuple(lines), label))
    return documents


def test_a_bag_learns_which_words_are_for_a_film():
    assert reviews.bag_accuracy(toy(20), toy(8, 100)) == 1.0


def test_the_network_learns_it_too():
    assert reviews.network_accuracy(toy(64), toy(8, 100), epochs=16) == 1.0


def test_the_network_reads_both_ends_of_a_long_review():
    lines = tuple((str(number),) for number in range(30))
    kept = [words[0] for words in reviews.ends(Document(lines, 1)).sentences]
    assert kept == [str(number) for number in (*range(10), *range(20, 30))]
    assert reviews.ends(Document(lines[:20], 1)).sentences == lines[:20]


def test_a_bag_on_the_networks_input_sees_no_word_that_the_network_does_not_read():
    deaf = [
        Document((("filler",) * 20 + line[-2:],) * 3, d.label)
        for d in toy(20)
        for line in d.sentences
        if line[0] == "it"
    ]
    assert reviews.as_read(deaf[0]).sentences == (("filler",) * 20,) * 3
    middle = [Document((*FILLER * 10, *d.sentences, *FILLER * 10), d.label) for d in toy(20)]
    for documents in (deaf, middle):
        assert reviews.bag_accuracy(documents, documents) == 1.0
        assert reviews.bag_accuracy_as_read(documents, documents) == 0.5
    assert reviews.bag_accuracy_as_read(toy(20), toy(8, 100)) == 1.0


def test_the_share_that_is_read_counts_words():
    long = Document((("a",) * 30, ("a",) * 10), 0)
    assert reviews.share_read([long]) == 0.75
    assert reviews.share_read([long, Document((("a",) * 20,), 0)]) == 50 / 60
    assert 0.2 < reviews.load_share_read() < 0.8


def test_a_bag_is_judged_by_words_that_it_has_seen():
    strange = [Document((("unheard",),), 1), Document((("of",),), 0)]
    assert reviews.bag_accuracy(toy(20), strange) == 0.5


def test_every_model_has_judged_every_fold_once_and_is_summed_up():
    stored = [(run["model"], run["fold"]) for run in load_stored(reviews.STORED)]
    assert sorted(stored) == sorted((run.model, run.fold) for run in reviews.RUNS)
    folds, summed = reviews.load_folds(), reviews.summary()
    assert folds.keys() == summed.keys() == {"bag", "bag, same input", "network"}
    for model, (mean, low, high, count) in summed.items():
        shares = list(folds[model].values())
        assert (low, high, count) == (min(shares), max(shares), 10)
        assert mean == pytest.approx(sum(shares) / 10)
