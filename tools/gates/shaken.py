"""Tolerances, printed counts and stored results, held against what `make shake` measured."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from nbformat import NotebookNode

from tools.gates.result import Result
from tools.inputs.files import one_moment
from tools.notebooks.check import code_cells, read
from tools.notebooks.text import is_install
from tools.project import ROOT, TaskError
from tools.shake import stamps
from tools.shake.judge import (
    PrintedCell,
    chapter_problems,
    experiment_problems,
    never_made,
    unshaken_claims,
)
from tools.shake.notebook import printed
from tools.shake.record import FOLDER, load, path_of
from tools.shake.registry import EXPERIMENTS, REGISTRY, Stored
from tools.shake.subjects import IGNORED


class _Seen:
    """What the gate saw. Problems fail it; the rest is in its log, and counted in its note."""

    def __init__(self) -> None:
        self.problems: list[str] = []
        self.later: list[str] = []
        self.needs: list[str] = []
        self.unmade = self.records = 0
        self.said: list[str] = []

    def note(self) -> str:
        """The rest in a few words."""
        parts = []
        if self.unmade:
            parts.append(f"{self.unmade} of {self.records} records never made again")
        if self.needs:
            parts.append(f"{len(self.needs)} files not made by make shake")
        if self.later:
            # A line of the library seldom moves a number beyond what was measured; who doubts,
            # shakes.
            parts.append(f"code changed since for {len(self.later)} (make shake)")
        return "; ".join(parts)


def shaken(root: Path = ROOT, registry: Sequence[Stored] = REGISTRY) -> Result:
    """Every tolerance, trained number and stored file held against the records in tests/shaken."""
    seen = _Seen()
    notebooks = sorted((root / "notebooks").glob("*.ipynb"))
    with one_moment():
        for path in notebooks:
            try:
                _chapter(path.stem, read(path), root, seen)
            except TaskError as error:
                seen.problems.append(str(error))
        seen.problems += _unregistered(root, registry)
        for stored in registry:
            if stored.path(root).exists():
                _file(stored, root, seen)
    seen.problems += _let_off(root, registry)
    seen.problems += _left_over(root, [path.stem for path in notebooks], registry)
    if seen.problems:
        note = f"{len(seen.problems)} problems"
        return Result(False, "\n".join(seen.problems), note, failures=1)
    note = f"{len(notebooks)} notebooks, {len(registry)} stored files"
    said = [*seen.said, *(f"code changed since: {name}" for name in seen.later)]
    return Result(True, "\n".join(said), "; ".join(filter(None, (note, seen.note()))))


def _chapter(stem: str, notebook: NotebookNode, root: Path, seen: _Seen) -> None:
    record, cells = load(path_of(stem, root)), printed_cells(notebook)
    seen.problems += (f"{stem}: {problem}" for problem in chapter_problems(cells, record))
    if record is None or record.stamp == stamps.of_chapter(notebook, root):
        return
    seen.later.append(stem)
    for claim, name in unshaken_claims(cells, record):
        seen.problems.append(
            f"{stem}: {name}: {claim} was not shaken since its code changed (make shake)"
        )


def _file(stored: Stored, root: Path, seen: _Seen) -> None:
    record = load(path_of(stored.file, root))
    if stored.needs:
        seen.needs.append(stored.file)
        seen.said.append(f"{stored.file}: not made again by make shake: {stored.needs}")
    else:
        entries = json.loads(stored.path(root).read_text(encoding="utf-8"))
        found = experiment_problems(stored, entries, record)
        seen.problems += (f"{stored.file}: {problem}" for problem in found)
        unmade = never_made(stored, entries, record)
        seen.unmade += len(unmade)
        seen.records += len(entries)
        if unmade:
            seen.said.append(
                f"{stored.file}: {len(unmade)} of {len(entries)} records never made again"
            )
    if record is not None and record.stamp != stamps.of_module(stored.module_name, root):
        seen.later.append(stored.file)


def printed_cells(notebook: NotebookNode) -> list[PrintedCell]:
    """The code cells of a stored notebook, as the judge wants them."""
    return [
        PrintedCell(
            name,
            cell.source,
            cell.metadata.get("tolerance"),
            IGNORED in cell.metadata.get("tags", []),
            printed(cell.outputs),
        )
        for name, cell in code_cells(notebook)
        if not is_install(cell)
    ]


def _unregistered(root: Path, registry: Sequence[Stored]) -> Iterator[str]:
    known = {stored.path(root) for stored in registry}
    kept = (root / EXPERIMENTS).glob("*/*")
    there = {path for path in kept if path.suffix in (".json", ".safetensors")}
    for path in sorted(there - known):
        yield f"{path.relative_to(root)}: no command makes it again (tools/shake/registry.py)"
    for path in sorted(known - there):
        yield f"{path.relative_to(root)}: is registered and does not exist"
    for stored in registry:
        parts = stored.module_name.split(".")
        if not root.joinpath(*parts).with_suffix(".py").exists():
            yield f"{stored.file}: no module {stored.module_name} makes it"


def _let_off(root: Path, registry: Sequence[Stored]) -> Iterator[str]:
    """Files that are not made again, and of which no test says what they hold."""
    for stored in registry:
        path, _, name = stored.held.partition("::")
        if bool(stored.needs) != bool(stored.held):
            yield f"{stored.file}: who is let off names the test that holds it, and no other does"
        elif stored.held and not (name and f"def {name}(" in _text(root / path)):
            yield f"{stored.file}: no test {stored.held} holds it"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _left_over(root: Path, stems: Sequence[str], registry: Sequence[Stored]) -> Iterator[str]:
    folder = root / FOLDER
    wanted = {path_of(name, root) for name in (*stems, *(stored.file for stored in registry))}
    for path in sorted(set(folder.rglob("*.json")) - wanted):
        yield f"{path.relative_to(root)}: a record of nothing that there is"
