"""The network of chapter 2's first screen: its file, its sentences, and what the figure tells."""

import pytest

from course_lab.experiments.seq2seq import in_page, one_vector
from course_lab.figures.touch.squeeze import SHOWN
from course_lib.evaluation.translate import translate


@pytest.fixture(scope="module")
def stored():
    return in_page.load()


def test_in_half_precision_it_is_as_right_as_the_stored_run(stored):
    world = one_vector.the_world()
    short = [pair for pair in world.test if len(pair.source) <= 7][:150]
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
