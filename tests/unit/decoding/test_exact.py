"""Exact search beside every sentence that there is."""

import pytest

from course_lib.data.tokens.tokenizer import PAD, START
from course_lib.decoding import exact
from course_lib.decoding.beam import beam_hypotheses
from course_lib.decoding.exact import most_probable
from tests.unit.decoding.test_beam import (
    END,
    MOST,
    SOURCE,
    A,
    B,
    C,
    Chain,
    batch,
    every_sentence,
    log_probability,
    strong,
)


@pytest.mark.parametrize("name", ["cho", "bahdanau", "transformer"])
@pytest.mark.parametrize("seed", [4, 5])
@pytest.mark.parametrize("at_once", [1, 16])
def test_it_finds_the_best_of_all_sentences(name, seed, at_once, monkeypatch):
    monkeypatch.setattr(exact, "_AT_ONCE", at_once)
    model = strong(name, seed, factor=1.5)
    found = most_probable(model, *SOURCE, max_length=MOST)
    for row, best in enumerate(found):
        score, ids = every_sentence(model, row, 0.0)[0]
        assert best.ids == ids
        assert best.log_probability == best.normalised == pytest.approx(score, abs=1e-8)
        assert best.finished


def test_a_batch_is_searched_as_its_sentences_alone():
    model = strong("transformer", 6, factor=1.5)
    together = most_probable(model, *SOURCE, max_length=4)
    for row, best in enumerate(together):
        real = int(SOURCE[1][row].sum())
        source = SOURCE[0][row : row + 1, :real], SOURCE[1][row : row + 1, :real]
        (alone,) = most_probable(model, *source, max_length=4)
        assert best.ids == alone.ids
        forced = log_probability(model, row, best.ids)
        assert best.log_probability == pytest.approx(forced, abs=1e-8)


@pytest.mark.parametrize("at_once", [1, 2, 16])
def test_a_beginning_hardly_better_than_the_best_sentence_is_continued(at_once, monkeypatch):
    monkeypatch.setattr(exact, "_AT_ONCE", at_once)
    # Two at once: beside D, of one word, a beginning of two is read, so that D is padded.
    # Four beams lose the sentence D, which ends at once, and find a worse one.
    D = 1
    shares = {
        START: {A: 0.5, B: 0.2, C: 0.2, D: 0.1},
        A: {A: 0.38, B: 0.06, C: 0.32, D: 0.19, END: 0.05},
        B: {A: 0.98, END: 0.02},
        C: {A: 0.98, END: 0.02},
        D: {END: 1.0},
    }
    model, source = Chain(shares), batch([A, END])
    (first,) = beam_hypotheses(model, *source, beams=4, alpha=0.0, max_length=5)
    found = max(h.log_probability for h in first if h.finished)
    (best,) = most_probable(model, *source, max_length=5)
    assert best.ids == [D]
    assert found < best.log_probability < found / 2


def test_it_gives_up_where_patience_ends():
    # Every word as likely as any other, so that nearly all beginnings have to be opened.
    flat = Chain({t: dict.fromkeys((A, B, 6), 0.33) for t in (START, A, B, 6)})
    assert most_probable(flat, *batch([A, END]), max_length=9, patience=20) == [None]


def test_pad_and_start_are_never_written_even_if_preferred():
    ends = {END: 1.0}
    model = Chain({START: {PAD: 0.4, START: 0.35, A: 0.25}, PAD: ends, A: ends})
    (best,) = most_probable(model, *batch([A, END]), max_length=3)
    assert best.ids == [A]
