"""Tasks and recipes by name, and the experiment of chapter 4."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from course_lab.experiments.bahdanau import bottleneck, soft_alignment
from course_lab.experiments.lab import experiment
from course_lab.experiments.lab import world as shared
from course_lab.experiments.lab.stored import load_stored
from course_lib.cli.recipes import RECIPES, recipe, translators
from course_lib.cli.task import (
    SPLITS,
    TaskConfig,
    make_batches,
    make_tokenizers,
    sentence_pairs,
    split_names,
)
from course_lib.data.batch import Batches, encode_pairs
from course_lib.data.mini_world import grammar
from course_lib.data.pairs import AlignedPair
from course_lib.errors import CourseError
from course_lib.evaluation.teacher_forcing import forced_attention
from course_lib.models.registry import build
from course_lib.training.fit import fit
from tests.remembered import remembered

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
    with pytest.raises(CourseError, match=r"want a model out of .*; got 'elmo'"):
        recipe("mini", "elmo")


@pytest.fixture(scope="module")
def world():
    """The world, and its mirror image after it, from sentences that are drawn once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grammar, "sample", remembered(grammar.sample))
        yield bottleneck.make_world(valid=bottleneck.VALID)


class TestBottleneck:
    """Both models meet the same conditions, and the stored counts say what the page says."""

    def test_no_sentence_is_in_two_splits(self, world):
        splits = [
            {pair.source for pair in pairs} for pairs in (world.train, world.valid, world.test)
        ]
        assert len(splits[0]) == len(world.train)
        assert sum(map(len, splits)) == len(set.union(*splits))

    def test_lengths_are_those_of_the_bins(self, world):
        for pairs in (world.train, world.valid, world.test):
            lengths = [len(pair.source) for pair in pairs]
            assert min(lengths) >= bottleneck.EDGES[0]
            assert max(lengths) == bottleneck.MAX_WORDS

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

    def test_turned_it_is_the_same_world_from_german(self, world):
        other = bottleneck.make_world(turned=True, valid=bottleneck.VALID)
        for split in ("train", "valid", "test"):
            assert getattr(other, split)[:50] == [p.turned() for p in getattr(world, split)[:50]]
        assert [p.turned() for p in other.test] == world.test
        assert tuple(map(len, other.tokenizers)) == tuple(map(len, world.tokenizers))[::-1]

    @pytest.mark.parametrize(
        ("stored", "varied", "split"),
        [
            (bottleneck.STORED, "seed", "test"),
            (bottleneck.STORED_RATES, "rate", "valid"),
        ],
    )
    def test_the_stored_counts_are_of_this_experiment(self, world, stored, varied, split):
        records = load_stored(stored)
        values = bottleneck.SEEDS if varied == "seed" else bottleneck.RATES_TRIED
        assert [(r["model"], r[varied]) for r in records] == [
            (model, value) for model in sorted(bottleneck.SIZES) for value in values
        ]
        lengths = [len(pair.source) for pair in getattr(world, split)]
        for found in records:
            model = bottleneck.make_model(found["model"], world, 0)
            assert found["parameters"] == sum(p.numel() for p in model.parameters())
            assert varied == "rate" or found["rate"] == bottleneck.RATES[found["model"]]
            for low, high, count, exact in found["bins"]:
                assert count == sum(low <= length <= high for length in lengths)
                assert 0 <= exact <= count

    def test_each_model_has_the_rate_that_was_best_on_validation_pairs(self):
        for model, tried in bottleneck.rates_table().items():
            assert sorted(tried) == sorted(bottleneck.RATES_TRIED)
            assert max(tried, key=tried.get) == bottleneck.RATES[model]

    def test_the_great_effect(self):
        curves = bottleneck.load_curves()
        assert all(len(rows) == 5 for rows in curves.values())
        first_long = [low for low in bottleneck.EDGES if low < 30]
        for without in ("cho", "cho4", "equal", "equal4"):
            assert max(rate for row in curves[without] for rate in row[len(first_long) :]) <= 0.10
        assert min(rate for row in curves["bahdanau"] for rate in row) >= 0.95

    def test_a_length_curve_counts_exact_translations(self, world):
        few = replace(world, test=world.test[:20])
        bins = bottleneck.length_curve(bottleneck.make_model("cho", world, 0), few)
        assert sum(b.count for b in bins) == 20
        assert sum(b.exact * b.count for b in bins if b.count) == 0  # untrained

    def test_the_pairs_that_german_reorders_most_come_first(self, world):
        found = bottleneck.most_reordered(world.test, 8, 11)
        assert all(8 <= len(pair.source) <= 11 for pair in found)
        counts = [bottleneck.crossings(pair) for pair in found]
        assert counts == sorted(counts, reverse=True)
        assert counts[0] > 0

    def test_crossings_are_counted(self):
        links = frozenset({(0, 2), (1, 0), (2, 1), (2, 2)})
        pair = AlignedPair(("a", "b", "c"), ("A", "B", "C"), links, links)
        assert bottleneck.crossings(pair) == bottleneck.crossings(pair.turned()) == 2

    def test_what_is_asked_for_is_run_and_stored(self, world, monkeypatch, tmp_path):
        made = []

        def write(function, runs, path, key):
            made.append((function.__name__, len(runs), path, key))

        monkeypatch.setattr(bottleneck, "make_world", lambda valid=0: world)
        monkeypatch.setattr(experiment, "write_records", write)
        declared = bottleneck.EXPERIMENTS
        experiment.main(["bahdanau/bottleneck_rates", "--file", str(tmp_path / "a.json")], declared)
        experiment.main(["bahdanau/bottleneck"], declared)
        experiment.main(["bahdanau/bottleneck", "--only", "model=cho", "seed=2"], declared)
        assert made == [
            ("_compare_rates", 20, tmp_path / "a.json", ("model", "rate")),
            ("_final", 25, bottleneck.STORED, ("model", "seed")),
            ("_final", 1, bottleneck.STORED, ("model", "seed")),
        ]


class TestSoftAlignment:
    """Attention and IBM Model 1 as aligners, both directions."""

    def test_every_direction_and_seed_is_stored_and_shares_model_1(self):
        rates = soft_alignment.load_rates()
        assert list(rates) == list(soft_alignment.DIRECTIONS)
        for runs in rates.values():
            assert [run["seed"] for run in runs] == list(soft_alignment.SEEDS)
            assert len({run["model1"] for run in runs}) == 1
            assert all(0 < rate < 1 for run in runs for rate in run["attention"].values())
            assert all(min(r["attention"], key=r["attention"].get) == 0 for r in runs)

    def test_model_1_scores_as_stored(self, world):
        stored = soft_alignment.load_rates()["English to German"][0]["model1"]
        rates = soft_alignment.model1_rates(world, world.test)
        assert rates["diagonal"] == pytest.approx(stored, abs=1e-3)
        assert rates["first"] > rates["diagonal"] + 0.1  # the rule for ties is worth so much

    def test_an_untrained_model_aligns_badly_on_every_row(self, world):
        model = bottleneck.make_model("bahdanau", world, 0)
        maps = forced_attention(model, world.test[:50], *world.tokenizers)
        rates = soft_alignment.attention_rates(maps, world.test[:50])
        assert list(rates) == list(soft_alignment.SHIFTS)
        assert min(rates.values()) > 0.5


def test_a_training_that_was_interrupted_gives_no_model(monkeypatch):
    pairs = grammar.sample("train", 30, max_words=8, vocabulary="tiny")
    tokenizers = shared.vocabularies(pairs)
    batches = Batches(encode_pairs(pairs, *tokenizers), pairs_per_batch=10)
    small = bottleneck.LessonWorld(pairs, [], [], tokenizers, (bottleneck.Drill(batches, 22),) * 2)
    run = bottleneck.TrainingTrial("bahdanau", 0, 1e-3, small)
    assert not bottleneck.train(run).training

    def interrupted(*arguments, **options):
        history = fit(*arguments, **options)
        return replace(history, stopped="interrupted")

    monkeypatch.setattr(bottleneck, "fit", interrupted)
    with pytest.raises(KeyboardInterrupt):
        bottleneck.train(run)
