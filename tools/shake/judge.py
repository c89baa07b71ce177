"""What the records of a shaking refuse: sentences for the gate, none where all is well."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nbformat import NotebookNode

from course_lab.experiments.lab.experiment import Experiment
from tools.notebooks.tolerance import Tolerance, numbers
from tools.shake.notebook import code_cells, printed
from tools.shake.records import IGNORED, Made, Record, names, spread, verdicts


def chapter_problems(notebook: NotebookNode, record: Record | None) -> Iterator[str]:
    """All that is wrong with a chapter's tolerances and verdicts."""
    cells = list(zip(names(notebook), code_cells(notebook), strict=True))
    given = verdicts([printed(cell.outputs) for _, cell in cells])
    if record is None:
        if given or any("tolerance" in cell.metadata for _, cell in cells):
            yield "carries a tolerance or gives a verdict, and was never shaken (make shake)"
        return
    for claim, stored in given.items():
        found = record["verdicts"].get(claim)
        if found is None:
            yield f"{claim} was never shaken (make shake)"
        elif found != stored:
            yield f"{claim} {' or '.join(stored)}, and came out as: {' or '.join(found)}"
    known = {shaken["cell"]: shaken for shaken in record["cells"]}
    for name, cell in cells:
        if name in known:
            yield from (f"{name}: {problem}" for problem in _cell_problems(cell, known[name]))
        elif "tolerance" in cell.metadata:
            yield f"{name}: carries a tolerance and was never shaken (make shake)"


def _cell_problems(cell: NotebookNode, shaken: Record) -> Iterator[str]:
    differs = shaken.get("differs", {})
    for condition, text in differs.items():
        yield f"says something else under {condition}: {text.strip()[:200]!r}"
    if differs or IGNORED in cell.metadata.get("tags", []):
        return
    stored, moved = numbers(printed(cell.outputs)), shaken["numbers"]
    if len(stored) != len(moved):
        yield f"prints {len(stored)} numbers, and {len(moved)} were shaken (make shake)"
        return
    tolerance = Tolerance().widened(cell.metadata.get("tolerance"))
    for number, values in zip(stored, moved, strict=True):
        found = spread([number, *([values] if isinstance(values, str) else values)])
        if found.within(tolerance):
            continue
        moves = f"moves from {found.low} to {found.high}"
        if found.is_count:
            yield f"{moves}, and counts are compared exactly: print a share of few digits"
        else:
            have = found.allowed(tolerance)
            yield f"{moves}, and the tolerance is {have:.2g}: want at least {found.width:.2g}"


def experiment_problems(
    experiment: Experiment, entries: Sequence[Mapping[str, Any]], made: Sequence[Made]
) -> Iterator[str]:
    """All that is wrong with a stored file, against the records that were made again."""
    if experiment.again and not made:
        yield "was never made again (make shake)"
    stored = {experiment.key_of(entry): experiment.measured(entry) for entry in entries}
    for condition, record in made:
        key = experiment.key_of(record)
        if key not in stored:
            yield f"has no record {key}, which was made again under {condition}"
            continue
        then = dict(_compared(stored[key], experiment.apart))
        now = dict(_compared(experiment.measured(record), experiment.apart))
        for path in sorted({*then, *now}):
            before, after = then.get(path, math.nan), now.get(path, math.nan)
            allowed = experiment.apart[next(name for name in path if name in experiment.apart)]
            alike = math.isnan(before) and math.isnan(after)
            if not (alike or abs(before - after) <= allowed + 1e-9):
                where = " ".join(map(str, path))
                yield (
                    f"{key}: {where} is {before:.4g} and came out as {after:.4g} under "
                    f"{condition}; {allowed:g} apart is allowed"
                )


def _compared(
    value: Any, apart: Mapping[str, float], path: tuple[Any, ...] = ()
) -> Iterator[tuple[tuple[Any, ...], float]]:
    """The numbers of a record that are compared, by where they are: (name, or place in a list)."""
    if isinstance(value, (dict, list, tuple)):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        for name, part in parts:
            yield from _compared(part, apart, (*path, name))
    elif isinstance(value, (int, float)) and any(name in apart for name in path):
        yield path, float(value)
