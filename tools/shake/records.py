"""What `make shake` leaves in `tests/shaken`: small JSON files for a reader and the gate.

A chapter's file has an entry for each cell that carries a tolerance, or moved all the same: for
each number that it prints the smallest and the largest value over the conditions, or one value
where all agree; and the verdicts on each claim. An experiment's file has the records that were made
again, each with its condition.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from nbformat import NotebookNode

from course_lib.claims import read_findings
from tools.notebooks.tolerance import Tolerance
from tools.project import ROOT
from tools.shake.notebook import code_cells
from tools.shake.spread import Spread, spreads

FOLDER = Path("tests/shaken")
AGAIN = "stored results made again"
"""The condition of a chapter that reads, of its stored files, the records that were made again."""
IGNORED, RAISES = "nbval-ignore-output", "raises-exception"


class Shaken(NamedTuple):
    """A shaken cell.

    Attributes:
        cell: its name, see `names`.
        spreads: one for each number that it prints.
        differs: by condition, the error that it raised or what it printed in other words.
    """

    cell: str
    spreads: tuple[Spread, ...]
    differs: Mapping[str, str]


class Chapter(NamedTuple):
    """A shaken chapter.

    Attributes:
        torch: the version that it was made with.
        conditions: their names.
        stamp: of the chapter, see `tools.notebooks.stamp`; another one says that code changed.
        verdicts: for each claim those that were given.
        cells: that carry a tolerance, moved or failed.
    """

    torch: str
    conditions: tuple[str, ...]
    stamp: str
    verdicts: Mapping[str, Sequence[str]]
    cells: tuple[Shaken, ...]


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
    notebook: NotebookNode,
    made: Mapping[str, Sequence[Mapping[str, str]]],
    torch: str,
    stamp: str,
) -> Chapter:
    """What is kept of a chapter that was executed under some conditions.

    Args:
        notebook: the chapter.
        made: for each condition, text and error of each code cell.
        torch: its version.
        stamp: of the chapter.
    """
    cells = []
    for number, (cell, name) in enumerate(zip(code_cells(notebook), names(notebook), strict=True)):
        found = _shaken(cell, name, {condition: one[number] for condition, one in made.items()})
        moved = any(not spread.within(Tolerance()) for spread in found.spreads)
        if "tolerance" in cell.metadata or moved or found.differs:
            cells.append(found)
    given = verdicts([one["text"] for each in made.values() for one in each])
    return Chapter(torch, tuple(made), stamp, given, tuple(cells))


def _shaken(cell: NotebookNode, name: str, made: Mapping[str, Mapping[str, str]]) -> Shaken:
    tags = cell.metadata.get("tags", [])
    failed = {c: one["error"] for c, one in made.items() if one["error"] and RAISES not in tags}
    texts = {c: one["text"] for c, one in made.items() if c not in failed}
    if IGNORED in tags or not texts:
        return Shaken(name, (), failed)
    _, differs = spreads(texts)
    # Stored results stay as they are on every machine: a cell that prints them needs no tolerance.
    live = {condition: text for condition, text in texts.items() if condition != AGAIN}
    return Shaken(name, tuple(spreads(live)[0]) if live else (), {**failed, **differs})


def save_chapter(path: Path, found: Chapter) -> None:
    """Write the file, a cell a line."""
    head = {**found._asdict(), "cells": None}
    lines = [f" {json.dumps(k)}: {json.dumps(head[k])}" for k in head if k != "cells"]
    rows = [
        {
            "cell": each.cell,
            "numbers": [s.low if s.low == s.high else list(s) for s in each.spreads],
            **({"differs": dict(each.differs)} if each.differs else {}),
        }
        for each in found.cells
    ]
    _write(path, lines, "cells", rows)


def load_chapter(path: Path) -> Chapter | None:
    """The file's content, or None where nothing was shaken yet."""
    if not path.exists():
        return None
    found = json.loads(path.read_text(encoding="utf-8"))
    cells = [
        Shaken(
            each["cell"],
            tuple(Spread(x, x) if isinstance(x, str) else Spread(*x) for x in each["numbers"]),
            each.get("differs", {}),
        )
        for each in found["cells"]
    ]
    return Chapter(**{**found, "conditions": tuple(found["conditions"]), "cells": tuple(cells)})


class Made(NamedTuple):
    """One record of an experiment, as it was made again, and the condition."""

    condition: str
    record: Mapping[str, Any]


def save_made(path: Path, made: Sequence[Made], torch: str) -> None:
    """Write the records, one a line."""
    rows = [one._asdict() for one in made]
    _write(path, [f' "torch": {json.dumps(torch)}'], "made", rows)


def load_made(path: Path) -> list[Made]:
    """The records that were made again; none where there is no file."""
    if not path.exists():
        return []
    return [Made(**one) for one in json.loads(path.read_text(encoding="utf-8"))["made"]]


def _write(path: Path, head: Sequence[str], name: str, rows: Sequence[Mapping[str, Any]]) -> None:
    body = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in rows)
    text = ",\n".join([*head, f" {json.dumps(name)}: [\n{body}\n ]"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{\n" + text + "\n}\n", encoding="utf-8", newline="\n")
