"""Tiny trained runs, and what is asked of every mistake."""

from pathlib import Path

import pytest

from course_lib.cli.main import main

TINY = ["--pairs", "60", "--held-out", "20", "--steps", "4", "--hidden", "8"]


def run(*arguments: object) -> int:
    """The exit code; argparse leaves by itself."""
    try:
        return main([str(argument) for argument in arguments])
    except SystemExit as left:
        return left.code


@pytest.fixture(scope="session")
def tiny() -> list[str]:
    """Options of a training that takes a moment."""
    return TINY


@pytest.fixture(scope="session")
def trained(tmp_path_factory) -> dict[str, Path]:
    """One tiny run with attention and one without, on the mini-world; not to be written to."""
    folder = tmp_path_factory.mktemp("runs")
    for model in ("bahdanau", "cho"):
        assert run("train", model, *TINY, "--run", folder / model) == 0
    return {model: folder / model for model in ("bahdanau", "cho")}


@pytest.fixture
def complaint(capsys):
    """Runs a command that must fail: exit code 2 and one line, which is returned."""

    def check(*arguments: object) -> str:
        capsys.readouterr()
        assert run(*arguments) == 2
        text = capsys.readouterr().err
        lines = text.splitlines()
        assert sum("error: " in line for line in lines) == 1
        assert "error: " in lines[-1]
        assert "Traceback" not in text
        return lines[-1]

    return check
