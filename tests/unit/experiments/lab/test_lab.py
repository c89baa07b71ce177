"""What the experiments share: worlds, rates, records, and weights that travel."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
import torch

from course_lab.experiments.lab import records
from course_lab.experiments.lab.rates import neighbourhood
from course_lab.experiments.lab.records import write_records
from course_lab.experiments.lab.world import (
    length_bins,
    load_weights,
    make_world,
    vocabularies,
    vocabulary_sizes,
    weights_of,
)
from course_lib.data.pairs import AlignedPair
from course_lib.decoding.generate import Decoded
from course_lib.evaluation import translate as translation
from course_lib.models.registry import build

PAIRS = [
    AlignedPair(("the", "dog"), ("der", "Hund", ".")),
    AlignedPair(("she", "sees", "the", "dog"), ("sie", "sieht")),
]


@pytest.fixture(scope="module")
def world():
    return make_world(60, 20, min_words=3, max_words=9)


def sentences(pairs: list[AlignedPair]) -> set[tuple[str, ...]]:
    return {pair.source for pair in pairs}


def small(tokenizers, seed=0):
    sizes = {**vocabulary_sizes(tokenizers), "embedding": 4, "hidden": 4, "dropout": 0.5}
    return build("dot", sizes, torch.Generator().manual_seed(seed))


def test_no_two_splits_of_a_world_share_a_sentence(world):
    assert [len(pairs) for pairs in (world.train, world.valid, world.test)] == [60, 20, 20]
    assert not sentences(world.train) & sentences(world.valid)
    assert not sentences(world.train) & sentences(world.test)
    assert not sentences(world.valid) & sentences(world.test)
    assert all(3 <= len(pair.source) <= 9 for pair in world.train)


def test_bins_go_by_the_source_and_leave_room_for_twice_the_longest_target(monkeypatch):
    tokenizers = vocabularies(PAIRS)
    asked = []

    def half_right(model, source, source_mask, *, max_length, **_):
        asked.append(max_length)
        right = tokenizers[1].encode(PAIRS[0].target).ids
        ids = [right if mask.sum() == 3 else [] for mask in source_mask]
        return Decoded(ids, [None] * len(ids), [True] * len(ids))

    monkeypatch.setattr(translation, "greedy", half_right)
    bins = length_bins(small(tokenizers), PAIRS, tokenizers, (2, 3, 5))
    assert [(found.count, found.exact) for found in bins] == [(1, 1.0), (1, 0.0)]
    assert asked == [6]


def test_weights_travel_as_arrays_and_arrive_in_eval_mode():
    tokenizers = vocabularies(PAIRS)
    sent, received = small(tokenizers), small(tokenizers, seed=1).train()
    arrays = weights_of(sent)
    assert all(isinstance(array, np.ndarray) for array in arrays.values())
    load_weights(received, arrays)
    assert all(not module.training for module in received.modules())
    for name, value in received.state_dict().items():
        assert torch.equal(value, sent.state_dict()[name])


def test_a_rate_is_compared_with_its_neighbours():
    ladder = (1e-4, 3e-4, 1e-3, 3e-3)
    assert neighbourhood(ladder, 3e-4) == (1e-4, 3e-4, 1e-3)
    assert neighbourhood(ladder, 1e-3) == (3e-4, 1e-3, 3e-3)
    for end in (1e-4, 3e-3):
        with pytest.raises(ValueError, match="at an end"):
            neighbourhood(ladder, end)


def test_records_are_sorted_kept_and_replaced_by_their_key(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(records, "side_by_side", map)
    path = tmp_path / "records.json"
    path.write_text('[{"name": "b", "seed": 1, "x": 0}, {"name": "c", "seed": 0, "x": 0}]')
    seen = []

    def judge(run):
        seen.append(json.loads(path.read_text()))
        return {"name": run[0], "seed": run[1], "x": 7}

    write_records(judge, [("b", 1), ("a", 2)], path, ("name", "seed"))
    stored = json.loads(path.read_text())
    assert [(r["name"], r["seed"], r["x"]) for r in stored] == [
        ("a", 2, 7),
        ("b", 1, 7),
        ("c", 0, 0),
    ]
    # The file was whole after the first of the two runs.
    assert [(r["name"], r["x"]) for r in seen[1]] == [("b", 7), ("c", 0)]
    assert len(capsys.readouterr().out.splitlines()) == 2
    assert os.listdir(tmp_path) == [Path(path).name]
