"""`make shake`: each subject under each condition, one process at a time, finished ones kept."""

import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.project import BUILD, ROOT, TaskError, say, shown
from tools.shake.again import digest, rounds, write
from tools.shake.conditions import Condition, conditions, environment
from tools.shake.record import Record, load, path_of, save
from tools.shake.subjects import Subject, again_name, chosen, is_again, subjects

KEPT = BUILD / "shake"


def shake(names: Sequence[str] = (), *, everything: bool = False, root: Path = ROOT) -> None:
    """Shake what changed since it was shaken, or only what is named of it.

    A stored file on which claims rest is shaken until each of its settings was made.

    Args:
        names: such as "04", "04_bahdanau" or "bottleneck"; none means all.
        everything: also what did not change; of a stored file, other records than last time.
        root: where the records go.

    Raises:
        TaskError: an unknown name, or a run that failed.
    """
    for subject in chosen(names, subjects()):
        if corpus := subject.lacks():
            # It is no failure: nobody has to have every corpus to shake the rest.
            say(f"{subject}: left alone, for want of the data {corpus!r} (COURSE_DATA)")
            continue
        record, job = _next(subject, root)
        left = job.subject.left()
        if record is not None and not everything and _is_fresh(record, job) and not left:
            say(f"{subject}: unchanged since it was shaken")
            continue
        _shake(job, root)
        while (job := _next(subject, root)[1]).subject.left() not in (0, left):
            left = job.subject.left()
            _shake(job, root)


class Job(NamedTuple):
    """A subject with what it is to be made from, and under which conditions."""

    subject: Subject
    stamp: str
    again: str
    conditions: list[Condition]


def _next(subject: Subject, root: Path) -> tuple[Record | None, Job]:
    """What it left when it was last shaken, and what is to be done now."""
    record = load(path_of(subject.name, root))
    return record, _job(subject.after(record), root)


def _job(subject: Subject, root: Path) -> Job:
    """A chapter gets more conditions: the stored results that were made again before it."""
    files = rounds(root, subject.reads())
    there = conditions()[: subject.conditions]
    for number, one in enumerate(files):
        folder = write(one, KEPT / "stored" / str(number + 1))
        there.append(Condition(again_name(number), {"COURSE_STORED": str(folder)}))
    return Job(subject, subject.stamp(), digest(files), there)


def _is_fresh(record: Record, job: Job) -> bool:
    names = tuple(condition.name for condition in job.conditions)
    made_from = (record.stamp, record.again, record.torch, record.conditions)
    return made_from == (job.stamp, job.again, _torch(), names)


def _shake(job: Job, root: Path) -> None:
    """Every condition in turn; the record is written anew after each."""
    subject, there = job.subject, job.conditions
    found: dict[str, Any] = {}
    for number, condition in enumerate(there):
        begun = time.monotonic()
        found[condition.name], again = _make(job, number)
        seconds = f"{time.monotonic() - begun:.0f} s" if again else "kept from before"
        say(f"{subject}: {number + 1} of {len(there)}, {condition.name}: {seconds}")
        parts = tuple(subject.parts(found))
        more = subject.more(parts, finished=number + 1 == len(there))
        record = Record(_torch(), tuple(found), job.stamp, parts, job.again, **more)
        save(path_of(subject.name, root), record)
    say(f"{subject}: {shown(path_of(subject.name, root), root)}")


def _make(job: Job, number: int) -> tuple[Any, bool]:
    """What a condition makes of a subject, and whether it had to be made now."""
    subject, condition = job.subject, job.conditions[number]
    name = condition.name.replace(" ", "_")
    kept = KEPT / subject.name.removesuffix(".json") / f"{name}.json"
    made_from = {"stamp": job.stamp, "torch": _torch()}
    if part := subject.part(number):
        made_from["part"] = part
    if is_again(condition.name):
        made_from["again"] = job.again
    try:
        old = json.loads(kept.read_text(encoding="utf-8"))
        found = old.pop("found")
        if old == made_from:
            return found, False
    except (OSError, ValueError, KeyError, TypeError):
        pass
    folder = kept.parent / "running"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        found = subject.make(number, environment(condition), folder)
    except TaskError as error:
        raise TaskError(f"{subject} under {condition.name}: {error}") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if subject.stamp() != job.stamp:
        raise TaskError(f"{subject}: code changed while it was shaken; make shake begins again")
    kept.write_text(json.dumps({**made_from, "found": found}), encoding="utf-8")
    return found, True


def _torch() -> str:
    import torch

    return torch.__version__.partition("+")[0]
