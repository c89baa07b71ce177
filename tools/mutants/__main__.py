"""Makes each mutant in a copy of the project and runs the tests that should notice it.

A mutant that survives says that a line may be broken and nothing notices: the command fails, and
so it does where a mutant no longer fits the code. The project itself is never written to.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from tools.mutants.lists import Mutant, every, misfits, mutate
from tools.project import ROOT, say, warn

LIMIT = 600
"""Seconds after which the tests of a mutant are ended; it counts as noticed then."""
_NOT_COPIED = shutil.ignore_patterns(".*", "_build", "__pycache__", "results")
_ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


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
    parser.add_argument("--misfits", action="store_true", help="name what does not fit and stop")
    asked = parser.parse_args(arguments)
    mutants = every() if mutants is None else mutants
    chosen = [m for m in mutants if not asked.words or any(w in m.name for w in asked.words)]
    if not chosen:
        warn(f"error: no mutant has {' or '.join(asked.words)} in its name; see --list")
        return 2
    if asked.list:
        say("\n".join(mutant.name for mutant in chosen))
        return 0
    if wrong := misfits(chosen, root):
        warn("\n".join(["error: these do not fit the code:", *wrong]))
        return 1
    if asked.misfits:
        say(f"All {len(chosen)} mutants fit the code.")
        return 0
    return _make(chosen, root, max(1, min(asked.jobs, len(chosen))))


def _make(mutants: Sequence[Mutant], root: Path, jobs: int) -> int:
    """Makes each in one of so many copies; 1 if one of them survives."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        copies: Queue[Path] = Queue()
        for number in range(jobs):
            copies.put(Path(folder).resolve() / f"copy{number}")
            shutil.copytree(root, copies.queue[-1], ignore=_NOT_COPIED)
        # The code as it is comes first, with every test that a verdict rests on.
        tests = dict.fromkeys(test for mutant in mutants for test in mutant.tests.split())
        if failed := _failure(copies.queue[0], list(tests), None):
            warn(f"error: the tests fail without any mutant: {failed}")
            return 1
        alive = []
        found = pool.map(lambda mutant: _made(mutant, copies), mutants)
        for mutant, noticed in zip(mutants, found, strict=True):
            say(f"{'killed  ' if noticed else 'SURVIVED'} {mutant.name} {noticed}")
            alive += [] if noticed else [mutant]
    say(f"{len(mutants) - len(alive)} of {len(mutants)} mutants killed.")
    for mutant in alive:
        say(f"survived: {mutant.name}")
    return 1 if alive else 0


def _made(mutant: Mutant, copies: "Queue[Path]") -> str:
    """The test that notices a mutant in a free copy; "" if none does."""
    copy = copies.get()
    path = copy / mutant.file
    before = path.read_bytes()
    try:
        path.write_text(mutate(mutant, copy), encoding="utf-8")
        return _failure(copy, mutant.tests.split(), LIMIT)
    finally:
        path.write_bytes(before)
        copies.put(copy)


def _failure(copy: Path, tests: Sequence[str], limit: float | None) -> str:
    """The first test that fails in a copy, or why they do not run; "" if all pass."""
    # Python tells old bytecode by whole seconds, so none is written.
    own = {"PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "--disable-plugin-autoload", *tests]
    process = subprocess.Popen(
        command,
        cwd=copy,
        env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1"), **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output = process.communicate(timeout=limit)[0].decode(errors="replace")
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"the tests ran past {limit} s"
    if process.returncode == 0:
        return ""
    told = [x for x in output.splitlines() if x.startswith(("FAILED ", "ERROR "))]
    return told[0].split(" ", 1)[1].partition(" - ")[0] if told else output[-500:]


if __name__ == "__main__":
    sys.exit(main())
