"""What grading says of one submission: a JSON file, written whole or not at all."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from course_lib.errors import CourseError
from course_lib.files import atomic_write, fill, parse_json

GRADED, REVIEW, REFUSED, ERROR = "graded", "needs review", "refused", "error"
"""How a submission can end. Only the first two have a score; an error is the grader's own."""


@dataclass(frozen=True)
class Test:
    """One test case.

    Attributes:
        name: of the test function, such as "test_rnn_shapes".
        points: what it is worth.
        score: what it gave.
        status: "passed" or "failed", the limit that the code broke ("time", "memory", "forks",
            "disk"), "wire" for garbage on it, or "review": a person must look.
        message: why it failed, in full; empty where it passed. Of a hidden test only for teachers.
        public: whether the student may read `message`.
        line: the student's own line that raised, such as "h = W @ x (line 4 of its cell)".
        topic: what a hidden test looks at; the student may read it.
        note: why the points are fewer, where no test's own words say it; the student may read it.
    """

    # pytest would take it for a class of tests.
    __test__ = False

    name: str
    points: float
    score: float
    status: str
    message: str = ""
    public: bool = True
    line: str = ""
    topic: str = ""
    note: str = ""


@dataclass(frozen=True)
class Question:
    """One question, such as "q1", with its tests; `code` names the code that these had."""

    name: str
    points: float
    score: float
    tests: tuple[Test, ...] = ()
    code: str = ""


@dataclass(frozen=True)
class Record:
    """One submission.

    Attributes:
        assignment: such as "hw01_recurrence".
        variant: "v0" is the public one.
        student: the name by which the submission was found.
        file: the notebook, relative to the folder of submissions; empty where there is none.
        sha256: of the notebook's bytes.
        status: `GRADED`, `REVIEW`, `REFUSED` or `ERROR`.
        reason: why it is not simply graded, in a sentence; may also warn beside a score.
        score: of `points`; None where nothing was graded.
        points: what the assignment is worth.
        questions: in the assignment's order.
        cells: a line for each cell that raised or was stopped.
        jail: the rung that the code ran in.
        salt: `fingerprint` of the salt.
        seconds: on the clock.
        cpu_seconds: of the student's processes.
    """

    assignment: str
    variant: str
    student: str
    file: str = ""
    sha256: str = ""
    status: str = GRADED
    reason: str = ""
    score: float | None = None
    points: float = 0.0
    questions: tuple[Question, ...] = ()
    cells: tuple[str, ...] = ()
    jail: str = ""
    salt: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0


def fingerprint(salt: bytes) -> str:
    """Names a salt without telling it; empty where there is none."""
    return hashlib.sha256(b"salt" + salt).hexdigest()[:16] if salt else ""


def to_json(record: Record) -> str:
    """The record as JSON in plain ASCII, so that it survives whatever a student printed."""
    return json.dumps(asdict(record), indent=1, allow_nan=False) + "\n"


def from_json(text: str | bytes) -> Record:
    """The record that `to_json` wrote.

    Raises:
        ValueError: it is something else.
    """
    values = parse_json(text)
    if not isinstance(values, dict):
        raise ValueError("want a record of a submission")
    cells = tuple(_texts(values.get("cells", [])))
    questions = tuple(_question(each) for each in _list(values.get("questions", [])))
    return fill(Record, {**values, "questions": questions, "cells": cells})


def write(record: Record, path: Path) -> None:
    """Write the record to `path`, whole or not at all.

    Raises:
        CourseError: the file cannot be written.
    """
    atomic_write(path, to_json(record))


def read(path: Path) -> Record:
    """The record in a file.

    Raises:
        CourseError: it cannot be read, or is no record.
    """
    try:
        return from_json(path.read_bytes())
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise CourseError(
            f"{path} is no record of a submission ({error}); remove it and grade again"
        ) from error


def _question(values: Any) -> Question:
    tests = tuple(fill(Test, each) for each in _list(values.get("tests", [])))
    return fill(Question, {**values, "tests": tests})


def _list(values: Any) -> list[dict[str, Any]]:
    if not isinstance(values, list) or not all(isinstance(each, dict) for each in values):
        raise ValueError("want a list of dictionaries")
    return values


def _texts(values: Any) -> list[str]:
    if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
        raise ValueError("want a list of texts as cells")
    return values
