"""Runs of the command line: trained in a folder that is thrown away, and what `evaluate` says."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

_ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""Runs go side by side, and the result must not depend on the number of cores."""


def scores_of(train: Sequence[str], *, seed: int) -> dict[str, Any]:
    """Trains and scores on the test split, as a reader would.

    Args:
        train: what follows `python -m course_lib train`: the model, then its options.
        seed: of weights, order and dropout.

    Returns:
        what `evaluate --json` writes.

    Raises:
        subprocess.CalledProcessError: a command failed; it has said why.
    """
    with TemporaryDirectory() as folder:
        run, scores = str(Path(folder, "run")), Path(folder, "scores.json")
        _command("train", *train, "--seed", str(seed), "--run", run)
        _command("evaluate", run, "--json", str(scores))
        return json.loads(scores.read_text(encoding="utf-8"))


def _command(*arguments: str) -> None:
    command = [sys.executable, "-m", "course_lib", *arguments]
    subprocess.run(command, check=True, env={**os.environ, **_ONE_THREAD})
