"""`make shake`: each subject under each condition, one process at a time, finished ones kept."""

import json
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.project import BUILD, ROOT, TaskError, say, shown
from tools.shake.conditions import Condition, conditions, environment
from tools.shake.record import Record, load, path_of, save
from tools.shake.subjects import Subject, chosen, subjects

KEPT = BUILD / "shake"


def shake(names: Sequence[str] = (), *, everything: bool = False, root: Path = ROOT) -> None:
    """Shake what changed since it was shaken, or only what is named of it.

    Args:
        names: such as "04", "04_bahdanau" or "bottleneck"; none means all.
        everything: also what did not change.
        root: where the records go.

    Raises:
        TaskError: an unknown name, or a run that failed.
    """
    wanted = chosen(names, subjects())
    there = conditions()
    for subject in wanted:
        stamp = subject.stamp()
        record = load(path_of(subject.name, root))
        if record is not None and not everything and _is_fresh(record, stamp, there):
            say(f"{subject}: unchanged since it was shaken")
            continue
        _shake(subject, stamp, there, root)


def _is_fresh(record: Record, stamp: str, there: Sequence[Condition]) -> bool:
    names = tuple(condition.name for condition in there)
    return (record.stamp, record.torch, record.conditions) == (stamp, _torch(), names)


def _shake(subject: Subject, stamp: str, there: Sequence[Condition], root: Path) -> None:
    """Every condition in turn; the record is written anew after each."""
    found: dict[str, Any] = {}
    for number, condition in enumerate(there):
        begun = time.monotonic()
        kept = (
            KEPT / subject.name.removesuffix(".json") / f"{condition.name.replace(' ', '_')}.json"
        )
        found[condition.name], again = _make(subject, stamp, number, condition, kept)
        seconds = f"{time.monotonic() - begun:.0f} s" if again else "kept from before"
        say(f"{subject}: {number + 1} of {len(there)}, {condition.name}: {seconds}")
        parts = tuple(subject.parts(found))
        save(path_of(subject.name, root), Record(_torch(), tuple(found), stamp, parts))
    say(f"{subject}: {shown(path_of(subject.name, root), root)}")


def _make(
    subject: Subject, stamp: str, number: int, condition: Condition, kept: Path
) -> tuple[Any, bool]:
    """What a condition makes of a subject, and whether it had to be made now."""
    try:
        old = json.loads(kept.read_text(encoding="utf-8"))
        if (old["stamp"], old["torch"]) == (stamp, _torch()):
            return old["found"], False
    except (OSError, ValueError, KeyError):
        pass
    folder = kept.parent / "running"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        found = subject.make(number, environment(condition), folder)
    except TaskError as error:
        raise TaskError(f"{subject} under {condition.name}: {error}") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if subject.stamp() != stamp:
        raise TaskError(f"{subject}: code changed while it was shaken; make shake begins again")
    kept.write_text(
        json.dumps({"stamp": stamp, "torch": _torch(), "found": found}), encoding="utf-8"
    )
    return found, True


def _torch() -> str:
    import torch

    return torch.__version__.partition("+")[0]
