"""Which end profits: the runs, how words are sorted, and what is read from the stored shares."""

import json
from itertools import pairwise

import pytest

from course_lab.experiments.lab.world import vocabularies
from course_lab.experiments.seq2seq import which_end
from course_lab.experiments.seq2seq.measures import FIFTHS, Share, by_fifths
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


def test_what_is_removed_is_a_share_of_the_errors_seed_by_seed(tmp_path, monkeypatch):
    def entry(variant, seed, right):
        shares = [[right, 10 + 2 * k] for k in range(FIFTHS)]
        turned = [[1, of] for _, of in shares]
        return {"variant": variant, "seed": seed, "source": shares, "target": turned}

    entries = [
        *(entry("backwards", seed, 4 + seed) for seed in (0, 1)),
        *(entry("forwards", seed, 2) for seed in (0, 1)),
    ]
    path = tmp_path / "which_end.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    monkeypatch.setattr(which_end, "STORED", path)
    assert which_end.wrong("source")["forwards"][1] == pytest.approx(
        [8 / 10, 10 / 12, 12 / 14, 14 / 16, 16 / 18]
    )
    # Of 8, 10, 12, 14, 16 errors two are gone, with the other seed three.
    assert which_end.removed("source") == [
        pytest.approx([2 / errors for errors in (8, 10, 12, 14, 16)]),
        pytest.approx([3 / errors for errors in (8, 10, 12, 14, 16)]),
    ]
    assert which_end.removed("target") == [[0.0] * FIFTHS] * 2
