"""The judge: puts the tests of a homework to a submission, which runs in a jail elsewhere.

It never runs a student's code, and reads nothing of it but the notebook's cells, as text, and what
comes over the wire.
"""

import ast
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import torch

from course_lib.errors import CourseError
from course_lib.grading.assignment import HOMEWORK, Assignment, Case, load
from course_lib.grading.forbidden import SIZES, rules, tried, unusual
from course_lib.grading.instances import Instances
from course_lib.grading.jail import Limits, choose
from course_lib.grading.peer import Peer
from course_lib.grading.record import ERROR, GRADED, REVIEW, Question, Record, Test, fingerprint
from course_lib.grading.session import Broken, JudgeError, Worker, Zygote
from course_lib.grading.wire import Closed, Line, TooLate, WireError

CALLS_BACK = (1e5, 2e3)
"""The most calls of a test's own functions in one test, and of those that keep a gradient."""

LIMITS = Limits()
"""Of a submission, where nothing else is said."""

FOLLOWS = 0.8
"""The share of a test that is passed only with the reference for another question."""

WAITS = 3
"""Tests of a submission, and cells, that may wait without computing until their time is over."""


class Judge:
    """Grades submissions of one homework. A context manager: its zygote ends with it.

    Args:
        assignment: the homework's name, or its number as "hw04".
        salt: for fresh instances of the hidden tests; empty leaves them as they are written.
        variant: of the homework; "v0" is the public one.
        questions: to grade; none for all.
        jail: the rung that is wanted; None for the best one that can be had.
        allow_weak: run without a jail where none can be had.
        homework: the folder of the sources.
        limits: of a submission.
        per_student: the instances differ between students.

    Raises:
        CourseError: there is no such homework or question, or no jail.
        JudgeError: the zygote does not start.
    """

    def __init__(
        self,
        assignment: str,
        *,
        salt: bytes = b"",
        variant: str = "v0",
        questions: Sequence[str] = (),
        jail: str | None = None,
        allow_weak: bool = False,
        homework: Path = HOMEWORK,
        limits: Limits = LIMITS,
        per_student: bool = False,
    ):
        self.assignment = load(assignment, homework, variant)
        unknown = sorted(set(questions) - set(self.assignment.questions))
        if unknown:
            known = ", ".join(self.assignment.questions)
            raise CourseError(f"want questions of {known}; got {', '.join(unknown)}")
        self.questions = tuple(questions) or tuple(self.assignment.questions)
        self.salt, self.variant, self.limits, self.per_student = salt, variant, limits, per_student
        self.jail = choose(jail, allow_weak=allow_weak)
        self._start = lambda: Zygote(self.jail, _modules(self.assignment), Path(homework), limits)
        self.zygote = self._start()
        self.references: dict[str, Any] = {}
        self.functions: dict[tuple[Case, Instances], Callable[..., None]] = {}
        self.rules = {name: rules(self.assignment, name) for name in self.questions}
        self.at = ""  # what is being run, for whoever waits

    def __enter__(self) -> "Judge":
        return self

    def __exit__(self, *_: object) -> None:
        self.zygote.close()

    def grade(self, notebook: dict, *, student: str) -> Record:
        """The record of a submission; its file and its hash are for the caller to fill in.

        Args:
            notebook: the JSON of the notebook.
            student: its name.
        """
        begun = time.monotonic()
        cells = cells_of(notebook, self.assignment)
        submission = Submission(self, cells, student)
        try:
            questions = tuple(submission.question(name) for name in self.questions)
            said = [test.message for each in questions for test in each.tests]
            reason = "; ".join(filter(None, [tried(submission.told, said), unusual(cells)]))
            status = GRADED
            score = sum(question.score for question in questions)
            if submission.waited:
                waited = "a test waited without computing until its time was over"
                status, reason = REVIEW, "; ".join(filter(None, [waited, reason]))
        except JudgeError as error:
            questions, status, reason, score = (), ERROR, str(error), None
            self.zygote.close()
            self.zygote = self._start()
        finally:
            submission.close()
        return Record(
            self.assignment.name,
            self.variant,
            student,
            status=status,
            reason=reason,
            score=score,
            points=sum(self.assignment.questions[name].points for name in self.questions),
            questions=questions,
            cells=tuple(submission.told),
            jail=self.jail,
            salt=fingerprint(self.salt),
            seconds=round(time.monotonic() - begun, 3),
            cpu_seconds=round(submission.cpu, 3),
        )

    def function(self, case: Case, instances: Instances) -> Callable[..., None]:
        """The function of a test, compiled once for all who share its instances."""
        key = (case, instances)
        if key not in self.functions:
            if self.per_student:
                self.functions.clear()
            self.functions[key] = instances.function(case)
        return self.functions[key]

    def reference(self, name: str) -> Any:
        """The right answer's function of this name."""
        if not self.references:
            for cell in self.assignment.cells:
                if cell.kind in ("code", "answer"):
                    exec(compile(cell.solution, "<reference>", "exec"), self.references)
        return self.references[name]


class Submission:
    """One submission while it is graded: a worker, and a new one where that has died.

    Attributes:
        told: what cells raised, a line each.
        cpu: seconds of the processor so far, of workers that are closed.
        waited: tests so far that waited without computing.
    """

    def __init__(self, judge: Judge, cells: list[tuple[int, str]], student: str):
        self.judge, self.cells = judge, cells
        self.instances = Instances(
            judge.salt,
            judge.assignment.name,
            judge.variant,
            student if judge.per_student else "",
        )
        self.told: list[str] = []
        self.cpu, self.waited = 0.0, 0
        self._worker: Worker | None = None

    def question(self, name: str) -> Question:
        """All tests of a question."""
        question = self.judge.assignment.questions[name]
        self.judge.at = name
        loops = {
            n: told
            for n, sizes in self.judge.rules[name].loops
            if self.waited < WAITS and (told := self._loop(n, sizes, question.cases[0]))
        }
        tests = tuple(self.test(case, loops) for case in question.cases)
        return Question(name, question.points, sum(test.score for test in tests), tests)

    def test(self, case: Case, loops: dict[str, str]) -> Test:
        """One test; where it fails for another question's sake it is tried with the reference.

        Args:
            case: the test.
            loops: by name functions that loop and may not, with what to say.
        """
        looping = [told for name, told in loops.items() if name in case.asked]
        if self.waited >= WAITS:  # a person must look anyway, and others wait for their grade
            outcome = Outcome("review", f"not tried: {WAITS} tests before it did not answer")
        elif looping:
            outcome = Outcome("failed", looping[0], note=looping[0])
        else:
            outcome = self.outcome(case, {})
            self.waited += outcome.status == "review"
        score = case.points if outcome.status == "passed" else 0.0
        if outcome.status == "failed" and not looping and (others := self._others(case)):
            replaced = {name: self.judge.reference(name) for name in others}
            if self.outcome(case, replaced).status == "passed":
                score = FOLLOWS * case.points
                names = " and ".join(others)
                note = f"(It is right with a right {names}, for 80 %.)"
                outcome = outcome._replace(message=f"{outcome.message}\n{note}", note=note)
        return Test(
            case.name,
            case.points,
            score,
            outcome.status,
            outcome.message,
            not case.hidden,
            outcome.line,
            case.title if case.hidden else "",
            outcome.note,
        )

    def close(self) -> None:
        """Leaves no process of the submission."""
        if self._worker:
            self._worker.limit(0.0)
            self.cpu += self._worker.cpu
            self._worker.close()
            self._worker = None

    def outcome(self, case: Case, replaced: dict[str, Any] | None = None) -> "Outcome":
        """How a test ends in a fork of its own."""
        try:
            worker = self._ready()
            examiner = Examiner(worker, self.judge.limits)
        except Broken as broken:
            self.close()
            return Outcome(broken.status, broken.told)
        try:
            with _alarm(self.judge.limits.wall + 5):
                self._put(case, examiner, replaced or {})
            outcome = Outcome("passed")
        except Broken as broken:
            examiner.line.close()
            self.close()
            return Outcome(broken.status, broken.told)
        except (JudgeError, KeyboardInterrupt):
            raise
        except BaseException as error:
            told = _message(error, case)
            outcome = Outcome(examiner.limit or "failed", told, examiner.where)
        if examiner.forbidden:
            told = f"this question forbids {examiner.forbidden}: compute it yourself"
            outcome = Outcome("failed", told, note=told)
        examiner.line.close()
        if not worker.finish():
            self.close()
        return outcome

    def _put(self, case: Case, examiner: "Examiner", replaced: dict[str, Any]) -> None:
        """Calls the test with the student's functions."""
        function = self.judge.function(case, self.instances)
        seed = self.instances.seed(case, "worker")
        asked = [examiner.named(name, seed, replaced) for name in case.asked]
        torch.manual_seed(self.instances.seed(case, "judge"))
        examiner.extra = {"rules": self.judge.rules[case.question].told()}
        function(*asked)

    def _loop(self, name: str, sizes: Callable[[int], tuple], case: Case) -> str:
        """What to say of a function that takes more steps for larger inputs; "" for one without."""
        others = {n: self.judge.reference(n) for n in self._others(case)}
        steps = []
        for size in SIZES:
            examiner = None
            try:
                worker = self._ready()
                examiner = Examiner(worker, self.judge.limits)
                function = examiner.named(name, 0, others)
                examiner.extra = {"count": True}
                function(*sizes(size))
                examiner.extra = {}
                steps.append(examiner.call(1, (), {}))
                examiner.line.close()
                worker.finish()
            except Broken as broken:
                self.waited += broken.status == "review"
                if examiner:
                    examiner.line.close()
                self.close()
                return ""
            except Exception:  # the tests will say what is wrong
                examiner.line.close()
                worker.finish()
                return ""
        if (
            type(steps[1]) is int
            and type(steps[0]) is int
            and steps[1] - steps[0] < SIZES[1] - SIZES[0]
        ):
            return ""
        counted = f"{steps[0]} steps for a size of {SIZES[0]}, {steps[1]} for {SIZES[1]}"
        return f"the question asks for no Python loop: {name} takes {counted}"

    def _ready(self) -> Worker:
        """A worker that has run the cells; those in which one died are left out."""
        skipped: set[int] = set()
        most = time.monotonic() + WAITS * self.judge.limits.wall
        asked, self.judge.at = self.judge.at, "its cells"
        while self._worker is None:
            worker = self.judge.zygote.worker()
            cells = [cell for cell in self.cells if cell[0] not in skipped]
            died = worker.run(cells, self._say)
            if died is None:
                self._worker = worker
                break
            how = worker.end() if died >= 0 else Broken("failed", "the worker does not start")
            self.cpu += worker.cpu
            worker.close()
            if died < 0:
                raise JudgeError(how.told)
            skipped.add(died)
            self._say(died, f"left out: {how.told}")
            if self.cpu > self.judge.limits.cells or time.monotonic() > most:
                skipped |= {number for number, _ in self.cells if number > died}
        self.cells = [cell for cell in self.cells if cell[0] not in skipped]
        self.judge.at = asked
        return self._worker

    def _say(self, number: int, told: str) -> None:
        lines = dict(self.cells).get(number, "").strip().splitlines()
        line = f"cell {number}: {told}"[:900] + (f" (it begins: {lines[0][:80]})" if lines else "")
        if line not in self.told and len(self.told) < 200:
            self.told.append(line)

    def _others(self, case: Case) -> list[str]:
        """The functions of other questions that the student's answer to this one uses."""
        known = self.judge.assignment.questions
        of = {name: q for q, each in known.items() for c in each.cases for name in c.asked}
        used = _used([source for _, source in self.cells], set(case.asked))
        return sorted(n for n in used if n in of and of[n] != case.question)


class Outcome(NamedTuple):
    """How a test ended, as in `Test`."""

    status: str
    message: str = ""
    line: str = ""
    note: str = ""


class Examiner(Peer):
    """The judge's end of the line to a test's fork.

    Attributes:
        where: the student's own line in which an exception was raised last.
        limit: the limit that it spoke of.
        forbidden: what the student's code used and may not.
    """

    def __init__(self, worker: Worker, limits: Limits):
        super().__init__(Line(worker.begin()), limits=CALLS_BACK)
        self.line.deadline = time.monotonic() + limits.wall
        self.worker, self.limits = worker, limits
        self.where = self.limit = self.forbidden = ""

    def named(self, name: str, seed: int, replaced: dict[str, Any]) -> Any:
        """The student's object of this name; others are replaced by ours, which stay here."""
        return self.call(0, (name, seed, replaced), {})

    def send(self, message: dict) -> None:
        """Raises: Broken."""
        with self._unbroken():
            super().send(message)

    def receive(self) -> dict:
        """Raises: Broken."""
        with self._unbroken():
            return super().receive()

    @contextmanager
    def _unbroken(self) -> Iterator[None]:
        try:
            yield
        except WireError as error:
            raise Broken("wire", f"what your process sent is no value: {error}") from None
        except Closed:
            if self.worker.finish():  # the fork alone has ended
                raise Broken("failed", "your code ended the process in which it ran") from None
            raise self.worker.end() from None
        except TooLate:
            used, wall = self.worker.limit(self.limits.cpu), self.limits.wall
            if self.worker.stopped or used > self.limits.cpu / 2:
                raise Broken("time", f"stopped after {wall:g} seconds") from None
            told = f"no answer for {wall:g} seconds, of which your code computed {used:.1f}"
            raise Broken("review", told) from None

    def raised(self, told: dict[str, Any]) -> Exception:
        """The exception, whose text tells of the student's own line."""
        text, self.where = str(told.get("text"))[:10_000], str(told.get("line", ""))[:500]
        limit = told.get("limit")
        self.limit = limit if limit in ("memory", "disk", "forks") else ""
        if told.get("forbidden"):
            self.forbidden = text[:500]
        text += f" (your code stopped at {self.where})" if self.where else ""
        return super().raised({**told, "text": text})


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """A test that computes too long here, on what a student's function returned, is ended."""

    def stop(*_: object) -> None:
        raise Broken("time", "the test took too long with what your function returned")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def cells_of(notebook: dict, assignment: Assignment) -> list[tuple[int, str]]:
    """The code cells to run, by number: without the first one, and what a "Try it" shows."""
    tried = {cell.start.strip() for cell in assignment.cells if cell.kind == "tried"}
    found = []
    for number, cell in enumerate(notebook.get("cells", [])):
        source = cell.get("source", "") if isinstance(cell, dict) else ""
        source = "".join(source) if isinstance(source, list) else source
        if cell["cell_type"] != "code" or not isinstance(source, str) or source.strip() in tried:
            continue
        if source.strip() and "from course_lib.homework import Homework" not in source:
            found.append((number, source))
    return found


def _modules(assignment: Assignment) -> list[str]:
    """What the given cells import, for the zygote to have it before."""
    found = {"numpy", "torch"}
    for cell in assignment.cells:
        if cell.kind == "code":
            for node in ast.walk(ast.parse(cell.start)):
                if isinstance(node, ast.Import):
                    found |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module:
                    found |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
    return sorted(found)


def _used(cells: list[str], names: set[str]) -> set[str]:
    """All names that the definitions of these names use, and the definitions that they use."""
    uses: dict[str, set[str]] = {}
    for source in cells:
        try:
            body = ast.parse(source).body
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                inner = (n.id for n in ast.walk(node) if isinstance(n, ast.Name))
                uses.setdefault(node.name, set()).update(inner)
    found, new = set(), set(names)
    while new:
        found |= new
        new = set().union(*(uses.get(name, ()) for name in new)) - found
    return found - names


def _message(error: BaseException, case: Case) -> str:
    """What a failing test says: its own sentence, else the exception or the line that failed."""
    text = str(error)
    if isinstance(error, AssertionError):
        if text:
            return text
        line = traceback.extract_tb(error.__traceback__)[-1].lineno or 1
        return f"`{case.code.splitlines()[line - 1].strip()}` does not hold"
    return f"{type(error).__name__}: {text}"
