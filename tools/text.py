"""A chapter's text (`book/chapters/NN_name.md`, MyST) as notebook cells without outputs.

The text is what authors edit and reviewers read. One cell is not written out in it: the cell tagged
`install`, the same in every notebook, whose address comes from `_config.yml`.
"""

import functools
import hashlib
from pathlib import Path

import jupytext
import nbformat
import yaml
from nbformat import NotebookNode

from tools import ROOT

CHAPTERS = ROOT / "book" / "chapters"
NOTEBOOKS = ROOT / "notebooks"
SOLUTION_TAG = "hide-cell"
INSTALL_TAG = "install"
INSTALL_CODE = """\
# Where @MISSING@ is missing, as on Colab, this cell installs it.
import importlib.util

repository = "@REPOSITORY@"
if not all(map(importlib.util.find_spec, @MODULES@)):
    if repository:
        %pip install -q git+{repository}@@BRANCH@ @ALSO@
    else:
        raise SystemExit(
            "@MISSING@ is missing. Get the folder of the course,"
            " run `pip install . @ALSO@` in it,"
            " and run this cell again."
        )"""

_KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
_CODE_FOLDED = {SOLUTION_TAG, "remove-cell", "remove-input", "fold", "hide-input"}
_OUTPUT_FOLDED = {SOLUTION_TAG, "remove-cell", "hide-output"}


def chapters() -> list[Path]:
    """Return the text of every chapter, in order."""
    return sorted(CHAPTERS.glob("*.md"))


def from_text(text: str) -> NotebookNode:
    """Return the notebook that a MyST text describes."""
    notebook = jupytext.reads(text, fmt="md:myst")
    for cell in notebook.cells:
        if is_install(cell):
            cell.source = install_code("course_lib")
    return notebook


def dress(notebook: NotebookNode) -> NotebookNode:
    """Give a notebook stable ids and metadata, and fold what opens folded; return a copy.

    JupyterLab reads `jupyter`, Colab `cellView` and `collapsed_sections`.
    """
    seen: dict[str, int] = {}
    sections = []
    for cell in notebook.cells:
        cell.id = _identity(cell, seen)
        tags = {*cell.metadata.get("tags", [])}
        if cell.cell_type == "code" and tags & _CODE_FOLDED:
            cell.metadata["cellView"] = "form"
            cell.metadata["jupyter"] = {"source_hidden": True}
            if tags & _OUTPUT_FOLDED:
                cell.metadata["jupyter"]["outputs_hidden"] = True
        elif cell.cell_type == "code" and tags & _OUTPUT_FOLDED:
            cell.metadata["jupyter"] = {"outputs_hidden": True}
        if cell.metadata.get("course") == "fold":
            cell.metadata["jp-MarkdownHeadingCollapsed"] = True
            cell.metadata["id"] = cell.id
            sections.append(cell.id)
    metadata = {k: v for k, v in notebook.metadata.items() if k not in ("jupytext", "kernelspec")}
    metadata |= {"kernelspec": _KERNEL, "language_info": {"name": "python"}}
    if sections:
        metadata["colab"] = {"collapsed_sections": sections}
    return nbformat.from_dict(
        {"cells": notebook.cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    )


def install_code(*modules: str, also: str = "") -> str:
    """Return a notebook's first cell, with the address and branch that `_config.yml` has.

    Args:
        modules: names to import.
        also: what pip has to install beside the course.
    """
    values = {
        "MISSING": " or ".join(modules),
        "MODULES": "[" + ", ".join(f'"{module}"' for module in modules) + "]",
        "REPOSITORY": config()["repository"]["url"],
        "BRANCH": config()["repository"]["branch"],
    }
    code = INSTALL_CODE
    for name, value in values.items():
        code = code.replace(f"@{name}@", value)
    return code.replace(" @ALSO@", f" {also}" if also else "")


@functools.cache
def config() -> dict:
    """Return `_config.yml`, whose addresses are "" before the book is published."""
    return yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))


def is_install(cell: NotebookNode) -> bool:
    """Return whether this is the cell whose code is written here."""
    return cell.cell_type == "code" and INSTALL_TAG in cell.metadata.get("tags", [])


def pages_listed() -> list[str]:
    """Return every page that `_toc.yml` lists, in order, as a path without its ending."""
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    entries = [entry for part in toc["parts"] for entry in part["chapters"]]
    nested = [[entry, *entry.get("sections", [])] for entry in entries]
    return [toc["root"], *(entry["file"] for group in nested for entry in group)]


def _identity(cell: NotebookNode, seen: dict[str, int]) -> str:
    """Return a short hash of kind and source; a second equal cell gets a number behind it."""
    content = "install" if is_install(cell) else f"{cell.cell_type}\n{cell.source}"
    short = hashlib.sha256(content.encode()).hexdigest()[:12]
    seen[short] = seen.get(short, 0) + 1
    return short if seen[short] == 1 else f"{short}-{seen[short]}"
