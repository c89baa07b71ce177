"""The scores' comparison: one thing differs, rates were chosen alike, stored counts fit."""

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pytest
import torch

from course_lib.attention.scores import AdditiveScore, dot, scaled_dot
from course_lib.experiments.lab.rates import Trial, neighbourhood
from course_lib.experiments.lab.stored import load_stored
from course_lib.experiments.lab.world import batch_of
from course_lib.experiments.query_key_value import enough


@pytest.fixture(scope="module")
def world():
    return enough.the_world()


def test_no_two_splits_share_a_sentence_and_lengths_are_those_of_the_bins(world):
    splits = [{p.source for p in pairs} for pairs in (world.train, world.valid, world.test)]
    assert [len(s) for s in splits] == [6_000, 400, 400]
    assert all(not one & other for one, other in combinations(splits, 2))
    lengths = {len(source) for split in splits for source in split}
    assert (min(lengths), max(lengths)) == (enough.EDGES[0], enough.EDGES[-1] - 1)


def test_the_models_differ_in_their_score_alone(world):
    plain, scaled, additive = (
        enough.make_model(name, world, 3) for name in ("dot", "scaled dot", "additive")
    )
    assert plain.score is dot
    assert scaled.score is scaled_dot
    assert isinstance(additive.score, AdditiveScore)
    shared = plain.state_dict()
    assert shared.keys() == scaled.state_dict().keys()
    for model in (scaled, additive):
        for name, weight in shared.items():
            assert torch.equal(model.state_dict()[name], weight), name
    own = set(additive.state_dict()) - set(shared)
    assert {name.partition(".")[0] for name in own} == {"score"}


def test_the_score_is_what_attends(world):
    batch = batch_of(world.test[:4], world.tokenizers)
    model = enough.make_model("additive", world, 0).eval()
    inputs = (batch.source, batch.source_mask, batch.target_in)
    before = model(*inputs, weights=True)
    torch.nn.init.zeros_(model.score.energy.weight)
    after = model(*inputs, weights=True)
    shares = batch.source_mask / batch.source_mask.sum(1, keepdim=True)
    torch.testing.assert_close(after.weights, shares[:, None].expand_as(after.weights))
    assert (before.weights - after.weights).abs().max() > 1e-4


def test_a_seed_is_a_start_and_another_one_another(world):
    one, again = (enough.make_model("additive", world, 0) for _ in range(2))
    for name, weight in one.state_dict().items():
        assert torch.equal(weight, again.state_dict()[name]), name
    one, other = (enough.make_model("additive", world, seed) for seed in (0, 1))
    assert not torch.equal(one.combine.weight, other.combine.weight)
    assert not torch.equal(one.score.keys.weight, other.score.keys.weight)


def test_training_may_last_longer_and_ends_in_eval_mode(world, monkeypatch):
    steps = []
    monkeypatch.setattr(
        enough, "fit", lambda model, batches, valid, config, **_: steps.append(config.steps)
    )
    model = enough.make_model("dot", world, 0)
    for times in (1, 2):
        enough.train(model.train(), world, 0.01, times)
        assert not model.training
    assert steps == [enough.STEPS, 2 * enough.STEPS]


def test_exact_match_counts_whole_sentences(world):
    few = replace(world, test=world.test[:20])
    assert enough.exact_match(enough.make_model("dot", world, 0).eval(), few) == 0  # untrained


def test_tuning_looks_at_validation_pairs_and_judging_at_test_pairs(world, monkeypatch):
    monkeypatch.setattr(enough, "train", lambda model, *_: model.eval())
    monkeypatch.setattr(enough, "teacher_forced", lambda *_: SimpleNamespace(nats=1.0))
    splits = []
    whole = enough._whole
    monkeypatch.setattr(enough, "_whole", lambda w, split: splits.append(split) or whole(w, split))
    judged = []
    monkeypatch.setattr(enough, "length_bins", lambda model, pairs, *_: judged.append(pairs) or [])
    enough._tuned(Trial("dot", 0, 0.01))
    assert (splits, judged) == (["valid"], [])
    enough._judged(Trial("dot", 0, 0.01))
    assert splits == ["valid", "test"]
    assert judged == [world.test]


def test_each_variant_has_the_rate_with_the_lowest_loss_of_its_neighbours():
    tried: dict[str, dict[float, float]] = {}
    for entry in load_stored(enough.TUNING):
        tried.setdefault(entry["variant"], {})[entry["learning_rate"]] = entry["nats"]
    assert set(tried) == set(enough.RATE_OF)
    for name, rates in tried.items():
        assert tuple(sorted(rates)) == neighbourhood(enough.RATES, enough.RATE_OF[name])
        assert min(rates, key=rates.get) == enough.RATE_OF[name]


def test_stored_runs_are_of_this_experiment(world):
    runs, lengths = enough.load_runs(), [len(pair.source) for pair in world.test]
    for name, entries in runs.items():
        assert [entry["seed"] for entry in entries] == list(enough.SEEDS)
        size = sum(p.numel() for p in enough.make_model(name, world, 0).parameters())
        for entry in entries:
            assert entry["parameters"] == size
            for counts in entry["bins"]:
                inside = sum(counts.low <= length <= counts.high for length in lengths)
                assert (counts.count, counts.exact <= counts.count) == (inside, True)


def test_dot_and_additive_do_alike():
    exact = enough.load_exact()
    assert all(len(shares) == len(enough.SEEDS) for shares in exact.values())
    for name in ("dot", "additive"):
        assert min(exact[name]) > 0.8
    middle = {name: sum(shares) / len(shares) for name, shares in exact.items()}
    assert abs(middle["dot"] - middle["additive"]) < 0.06
