"""The comparison's runs: what a variant is, what is measured, what is stored."""

from collections import Counter

import pytest
import torch

from course_lab.experiments.decomposable import comparison
from course_lab.experiments.lab.rates import Trial
from course_lib.data.inference_pairs import InferencePair
from course_lib.models.pair_classifier import parameters_of


def test_new_names_keep_the_label_and_hit_shared_words_alone():
    pair = InferencePair(
        ("every", "small", "dog", "sleeps", "."), ("a", "dog", "sleeps", "."), "entailment"
    )
    new = comparison.renamed(pair)
    assert new.premise == ("every", "small", "x0dog", "x1sleeps", ".")
    assert new.hypothesis == ("a", "x0dog", "x1sleeps", ".")
    assert new.label == pair.label


def test_a_short_run_gives_a_record():
    world = comparison.make_world(40, 20)
    variant = comparison.VARIANTS["bag 16"]
    short = comparison.PairWorld(*world[:3], world.vocabulary)
    model = comparison.make_model("bag 16", short, seed=0)
    assert model.config.hidden == variant.hidden
    shares = comparison.measured(model.eval(), short.test, short)
    assert set(shares) == {"accuracy", "renamed"}
    alone = comparison.measured(model, short.test, short, premise=False)
    assert set(alone) == {"accuracy"}


def test_what_is_right_by_construction_makes_up_what_is_right(monkeypatch):
    world = comparison.make_world(40, 20)
    answers = torch.arange(20) % 3 == 0
    monkeypatch.setattr(comparison, "right", lambda model, pairs, world: answers)
    model = comparison.make_model("bag 16", world, seed=0)
    shares = comparison.by_construction(model, world.test, world)
    names = [pair.construction for pair in world.test]
    assert set(shares) == set(names)
    assert len(shares) > 2
    for name, share in shares.items():
        own = [bool(ok) for ok, each in zip(answers, names, strict=True) if each == name]
        assert share == pytest.approx(sum(own) / len(own), abs=5e-5)


def test_stored_shares_by_construction_make_up_the_stored_accuracy():
    # Held-out pairs do not depend on how many there are to train on, and those take long to draw.
    counts = Counter(pair.construction for pair in comparison.make_world(40).test)
    for name, records in comparison.load_shares().items():
        for record in records:
            if name in comparison.TOLD_APART:
                right = sum(counts[each] * share for each, share in record["by"].items())
                assert right / counts.total() == pytest.approx(record["accuracy"], abs=2e-4)
                assert set(record["by"]) == set(counts)
            else:
                assert "by" not in record


def test_a_sentence_is_asked_of_itself(monkeypatch):
    world = comparison.make_world(40, 20)
    model = comparison.make_model("bag 16", world, seed=0)

    def pretend(model, pairs, world):
        assert all(pair.premise == pair.hypothesis for pair in pairs)
        assert {pair.label for pair in pairs} == {"entailment"}
        return torch.tensor([True, True, True, False])

    monkeypatch.setattr(comparison, "right", pretend)
    assert comparison.itself(model, world.test, world) == 0.75


def test_what_follows_from_itself_is_stored_of_those_that_are_asked():
    for name, records in comparison.load_shares().items():
        asked = name in comparison.ASKED_OF_ITSELF
        assert all(("itself" in record) == asked for record in records), name


def test_a_seed_decides_a_run(monkeypatch):
    monkeypatch.setattr(comparison, "STEPS", 60)
    world = comparison.make_world(40, 20)
    one, same, other = (comparison.train(Trial("bag 16", n, 1e-2), world) for n in (0, 0, 1))
    states = [net.state_dict()["verdict.weight"] for net in (one, same, other)]
    assert torch.equal(states[0], states[1])
    assert not torch.equal(states[0], states[2])
    assert not one.training


def test_every_variant_has_five_seeds():
    shares = comparison.load_shares()
    world = comparison.make_world(40, 20)
    for name, records in shares.items():
        assert [record["seed"] for record in records] == list(comparison.SEEDS), name
        size = parameters_of(comparison.make_model(name, world, 0))
        assert {record["parameters"] for record in records} == {size}, name
