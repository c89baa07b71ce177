"""`make notebooks`: bring each notebook in step with its text; execute those that changed."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.notebooks.check import code_cells, is_sealed, read, static_problems
from tools.notebooks.execute import execute
from tools.notebooks.stamp import outputs_seal, stamp
from tools.notebooks.text import dress, from_text, inputs, inputs_hash, notebook_path
from tools.notebooks.viewer import for_viewers
from tools.project import CHAPTERS, CONFIG, NOTEBOOKS, ROOT, TaskError, say, shown

HAND_EDITED = (
    "was edited by hand since `make notebooks` wrote it. Bring the edit into the chapter's text "
    "(JupyterLab opens it as a notebook, too), then ARGS=--from-text writes the notebook anew"
)


def write_all(names: Sequence[str] = (), *, root: Path = ROOT, overwrite: bool = False) -> None:
    """Write every notebook, or those named by stem or number.

    Args:
        names: such as "04_bahdanau" or "04"; none means all.
        root: the project.
        overwrite: whether a notebook that was edited by hand is overwritten.

    Raises:
        TaskError: a name that does not exist, a notebook edited by hand, a cell that failed.
    """
    texts = sorted((root / CHAPTERS.relative_to(ROOT)).glob("*.md"))
    for name in names:
        if not any(_is_named(text.stem, name) for text in texts):
            known = ", ".join(text.stem for text in texts)
            raise TaskError(f"there is no chapter {name!r}; there are: {known}")
    for text in texts:
        if not names or any(_is_named(text.stem, name) for name in names):
            _write(text, notebook_path(text, root / NOTEBOOKS.name), root, overwrite)


def _is_named(stem: str, name: str) -> bool:
    return stem == Path(name).stem or stem.startswith(f"{name}_")


def _write(text: Path, path: Path, root: Path, overwrite: bool) -> None:
    stored = read(path) if path.exists() else None
    if stored is not None and edited_by_hand(stored) and not overwrite:
        raise TaskError(f"{shown(path, root)} {HAND_EDITED}")
    notebook = _read_text(text, root)
    if stored is not None and _keep_outputs(stored, notebook, root):
        how = "outputs kept"
    else:
        say(f"{text.stem}: executing ...")
        start = time.monotonic()
        try:
            execute(notebook, path.parent)
        except TaskError as error:
            raise TaskError(f"{shown(path, root)}: {error}") from None
        seal(notebook, root)
        how = f"executed in {time.monotonic() - start:.0f} s"
    changed = _replace(path, notebook)
    say(f"{text.stem}: {how}{', written' if changed else ', unchanged'}: {shown(path, root)}")
    for problem in static_problems(notebook, root):
        say(f"{text.stem}: make test will refuse it: {problem}")


def edited_by_hand(stored: NotebookNode) -> bool:
    """True if cells changed since they were written from the text, or never were."""
    return stored.metadata.get("course", {}).get("inputs") != inputs_hash(stored)


def carry_over(root: Path = ROOT) -> bool:
    """Bring the prose of each notebook in step with its text; True if one changed.

    Nothing is executed: outputs and stamp stay, so what was stale stays stale.

    Raises:
        TaskError: the text has other code than the notebook, whose outputs are of the old code.
    """
    changed = False
    for text in sorted((root / CHAPTERS.relative_to(ROOT)).glob("*.md")):
        path, notebook = notebook_path(text, root / NOTEBOOKS.name), _read_text(text, root)
        stored = read(path) if path.exists() else None
        if stored is not None and inputs(stored) == inputs(notebook):
            continue
        if stored is not None and edited_by_hand(stored):
            say(f"The book shows {shown(path, root)} as it is, which {HAND_EDITED}.")
            continue
        if stored is None or stamp(stored, root) != stamp(notebook, root):
            raise TaskError(
                f"the code of {shown(text, root)} is not the one that {shown(path, root)} was "
                f"executed from: run make notebooks ARGS={text.stem} first"
            )
        candidate, before = _with_outputs(stored, notebook, root), stored.metadata["course"]
        candidate.metadata["course"] |= {name: before[name] for name in ("outputs", "stamp")}
        _replace(path, candidate)
        say(f"{text.stem}: prose carried over to {shown(path, root)}")
        changed = True
    return changed


def _keep_outputs(stored: NotebookNode, notebook: NotebookNode, root: Path) -> bool:
    """Move the stored outputs over; False if only a new execution can tell."""
    if stored.metadata.get("course", {}).get("stamp") != stamp(notebook, root):
        return False
    if not is_sealed(stored):
        return False
    candidate = _with_outputs(stored, notebook, root)
    if static_problems(candidate, root):
        return False
    notebook.cells, notebook.metadata = candidate.cells, candidate.metadata
    return True


def _with_outputs(stored: NotebookNode, notebook: NotebookNode, root: Path) -> NotebookNode:
    """A copy of the second with the outputs of the first, which has the same code cells."""
    candidate = nbformat.from_dict(notebook)
    for (_, new), (_, old) in zip(code_cells(candidate), code_cells(stored), strict=True):
        new.outputs, new.execution_count = old.outputs, old.execution_count
    seal(candidate, root)
    return candidate


def seal(notebook: NotebookNode, root: Path) -> None:
    """Tidy up after the kernel and say what the outputs were made from."""
    dress(notebook)
    notebook.metadata["course"] = nbformat.from_dict(
        {
            "inputs": inputs_hash(notebook),
            "outputs": outputs_seal(notebook),
            "stamp": stamp(notebook, root),
        }
    )


def _read_text(text: Path, root: Path) -> NotebookNode:
    try:
        written = from_text(text.read_text(encoding="utf-8"), root / CONFIG.name)
        return for_viewers(written, text.stem, root)
    except TaskError as error:
        raise TaskError(f"{shown(text, root)}: {error}") from None


def _replace(path: Path, notebook: NotebookNode) -> bool:
    """Write the file whole or not at all; False if it says so already."""
    content = nbformat.writes(notebook, indent=1) + "\n"
    if path.exists() and path.read_text(encoding="utf-8") == content:
        return False
    temporary = path.with_name(f".{path.name}.part")
    temporary.write_text(content, encoding="utf-8", newline="\n")
    os.replace(temporary, path)
    return True
