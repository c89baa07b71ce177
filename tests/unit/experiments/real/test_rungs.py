"""The command line trains the rungs that the ladder reports."""

import json

import pytest
import torch

from course_lab.experiments.real import train as ladder
from course_lab.experiments.real.rungs import RUNGS, Run
from course_lib.cli import train as train_command
from course_lib.cli.main import main
from course_lib.training.checkpoint import weights_of


class Asked(Exception):
    """In place of the training: what `fit` was asked for."""

    def __init__(self, model, train, valid, config, **rest):
        super().__init__()
        self.model, self.train, self.config, self.metric = model, train, config, rest["metric"]


def refuse(*given, **named):
    raise Asked(*given, **named)


@pytest.mark.parametrize("name", [name for name in RUNGS if name != "transformer-both"])
@pytest.mark.usefixtures("few")
def test_settings_weights_batches_and_metric_are_the_same(name, monkeypatch, tmp_path):
    rung = RUNGS[name]
    source, target = rung.direction.split("-")
    for module in (ladder, train_command):
        monkeypatch.setattr(module, "fit", refuse)
    with pytest.raises(Asked) as reported:
        ladder.train(Run(name, 1), rung, ladder.Limits(tmp_path / "ladder"))
    command = ["train", rung.model, "--data", "multi30k", "--source", source, "--target", target]
    with pytest.raises(Asked) as trained:
        main([*command, "--seed", "1", "--run", str(tmp_path / "run")])
    wanted, found = reported.value, trained.value
    assert found.config == wanted.config
    assert found.model.config == wanted.model.config
    weights = weights_of(found.model)
    assert all(torch.equal(weights[k], tensor) for k, tensor in weights_of(wanted.model).items())
    for one, other in zip(found.train.epoch(0), wanted.train.epoch(0), strict=True):
        assert torch.equal(one.source, other.source)
        assert torch.equal(one.target_out, other.target_out)
    assert [found.metric.keywords["pairs"]] == wanted.metric.keywords["pairs"]
    config = json.loads((tmp_path / "run" / "config.json").read_text())
    assert config["data"]["vocabulary"] == rung.vocabulary
    assert config["training"]["tokens_per_batch"] == rung.tokens_per_batch
