"""Write the notebooks from their texts: `python -m tools.notebooks [NAME ...]`.

A chapter that is named, such as `04` or `04_bahdanau`, is executed. Without names, all chapters
whose code changed are executed; where only prose changed, the stored outputs are kept.
"""

import os
import sys
import time
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

from tools import ROOT
from tools.text import NOTEBOOKS, chapters, dress, from_text, is_install
from tools.viewer import for_viewers

CELL_SECONDS = 600
"""A guard against a cell that hangs; the longest training takes 140 s, more on a busy machine."""
_WIDGET = "application/vnd.jupyter.widget-view+json"


def written(text: Path) -> NotebookNode:
    """Return the notebook of a chapter's text, without outputs."""
    return dress(for_viewers(from_text(text.read_text(encoding="utf-8")), text.stem))


def inputs(notebook: NotebookNode) -> list[dict]:
    """Return what an author writes: the kind, source and metadata of every cell."""
    return [{"kind": c.cell_type, "source": c.source, **c.metadata} for c in notebook.cells]


def code(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the code cells."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def _sources(notebook: NotebookNode) -> list[str]:
    """Return the code; the install cell, which holds an address, does nothing here."""
    return [cell.source for cell in code(notebook) if not is_install(cell)]


def execute(notebook: NotebookNode) -> None:
    """Run all cells in a fresh kernel and keep what a second run would give again."""
    client = NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        kernel_name="python3",
        record_timing=False,
        extra_arguments=["--log-level=ERROR"],  # a local kernel need not warn of its sockets
        resources={"metadata": {"path": str(NOTEBOOKS)}},
    )
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    client.execute(env={**os.environ, "COURSE_DEVICE": "cpu", "PYTHONPATH": path})
    notebook.metadata.pop("widgets", None)  # their state belongs to a kernel that has ended
    for cell in code(notebook):
        cell.outputs = _stable(cell.outputs)


def _stable(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join a stream's messages; leave out widgets and the paths of a traceback."""
    kept: list[NotebookNode] = []
    for output in outputs:
        if output.output_type == "stream":
            if kept and kept[-1].get("name") == output.name:
                kept[-1].text += output.text
                continue
        elif output.output_type == "error":
            output.traceback = [f"{output.ename}: {output.evalue}"]
        elif _WIDGET in output.data:
            continue
        kept.append(output)
    return kept


def write(text: Path, *, run: bool) -> None:
    """Bring a chapter's notebook in step with its text.

    Raises:
        FileExistsError: the notebook was edited after the text and says something else.
        CellExecutionError: a cell failed.
    """
    path = NOTEBOOKS / f"{text.stem}.ipynb"
    notebook, start = written(text), time.monotonic()
    stored = nbformat.read(path, as_version=4) if path.exists() else None
    if stored and inputs(stored) != inputs(notebook):
        if path.stat().st_mtime > text.stat().st_mtime + 1:
            raise FileExistsError(
                f"notebooks/{path.name} differs from its text and is newer. Bring the edit into "
                f"book/chapters/{text.name}, and touch that file if it is right as it is."
            )
    elif stored and not run:
        return
    if run or not stored or _sources(stored) != _sources(notebook):
        print(f"{text.stem}: executing ...", flush=True)
        execute(notebook)
        print(f"{text.stem}: {time.monotonic() - start:.0f} s", flush=True)
    else:
        for cell, ran in zip(code(notebook), code(stored), strict=True):
            cell.outputs, cell.execution_count = ran.outputs, ran.execution_count
        notebook.metadata.language_info = stored.metadata.language_info
        print(f"{text.stem}: prose", flush=True)
    part = path.with_suffix(".part")
    part.write_text(nbformat.writes(notebook, indent=1) + "\n", encoding="utf-8", newline="\n")
    os.replace(part, path)


def main(names: list[str]) -> None:
    """Write the notebooks; exit with one sentence where a name is unknown or a cell fails."""
    named = {name: [t for t in chapters() if t.stem.startswith(Path(name).stem)] for name in names}
    if unknown := [name for name, texts in named.items() if not texts]:
        sys.exit(f"want a chapter such as 04; got {unknown[0]!r}")
    chosen = [text for texts in named.values() for text in texts]
    for text in chapters():
        if text in chosen or not names:
            try:
                write(text, run=text in chosen)
            except (CellExecutionError, FileExistsError, ValueError) as error:
                sys.exit(f"{text.stem}: {error}")


if __name__ == "__main__":
    main(sys.argv[1:])
