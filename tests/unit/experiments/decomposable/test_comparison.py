"""The comparison's runs: what a variant is, what is measured, what is stored."""

import numpy as np
import pytest
import torch

from course_lab.experiments.decomposable import comparison
from course_lib.data.inference_pairs import InferencePair


def test_new_names_keep_the_label_and_hit_shared_words_alone():
    pair = InferencePair(
        ("every", "small", "dog", "sleeps", "."), ("a", "dog", "sleeps", "."), "entailment"
    )
    new = comparison.renamed(pair)
    assert new.premise == ("every", "small", "x0dog", "x1sleeps", ".")
    assert new.hypothesis == ("a", "x0dog", "x1sleeps", ".")
    assert new.label == pair.label


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
    """All runs have the same pairs: one weight a construction explains every accuracy."""
    told = [r for name in comparison.TOLD_APART for r in comparison.load_shares()[name]]
    shares = np.array([list(record["by"].values()) for record in told])
    accuracy = np.array([record["accuracy"] for record in told])
    weights, *_ = np.linalg.lstsq(shares, accuracy, rcond=None)
    assert len(told) > len(weights)
    np.testing.assert_allclose(shares @ weights, accuracy, atol=3e-4)
    assert weights.min() > 0
    assert weights.sum() == pytest.approx(1, abs=0.01)
