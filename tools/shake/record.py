"""What a shaking leaves in `tests/shaken`: small JSON files that a reader and a gate can read.

A chapter's file has a line for each cell that carries a tolerance or moved all the same: its first
line, a hash of its code and of the cells that it depends on, and for each number that it prints the
smallest and the largest value over the conditions, or one value where all agree. Of the cells that
stood still it has the hashes. An experiment's file has a line for each record that was made again,
with the condition; those of earlier shakings stay while the stored file is the same.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tools.project import ROOT
from tools.shake.spread import Spread

FOLDER = Path("tests/shaken")


class Cell(NamedTuple):
    """A shaken cell.

    Attributes:
        first: its first line, for messages.
        code: see `depends.fingerprints`.
        spreads: one for each number that it prints.
        otherwise: what it printed in other words, by condition.
        raised: the error that it raised, by condition.
        again: whole numbers that moved only where stored results were made again, and, of a cell
            whose output is not compared, counts that moved under any condition.
        margins: of a claim, for each inequality whose margin moved the least and the greatest.
    """

    first: str
    code: str
    spreads: tuple[Spread, ...] = ()
    otherwise: Mapping[str, str] = {}
    raised: Mapping[str, str] = {}
    again: tuple[Spread, ...] = ()
    margins: Mapping[str, tuple[float, float]] = {}

    def written(self) -> dict[str, Any]:
        numbers = [s.low if s.low == s.high else [s.low, s.high] for s in self.spreads]
        entry: dict[str, Any] = {"cell": self.first, "code": self.code, "numbers": numbers}
        if self.otherwise:
            entry["otherwise"] = dict(self.otherwise)
        if self.raised:
            entry["raised"] = dict(self.raised)
        if self.again:
            entry["again"] = [[s.low, s.high] for s in self.again]
        if self.margins:
            entry["margins"] = {t: [float(f"{x:.3g}") for x in m] for t, m in self.margins.items()}
        return entry

    @classmethod
    def read(cls, entry: Mapping[str, Any]) -> "Cell":
        pairs = [[one, one] if isinstance(one, str) else one for one in entry["numbers"]]
        return cls(
            entry["cell"],
            entry["code"],
            tuple(Spread(*pair) for pair in pairs),
            entry.get("otherwise", {}),
            entry.get("raised", {}),
            tuple(Spread(*pair) for pair in entry.get("again", ())),
            {text: (low, high) for text, (low, high) in entry.get("margins", {}).items()},
        )


class Made(NamedTuple):
    """One record of an experiment, made again.

    Attributes:
        condition: under which.
        record: as the experiment stores it.
    """

    condition: str
    record: Mapping[str, Any]


class Record(NamedTuple):
    """A file of `tests/shaken`.

    Attributes:
        torch: the version that it was made with.
        conditions: under which, in order.
        stamp: over all files of the project that were reached; see `stamps`.
        parts: cells of a chapter, or records of an experiment.
        again: of a chapter, a hash over the stored records that were made again before it.
        still: of a chapter, the hashes of the cells that all conditions printed alike.
        of: of an experiment, a hash over the stored file that it was held against.
        turns: of an experiment, how often it was shaken under all its conditions.
    """

    torch: str
    conditions: tuple[str, ...]
    stamp: str
    parts: tuple
    again: str = ""
    still: tuple[str, ...] = ()
    of: str = ""
    turns: int = 1


_LATER = ("still", "of", "turns")
"""What the first records did not have: written only where there is something to say."""


def path_of(name: str, root: Path = ROOT) -> Path:
    """The file of a chapter ("04_bahdanau") or of an experiment ("bahdanau/bottleneck.json")."""
    return root / FOLDER / (name if name.endswith(".json") else f"{name}.json")


def save(path: Path, record: Record) -> None:
    """Write the file, a part a line."""
    kind = "cells" if all(isinstance(part, Cell) for part in record.parts) else "made"
    head = {name: getattr(record, name) for name in ("torch", "conditions", "stamp", "again")}
    later = {name: getattr(record, name) for name in _LATER}
    head |= {name: x for name, x in later.items() if x != Record._field_defaults[name]}
    entries = [p.written() if isinstance(p, Cell) else p._asdict() for p in record.parts]
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    rows = ",\n".join(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
    lines.append(f" {json.dumps(kind)}: [\n{rows}\n ]")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")


def load(path: Path) -> Record | None:
    """The file's content, or None where nothing was shaken yet."""
    if not path.exists():
        return None
    found = json.loads(path.read_text(encoding="utf-8"))
    parts: Sequence[Any] = [Cell.read(entry) for entry in found.get("cells", ())]
    parts = parts or [Made(**entry) for entry in found.get("made", ())]
    head = (found["torch"], tuple(found["conditions"]), found["stamp"])
    later = {name: found[name] for name in _LATER if name in found}
    later |= {"still": tuple(later["still"])} if "still" in later else {}
    return Record(*head, tuple(parts), found["again"], **later)
