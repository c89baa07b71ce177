"""The network of chapter 2's first screen: its file, its sentences, and what the figure tells."""

import pytest
import torch

from course_lab.experiments.seq2seq import in_page, one_vector
from course_lab.figures.touch.squeeze import SHOWN, Odds, squeeze
from course_lib.evaluation.translate import translate

GLOSS = {"Katze": "cat", "eine": "a", "Pfarrer": "vicar"}


@pytest.fixture(scope="module")
def stored():
    return in_page.load()


def test_a_file_is_read_as_it_was_written(stored, tmp_path):
    in_page.save_to(tmp_path / "net.safetensors", stored)
    assert (tmp_path / "net.safetensors").read_bytes() == in_page.STORED.read_bytes()
    again = in_page.load(tmp_path / "net.safetensors").model.state_dict()
    assert all(
        torch.equal(weight, again[name]) for name, weight in stored.model.state_dict().items()
    )


def test_its_words_are_those_of_the_experiment(stored):
    for mine, theirs in zip(stored.tokenizers, one_vector.the_world().tokenizers, strict=True):
        assert len(mine) == len(theirs)
        ids = torch.arange(4, len(mine))
        assert [mine.decode([i]) for i in ids.tolist()] == [
            theirs.decode([i]) for i in ids.tolist()
        ]


def test_the_sentences_are_test_pairs_that_grow():
    pairs = in_page.pairs()
    assert [" ".join(pair.source) for pair in pairs] == list(in_page.SENTENCES)
    lengths = [len(pair.source) for pair in pairs]
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (one_vector.MIN_WORDS, one_vector.MAX_WORDS)


def test_in_half_precision_it_is_as_right_as_the_stored_run(stored):
    world = one_vector.the_world()
    short = [pair for pair in world.test if len(pair.source) <= 7]
    found = translate(stored.model, [pair.source for pair in short], *stored.tokenizers)
    right = [t.target.words == list(p.target) for t, p in zip(found, short, strict=True)]
    (rate, *_) = one_vector.load_exact(in_page.VARIANT, 4, 7)
    assert sum(right) / len(right) == pytest.approx(rate, abs=0.1)


def test_the_first_sentence_is_right_and_the_one_it_opens_on_is_not(stored):
    pairs = in_page.pairs()
    found = translate(stored.model, [p.source for p in pairs], *stored.tokenizers)
    right = [t.target.words == list(p.target) for t, p in zip(found, pairs, strict=True)]
    assert right[0]
    assert not right[in_page.OPENING]


def test_the_figure_tells_what_the_network_wrote(stored):
    figure = in_page.show(GLOSS, 0)
    pair = in_page.pairs()[0]
    assert " ".join(pair.source) in figure.alt
    html = figure._repr_html_()
    assert 'class="cl-net"' in html
    assert "vicar" not in html  # no word of the network's
    (wrote,) = translate(stored.model, [pair.source], *stored.tokenizers)
    assert html.count("<td>") == len(wrote.target.words) + len(pair.target)


def test_the_vector_is_what_the_decoder_is_told(stored):
    one, other = (in_page.vector_of(stored, pair.source) for pair in in_page.pairs()[:2])
    assert one.shape == other.shape == (64,)
    assert not torch.allclose(one, other)
    assert one.abs().max() <= 1


@pytest.mark.parametrize(
    ("sentences", "vector", "said"),
    [
        ([], [0.5], "wanted a sentence or more"),
        ([(["a"], ["b"])], [[0.5]], "wanted a row of numbers"),
        ([(["a"], ["b"])], [1.5], "wanted a row of numbers in -1..1"),
    ],
)
def test_what_does_not_fit_is_refused(sentences, vector, said):
    odds = [Odds([("b", 1.0)], 1.0)]
    with pytest.raises(ValueError, match=said):
        squeeze(b"", sentences, {}, words=[], written=["b"], odds=odds, vector=vector)


def test_odds_are_of_the_words_that_were_written():
    with pytest.raises(ValueError, match="wanted odds of 1 step, got 0"):
        squeeze(b"", [(["a"], ["b"])], {}, words=[], written=["b"], odds=[], vector=[0.5])


def test_at_each_step_the_word_it_wrote_was_the_most_probable(stored):
    pair = in_page.pairs()[in_page.OPENING]
    (found,) = translate(stored.model, [pair.source], *stored.tokenizers)
    written = found.target.words
    odds = in_page.odds_of(stored, pair, written)
    assert [step.top[0][0] for step in odds] == written
    for step, right in zip(odds, pair.target, strict=False):
        shares = [share for _, share in step.top]
        assert len(shares) == SHOWN
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) <= 1 + 1e-6
        assert dict(step.top).get(right, step.right) == step.right


def test_the_network_knows_every_word_that_is_right(stored):
    known = set(stored.tokenizers[1].from_ids(range(len(stored.tokenizers[1]))).tokens)
    assert {word for pair in in_page.pairs() for word in pair.target} <= known
