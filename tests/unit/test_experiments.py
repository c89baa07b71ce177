"""Tasks and recipes by name, and the experiment of chapter 4."""

from dataclasses import replace

import pytest

from course_lib.data import grammar
from course_lib.data.pairs import AlignedPair
from course_lib.errors import CourseError
from course_lib.experiments import bottleneck
from course_lib.experiments.recipes import RECIPES, recipe, translators
from course_lib.experiments.stored import load_stored
from course_lib.experiments.task import (
    SPLITS,
    TaskConfig,
    make_batches,
    make_tokenizers,
    sentence_pairs,
    split_names,
)
from course_lib.models import build

SMALL = TaskConfig("mini", "en", "de", pairs=40, held_out=10, world="small")


@pytest.fixture(scope="module")
def pairs():
    return sentence_pairs(SMALL, "train")


def test_the_other_direction_swaps_the_sides(pairs):
    other = sentence_pairs(replace(SMALL, source="de", target="en"), "train")
    assert other == [(target, source) for source, target in pairs]


def test_the_training_split_and_the_others_have_their_own_sizes(pairs):
    training, validation, test = split_names(SMALL)
    assert len(pairs) == 40
    assert len(sentence_pairs(SMALL, validation)) == len(sentence_pairs(SMALL, test)) == 10
    assert {training, validation, test} < set(SPLITS["mini"])


def test_tokenizers_know_the_training_words_and_no_others(pairs):
    source, target = make_tokenizers(SMALL, pairs)
    seen = {word for english, _ in pairs for word in english}
    assert len(source) == 4 + len(seen)
    unseen = next(w for w in grammar.vocabulary("en", "small") if w not in seen)
    assert source.decode(source.encode([unseen]).ids) == "<unk>"
    assert len(target) == 4 + len({word for _, german in pairs for word in german})


def test_batches_hold_every_pair_once(pairs):
    batches = make_batches(SMALL, pairs, make_tokenizers(SMALL, pairs), 200)
    assert sorted(i for batch in batches.epoch(0) for i in batch.index) == list(range(40))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"name": "wmt"}, "unknown data 'wmt'"),
        ({"name": "mini", "source": "fr"}, "unknown language 'fr'"),
        ({"name": "mini", "source": "en", "target": "en"}, "two different languages"),
    ],
)
def test_an_impossible_task_is_refused(settings, said):
    with pytest.raises(CourseError, match=said):
        TaskConfig(**settings)


def test_an_unknown_split_is_named():
    with pytest.raises(CourseError, match="no split 'val'; choose one of train, valid"):
        sentence_pairs(SMALL, "val")


@pytest.mark.parametrize("data", SPLITS)
def test_each_recipe_builds_a_model_and_one_data_set_has_models_of_one_size(data):
    vocabularies = {"source_vocabulary": 3000, "target_vocabulary": 3000}
    sizes = {
        model: sum(p.numel() for p in build(model, found.settings | vocabularies).parameters())
        for (name, model), found in RECIPES.items()
        if name == data
    }
    assert sorted(sizes) == translators()
    assert max(sizes.values()) < 1.6 * min(sizes.values()), sizes


def test_a_recipe_is_asked_for_by_name():
    assert recipe("mini", "cho").settings["hidden"] > 0
    with pytest.raises(CourseError, match="unknown model 'elmo'"):
        recipe("mini", "elmo")


@pytest.fixture(scope="module")
def world():
    return bottleneck.make_world()


class TestBottleneck:
    """Both models meet the same conditions, and the stored counts say what the page says."""

    def test_no_test_sentence_was_trained_on(self, world):
        trained = {pair.source for pair in world.train}
        assert len(trained) == len(world.train)
        assert not trained & {pair.source for pair in world.test}

    def test_lengths_are_those_of_the_bins(self, world):
        for pairs in (world.train, world.test):
            lengths = [len(pair.source) for pair in pairs]
            assert min(lengths) >= bottleneck.EDGES[0]
            assert max(lengths) == bottleneck.MAX_WORDS

    def test_the_models_are_of_one_size(self, world):
        cho, bahdanau = (
            sum(p.numel() for p in bottleneck.make_model(name, world, 0).parameters())
            for name in ("cho", "bahdanau")
        )
        assert bahdanau <= cho <= 1.15 * bahdanau  # the advantage, if any, is Cho's

    def test_the_stored_counts_are_of_this_experiment(self, world):
        stored = load_stored("bottleneck")
        assert [(r["model"], r["seed"]) for r in stored] == [
            (model, seed) for seed in bottleneck.SEEDS for model in bottleneck.SIZES
        ]
        lengths = [len(pair.source) for pair in world.test]
        for found in stored:
            model = bottleneck.make_model(found["model"], world, 0)
            assert found["parameters"] == sum(p.numel() for p in model.parameters())
            for low, high, count, exact in found["bins"]:
                assert count == sum(low <= length <= high for length in lengths)
                assert 0 <= exact <= count

    def test_the_great_effect(self):
        curves = bottleneck.load_curves()
        assert all(len(rows) == 3 for rows in curves.values())
        first_long = [low for low in bottleneck.EDGES if low < 30]
        assert max(rate for row in curves["cho"] for rate in row[len(first_long) :]) <= 0.10
        assert min(rate for row in curves["bahdanau"] for rate in row) >= 0.90

    def test_a_length_curve_counts_exact_translations(self, world):
        few = replace(world, test=world.test[:20])
        bins = bottleneck.length_curve(bottleneck.make_model("cho", world, 0), few)
        assert sum(b.count for b in bins) == 20
        assert sum(b.exact * b.count for b in bins if b.count) == 0  # untrained

    def test_the_example_ends_in_a_verb_from_far(self, world):
        pair = bottleneck.verb_final_example(world.test)
        assert pair.target[-1] == "."
        last = len(pair.target) - 2
        (partner,) = {i for i, j in pair.sure if j == last}
        assert last - partner >= 4
        near = AlignedPair(
            ("a", "b", "."), ("A", "B", "."), frozenset({(1, 1)}), frozenset({(1, 1)})
        )
        with pytest.raises(ValueError, match="no pair"):
            bottleneck.verb_final_example([near])
