"""Makes each mutant in a copy of the project and runs the tests that should notice it.

A mutant that survives says that a line may be broken and nothing notices: the command fails. So it
does where a mutant no longer fits the code. The project itself is never written to.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from tools.mutants.lists import Mutant, every, misfits
from tools.project import ROOT, say, warn

LIMIT = 600
"""Seconds after which the tests of a mutant are ended; it counts as noticed then."""
_LEFT_OUT = shutil.ignore_patterns(".*", "__pycache__")
_NOT_NEEDED = shutil.ignore_patterns("_build", "book", "homework", "notebooks")
"""Of the project's own folder alone: there is a package `tools.notebooks`, too."""


def main(
    arguments: Sequence[str] | None = None,
    mutants: Sequence[Mutant] | None = None,
    root: Path = ROOT,
) -> int:
    """Makes the mutants; 0 if every one is noticed, 1 if not."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="those with a WORD in the name")
    parser.add_argument("-j", "--jobs", type=int, default=1, help="how many at a time")
    parser.add_argument("--list", action="store_true", help="name them and stop")
    asked = parser.parse_args(arguments)
    mutants = every() if mutants is None else mutants
    chosen = [m for m in mutants if not asked.words or any(w in m.name for w in asked.words)]
    if asked.list:
        say("\n".join(mutant.name for mutant in chosen))
        return 0
    if wrong := misfits(chosen, root):
        warn("\n".join(["error: these do not fit the code:", *wrong]))
        return 1
    # The code as it is comes first, with every test that a verdict rests on.
    tests = [*dict.fromkeys(test for mutant in chosen for test in mutant.tests)]
    if failed := _failure(Mutant("none", "pyproject.toml", tests), root, None):
        warn(f"error: the tests fail without any mutant: {failed}")
        return 1
    alive = 0
    with ThreadPoolExecutor(max(1, asked.jobs)) as pool:
        for mutant, noticed in zip(
            chosen, pool.map(lambda m: _failure(m, root), chosen), strict=True
        ):
            say(f"{'killed  ' if noticed else 'SURVIVED'} {mutant.name} {noticed}")
            alive += not noticed
    say(f"{len(chosen) - alive} of {len(chosen)} mutants killed.")
    return 1 if alive else 0


def _failure(mutant: Mutant, root: Path, limit: float | None = LIMIT) -> str:
    """The first test that fails in a copy with the mutant, or why they do not run; "" if none."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(root, folder, ignore=partial(_left_out, root), dirs_exist_ok=True)
        path = Path(folder, mutant.file)
        text = (root / mutant.file).read_text(encoding="utf-8")
        path.write_text(text.replace(mutant.old, mutant.new) if mutant.old else text, "utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--disable-plugin-autoload"]
        own = {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
        try:
            done = subprocess.run(
                [*command, *mutant.tests],
                cwd=folder,
                env={**os.environ, **own, "MKL_NUM_THREADS": "1"},
                capture_output=True,
                text=True,
                errors="replace",
                timeout=limit,
            )
        except subprocess.TimeoutExpired:
            return f"the tests ran past {limit} s"
    told = [x for x in done.stdout.splitlines() if x.startswith(("FAILED ", "ERROR "))]
    named = told[0].split(" ", 1)[1].partition(" - ")[0] if told else ""
    # pytest that could not even begin has not let a mutant survive.
    return (named or (done.stdout + done.stderr)[-500:] or "it ended") if done.returncode else ""


def _left_out(root: Path, folder: str, names: list[str]) -> set[str]:
    own = _NOT_NEEDED(folder, names) if Path(folder) == root else set()
    return own | _LEFT_OUT(folder, names)


if __name__ == "__main__":
    sys.exit(main())
