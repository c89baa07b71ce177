"""What a gate answers, and how a gate that is a program is run."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple


class Result(NamedTuple):
    """The outcome of a gate.

    Attributes:
        passed: whether the project may be delivered as far as this gate can tell.
        output: everything it has to say, for the log and, if it failed, for the screen.
        note: a few words for the table.
        skips: what could not be checked on this machine, and why.
        tests, failures, skipped: how many single tests stand behind it.
        parts: of a gate that answers part by part, those that passed, with their number of tests.
    """

    passed: bool
    output: str = ""
    note: str = ""
    skips: tuple[str, ...] = ()
    tests: int = 1
    failures: int = 0
    skipped: int = 0
    parts: Mapping[str, int] | None = None


def from_problems(problems: Sequence[str], what: str) -> Result:
    """A result from a list of sentences: passed if there is none."""
    if problems:
        count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}"
        return Result(False, "\n".join(problems), count, failures=1)
    return Result(True, "", what)


def run(
    command: Sequence[str], root: Path, variables: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Run a program in the project's root; its exit code and what it printed."""
    done = subprocess.run(
        command,
        cwd=root,
        env={**os.environ, **(variables or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return done.returncode, done.stdout
