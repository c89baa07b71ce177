"""The networks that a page runs: rounding, the stored file, and the sentences that it offers."""

from itertools import pairwise

import pytest
import torch

from course_lab.experiments.bahdanau import in_page
from course_lab.experiments.lab.page_net import pack, unpack
from course_lib.data.mini_world import grammar
from course_lib.evaluation.translate import translate


@pytest.fixture(scope="module")
def stored():
    return in_page.load()


def test_rounding_moves_a_weight_by_half_a_step_of_its_row_at_most():
    weight = torch.randn(7, 30, generator=torch.Generator().manual_seed(0))
    weight[3] = 0.0
    weight[4] *= 1e-3
    found = unpack(pack({"w.weight": weight, "w.bias": torch.ones(3)}))
    steps = weight.abs().amax(1, keepdim=True) / 127
    # Half precision of the scale adds a thousandth of the weight itself.
    assert ((found["w.weight"] - weight).abs() <= 0.5 * steps + 1e-3 * weight.abs() + 1e-9).all()
    assert (found["w.bias"] == 1).all()
    assert found.keys() == {"w.weight", "w.bias"}


def test_sentences_grow_by_a_clause_and_keep_every_word():
    known = in_page.families(1)[0]
    for family in in_page.families(3, trained_on=known[2:3]):
        assert len(family) == in_page.CLAUSES
        assert family != known
        for before, after in pairwise(family):
            assert after.source[: len(before.source) - 1] == before.source[:-1]
            assert after.target[: len(before.target) - 1] == before.target[:-1]
            assert len(after.source) > len(before.source)
    assert in_page.families(2) == in_page.families(2)


def test_the_rounded_network_translates(stored):
    model = in_page.rebuilt(stored)
    assert not model.training
    pairs = grammar.sample("test", 80, seed=11, min_words=4, max_words=50, vocabulary="tiny")
    tokenizers = in_page.tokenizers(stored)
    found = translate(model, [pair.source for pair in pairs], *tokenizers)
    right = [tuple(t.target.words) == p.target for t, p in zip(found, pairs, strict=True)]
    assert sum(right) / len(right) > 0.93
    sentences = [entry for family in stored.families for entry in family]
    found = translate(model, [entry["en"].split() for entry in sentences], *tokenizers)
    wrote = [" ".join(t.target.words) for t in found]
    assert sum(w == entry["de"] for w, entry in zip(wrote, sentences, strict=True)) >= 136
    squeezed = sum(entry["one vector"] == entry["de"] for entry in sentences)
    assert squeezed < 40
