"""Tolerances, printed counts and stored results, held against what `make shake` measured."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from nbformat import NotebookNode

from tools.gates.result import Result
from tools.notebooks.check import code_cells, read
from tools.notebooks.text import is_install
from tools.project import ROOT, TaskError
from tools.shake import stamps
from tools.shake.judge import PrintedCell, chapter_problems, experiment_problems
from tools.shake.notebook import printed
from tools.shake.record import FOLDER, load, path_of
from tools.shake.registry import EXPERIMENTS, REGISTRY, Stored
from tools.shake.subjects import IGNORED


def shaken(root: Path = ROOT, registry: Sequence[Stored] = REGISTRY) -> Result:
    """Every tolerance, trained number and stored file held against the records in tests/shaken."""
    problems, later = [], []
    notebooks = sorted((root / "notebooks").glob("*.ipynb"))
    for path in notebooks:
        try:
            notebook = read(path)
        except TaskError as error:
            problems.append(str(error))
            continue
        record = load(path_of(path.stem, root))
        found = chapter_problems(printed_cells(notebook), record)
        problems += [f"{path.stem}: {problem}" for problem in found]
        if record is not None and record.stamp != stamps.of_chapter(notebook, root):
            later.append(path.stem)
    problems += _unregistered(root, registry)
    for stored in registry:
        if not stored.path(root).exists():
            continue
        record = load(path_of(stored.file, root))
        found = _experiment(stored, root)
        problems += [f"{stored.file}: {problem}" for problem in found]
        if record is not None and record.stamp != stamps.of_module(stored.module_name, root):
            later.append(stored.file)
    problems += _left_over(root, [path.stem for path in notebooks], registry)
    note = f"{len(notebooks)} notebooks, {len(registry)} stored files"
    if later:
        # A line of the library seldom moves a number beyond what was measured; who doubts, shakes.
        note += f"; code changed since for {len(later)} (make shake)"
    if problems:
        return Result(False, "\n".join(problems), f"{len(problems)} problems", failures=1)
    return Result(True, "\n".join(f"code changed since: {name}" for name in later), note)


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


def _experiment(stored: Stored, root: Path) -> Iterator[str]:
    if not stored.needs:
        entries = json.loads(stored.path(root).read_text(encoding="utf-8"))
        yield from experiment_problems(stored, entries, load(path_of(stored.file, root)))


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


def _left_over(root: Path, stems: Sequence[str], registry: Sequence[Stored]) -> Iterator[str]:
    folder = root / FOLDER
    wanted = {path_of(name, root) for name in (*stems, *(stored.file for stored in registry))}
    for path in sorted(set(folder.rglob("*.json")) - wanted):
        yield f"{path.relative_to(root)}: a record of nothing that there is"
