"""What `make shake` leaves in `tests/shaken`: small JSON files for a reader and the gate.

A chapter's file has an entry for each cell that carries a tolerance, or moved all the same: for
each number that it prints the smallest and the largest value over the conditions, or one value
where all agree; the conditions under which it raised an error or said something in other words; and
the verdicts on each claim. An experiment's file has the records that were made again, each with its
condition.
"""

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nbformat import NotebookNode

from course_lab.claims import read_findings
from tools.notebooks.tolerance import Tolerance, is_integer, numbers, skeleton
from tools.project import ROOT
from tools.shake.notebook import code_cells

FOLDER = Path("tests/shaken")
AGAIN = "stored results made again"
"""The condition of a chapter that reads, of its stored files, the records that were made again."""
IGNORED, RAISES = "nbval-ignore-output", "raises-exception"

Record = dict[str, Any]
"""Of a chapter: "torch", "conditions", "stamp" (another one says that code changed), "verdicts" and
"cells", each with its "cell" (see `names`), "numbers" and, where it has any, "differs"."""


class Spread(NamedTuple):
    """The smallest and the largest value of one printed number, as they were printed."""

    low: str
    high: str

    @property
    def is_count(self) -> bool:
        """True for whole numbers."""
        return is_integer(self.low) and is_integer(self.high)

    @property
    def width(self) -> float:
        """From the smallest to the largest."""
        return float(self.high) - float(self.low)

    def allowed(self, tolerance: Tolerance) -> float:
        """How far apart they may be; counts must be equal."""
        larger = max(abs(float(self.low)), abs(float(self.high)))
        return 0.0 if self.is_count else tolerance.at(larger)

    def within(self, tolerance: Tolerance) -> bool:
        """True if a comparison of the smallest with the largest passes."""
        # Not the other way round: what is not a number has moved. The rest is rounding.
        return self.low == self.high or self.allowed(tolerance) * (1 + 1e-6) >= self.width


def spread(values: Sequence[str]) -> Spread:
    """Of some values; what is not a number counts as the largest, so that it is never lost."""
    rising = sorted(values, key=lambda x: (math.isnan(float(x)), float(x)))
    return Spread(rising[0], rising[-1])


def path_of(name: str, root: Path = ROOT) -> Path:
    """The file of a chapter ("04_bahdanau") or of an experiment ("bahdanau/bottleneck")."""
    return root / FOLDER / f"{name}.json"


def names(notebook: NotebookNode) -> list[str]:
    """The name of each code cell: its first line of code, numbered where several begin so."""
    found: list[str] = []
    seen: Counter[str] = Counter()
    for cell in code_cells(notebook):
        lines = [line for line in cell.source.splitlines() if line.strip()]
        first = next((line for line in lines if not line.startswith("#")), "")[:60]
        seen[first] += 1
        found.append(f"{first} [{seen[first]}]" if seen[first] > 1 else first)
    return found


def verdicts(texts: Sequence[str]) -> dict[str, list[str]]:
    """For each claim the verdicts that are given in some texts."""
    found: dict[str, set[str]] = {}
    for text in texts:
        for finding in read_findings(text):
            found.setdefault(finding.identifier, set()).add(finding.verdict)
    return {claim: sorted(given) for claim, given in sorted(found.items())}


def chapter(
    notebook: NotebookNode, made: Mapping[str, Sequence[Mapping[str, str]]], torch: str, stamp: str
) -> Record:
    """What is kept of a chapter that was executed under some conditions.

    Args:
        notebook: the chapter.
        made: for each condition, text and error of each code cell.
        torch: its version.
        stamp: of the chapter.
    """
    cells = []
    for number, (cell, name) in enumerate(zip(code_cells(notebook), names(notebook), strict=True)):
        tags = cell.metadata.get("tags", [])
        spreads, differs = _moved({c: one[number] for c, one in made.items()}, tags)
        moved = any(not each.within(Tolerance()) for each in spreads)
        if "tolerance" in cell.metadata or moved or differs:
            shown = [each.low if each.low == each.high else [*each] for each in spreads]
            told = {"differs": differs} if differs else {}
            cells.append({"cell": name, "numbers": shown, **told})
    given = verdicts([one["text"] for each in made.values() for one in each])
    head = {"torch": torch, "conditions": [*made], "stamp": stamp, "verdicts": given}
    return {**head, "cells": cells}


def _moved(
    made: Mapping[str, Mapping[str, str]], tags: Sequence[str]
) -> tuple[list[Spread], dict[str, str]]:
    """A spread for each number that a cell prints, and what it said otherwise, by condition."""
    differs = {c: one["error"] for c, one in made.items() if one["error"] and RAISES not in tags}
    texts = {c: one["text"] for c, one in made.items() if c not in differs}
    if IGNORED in tags or not texts:
        return [], differs
    first = skeleton(next(iter(texts.values())))
    differs |= {c: text for c, text in texts.items() if skeleton(text) != first}
    # Stored results stay as they are on every machine: a cell that prints them needs no tolerance.
    rows = [numbers(text) for c, text in texts.items() if c not in differs and c != AGAIN]
    return [spread(column) for column in zip(*rows, strict=True)], differs


class Made(NamedTuple):
    """One record of an experiment, as it was made again, and the condition."""

    condition: str
    record: Mapping[str, Any]


def load(path: Path) -> Record | None:
    """The file's content, or None where nothing was shaken yet."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def load_made(path: Path) -> list[Made]:
    """The records of an experiment that were made again; none where there is no file."""
    return [Made(**one) for one in (load(path) or {"made": []})["made"]]


def save_made(path: Path, made: Sequence[Made], torch: str) -> None:
    """Write the records that were made again."""
    save(path, {"torch": torch, "made": [one._asdict() for one in made]})


def save(path: Path, record: Record) -> None:
    """Write the file, a row of its last entry a line."""
    *head, (name, rows) = record.items()
    body = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in head]
    text = ",\n".join([*lines, f" {json.dumps(name)}: [\n{body}\n ]"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + text + "\n}\n", encoding="utf-8", newline="\n")
