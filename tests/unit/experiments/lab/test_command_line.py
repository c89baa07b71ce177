"""An experiment that is a run of the command line: which commands, and where they leave nothing."""

import json
from pathlib import Path

from course_lab.experiments.lab import command_line
from course_lib.cli.parser import make_parser


def test_a_run_is_two_commands_in_a_folder_that_is_thrown_away(monkeypatch):
    commands = []

    def pretend(command, check, env):
        assert check
        # Runs go side by side: the number of cores must not decide what comes out.
        assert env["OMP_NUM_THREADS"] == env["MKL_NUM_THREADS"] == "1"
        assert env["PATH"]
        commands.append(make_parser().parse_args(command[3:]))
        if command[3] == "evaluate":
            Path(command[-1]).write_text(json.dumps({"bleu": 30.0}), encoding="utf-8")

    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    monkeypatch.setattr(command_line.subprocess, "run", pretend)
    found = command_line.scores_of(["bahdanau", "--data", "multi30k", "--epochs", "5"], seed=7)
    assert found == {"bleu": 30.0}
    train, evaluate = commands
    assert (train.model, train.data, train.epochs, train.seed) == ("bahdanau", "multi30k", 5, 7)
    assert train.run == evaluate.run
    assert not Path(train.run).parent.exists()
