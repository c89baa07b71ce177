"""Lay out the code cells of the chapters' texts as ruff does in a notebook."""

import json
import subprocess
from pathlib import Path

import nbformat

from tools.notebooks.text import from_text, is_install, notebook_path
from tools.project import CHAPTERS, ROOT, TaskError, program, say, shown


def format_chapters(chapters: Path = CHAPTERS, root: Path = ROOT) -> None:
    """Rewrite every text whose code cells are not laid out; the prose is not touched."""
    for path in sorted(chapters.glob("*.md")):
        text = path.read_text(encoding="utf-8")
        laid_out = format_text(text, notebook_path(path, root / "notebooks"), root)
        if laid_out != text:
            path.write_text(laid_out, encoding="utf-8", newline="\n")
            say(f"laid out {shown(path, root)} (make notebooks takes it over)")


def format_text(text: str, path: Path, root: Path = ROOT) -> str:
    """The text with its code cells laid out; `path` tells ruff whose rules hold.

    Raises:
        TaskError: ruff cannot read a cell.
    """
    notebook = from_text(text, root / "_config.yml")
    done = subprocess.run(
        [program("ruff"), "format", "--no-cache", "--stdin-filename", str(path), "-"],
        input=nbformat.writes(notebook),
        capture_output=True,
        text=True,
        cwd=root,
    )
    if done.returncode:
        raise TaskError(f"{path.stem}: {done.stderr.strip()}")
    position = 0
    for old, new in zip(notebook.cells, json.loads(done.stdout)["cells"], strict=True):
        if old.cell_type != "code" or is_install(old):
            continue
        # From one cell to the next, so that equal code in prose or in an earlier cell is safe.
        start = text.index(f"{old.source}\n```", position)
        source = "".join(new["source"])
        text = text[:start] + source + text[start + len(old.source) :]
        position = start + len(source)
    return text
