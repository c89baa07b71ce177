"""What a shaking was made from. A stored stamp that differs says: make it again."""

from pathlib import Path

import nbformat
from nbformat import NotebookNode

from tools.notebooks.stamp import stamp
from tools.project import ROOT


def of_chapter(notebook: NotebookNode, root: Path = ROOT) -> str:
    """Over the code cells and every file of the project that they reach."""
    return stamp(notebook, root)


def of_module(name: str, root: Path = ROOT) -> str:
    """Over every file of the project that a module reaches."""
    cell = nbformat.v4.new_code_cell(f"import {name}")
    return stamp(nbformat.v4.new_notebook(cells=[cell]), root)
