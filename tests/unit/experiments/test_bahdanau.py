"""Chapter 4: the controls of the bottleneck experiment, and the network that the page runs."""

import pytest
import torch

from course_lab.experiments.bahdanau import bottleneck, in_page
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair
from course_lib.evaluation.translate import translate


@pytest.fixture(scope="module")
def world():
    with pytest.MonkeyPatch.context() as patch:
        sample = grammar.sample  # sentences of up to 50 words take long to draw
        patch.setattr(grammar, "sample", lambda split, count, **how: sample(split, 60, **how))
        yield bottleneck.make_world()


def test_equal_weights_are_bahdanaus_model_without_a_score(world):
    whole, equal = (bottleneck.make_model(name, world, 0) for name in ("bahdanau", "equal"))
    missing = set(whole.state_dict()) - set(equal.state_dict())
    assert {name.partition(".")[0] for name in missing} == {"score"}
    batch = bottleneck.batch_of(world.test[:6], world)
    out = equal(batch.source, batch.source_mask, batch.target_in, return_attention=True)
    weights = batch.source_mask / batch.source_mask.sum(1, keepdim=True)
    torch.testing.assert_close(out.attention, weights[:, None].expand_as(out.attention))


def test_crossings_are_counted():
    links = frozenset({(0, 2), (1, 0), (2, 1), (2, 2)})
    pair = AlignedPair(("a", "b", "c"), ("A", "B", "C"), links, links)
    assert bottleneck.crossings(pair) == bottleneck.crossings(pair.turned()) == 2


def test_the_rounded_network_translates():
    stored = in_page.load()
    model, tokenizers = in_page.rebuilt(stored), in_page.tokenizers(stored)
    assert not model.training
    pairs = grammar.sample("test", 80, seed=11, min_words=4, max_words=50, vocabulary="tiny")
    written = translate(model, [pair.source for pair in pairs], *tokenizers)
    right = [tuple(t.target.words) == p.target for t, p in zip(written, pairs, strict=True)]
    assert sum(right) / len(right) > 0.9
    # The sentences of the page, for which the German is stored that each network wrote.
    sentences = [entry for family in stored.families for entry in family]
    written = translate(model, [entry["en"].split() for entry in sentences], *tokenizers)
    pairs = zip(written, sentences, strict=True)
    right = [" ".join(t.target.words) == entry["de"] for t, entry in pairs]
    assert sum(right) / len(right) > 0.9
    one_vector = sum(entry["one vector"] == entry["de"] for entry in sentences)
    assert one_vector / len(sentences) < 0.4
