"""A run: grades a folder of submissions, some at once, and keeps a JSON record of each.

`RUN` holds `records` and `salt`, a secret that draws the hidden tests.
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
from dataclasses import asdict, dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import torch

from course_grader import GraderError
from course_grader.collect import Submission
from course_grader.judge import STOPPED, Judge, Outcome

GRADED, REFUSED, ERROR = "graded", "refused", "error"  # an error is the grader's own

JUDGE_MEMORY = 24 << 30  # of address space: a judge computes with what students return


@dataclass(frozen=True)
class Record:
    """What grading says of one submission; `digest` is of the homework's source and the salt."""

    assignment: str
    student: str
    id: str
    file: str
    sha256: str
    status: str = GRADED
    points: float = 0.0
    tests: tuple[Outcome, ...] = ()
    remarks: tuple[str, ...] = ()
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


def salt_of(run: Path, salt: bytes = b"") -> bytes:
    """Return the salt of a run, which is made with its folder if there is none yet."""
    (run / "records").mkdir(parents=True, exist_ok=True)
    file = run / "salt"
    if not file.is_file():
        file.touch(0o600)
        file.write_bytes(salt or secrets.token_bytes(32))
    if salt and salt != file.read_bytes():
        raise GraderError(f"{run} was begun with another salt; name another folder")
    return file.read_bytes()


def read_records(run: Path) -> list[Record]:
    """Return all records of a run, by student."""
    records = sorted(map(_read, (run / "records").glob("*.json")), key=lambda r: (r.student, r.id))
    if len({record.assignment for record in records}) != 1:
        raise GraderError(f"want the folder of a run, with records of one homework; got {run}")
    return records


def grade(run: Path, judge: Judge, submissions: list[Submission], jobs: int) -> Iterator[Record]:
    """Grade what has no record of the same notebook and tests; yield all records, each on disk."""
    digest = hashlib.sha256(judge.assignment.digest.encode() + judge.salt).hexdigest()
    waiting = []
    for submission in submissions:
        path, same = _path(run, submission), (GRADED, submission.sha256, digest)
        kept = _read(path) if path.exists() else None
        if submission.notebook is None:
            yield _store(path, grade_one(judge, submission))
        elif kept and (kept.status, kept.sha256, kept.digest) == same:
            yield kept
        else:
            waiting.append(submission)
    for submission, record in _graded(judge, waiting, jobs) if waiting else ():
        yield _store(_path(run, submission), replace(record, digest=digest))


def grade_one(judge: Judge, submission: Submission) -> Record:
    """Return the record of one submission."""
    begun = time.monotonic()
    points = sum(case.points for case in judge.assignment.cases)
    record = Record(judge.assignment.name, *submission[:4], points=points)
    remarks = [submission.reason] if submission.reason else []
    if submission.notebook is None:
        return replace(record, status=REFUSED, remarks=tuple(remarks))
    try:
        outcomes, more = judge.grade(submission.notebook)
    except GraderError as error:
        return replace(record, status=ERROR, remarks=(*remarks, str(error)))
    stopped = sum(outcome.status == STOPPED for outcome in outcomes)
    remarks += [f"{stopped} tests were stopped"] if stopped else []
    record = replace(record, tests=tuple(outcomes), remarks=(*remarks, *more))
    return replace(record, jail=judge.jail.name, seconds=round(time.monotonic() - begun, 1))


def _graded(judge: Judge, waiting: list, jobs: int) -> Iterator[tuple[Submission, Record]]:
    """Grade submissions in processes, each with a judge. One that dies takes the others along."""
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start, initargs=(judge,))
    try:
        futures = {pool.submit(_work, submission): submission for submission in waiting}
        for future in as_completed(futures):
            try:
                yield futures[future], future.result()
            except BrokenProcessPool:
                about = (judge.assignment.name, *futures[future][:4], ERROR)
                reason = ("the judge's process ended; --resume tries this submission again",)
                yield futures[future], Record(*about, remarks=reason)
    finally:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        pool.shutdown(cancel_futures=True)


def _start(judge: Judge) -> None:
    global _JUDGE
    _JUDGE = judge
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process ends this one
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # which then ends its kernel
    resource.setrlimit(resource.RLIMIT_AS, (JUDGE_MEMORY, JUDGE_MEMORY))
    torch.set_num_threads(1)


def _work(submission: Submission) -> Record:
    return grade_one(_JUDGE, submission)


def _path(run: Path, submission: Submission) -> Path:
    """Return where a student's record is; the name is safe for any file system, and unique."""
    name = f"{submission.student}_{submission.id}"
    slug = re.sub(r"[^A-Za-z0-9.-]+", "_", name)[:60]
    return run / "records" / f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.json"


def _store(path: Path, record: Record) -> Record:
    """Write a record whole or not at all."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(asdict(record), indent=1), encoding="utf-8")
    os.replace(part, path)
    return record


def _read(path: Path) -> Record:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
        tests = tuple(Outcome(**test) for test in values["tests"])
        return Record(**values | {"tests": tests, "remarks": tuple(values["remarks"])})
    except (ValueError, TypeError, KeyError) as error:
        raise GraderError(f"{path} is damaged ({error}); remove it and grade again") from None
