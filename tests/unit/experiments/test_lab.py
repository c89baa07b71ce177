"""What the experiments share: worlds, the command, records, and networks for pages."""

import json
import os

import pytest
import torch

from course_lab.experiments.lab import experiment, records
from course_lab.experiments.lab.experiment import Experiment, main
from course_lab.experiments.lab.page_net import load_net, pack, save_net, unpack
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.world import (
    make_world,
)


def test_no_two_splits_of_a_world_share_a_sentence():
    world = make_world(60, 20, min_words=3, max_words=9)
    splits = [{pair.source for pair in pairs} for pairs in (world.train, world.valid, world.test)]
    assert [len(split) for split in splits] == [60, 20, 20]
    assert len(set.union(*splits)) == 100
    assert all(3 <= len(pair.source) <= 9 for pair in world.train)


RUNS = [Trial(variant, seed, 0.1) for variant in ("long", "short") for seed in (0, 1)]


def made(run, new=True):
    return run._asdict() | {"new": new}


@pytest.fixture
def file(monkeypatch, tmp_path):
    """An empty stored file that the command can make."""
    stored = tmp_path / "room" / "made.json"
    declared = Experiment("A test.", stored, lambda: RUNS, made)
    monkeypatch.setattr(experiment, "collected", lambda name: {declared.name: declared})
    monkeypatch.setattr(records, "side_by_side", map)
    stored.parent.mkdir()
    return stored


@pytest.mark.parametrize(
    ("stored", "options", "new"),
    [
        (0, [], [True] * 4),
        (4, ["--only", "variant=short", "seed=0"], [False, False, True, False]),
        (1, ["--resume"], [False, True, True, True]),
    ],
)
def test_the_command_makes_the_runs_that_are_asked_for_and_the_others_stay(
    file, stored, options, new
):
    file.write_text(json.dumps([made(run, new=False) for run in RUNS[:stored]]))
    main(["room/made", *options])
    lines = json.loads(file.read_text(encoding="utf-8"))
    assert [line["new"] for line in lines] == new
    assert lines == [made(run, new) for run, new in zip(RUNS, new, strict=True)]
    assert os.listdir(file.parent) == [file.name]


def test_rounding_moves_a_weight_by_half_a_step_of_its_row_at_most():
    weight = torch.randn(7, 30, generator=torch.Generator().manual_seed(0))
    weight[3] = 0.0
    weight[4] *= 1e-3
    rounded = unpack(pack({"w.weight": weight, "w.bias": torch.ones(3)}))
    steps = weight.abs().amax(1, keepdim=True) / 127
    # Half precision of the scale adds a thousandth of the weight itself.
    assert ((rounded["w.weight"] - weight).abs() <= 0.5 * steps + 1e-3 * weight.abs() + 1e-9).all()
    assert (rounded["w.bias"] == 1).all()
    assert rounded.keys() == {"w.weight", "w.bias"}


def test_a_network_for_a_page_is_read_as_it_was_written_in_half_precision(tmp_path):
    path, again = tmp_path / "net.safetensors", tmp_path / "again.safetensors"
    tensors = {
        "wide": torch.tensor([[1.5, 1 + 2**-12], [0.25, -2.0]]).T,
        "small": torch.tensor([[-3, 127]], dtype=torch.int8),
    }
    save_net(path, tensors, {"words": ["für", "<s>"]})
    read, told = load_net(path)
    assert told == {"words": ["für", "<s>"]}
    assert read["wide"].tolist() == [[1.5, 0.25], [1.0, -2.0]]  # 2^-12 is lost in half precision
    assert torch.equal(read["small"], tensors["small"])
    save_net(again, read, told)
    assert again.read_bytes() == path.read_bytes()
