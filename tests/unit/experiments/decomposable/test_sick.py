"""SICK by the command line: which commands, what is kept, what is stored."""

import json

import pytest

from course_lab.experiments.decomposable import sick
from course_lab.experiments.lab import records
from course_lab.experiments.lab.experiment import main
from course_lib.cli.parser import make_parser


def test_a_run_is_one_of_the_command_line_and_a_record(monkeypatch, tmp_path):
    scores = {"parameters": 3, "validation_accuracy": 0.5, "accuracy": 0.25, "updates": 7}
    asked = []

    def pretend(train, *, seed):
        asked.append((*train, seed))
        return {**scores, "split": "test"}

    monkeypatch.setattr(sick, "scores_of", pretend)
    monkeypatch.setattr(records, "side_by_side", map)
    file = tmp_path / "sick.json"
    only = ["--only", "variant=bag, with contrast", "seed=2"]
    main(["decomposable/sick", "--file", str(file), *only], sick.EXPERIMENTS)
    kept = {"variant": "bag, with contrast", "seed": 2, **scores}
    assert json.loads(file.read_text()) == [kept]
    assert asked == [("bag", "--contrast", "--data", "sick", 2)]


@pytest.mark.parametrize("name", sick.VARIANTS)
def test_every_variant_is_a_command_and_is_stored(name):
    options = make_parser().parse_args(["train", *sick.VARIANTS[name], "--data", "sick"])
    # The LSTM is always shown it.
    assert bool(options.contrast) == ("with contrast" in name and options.model != "lstm")
    assert options.no_premise == (name == "hypothesis alone")
    found = sick.load_scores()[name]
    assert tuple(record["seed"] for record in found) == sick.SEEDS
    assert len({(record["parameters"], record["updates"]) for record in found}) == 1
    assert found[0]["updates"] == (4 if name == sick.LONGER else 1) * 1410
