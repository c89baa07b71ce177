"""Stored results with the records that were made again in the place of the old ones.

A chapter that draws a stored file says the same on every machine, and its claims would never turn.
So it is executed once more with these in their place: once for each time that the same record was
made, so that a claim meets all of them and never a choice of them.
"""

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.project import ROOT
from tools.shake.record import load, path_of
from tools.shake.registry import REGISTRY, Stored

CLOCK = ("seconds", "minutes")
"""What a record says of the machine is not made again with it."""
Entry = Mapping[str, Any]
Files = dict[str, str]


def rounds(root: Path = ROOT, registry: Sequence[Stored] = REGISTRY) -> list[Files]:
    """For each round, the content of each stored file of which records were made again, by name.

    A record that was made fewer times than there are rounds stays as it was made last.
    """
    there = [(stored, made) for stored in registry if (made := _made(stored, root))]
    count = max((len(one) for _, made in there for one in made.values()), default=0)
    return [
        {stored.file: json.dumps(_merged(stored, made, number, root)) for stored, made in there}
        for number in range(count)
    ]


def _made(stored: Stored, root: Path) -> dict[tuple, list[Entry]]:
    """Each record that was made again, by its key, as often as it was."""
    record = load(path_of(stored.file, root))
    found: dict[tuple, list[Entry]] = {}
    for part in () if stored.needs or record is None else record.parts:
        found.setdefault(stored.key_of(part.record), []).append(part.record)
    return found


def _merged(
    stored: Stored, made: Mapping[tuple, Sequence[Entry]], number: int, root: Path
) -> list[Entry]:
    merged = []
    for entry in json.loads(stored.path(root).read_text(encoding="utf-8")):
        times = made.get(stored.key_of(entry), [entry])
        clock = {name: entry[name] for name in CLOCK if name in entry}
        merged.append({**times[min(number, len(times) - 1)], **clock})
    return merged


def digest(files: Sequence[Files]) -> str:
    """A short hash over all rounds, "" over none."""
    if not files:
        return ""
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:12]


def write(files: Files, folder: Path) -> Path:
    """Put them where `course_lab.experiments.lab.stored` looks for them, and nothing beside."""
    shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder
