"""The stamp: a hash that goes stale when a notebook's stored outputs may no longer be true.

The stamp covers the code cells, all that they can reach of the project (tools/inputs/reach.py),
every file that a code cell names in a string, and the pins of the packages that this code imports.
So a change to the command line does not make a chapter stale, and a change to attention, or another
version of torch, does. Code counts by what it means (tools/inputs/meaning.py). Prose is not
covered: it changes no output.

Beside it stands the seal, a hash of the outputs themselves as they were executed. A picture, its
words or a number that somebody exchanged since is noticed, where no comparison of numbers sees it.
"""

import json
from pathlib import Path

from nbformat import NotebookNode

from tools.inputs.cells import cell_parts
from tools.inputs.files import digest
from tools.notebooks.text import is_install
from tools.project import ROOT


def stamp(notebook: NotebookNode, root: Path = ROOT) -> str:
    """SHA-256 over the code cells and all that they use."""
    cells = [c.source for c in notebook.cells if c.cell_type == "code" and not is_install(c)]
    return digest(cell_parts(cells, root))


def outputs_seal(notebook: NotebookNode) -> str:
    """SHA-256 over every output: texts, pictures, their words and their kinds."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return digest(
        ("outputs", json.dumps(cell.outputs, sort_keys=True, ensure_ascii=False).encode())
        for cell in cells
    )
