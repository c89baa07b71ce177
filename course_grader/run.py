"""A run: grades a folder of submissions, some at once, and keeps a JSON record of each.

`RUN` holds `run.json` (what is graded, and how), `salt` (a secret that draws the hidden tests) and
`records`. A record is written whole before the next line of progress, so that an interrupted run
goes on where it stopped.
"""

import hashlib
import json
import os
import re
import resource
import secrets
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path

import torch

from course_grader import GraderError
from course_grader.assignment import load
from course_grader.collect import Submission
from course_grader.jail import LIMITS, Jail, Limits
from course_grader.judge import STOPPED, Judge, Outcome

GRADED, REFUSED, ERROR = "graded", "refused", "error"
"""How a submission can end. Only a graded one has a score; an error is the grader's own."""

JUDGE_MEMORY = 24 << 30
"""Bytes of address space of a judge, which computes with what students' functions return."""


@dataclass(frozen=True)
class Record:
    """What grading says of one submission.

    Attributes:
        assignment: such as "hw01_recurrence".
        student, id, file, sha256: of the submission.
        status: "graded", "refused" or "error".
        points: that could be had.
        tests: the outcome of each test.
        remarks: on the submission and its cells, for a person to look at.
        jail: in which it ran.
        seconds: that it took.
        digest: of the homework's source and its salt.
    """

    assignment: str
    student: str
    id: str = ""
    file: str = ""
    sha256: str = ""
    status: str = GRADED
    points: float = 0.0
    tests: tuple[Outcome, ...] = ()
    remarks: tuple[str, ...] = field(default=())
    jail: str = ""
    seconds: float = 0.0
    digest: str = ""

    @property
    def score(self) -> float | None:
        """The sum of the tests' scores; None for what is not graded."""
        return sum(test.score for test in self.tests) if self.status == GRADED else None

    def by_question(self) -> dict[str, tuple[float, float]]:
        """Return the score and the points of each question."""
        totals: dict[str, tuple[float, float]] = {}
        for test in self.tests:
            score, points = totals.get(test.question, (0.0, 0.0))
            totals[test.question] = (score + test.score, points + test.points)
        return totals


@dataclass(frozen=True)
class Plan:
    """What a run grades, and how; without `limits` it is what `run.json` says."""

    assignment: str
    variant: str
    sources: str
    jail: Jail
    limits: Limits = LIMITS

    def judge(self, salt: bytes) -> Judge:
        """Return the judge of this plan."""
        torch.set_num_threads(1)  # small products: a second thread would wait
        homework = load(self.assignment, Path(self.sources), self.variant)
        return Judge(homework, self.jail, salt=salt, limits=self.limits)


def begin(run: Path, plan: Plan, salt: bytes | None = None) -> bytes:
    """Make the folder of a run, or find it; return its salt.

    Raises:
        GraderError: it is the folder of another run.
    """
    about = {"assignment": plan.assignment, "variant": plan.variant, "jail": plan.jail.name}
    (run / "records").mkdir(parents=True, exist_ok=True)
    if (run / "run.json").is_file() and (
        there := json.loads((run / "run.json").read_text())
    ) != about:
        raise GraderError(f"{run} was begun for {there}, not for {about}; name another folder")
    if not (run / "salt").is_file():
        (run / "salt").touch(0o600)
        (run / "salt").write_bytes(salt or secrets.token_bytes(32))
    elif salt not in (None, (run / "salt").read_bytes()):
        raise GraderError(f"{run} was begun with another salt; name another folder")
    _write(run / "run.json", json.dumps(about, indent=1))
    return (run / "salt").read_bytes()


def read_records(run: Path) -> list[Record]:
    """Return all records of a run, by student.

    Raises:
        GraderError: it has none, or one is damaged.
    """
    paths = sorted((run / "records").glob("*.json"))
    if not paths:
        raise GraderError(f"want the folder of a run, with records of submissions; got {run}")
    return sorted(map(_read, paths), key=lambda record: (record.student, record.id))


def grade(
    run: Path, plan: Plan, submissions: list[Submission], *, salt: bytes, jobs: int = 1
) -> Iterator[Record]:
    """Grade what has no record of the same notebook and tests; yield all records, each on disk."""
    source = load(plan.assignment, Path(plan.sources), plan.variant)
    digest = hashlib.sha256(source.digest.encode() + salt).hexdigest()
    waiting = []
    for submission in submissions:
        path = _path(run, submission)
        kept = _read(path) if path.exists() else None
        if submission.notebook is None:
            remarks = (submission.reason,)
            record = Record(plan.assignment, *submission[:4], REFUSED, source.points, (), remarks)
            yield _store(run, submission, record)
        elif (
            kept
            and kept.status == GRADED
            and (kept.sha256, kept.digest)
            == (
                submission.sha256,
                digest,
            )
        ):
            yield kept
        else:
            waiting.append(submission)
    for submission, record in _graded(plan, salt, waiting, jobs):
        yield _store(run, submission, replace(record, digest=digest))


def grade_one(judge: Judge, submission: Submission) -> Record:
    """Return the record of one submission that has a notebook."""
    begun = time.monotonic()
    record = Record(judge.assignment.name, *submission[:4], points=judge.assignment.points)
    remarks = [submission.reason] if submission.reason else []
    try:
        outcomes, more = judge.grade(submission.notebook)
    except GraderError as error:
        return replace(record, status=ERROR, remarks=(*remarks, str(error)))
    stopped = sum(outcome.status == STOPPED for outcome in outcomes)
    remarks += [f"{stopped} tests were stopped"] if stopped else []
    seconds = round(time.monotonic() - begun, 1)
    return replace(
        record,
        tests=tuple(outcomes),
        remarks=(*remarks, *more),
        jail=judge.jail.name,
        seconds=seconds,
    )


def _graded(
    plan: Plan, salt: bytes, waiting: list[Submission], jobs: int
) -> Iterator[tuple[Submission, Record]]:
    """Grade submissions in processes that each hold a judge.

    A process that dies takes all others with it, so what has no record then gets an error.
    """
    if not waiting:
        return
    context = get_context("spawn")
    pool = ProcessPoolExecutor(
        min(jobs, len(waiting)), mp_context=context, initializer=_start, initargs=(plan, salt)
    )
    try:
        futures = {pool.submit(_work, submission): submission for submission in waiting}
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except BrokenProcessPool:
                reason = ("the judge's process ended; --resume tries this submission again",)
                base = Record(plan.assignment, *futures[future][:4], ERROR, remarks=reason)
                yield futures[future], base
    finally:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(wait=True, cancel_futures=True)


_JUDGE: Judge | None = None


def _start(plan: Plan, salt: bytes) -> None:
    global _JUDGE
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends this one
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # which then ends its kernel
    resource.setrlimit(resource.RLIMIT_AS, (JUDGE_MEMORY, JUDGE_MEMORY))
    _JUDGE = plan.judge(salt)


def _work(submission: Submission) -> Record:
    assert _JUDGE is not None
    return grade_one(_JUDGE, submission)


def _path(run: Path, submission: Submission) -> Path:
    """Return where a student's record is; the name is safe for any file system, and unique."""
    name = f"{submission.student}_{submission.id}"
    slug = re.sub(r"[^A-Za-z0-9.-]+", "_", name)[:60]
    return run / "records" / f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.json"


def _store(run: Path, submission: Submission, record: Record) -> Record:
    _write(_path(run, submission), json.dumps(asdict(record), indent=1))
    return record


def _read(path: Path) -> Record:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        tests = tuple(Outcome(**test) for test in values.pop("tests"))
        return Record(**values | {"tests": tests, "remarks": tuple(values["remarks"])})
    except (ValueError, TypeError, KeyError) as error:
        raise GraderError(f"{path} is damaged ({error}); remove it and grade again") from None


def _write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(f".{path.name}.part")
    part.write_text(text + "\n", encoding="utf-8")
    os.replace(part, path)
