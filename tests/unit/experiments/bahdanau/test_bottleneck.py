"""Tasks and recipes by name, and the experiment of chapter 4."""

from types import SimpleNamespace

import pytest
import torch

from course_lab.experiments.bahdanau import bottleneck
from course_lib.cli.recipes import RECIPES, recipe, translators
from course_lib.cli.tasks import TranslationTask
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair
from course_lib.models.registry import build
from tests.remembered import remembered

SMALL = TranslationTask("mini", "en", "de", pairs=40, held_out=10, world="small")


@pytest.fixture(scope="module")
def pairs():
    return SMALL.load("train")


def test_tokenizers_know_the_training_words_and_no_others(pairs):
    source, target = SMALL.make_tokenizers(pairs, recipe("mini", "cho"))
    seen = {word for english, _ in pairs for word in english}
    assert len(source) == 4 + len(seen)
    unseen = next(w for w in grammar.vocabulary("en", "small") if w not in seen)
    assert source.decode(source.encode([unseen]).ids) == "<unk>"
    assert len(target) == 4 + len({word for _, german in pairs for word in german})


@pytest.mark.parametrize("data", TranslationTask.SPLITS)
def test_each_recipe_builds_a_model_and_one_data_set_has_models_of_one_size(data):
    vocabularies = {"source_vocabulary": 3000, "target_vocabulary": 3000}
    sizes = {
        model: sum(p.numel() for p in build(model, found.settings | vocabularies).parameters())
        for (name, model), found in RECIPES.items()
        if name == data
    }
    assert sorted(sizes) == translators()
    assert max(sizes.values()) < 1.6 * min(sizes.values()), sizes


@pytest.fixture(scope="module")
def world():
    """The world, and its mirror image after it, from sentences that are drawn once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grammar, "sample", remembered(grammar.sample))
        yield bottleneck.make_world(valid=bottleneck.VALID)


class TestBottleneck:
    """Both models meet the same conditions, and the stored counts say what the page says."""

    def test_the_advantage_in_size_is_the_fixed_vectors(self, world):
        cho, bahdanau = (
            sum(p.numel() for p in bottleneck.make_model(name, world, 0).parameters())
            for name in ("cho", "bahdanau")
        )
        assert 1.5 * bahdanau <= cho <= 2.5 * bahdanau

    def test_a_control_is_trained_for_as_long_as_it_says(self, world, monkeypatch):
        steps = []

        def record(model, batches, valid, config, **options):
            steps.append(config.steps)
            return SimpleNamespace(interrupted=False)

        monkeypatch.setattr(bottleneck, "fit", record)
        for name in ("cho", "equal", "cho4", "equal4"):
            bottleneck.train(bottleneck.TrainingTrial(name, 0, 0.01, world))
        once = [lesson.steps for lesson in world.lessons]
        assert steps == [*once, *once, *(4 * each for each in once + once)]

    def test_equal_weights_are_bahdanaus_model_without_a_choice(self, world):
        one, other = (bottleneck.make_model(name, world, 0) for name in ("bahdanau", "equal"))
        missing = set(one.state_dict()) - set(other.state_dict())
        assert {name.partition(".")[0] for name in missing} == {"score"}
        batch = bottleneck.batch_of(world.test[:6], world)
        out = other(batch.source, batch.source_mask, batch.target_in, return_attention=True)
        shares = batch.source_mask / batch.source_mask.sum(1, keepdim=True)
        torch.testing.assert_close(out.attention, shares[:, None].expand_as(out.attention))

    def test_each_model_has_the_rate_that_was_best_on_validation_pairs(self):
        for model, tried in bottleneck.rates_table().items():
            assert sorted(tried) == sorted(bottleneck.RATES_TRIED)
            assert max(tried, key=tried.get) == bottleneck.RATES[model]

    def test_crossings_are_counted(self):
        links = frozenset({(0, 2), (1, 0), (2, 1), (2, 2)})
        pair = AlignedPair(("a", "b", "c"), ("A", "B", "C"), links, links)
        assert bottleneck.crossings(pair) == bottleneck.crossings(pair.turned()) == 2
