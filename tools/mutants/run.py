"""Makes mutants in copies of the project and sees which of them the tests notice.

Torch and pytest are loaded once; each mutant then gets a process of its own by a fork, which
takes a fifth of the time of a fresh one. The project itself is never written to.
"""

import gc
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from tools.mutants.mutant import Mutant, misfits, mutate

LIMIT = 120
"""Seconds of computing after which the tests of a mutant are ended; it counts as noticed then.
By the processor's clock: on a busy machine the tests of a mutant that nothing notices take long."""
_WAITED = 10 * LIMIT
"""The same by the clock on the wall, for tests that wait forever."""

LIBRARIES = (
    "torch",
    # Both are loaded late by torch itself: at the first optimizer and the first assert_close.
    "torch._dynamo",
    "torch.distributed.tensor",
    "pytest",
    "numpy",
    "hypothesis",
    "beartype",
    "jaxtyping",
    "safetensors.torch",
    "tokenizers",
    "sacrebleu.metrics",
    "pooch",
    "nbformat",
    "yaml",
)
"""Loaded once, before the forks. Nothing of the project is among them."""

_OURS = ("course_lib", "course_lab", "tools", "tests", "conftest")
_NOT_COPIED = shutil.ignore_patterns(".*", "_build", "__pycache__", "results")
# Plugins that others bring (nbval, xdist) are of no use here, and take time to load.
_QUIET = ("-x", "-q", "--disable-plugin-autoload")


class Outcome(NamedTuple):
    """What became of a mutant.

    verdict: "killed", "survived" or "misfit" (it does not fit the code, or its tests do not run).
    detail: the test that noticed it, or what is wrong with it.
    """

    mutant: Mutant
    verdict: str
    detail: str
    seconds: float


class Broken(Exception):
    """The tests fail without any mutant, so that nothing can be learned from them."""


class _Started(NamedTuple):
    """A process that runs tests, and what it runs them on (None for the code as it is)."""

    mutant: Mutant | None
    copy: Path
    before: bytes
    log: Path
    begun: float


def run(
    mutants: Sequence[Mutant],
    root: Path,
    *,
    jobs: int = 1,
    libraries: Sequence[str] = (),
    tell: Callable[[Outcome], None] = lambda outcome: None,
) -> list[Outcome]:
    """Makes each mutant and runs its tests.

    Args:
        mutants: what to make.
        root: of the project.
        jobs: how many at a time, each in a copy of its own.
        libraries: what is loaded before the forks, such as `LIBRARIES`.
        tell: called with each outcome as soon as it is known.

    Raises:
        Broken: the tests fail on the code as it is.
    """
    for name in libraries:
        import_module(name)
    # What is loaded stays: no fork has to look through it for rubbish.
    gc.freeze()
    outcomes: list[Outcome] = []

    def learn(outcome: Outcome) -> None:
        outcomes.append(outcome)
        tell(outcome)

    fitting = []
    for mutant in mutants:
        if problems := misfits([mutant], root):
            learn(Outcome(mutant, "misfit", "; ".join(problems), 0.0))
        else:
            fitting.append(mutant)
    if not fitting:
        return outcomes
    # The code as it is comes first, with every test that a verdict rests on.
    queue: list[Mutant | None] = [None, *fitting]
    running: dict[int, _Started] = {}
    with tempfile.TemporaryDirectory() as folder:
        free = []
        for number in range(min(jobs, len(queue))):
            free.append(Path(folder).resolve() / f"copy{number}")
            shutil.copytree(root, free[-1], ignore=_NOT_COPIED)
        try:
            while queue or running:
                while queue and free:
                    mutant, copy = queue.pop(0), free.pop()
                    every = dict.fromkeys(t for m in fitting for t in m.tests.split())
                    tests = [*every] if mutant is None else mutant.tests.split()
                    before = b"" if mutant is None else (copy / mutant.file).read_bytes()
                    if mutant is not None:
                        _write(copy / mutant.file, mutate(mutant, copy).encode())
                    log = copy.with_suffix(".log")
                    process = _fork(copy, tests, log, limited=mutant is not None)
                    running[process] = _Started(mutant, copy, before, log, time.monotonic())
                process, status = _next(running)
                started = running.pop(process)
                free.append(started.copy)
                text = started.log.read_text(encoding="utf-8", errors="replace")
                if started.mutant is None:
                    if status != 0:
                        raise Broken(_failure(text) or text[-2000:])
                    continue
                _write(started.copy / started.mutant.file, started.before)
                seconds = time.monotonic() - started.begun
                learn(Outcome(started.mutant, *_verdict(status, text), seconds))
        finally:
            for process in running:
                _end(process)
                os.waitpid(process, 0)
    return outcomes


def _write(path: Path, content: bytes) -> None:
    """Writes a file with a time that it never had: Python tells old bytecode by whole seconds."""
    later = int(path.stat().st_mtime) + 1
    path.write_bytes(content)
    os.utime(path, (later, later))


def _fork(copy: Path, tests: Sequence[str], log: Path, *, limited: bool) -> int:
    """Starts pytest in a copy, for `LIMIT` seconds if limited; the number of the process."""
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        os.setsid()
        if limited:
            resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT + 1))
        output = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(copy)
        # A program in the background ignores Ctrl-C; a test of Ctrl-C must not.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for name in [n for n in sys.modules if n.partition(".")[0] in _OURS]:
            del sys.modules[name]
        here = str(copy)
        sys.path[:] = [here, *(p for p in sys.path if p not in ("", os.environ.get("PYTHONPATH")))]
        # For the programs that tests start.
        os.environ["PYTHONPATH"] = here
        import pytest

        code = int(pytest.main([*_QUIET, *tests]))
        sys.stdout.flush()
    except BaseException:
        # The parent's own work must not go on here, whatever happened.
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _next(running: dict[int, _Started]) -> tuple[int, int]:
    """Waits for a process; its number and pytest's exit code, or -SIGXCPU if it took too long."""
    while True:
        for process, started in running.items():
            found, status = os.waitpid(process, os.WNOHANG)
            if found:
                return process, os.waitstatus_to_exitcode(status)
            # All tests together may take longer than those of one mutant.
            if started.mutant is not None and time.monotonic() - started.begun > _WAITED:
                _end(process)
                os.waitpid(process, 0)
                return process, -signal.SIGXCPU
        time.sleep(0.02)


def _end(process: int) -> None:
    """Ends a process of ours with all that it has started: it leads a group of its own."""
    try:
        os.killpg(process, signal.SIGKILL)
    except ProcessLookupError:
        os.kill(process, signal.SIGKILL)


def _verdict(status: int, text: str) -> tuple[str, str]:
    """From pytest's exit code: 1 is a failed test, 0 none, all else says nothing of the mutant."""
    if status == -signal.SIGXCPU:
        return "killed", f"the tests ran past {LIMIT} s"
    if status == 1:
        return "killed", _failure(text)
    if status == 0:
        return "survived", ""
    lines = [line for line in text.splitlines() if line.strip()]
    return "misfit", f"the tests do not run ({status}): {lines[-1] if lines else 'no output'}"


def _failure(text: str) -> str:
    """The first failed test, without the message."""
    for line in text.splitlines():
        if line.startswith(("FAILED ", "ERROR ")):
            return line.split(" ", 1)[1].partition(" - ")[0]
    return ""
