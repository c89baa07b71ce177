"""Judges in processes of their own: one that dies or hangs costs one submission its score."""

import json
import multiprocessing
import signal
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

import torch

from course_lib.errors import CourseError, escaped, one_line
from course_lib.files import parse_json
from course_lib.grading import record as records
from course_lib.grading.collect import Submission
from course_lib.grading.plan import Plan
from course_lib.grading.record import ERROR, Record

# Not forked from this process, which may have threads and whatever a test imported.
CONTEXT = multiprocessing.get_context("spawn")
LONGEST = 1800
"""Seconds that a judge may take over one submission before it is given up."""
SILENT = 30
"""Seconds after which, again and again, a line says what takes long."""


def judged(
    submissions: list[Submission], jobs: int, how: tuple[Any, ...]
) -> Iterator[tuple[Submission, Record]]:
    """The records of these submissions, in the order in which they come.

    Args:
        submissions: each with a notebook.
        jobs: how many are graded at once.
        how: what makes a judge, and its plan, salt and questions.

    Raises:
        CourseError: no judge can be made.
    """
    waiting, again = deque(submissions), []
    judges = [JudgeProcess(how) for _ in range(min(jobs, len(waiting)))]
    try:
        while waiting or any(judge.busy for judge in judges):
            for judge in judges:
                if waiting and judge.busy is None:
                    judge.give(waiting.popleft())
            wait([judge.connection for judge in judges if judge.busy], timeout=1)
            for judge in judges:
                if judge.busy and (record := judge.take()):
                    submission, judge.busy = judge.busy, None
                    if _ran_late(record):
                        again.append(submission)
                    else:
                        yield submission, record
        # Perhaps the machine was busy: a second chance, when nothing else runs.
        for submission in again:
            judges[0].give(submission)
            while not (record := judges[0].take()):
                wait([judges[0].connection], timeout=1)
            judges[0].busy = None
            yield submission, record
    finally:
        for judge in judges:
            judge.stop()


def alone(plan: Plan, salt: bytes, make: Callable[..., Any], submission: Submission) -> Record:
    """The record of one submission, graded in this process.

    Args:
        plan: what is graded.
        salt: draws the tests' instances.
        make: makes a judge of plan, salt and questions.
        submission: with a notebook.

    Raises:
        CourseError: no judge can be made.
    """
    try:
        with make(plan, salt, ()) as judge:
            record = _graded(judge, submission.notebook, submission.student)
            if _ran_late(record):  # as in `judged`
                record = _graded(judge, submission.notebook, submission.student)
            return record
    except CourseError:
        raise
    except Exception as error:
        return _failure(plan, submission.student, error)


def _graded(judge: Any, notebook: dict[str, Any] | None, student: str) -> Record:
    """The judge's record; what takes it long is told meanwhile."""
    done, begun = threading.Event(), time.monotonic()

    def tell() -> None:
        while not done.wait(SILENT):
            spent = f"{time.monotonic() - begun:.0f} s so far"
            at = getattr(judge, "at", "")
            print(escaped(f"grading {student}: {at}, {spent}"), file=sys.stderr, flush=True)

    threading.Thread(target=tell, daemon=True).start()
    try:
        return judge.grade(notebook, student=student)
    finally:
        done.set()


def _failure(plan: Plan, student: str, error: Exception) -> Record:
    """No score; the traceback is for whoever maintains the judge."""
    traceback.print_exc()
    reason = one_line(f"the judge failed: {type(error).__name__}: {error}")
    return Record(plan.assignment, plan.variant, student, status=ERROR, reason=reason)


def _ran_late(record: Record) -> bool:
    return any(test.status == "review" for question in record.questions for test in question.tests)


class JudgeProcess:
    """A process with a judge, and the submission it is at."""

    def __init__(self, how: tuple[Any, ...]) -> None:
        self.how, self.busy, self.since = how, None, 0.0
        self._start()

    def _start(self) -> None:
        self.connection, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_serve, args=(theirs, *self.how))
        self.process.start()
        theirs.close()
        self.ready = False

    def give(self, submission: Submission) -> None:
        """Hands over what is to be graded next."""
        self.busy, self.since = submission, time.monotonic()
        content = {"student": submission.student, "notebook": submission.notebook}
        with suppress(OSError):  # it has died: `take` finds that
            self.connection.send_bytes(json.dumps(content).encode())

    def take(self) -> Record | None:
        """The record of the submission at hand, once there is one.

        Raises:
            CourseError: the judge cannot be made.
        """
        if not self.connection.poll() and self.process.is_alive():
            if time.monotonic() - self.since < LONGEST:
                return None
            return self._failed(f"the judge took longer than {LONGEST} seconds")
        try:
            answer = parse_json(self.connection.recv_bytes())
        except (EOFError, OSError):
            if not self.ready:
                raise CourseError(
                    "the judge stopped before it began; see python -m course_lib.grading doctor"
                ) from None
            self.process.join()
            return self._failed(f"the judge stopped with code {self.process.exitcode}")
        if "mistake" in answer:
            raise CourseError(answer["mistake"])
        if "ready" in answer:
            self.ready = True
            return None
        return records.from_json(json.dumps(answer))

    def _failed(self, reason: str) -> Record:
        plan = self.how[1]
        self.stop()
        self._start()
        student = self.busy.student
        return Record(plan.assignment, plan.variant, student, status=ERROR, reason=reason)

    def stop(self) -> None:
        """Ends the process: kindly, so that its judge can end the students' processes."""
        self.connection.close()
        self.process.terminate()
        self.process.join(10)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def _serve(
    connection: Connection,
    make: Callable[[Plan, bytes, Sequence[str]], Any],
    plan: Plan,
    salt: bytes,
    questions: Sequence[str],
) -> None:
    """What a process does: it makes a judge, and answers notebooks with records."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the first process's to handle
    # Not SystemExit, which in the middle of a test would look like one that the test raised.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    torch.set_num_threads(1)  # of two judges, each with two threads, every thread waits
    try:
        with make(plan, salt, questions) as judge:
            connection.send_bytes(b'{"ready": true}')
            while True:
                try:
                    given = parse_json(connection.recv_bytes())
                except EOFError:
                    return
                try:
                    record = _graded(judge, given["notebook"], given["student"])
                except Exception as error:
                    record = _failure(plan, given["student"], error)
                connection.send_bytes(records.to_json(record).encode())
    except CourseError as error:
        connection.send_bytes(json.dumps({"mistake": str(error)}).encode())
    except (BrokenPipeError, KeyboardInterrupt):
        return  # nobody waits any more
