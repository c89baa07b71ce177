"""Chapter 4: the controls of the bottleneck experiment, and the network that the page runs."""

from itertools import pairwise
from types import SimpleNamespace

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


def test_the_model_with_one_vector_is_about_twice_as_large(world):
    cho, bahdanau = (
        sum(p.numel() for p in bottleneck.make_model(name, world, 0).parameters())
        for name in ("cho", "bahdanau")
    )
    assert 1.5 * bahdanau <= cho <= 2.5 * bahdanau


def test_a_control_is_trained_for_as_long_as_it_says(world, monkeypatch):
    steps = []

    def record(model, batches, valid, config, **options):
        steps.append(config.steps)
        return SimpleNamespace(interrupted=False)

    monkeypatch.setattr(bottleneck, "fit", record)
    for name in ("cho", "equal", "cho4", "equal4"):
        bottleneck.train(bottleneck.TrainingTrial(name, 0, 0.01, world))
    once = [lesson.steps for lesson in world.lessons]
    assert steps == [*once, *once, *(4 * each for each in once + once)]


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


def test_sentences_of_the_page_grow_by_a_clause_and_keep_every_word():
    known = in_page.families(1)[0]
    for family in in_page.families(3, trained_on=known[2:3]):
        assert len(family) == in_page.CLAUSES
        assert family != known
        for before, after in pairwise(family):
            assert after.source[: len(before.source) - 1] == before.source[:-1]
            assert after.target[: len(before.target) - 1] == before.target[:-1]
            assert len(after.source) > len(before.source)


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
