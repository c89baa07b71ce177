"""Stored results with the records that were made again in the place of the old ones.

A chapter that draws a stored file says the same on every machine, and its claims would never turn.
So it is executed once more with these in their place.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from tools.project import ROOT
from tools.shake.record import load, path_of
from tools.shake.registry import REGISTRY, Stored


def contents(root: Path = ROOT, registry: Sequence[Stored] = REGISTRY) -> dict[str, str]:
    """The content of each stored file of which records were made again, by its name."""
    found = {}
    for stored in registry:
        record = load(path_of(stored.file, root))
        if stored.needs or record is None:
            continue
        entries = json.loads(stored.path(root).read_text(encoding="utf-8"))
        made = {stored.key_of(part.record): part.record for part in record.parts}
        merged = [made.get(stored.key_of(entry), entry) for entry in entries]
        found[stored.file] = json.dumps(merged)
    return found


def digest(files: dict[str, str]) -> str:
    """A short hash over them, "" over none."""
    if not files:
        return ""
    return hashlib.sha256(json.dumps(files, sort_keys=True).encode()).hexdigest()[:12]


def write(files: dict[str, str], folder: Path) -> Path:
    """Put them where `course_lib.experiments.lab.stored` looks for them."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    return folder
