"""A chapter's reviewable text (MyST) and the cells that it becomes, without outputs.

The text is the master. One cell is not written out in it: the cell tagged `install`, the same in
every notebook, whose code comes from here and whose address comes from `_config.yml`. What a viewer
of notebooks cannot read of the text is written in plain Markdown by viewer.py.
"""

import functools
import hashlib
import json
from pathlib import Path

import jupytext
import nbformat
import yaml
from nbformat import NotebookNode

from tools.project import CONFIG, NOTEBOOKS, TaskError

INSTALL_TAG = "install"
INSTALL_CODE = """\
# Where course_lib is missing, as on Colab, this cell installs it.
import importlib.util

repository = "@REPOSITORY@"
if importlib.util.find_spec("course_lib") is None:
    if repository:
        %pip install -q git+{repository}@@BRANCH@
    else:
        print("course_lib is missing: run this notebook by")
        print("make lab, as README.md says.")"""

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
SOLUTION_TAG = "hide-cell"
# What is folded when a notebook is opened, by tag: the code, what it gave.
_CODE_FOLDED = frozenset((SOLUTION_TAG, "remove-cell", "remove-input", "fold", "hide-input"))
_OUTPUT_FOLDED = frozenset((SOLUTION_TAG, "remove-cell", "hide-output"))
# Written by editors and front ends, different on every machine, of no use to a reader. What is
# folded at the moment is among them: `dress` says how a notebook opens.
_NOISE = frozenset(
    (
        *("ExecuteTime", "cellView", "colab", "collapsed", "deletable", "editable", "execution"),
        *("id", "jp-MarkdownHeadingCollapsed", "jupyter", "outputId", "scrolled", "trusted"),
        "vscode",
    )
)


def notebook_path(text: Path, notebooks: Path = NOTEBOOKS) -> Path:
    """The notebook of a text."""
    return notebooks / f"{text.stem}.ipynb"


def from_text(text: str, config: Path = CONFIG) -> NotebookNode:
    """The notebook that a text describes: no outputs, ids that depend on the content alone.

    Raises:
        TaskError: the text is not MyST with the header that jupytext needs.
    """
    if not text.startswith("---\n"):
        raise TaskError("want the header of jupytext first in the text (docs/maintain/chapter.md)")
    try:
        notebook = jupytext.reads(text, fmt="md:myst")
    except Exception as error:
        raise TaskError(f"the text cannot be read as MyST: {error}") from error
    for cell in notebook.cells:
        if is_install(cell):
            cell.source = install_code(config)
    return tidy(notebook)


def tidy(notebook: NotebookNode) -> NotebookNode:
    """The same notebook without what differs from machine to machine; outputs are kept."""
    extra = {
        key: value
        for key, value in notebook.metadata.items()
        if key not in ("jupytext", "kernelspec", "language_info", "widgets", *_NOISE)
    }
    notebook.metadata = nbformat.from_dict(
        {"kernelspec": KERNEL, "language_info": {"name": "python"}, **extra}
    )
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen: dict[str, int] = {}
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(
            {key: value for key, value in cell.metadata.items() if key not in _NOISE}
        )
        cell.id = _identity(cell, seen)
    return notebook


def dress(notebook: NotebookNode) -> NotebookNode:
    """The same notebook, tidy, with what opens folded: solutions, scaffolding, what goes deeper.

    JupyterLab and Colab each have their own words for it.
    """
    tidy(notebook)
    sections = []
    for cell in notebook.cells:
        tags = {*cell.metadata.get("tags", [])}
        folded = {
            **({"source_hidden": True} if tags & _CODE_FOLDED else {}),
            **({"outputs_hidden": True} if tags & _OUTPUT_FOLDED else {}),
        }
        if cell.cell_type == "code" and folded:
            cell.metadata["jupyter"] = folded
        if "source_hidden" in folded:
            cell.metadata["cellView"] = "form"
        if cell.metadata.get("course") == "fold":
            cell.metadata["jp-MarkdownHeadingCollapsed"] = True
            cell.metadata["id"] = cell.id
            sections.append(cell.id)
    if sections:
        notebook.metadata["colab"] = {"collapsed_sections": sections}
    # Plain dictionaries would not compare equal to what is read from a file.
    notebook.metadata = nbformat.from_dict(notebook.metadata)
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(cell.metadata)
    return notebook


def install_code(config: Path = CONFIG) -> str:
    """The first cell's code, with the address that `_config.yml` holds."""
    return with_address(INSTALL_CODE, config)


def with_address(code: str, config: Path = CONFIG) -> str:
    """Code that names the course's place on the network, as `_config.yml` has it."""
    repository = _repository(config.read_bytes())
    code = code.replace("@REPOSITORY@", repository["url"])
    return code.replace("@BRANCH@", repository["branch"])


@functools.cache
def _repository(config: bytes) -> dict[str, str]:
    """Read once: it is asked for in every cell, and YAML takes its time."""
    return yaml.safe_load(config)["repository"]


def is_install(cell: NotebookNode) -> bool:
    """True for the cell whose code is written by this module."""
    return cell.cell_type == "code" and INSTALL_TAG in cell.metadata.get("tags", [])


def inputs(notebook: NotebookNode) -> list[dict]:
    """What an author writes: kind, source and metadata of every cell."""
    return [
        {"kind": cell.cell_type, "source": cell.source, "metadata": dict(cell.metadata)}
        for cell in notebook.cells
    ]


def inputs_hash(notebook: NotebookNode) -> str:
    """A hash of `inputs` but the install cell: by it an edit in JupyterLab is noticed.

    To fold a cell or to open it is no edit.
    """
    notebook = tidy(nbformat.from_dict(notebook))
    cells = zip(inputs(notebook), notebook.cells, strict=True)
    written = [part for part, cell in cells if not is_install(cell)]
    return hashlib.sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()


def _identity(cell: NotebookNode, seen: dict[str, int]) -> str:
    """A short hash of kind and source; a second equal cell gets a number behind it."""
    content = "install" if is_install(cell) else f"{cell.cell_type}\n{cell.source}"
    short = hashlib.sha256(content.encode()).hexdigest()[:12]
    seen[short] = seen.get(short, 0) + 1
    return short if seen[short] == 1 else f"{short}-{seen[short]}"
