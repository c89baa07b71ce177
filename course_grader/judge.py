"""The judge runs a homework's tests outside the jail, with the student's functions inside it."""

import contextlib
import os
import re
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

from course_grader import GraderError
from course_grader.assignment import Assignment, Case
from course_grader.instances import function, seed
from course_grader.jail import LIMITS, Jail, Limits
from course_grader.kernel import Broken, Kernel, time_limit
from course_grader.peer import Peer

PASSED, FAILED, STOPPED = "passed", "failed", "stopped"


@dataclass(frozen=True)
class Outcome:
    """How one test, a `Case`, ended: passed, failed, or stopped by a limit; `message` says why."""

    question: str
    name: str
    hidden: bool
    title: str
    points: float
    status: str
    message: str = ""

    @property
    def score(self) -> float:
        """The points that the student gets."""
        return self.points if self.status == PASSED else 0.0


class Judge:
    """Grades notebooks of one homework, each in a new kernel; a salt draws fresh instances."""

    def __init__(
        self, assignment: Assignment, jail: Jail, salt: bytes = b"", limits: Limits = LIMITS
    ):
        self.assignment, self.jail, self.salt, self.limits = assignment, jail, salt, limits

    def grade(self, notebook: dict) -> tuple[list[Outcome], list[str]]:
        """Return the outcome of each test, and remarks on the notebook's cells."""
        cells = cells_of(notebook, self.assignment)
        attempt = _Attempt(self, dict(cells))
        try:
            outcomes = [attempt.outcome(case) for case in self.assignment.cases]
        finally:
            attempt.close()
        return outcomes, suspicious(cells) + attempt.remarks


class _Attempt:
    """One notebook while it is graded: a kernel, and a new one where that had to be stopped."""

    def __init__(self, judge: Judge, cells: dict[int, str]):
        self.judge, self.cells, self.limits = judge, cells, judge.limits
        self.deadline = time.monotonic() + self.limits.notebook
        self.kernel: Kernel | None = None
        self.remarks: list[str] = []
        self.stopped: set[str] = set()  # questions

    def outcome(self, case: Case) -> Outcome:
        """Run a test and return how it ended."""
        status, message = PASSED, ""
        try:
            if case.question in self.stopped:  # one loop costs one time limit
                raise Broken("not run: a test of this question was stopped before")
            self._run(case)
        except Broken as broken:
            self.close()
            self.stopped.add(case.question)
            status, message = STOPPED, str(broken)
        except GraderError:
            raise
        except Exception as error:
            status, message = FAILED, _message(error)[:10_000]
        return Outcome(*case[:5], status, message)

    def close(self) -> None:
        """End the kernel."""
        if self.kernel:
            self.kernel.close()
            self.kernel = None

    def _run(self, case: Case) -> None:
        kernel, test = self._ready(), function(self.judge.salt, case)
        number, failure = seed(self.judge.salt, case), None
        with time_limit(self._left()), _silent():
            kernel.start_test()
            examiner = Examiner(kernel.exchange)
            torch.manual_seed(number)
            try:
                asked = [{"op": "name", "name": name, "seed": number} for name in case.names]
                test(*[examiner.ask(message)["value"] for message in asked])
            except Exception as error:
                failure = error
            kernel.end_test()
        if failure:
            raise failure

    def _ready(self) -> Kernel:
        """Return a kernel that has run the cells, without those in which one ended."""
        while self.kernel is None:
            self._left()
            self.kernel = Kernel(self.judge.jail, self.limits)
            for number, source in list(self.cells.items()):
                seconds, error = self._left(), ""
                try:
                    with time_limit(seconds):
                        error = self.kernel.run(source)
                except Broken as broken:
                    error = f"left out: {broken}"
                    del self.cells[number]
                    self.close()
                remark = (
                    f"cell {number}: {error} (it begins: {source.strip().splitlines()[0][:80]})"
                )
                self.remarks += [remark] if error and remark not in self.remarks else []
                if self.kernel is None:
                    break
        return self.kernel

    def _left(self) -> float:
        """Return the seconds that a test or a cell may take now."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Broken(f"not run: the notebook took {self.limits.notebook:.0f} seconds before")
        return min(left, self.limits.test)


class Examiner(Peer):
    """The judge's side of the conversation with a kernel."""

    def exception(self, description: dict[str, Any]) -> Exception:
        """Return the exception; its text has the student's own line that stopped."""
        line = str(description.get("line") or "")[:500]
        text = str(description["text"]) + (f" (your code stopped at {line})" if line else "")
        return super().exception({**description, "text": text})


def cells_of(notebook: dict, assignment: Assignment) -> dict[int, str]:
    """Return the code cells by number, without given ones that only show what an answer does."""
    tried = {cell.start.strip() for cell in assignment.cells if cell.kind == "tried"}
    return {
        number: cell["source"]
        for number, cell in enumerate(notebook["cells"])
        if cell["cell_type"] == "code" and cell["source"].strip() not in {"", *tried}
    }


_REPLACES = re.compile(
    r"^[ \t]*((?:torch|otter|nn|F|np|course_lib)(?!\.backends)(?:\.\w+)+)\s*=(?!=)|"
    r"\b(?:setattr\(|del)\s*((?:torch|otter|nn|F|np|course_lib)\b[\w.]*)",
    re.MULTILINE,
)


def suspicious(cells: dict[int, str]) -> list[str]:
    """Return what a person should look at: replaced functions. No score depends on it."""
    found = [(number, _REPLACES.search(source)) for number, source in cells.items()]
    return [f"look at cell {number}: it replaces {m[1] or m[2]}" for number, m in found if m]


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Let a test print nothing and warn of nothing between the lines that show the progress."""
    with open(os.devnull, "w") as nowhere, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
            yield


def _message(error: Exception) -> str:
    """Return what a failing test says: its own sentence, else the exception."""
    own = isinstance(error, AssertionError) and str(error)
    return own or f"{type(error).__name__}: {error}"
