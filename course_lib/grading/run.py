"""Grades a folder of submissions into the folder of a run, which can be taken up again.

    RUN/run.json        what is graded, and how
    RUN/salt            draws this run's instances of the tests; keep it secret, and keep it
    RUN/records/*.json  one a submission (course_lib/grading/record.py)

The judges are in processes of their own (processes.py).
"""

import hashlib
import json
import os
import re
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from course_lib.errors import CourseError
from course_lib.files import atomic_write, fill, parse_json
from course_lib.grading import record as records
from course_lib.grading.assignment import load
from course_lib.grading.collect import Submission, collect
from course_lib.grading.plan import Plan, make_judge
from course_lib.grading.processes import judged
from course_lib.grading.record import ERROR, GRADED, REFUSED, REVIEW, Record, fingerprint


def begin(run: Path, plan: Plan, salt: bytes | None = None) -> bytes:
    """Make the folder of a run, or find it there with the same plan; the run's salt.

    Args:
        run: the folder; only its owner may read it.
        plan: what is graded.
        salt: draws the tests' instances; None makes one, or takes the run's own.

    Raises:
        CourseError: the folder holds something else, or has another plan or salt.
    """
    load(plan.assignment, Path(plan.homework), plan.variant)
    there = {path.name for path in run.iterdir() if path.name[0] != "."} if run.is_dir() else set()
    # Another shard may just have begun and not written the plan yet.
    if "run.json" not in there and there - {"records", "salt"}:
        raise CourseError(
            f"want a new folder for the run, or a run's; got {run}, which holds files"
        )
    try:
        run.mkdir(mode=0o700, parents=True, exist_ok=True)
        (run / "records").mkdir(exist_ok=True)
        # Written beside it and linked: shards may begin in the same moment, and all take the first.
        with suppress(FileExistsError):
            fresh = run / f".salt-{secrets.token_hex(4)}"
            descriptor = os.open(fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(salt or secrets.token_bytes(32))
            try:
                os.link(fresh, run / "salt")
            finally:
                fresh.unlink()
    except OSError as error:
        raise CourseError(f"cannot make the folder of the run, {run}: {error.strerror}") from error
    own = read_salt(run / "salt")
    if salt is not None and salt != own:
        raise CourseError(f"{run} was begun with another salt; name its own, or another folder")
    if (run / "run.json").is_file() and replace(read_plan(run), submissions="") != replace(
        plan, submissions=""
    ):
        raise CourseError(
            f"{run} was begun for {describe(read_plan(run))}, not for {describe(plan)}; "
            "name another folder"
        )
    atomic_write(run / "run.json", json.dumps(asdict(plan), indent=1) + "\n")
    return own


def describe(plan: Plan) -> str:
    """The plan in a few words."""
    more = " without a jail" if plan.allow_weak else ""
    more += ", each student's own" if plan.per_student else ""
    return f"{plan.assignment}, variant {plan.variant}, of {plan.homework}{more}"


def read_plan(run: Path) -> Plan:
    """The plan of a run.

    Raises:
        CourseError: the folder is no run.
    """
    try:
        return fill(Plan, parse_json((run / "run.json").read_bytes()))
    except OSError:
        raise CourseError(f"want the folder of a run, which holds run.json; got {run}") from None
    except ValueError as error:
        raise CourseError(f"{run / 'run.json'} is damaged: {error}") from error


def read_salt(path: Path) -> bytes:
    """A salt: all bytes of a file, 16 or more.

    Raises:
        CourseError: it cannot be read, or is shorter.
    """
    try:
        salt = path.read_bytes()
    except OSError as error:
        raise CourseError(f"cannot read the salt {path}: {error.strerror}") from error
    if len(salt) < 16:
        raise CourseError(
            f"want a salt of 16 bytes or more in {path}; got {len(salt)} "
            "(head -c 32 /dev/urandom > FILE makes one)"
        )
    return salt


def place(run: Path, student: str) -> Path:
    """Where a student's record lies; the name is safe for any file system, and nobody else's."""
    slug = re.sub(r"[^A-Za-z0-9.-]+", "_", student)[:60]
    return run / "records" / f"{slug}-{_digest(student)[:8]}.json"


def read_records(run: Path) -> list[Record]:
    """All records of a run, by student.

    Raises:
        CourseError: it is no run, has none, or one is damaged.
    """
    read_plan(run)
    paths = sorted((run / "records").glob("*.json"))
    if not paths:
        raise CourseError(f"{run} has no records yet; grade first")
    return sorted(map(records.read, paths), key=lambda record: record.student)


def submissions_of(plan: Plan, shard: tuple[int, int] = (1, 1)) -> list[Submission]:
    """The submissions of a run's folder, or a machine's share of them."""
    found = collect(Path(plan.submissions), plan.assignment)
    number, count = shard
    return [s for s in found if int(_digest(s.student)[:8], 16) % count == number - 1]


def grade(
    run: Path,
    submissions: list[Submission],
    *,
    resume: bool = False,
    jobs: int = 1,
    make: Callable[[Plan, bytes, Sequence[str]], Any] = make_judge,
) -> Iterator[Record]:
    """Grade what has no record yet; each record is on disk before it is given out.

    Args:
        run: a folder that `begin` made.
        submissions: all, or this machine's share.
        resume: keep the records whose notebooks did not change.
        jobs: how many are graded at once.
        make: makes a judge of plan, salt and questions.

    Raises:
        CourseError: there are records and `resume` is not set, or no judge can be made.
    """
    plan, salt = read_plan(run), read_salt(run / "salt")
    points = sum(q.points for q in load(plan.assignment, Path(plan.homework)).questions.values())
    codes = _codes(plan)
    there = {s.student for s in submissions if place(run, s.student).exists()}
    if there and not resume:
        raise CourseError(
            f"{run} has records of {len(there)} of these submissions; add --resume to grade what "
            "is missing or changed, or name another folder"
        )
    waiting = []
    for submission in submissions:
        kept = records.read(place(run, submission.student)) if submission.student in there else None
        if submission.notebook is None:
            blank = Record(plan.assignment, plan.variant, submission.student, points=points)
            refused = replace(blank, status=REFUSED, salt=fingerprint(salt))
            yield _store(run, refused, submission)
        elif kept and kept.status in (GRADED, REVIEW) and kept.sha256 == submission.sha256:
            yield kept
        else:
            waiting.append(submission)
    for submission, record in judged(waiting, jobs, (make, plan, salt, ())):
        questions = tuple(replace(q, code=codes[q.name]) for q in record.questions)
        known = replace(record, points=points, salt=fingerprint(salt), questions=questions)
        yield _store(run, known, submission)


def regrade(
    run: Path,
    questions: Sequence[str],
    *,
    jobs: int = 1,
    make: Callable[[Plan, bytes, Sequence[str]], Any] = make_judge,
) -> Iterator[tuple[Record, Record]]:
    """Grade some questions of a run again, with the same salt; each record before and after.

    Args:
        run: a run with records.
        questions: such as ["q3"].
        jobs: how many are graded at once.
        make: makes a judge of plan, salt and questions.

    Raises:
        CourseError: the homework has no such question, or nothing is graded yet.
    """
    plan, salt = read_plan(run), read_salt(run / "salt")
    known = load(plan.assignment, Path(plan.homework), plan.variant).questions
    if unknown := [name for name in questions if name not in known]:
        raise CourseError(f"want one of the questions {', '.join(known)}; got {unknown[0]!r}")
    codes, before = _codes(plan), {record.student: record for record in read_records(run)}
    waiting = [
        submission
        for submission in submissions_of(plan)
        if (old := before.get(submission.student))
        and old.status in (GRADED, REVIEW)
        and submission.notebook is not None
        and submission.sha256 == old.sha256
    ]
    if not waiting:
        raise CourseError(f"{run} has no graded notebook that is still in {plan.submissions}")
    for submission, new in judged(waiting, jobs, (make, plan, salt, tuple(questions))):
        old = before[submission.student]
        if new.status == ERROR:
            yield old, _store(run, replace(new, points=old.points), submission)
            continue
        fresh = {q.name: replace(q, code=codes[q.name]) for q in new.questions}
        merged = tuple(fresh.get(question.name, question) for question in old.questions)
        unsure = any(test.status == "review" for q in merged for test in q.tests)
        whole = replace(
            new,
            questions=merged,
            score=sum(question.score for question in merged),
            points=old.points,
            status=REVIEW if unsure else GRADED,
            reason=new.reason or ("a test of another question is undecided" if unsure else ""),
        )
        yield old, _store(run, whole, submission)


def ungraded(run: Path) -> str:
    """A line on the submissions that have no record yet, as far as they can be seen; or nothing."""
    try:
        sent = submissions_of(read_plan(run))
    except CourseError:  # the folder is elsewhere now
        return ""
    count = sum(not place(run, submission.student).exists() for submission in sent)
    return f"not graded yet: {count} of {len(sent)} submissions; use --resume" if count else ""


def mixed(run: Path, graded: list[Record]) -> str:
    """A line on the records that other tests made than those of the homework now; or nothing."""
    codes = _codes(read_plan(run))
    old = Counter(
        q.name
        for record in graded
        for q in record.questions
        if q.code not in ("", codes.get(q.name))
    )
    told = ", ".join(f"{name} of {count}" for name, count in sorted(old.items()))
    if not told:
        return ""
    names = ",".join(sorted(old))
    return f"graded by tests that have changed since: {told}; regrade {run} --question {names}"


def _codes(plan: Plan) -> dict[str, str]:
    """What names the code of the tests, by question."""
    questions = load(plan.assignment, Path(plan.homework), plan.variant).questions
    return {
        name: _digest("\n".join(case.code for case in question.cases))[:16]
        for name, question in questions.items()
    }


def _store(run: Path, record: Record, submission: Submission) -> Record:
    """The record with what is known of its file, once it is on disk."""
    reason = "; ".join(filter(None, [submission.reason, record.reason]))
    whole = replace(record, file=submission.file, sha256=submission.sha256, reason=reason)
    records.write(whole, place(run, submission.student))
    return whole


def _digest(student: str) -> str:
    return hashlib.sha256(student.encode("utf-8")).hexdigest()
