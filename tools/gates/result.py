"""What a gate answers, and how a gate that is a program is run."""

import os
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

Watch = Callable[[], None]
"""Called about once a second while a program runs."""


class Result(NamedTuple):
    """The outcome of a gate.

    passed: whether the project may be delivered as far as this gate can tell.
    output: everything it has to say, for the log and, if it failed, for the screen.
    note: a few words for the table.
    skips: what could not be checked on this machine, and why.
    tests, failures, skipped: how many single tests stand behind it.
    parts: of a gate that answers part by part, those that passed with nothing skipped, each with
        its number of tests. A gate that passed as a whole need not name them.
    slow: seconds and names of single tests.
    """

    passed: bool
    output: str = ""
    note: str = ""
    skips: tuple[str, ...] = ()
    tests: int = 1
    failures: int = 0
    skipped: int = 0
    parts: Mapping[str, int] | None = None
    slow: tuple[tuple[float, str], ...] = ()


def from_problems(problems: Sequence[str], what: str) -> Result:
    """A result from a list of sentences: passed if there is none."""
    if problems:
        count = f"{len(problems)} problem{'s' if len(problems) > 1 else ''}"
        return Result(False, "\n".join(problems), count, failures=1)
    return Result(True, "", what)


def run(
    command: Sequence[str],
    root: Path,
    variables: Mapping[str, str] | None = None,
    watch: Watch = lambda: None,
) -> tuple[int, str]:
    """Run a program in the project's root; its exit code and what it printed."""
    with subprocess.Popen(
        command,
        cwd=root,
        env={**os.environ, **(variables or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        printed: list[str] = []
        reader = threading.Thread(target=lambda: printed.append(process.stdout.read()))
        reader.start()
        while reader.is_alive():
            reader.join(timeout=1)
            watch()
    return process.returncode, "".join(printed)
