"""What passed on this machine, with which inputs and when; a gate is not run again while they hold.

A gate may have parts: test files, homeworks, pages, notebooks. Each has a stamp of its own in
`_build/stamps`, which is no part of the repository: a fresh clone has none. A part that was skipped
or failed gets none. A machine of continuous integration (it sets CI) neither reads nor writes them.
"""

import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from tools.project import BUILD


class Stamp(NamedTuple):
    """One part that passed.

    Attributes:
        inputs: hash of all that it was decided from.
        since: when it passed.
        tests: how many tests stood behind it.
    """

    inputs: str
    since: str
    tests: int


def in_use() -> bool:
    """False where everything is to be run, whatever passed before."""
    return os.environ.get("CI", "").lower() in ("", "0", "false")


def unchanged(root: Path, gate: str, inputs: Mapping[str, str]) -> dict[str, Stamp]:
    """The parts that passed with just these inputs."""
    known = _read(_path(root, gate))
    return {part: known[part] for part in inputs if _holds(known.get(part), inputs[part])}


def record(root: Path, gate: str, inputs: Mapping[str, str], passed: Mapping[str, int]) -> None:
    """Stamp what passed, by its number of tests; what ran and did not pass loses its stamp.

    Args:
        root: the project.
        gate: its name.
        inputs: of every part of the gate, those that did not run among them.
        passed: the parts that passed, and those whose stamps still hold.
    """
    path = _path(root, gate)
    known, now = _read(path), datetime.now().strftime("%Y-%m-%d %H:%M")
    kept = {}
    for part, tests in passed.items():
        if _holds(known.get(part), inputs[part]):
            kept[part] = known[part]
        else:
            kept[part] = Stamp(inputs[part], now, tests)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part")
    temporary.write_text(json.dumps(kept, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    os.replace(temporary, path)


def _holds(stamp: Stamp | None, inputs: str) -> bool:
    return stamp is not None and stamp.inputs == inputs


def _path(root: Path, gate: str) -> Path:
    return root / BUILD.name / "stamps" / f"{gate}.json"


def _read(path: Path) -> dict[str, Stamp]:
    """None at all where the file is absent or was spoiled: then everything is run."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        return {part: Stamp(str(a), str(b), int(c)) for part, (a, b, c) in stored.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
