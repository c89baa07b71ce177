"""The targets: name, what each says of itself, how it starts. Standard library only."""

import os
import subprocess
from collections.abc import Sequence

from tools import environment
from tools.project import ROOT, TaskError, say, unheard, warn

TARGETS = {
    "help": "list the targets",
    "setup": "make .venv and install requirements.txt (the others do it by themselves)",
    "book": "build the HTML book into _build/html",
    "serve": "build the book and show it at a local address",
    "test": "run every gate that CI runs; results in _build/test",
    "test-lowest": "unit, property and parity tests with the oldest packages that are admitted",
    "test-newest": "the same with the newest",
    "lab": "open JupyterLab on the notebooks",
    "notebooks": "write the notebooks from book/chapters; execute those that changed",
    "validate": "execute every notebook again and compare its outputs, strictly",
    "validate-gpu": "the same on a GPU, with a wider tolerance",
    "gpu-lane": "all that needs a GPU, in ten minutes; write book/results/gpu.json",
    "shake": "how far trained numbers move under other arithmetic; records in tests/shaken",
    "bench": "time the library beside others' code; write book/speed.md (ARGS=--quick to try)",
    "results": "train what is missing on real data, for hours; write book/results.md",
    "homework": "write the students' folders from the homework's sources",
    "student-release": 'write a private variant of a homework (ARGS="hw01 v3")',
    "drawings": "write the drawings and the pages' colours from the figures' code",
    "format": "format the code of the library, tests, tools and chapters",
    "ledger": "write the claims ledger from the notebooks' stored outputs",
    "address": "write the repository's address into _config.yml and pyproject.toml",
}


def main(arguments: Sequence[str]) -> int:
    """Run one target; the exit code."""
    name, *rest = arguments or ["help"]
    try:
        if name in ("help", "-h", "--help"):
            say("make TARGET (or, without make: python3 tools/tasks.py TARGET)\n")
            say("\n".join(f"  {each:13} {meaning}" for each, meaning in TARGETS.items()))
            return 0
        if name not in TARGETS:
            warn(f"error: there is no target {name!r}; there are: {', '.join(TARGETS)}")
            return 2
        python = environment.ensure()
    except BrokenPipeError:
        return unheard()
    except TaskError as error:
        warn(f"error: {error}")
        return 1
    except KeyboardInterrupt:
        warn("\nThe set-up was interrupted; the same command starts it again.")
        return 130
    if name == "setup":
        say(f"The environment is ready: {python.parent.parent}")
        return 0
    path = os.pathsep.join([str(python.parent), os.environ.get("PATH", "")])
    variables = {**os.environ, "PATH": path, "VIRTUAL_ENV": str(python.parent.parent)}
    variables.pop("PYTHONHOME", None)
    command = [str(python), "-m", "tools.commands", name, *rest]
    process = subprocess.Popen(command, cwd=ROOT, env=variables)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the child got it too and knows better what to do
