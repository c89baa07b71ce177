"""What a shaking was made from. A stored stamp that differs says: make it again."""

import nbformat
from nbformat import NotebookNode

from tools.notebooks.stamp import stamp


def of_chapter(notebook: NotebookNode) -> str:
    """Over the code cells and every file of the project that they reach."""
    return stamp(notebook)


def of_module(name: str) -> str:
    """Over every file of the project that a module reaches."""
    cell = nbformat.v4.new_code_cell(f"import {name}")
    return stamp(nbformat.v4.new_notebook(cells=[cell]))
