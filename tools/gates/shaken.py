"""Tolerances, verdicts and stored results, compared with what `make shake` measured."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from course_lab.experiments.lab.experiment import Artifact, Experiment, collected
from tools.gates.result import Result
from tools.notebooks.check import read
from tools.notebooks.stamp import stamp
from tools.project import LABORATORY, ROOT, TaskError
from tools.shake.judge import chapter_problems, experiment_problems
from tools.shake.records import FOLDER, load, load_made, path_of

Declared = Mapping[str, Experiment | Artifact]


def shaken(root: Path = ROOT, declared: Declared | None = None) -> Result:
    """Every tolerance, verdict and stored file against the records in tests/shaken."""
    declared = collected() if declared is None else declared
    notebooks = sorted((root / "notebooks").glob("*.ipynb"))
    problems, changed = [], []
    for path in notebooks:
        try:
            notebook = read(path)
        except TaskError as error:
            problems.append(str(error))
            continue
        record = load(path_of(path.stem, root))
        problems += (f"{path.stem}: {each}" for each in chapter_problems(notebook, record))
        if record is not None and record["stamp"] != stamp(notebook, root):
            changed.append(path.stem)
    problems += _stored(root, declared)
    wanted = {path_of(name, root) for name in (*declared, *(path.stem for path in notebooks))}
    for path in sorted(set((root / FOLDER).rglob("*.json")) - wanted):
        problems.append(f"{path.relative_to(root)}: a record of nothing that there is")
    if problems:
        return Result(False, "\n".join(problems), f"{len(problems)} problems", failures=1)
    note = f"{len(notebooks)} notebooks, {len(declared)} stored files"
    if changed:
        # A line of the library seldom moves a number beyond what was measured.
        note += f"; code changed since for {len(changed)} (make shake)"
    return Result(True, "\n".join(f"code changed since: {name}" for name in changed), note)


def _stored(root: Path, declared: Declared) -> Iterator[str]:
    """What is wrong with the stored files of the experiments."""
    there = (root / LABORATORY.name / "experiments").glob("*/*")
    for path in sorted(p for p in there if p.suffix in (".json", ".safetensors")):
        name = f"{path.parent.name}/{path.stem}"
        if name not in declared:
            yield f"{path.relative_to(root)}: no module declares it in EXPERIMENTS"
        elif isinstance(experiment := declared[name], Experiment):
            entries = json.loads(path.read_text(encoding="utf-8"))
            found = experiment_problems(experiment, entries, load_made(path_of(name, root)))
            yield from (f"{name}: {problem}" for problem in found)
