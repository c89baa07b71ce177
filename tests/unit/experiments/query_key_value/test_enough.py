"""The scores' comparison: one thing differs, rates were chosen alike, stored counts fit."""

from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import pytest
import torch

from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.world import batch_of
from course_lab.experiments.query_key_value import enough
from course_lib.attention.scores import AdditiveScore, GeneralScore, dot, scaled_dot


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
    models = {name: enough.make_model(name, world, 3) for name in enough.SCORES}
    assert models["dot"].score is dot
    assert models["scaled dot"].score is models["scaled dot, 4 times as long"].score is scaled_dot
    assert isinstance(models["additive"].score, AdditiveScore)
    assert isinstance(models["general"].score, GeneralScore)
    shared = models["dot"].state_dict()
    for variant, model in models.items():
        for name, weight in shared.items():
            assert torch.equal(model.state_dict()[name], weight), name
        own = set(model.state_dict()) - set(shared)
        assert {name.partition(".")[0] for name in own} == (
            {"score"} if variant in ("additive", "general") else set()
        )


def test_equal_weights_are_equal_whatever_is_asked():
    query, key = torch.randn(2, 3, 4), torch.randn(2, 5, 4)
    torch.testing.assert_close(enough.equal(query, key).softmax(-1), torch.full((2, 3, 5), 0.2))


def test_components_of_variance_one_are_a_layer_normalisation_of_query_and_key():
    rng = torch.Generator().manual_seed(0)
    query, key = (3 + 0.05 * torch.randn(2, n, 64, generator=rng) for n in (3, 5))
    norm = torch.nn.LayerNorm(64)
    for score in (dot, scaled_dot):
        found = enough.of_variance_one(score)(query, key)
        torch.testing.assert_close(found, score(norm(query), norm(key)))
    # The size of what comes in no longer counts.
    larger = enough.of_variance_one(dot)(100 * query, key)
    torch.testing.assert_close(larger, enough.of_variance_one(dot)(query, key), rtol=0.01, atol=0.1)


def test_the_score_is_what_attends(world):
    batch = batch_of(world.test[:4], world.tokenizers)
    model = enough.make_model("additive", world, 0).eval()
    inputs = (batch.source, batch.source_mask, batch.target_in)
    before = model(*inputs, return_attention=True)
    torch.nn.init.zeros_(model.score.energy.weight)
    after = model(*inputs, return_attention=True)
    shares = batch.source_mask / batch.source_mask.sum(1, keepdim=True)
    torch.testing.assert_close(after.attention, shares[:, None].expand_as(after.attention))
    assert (before.attention - after.attention).abs().max() > 1e-4


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


def test_the_twin_alone_trains_longer(world, monkeypatch):
    times = {}
    monkeypatch.setattr(enough, "train", lambda model, w, rate, n: times.update({model: n}))
    for name in enough.SCORES:
        times.clear()
        enough._trained(Trial(name, 0, 0.01), world)
        assert list(times.values()) == [4 if name == "scaled dot, 4 times as long" else 1]


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
    assert max(exact["equal weights"]) < 0.5
