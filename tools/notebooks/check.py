"""What nbval does not see in a stored notebook. Each check answers with sentences."""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.notebooks.execute import stable
from tools.notebooks.length import length_problems
from tools.notebooks.stamp import outputs_seal, stamp
from tools.notebooks.text import dress, from_text, inputs
from tools.notebooks.viewer import for_viewers, raw_problems
from tools.project import CONFIG, ROOT, TaskError

MAX_LINE = 75
MAX_LINES = 20
RAISES = "raises-exception"
_ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")
_CLOCK = re.compile(r"\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")


def read(path: Path) -> NotebookNode:
    """A notebook from its file.

    Raises:
        TaskError: the file is not a notebook.
    """
    try:
        return nbformat.read(path, as_version=4)
    except Exception as error:
        raise TaskError(f"{path.name} is not a notebook: {error}") from error


def code_cells(notebook: NotebookNode) -> Iterator[tuple[str, NotebookNode]]:
    """Each code cell with a name for messages: its number and its first line."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    for number, cell in enumerate(cells, start=1):
        first = (cell.source.strip().splitlines() or ["(empty)"])[0]
        yield f"code cell {number} ({first[:40]})", cell


def static_problems(notebook: NotebookNode, root: Path = ROOT) -> list[str]:
    """All that is wrong with the stored state: not executed in order, stale, noisy, not tidy."""
    problems = [*_order(notebook), *raw_problems(notebook)]
    for name, cell in code_cells(notebook):
        problems += [f"{name}: {problem}" for problem in _cell_problems(cell, root)]
    if not _is_tidy(notebook):
        problems.append("ids, metadata or outputs are not as `make notebooks` writes them")
    if notebook.metadata.get("course", {}).get("stamp") != stamp(notebook, root):
        problems.append(
            "stale: code, course_lib or a pin changed since it was executed (make notebooks)"
        )
    if not is_sealed(notebook):
        problems.append("outputs are not those that were executed (make notebooks)")
    return problems


def is_sealed(notebook: NotebookNode) -> bool:
    """True if the outputs are what the kernel gave, byte for byte."""
    return notebook.metadata.get("course", {}).get("outputs") == outputs_seal(notebook)


def style_problems(notebook: NotebookNode) -> list[str]:
    """Code that a reader must scroll for: long lines, long cells."""
    problems = []
    for name, cell in code_cells(notebook):
        lines = cell.source.splitlines()
        if len(lines) > MAX_LINES:
            problems.append(f"{name}: {len(lines)} lines, and {MAX_LINES} is the most")
        problems += [
            f"{name}: line {number} has {len(line)} characters, and {MAX_LINE} is the most"
            for number, line in enumerate(lines, start=1)
            if len(line) > MAX_LINE
        ]
    return problems


def agreement_problems(notebook: NotebookNode, text: Path, root: Path = ROOT) -> list[str]:
    """Where the notebook's cells differ from what its text says, and where that is too long."""
    try:
        written = from_text(text.read_text(encoding="utf-8"), root / CONFIG.name)
        wanted = for_viewers(written, text.stem, root)
    except TaskError as error:
        return [str(error)]
    theirs, ours = inputs(wanted), inputs(notebook)
    if len(theirs) != len(ours):
        return [f"the text gives {len(theirs)} cells and the notebook {len(ours)} (make notebooks)"]
    problems = length_problems(written) + [
        f"cell {number} ({cell['kind']}) differs from the text (make notebooks)"
        for number, (text_cell, cell) in enumerate(zip(theirs, ours, strict=True), start=1)
        if text_cell != cell
    ]
    stored = {key: value for key, value in notebook.metadata.items() if key != "course"}
    if stored != wanted.metadata:
        problems.append("the notebook's metadata differ from the text's header (make notebooks)")
    return problems


def _order(notebook: NotebookNode) -> Iterator[str]:
    for number, (name, cell) in enumerate(code_cells(notebook), start=1):
        if cell.execution_count is None:
            yield f"{name}: was not executed"
        elif cell.execution_count != number:
            yield f"{name}: was executed as number {cell.execution_count}, not {number}"


def _cell_problems(cell: NotebookNode, root: Path) -> Iterator[str]:
    if not cell.source.strip():
        yield "is empty"
    errors = [output for output in cell.outputs if output.output_type == "error"]
    if errors and RAISES not in cell.metadata.get("tags", []):
        yield f"raised {errors[0].ename} and is not tagged {RAISES}"
    if not errors and RAISES in cell.metadata.get("tags", []):
        yield f"is tagged {RAISES} and raised nothing"
    if cell.source.rstrip().endswith(";"):
        yield "ends with ';', which hides its result here and not under nbval"
    for output in cell.outputs:
        if (
            output.output_type == "execute_result"
            and output.execution_count != cell.execution_count
        ):
            yield "its result bears another number than the cell"
        if output.output_type == "stream" and output.name == "stderr":
            yield "wrote to stderr (a warning or a progress bar)"
        yield from _text_problems(_texts(output), root)


def _text_problems(text: str, root: Path) -> Iterator[str]:
    if _ADDRESS.search(text):
        yield "printed a memory address, which differs in every run"
    if _CLOCK.search(text):
        yield "printed a time of day, which differs in every run"
    if any(str(place) in text for place in (root, Path.home()) if len(str(place)) > 1):
        yield "printed a path of the machine that it ran on"


def _texts(output: NotebookNode) -> str:
    data = output.get("data", {})
    readable = [value for kind, value in data.items() if kind.startswith("text/")]
    return "\n".join([output.get("text", ""), output.get("evalue", ""), *map(str, readable)])


def _is_tidy(notebook: NotebookNode) -> bool:
    copy = dress(nbformat.from_dict(notebook))
    for cell in copy.cells:
        if cell.cell_type == "code":
            cell.outputs = stable(cell.outputs)
    return copy == notebook
