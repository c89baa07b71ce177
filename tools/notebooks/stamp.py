"""The stamp: a hash that goes stale when a notebook's stored outputs may no longer be true.

The stamp covers the code cells, all that they can reach of the project (tools/inputs/reach.py), every file
that a code cell names in a string, and the pins of the packages that this code imports. So a change
to the command line does not make a chapter stale, and a change to attention, or another version of
torch, does. Prose is not covered: it changes no output.

Beside it stands the seal, a hash of the outputs themselves as they were executed: a picture, its
words or a number that somebody exchanged since is noticed, and no comparison of numbers need see it.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from tools.inputs.code import Facts, facts
from tools.inputs.files import contents, digest
from tools.inputs.pins import pins_of
from tools.inputs.reach import Reached, reach
from tools.notebooks.text import is_install
from tools.project import NOTEBOOKS, ROOT


def stamp(notebook: NotebookNode, root: Path = ROOT) -> str:
    """SHA-256 over the code cells and all that they use."""
    cells = [c.source for c in notebook.cells if c.cell_type == "code" and not is_install(c)]
    reached, named = _used(cells, root)
    parts = [("cell", source.encode()) for source in cells]
    parts += reached.contents()
    parts += contents(set(named) - set(reached.files), root)
    parts.append(("pins", pins_of(reached.foreign, root).encode()))
    return digest(parts)


def outputs_seal(notebook: NotebookNode) -> str:
    """SHA-256 over every output: texts, pictures, what stands for them in words, and their kinds."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return digest(
        ("outputs", json.dumps(cell.outputs, sort_keys=True, ensure_ascii=False).encode())
        for cell in cells
    )


def sources(cells: Iterable[str], root: Path = ROOT) -> list[Path]:
    """Every file of the project that the code of these cells can reach, sorted."""
    reached, named = _used(cells, root)
    return sorted({*reached.files, *named})


def _used(cells: Iterable[str], root: Path) -> tuple[Reached, list[Path]]:
    found = [_facts(source) for source in cells]
    named = [path for one in found for path in _named_files(one, root)]
    return reach(found, root), named


def _facts(cell: str) -> Facts:
    """A cell that cannot be parsed reaches nothing; its text is in the hash all the same."""
    try:
        return facts(TransformerManager().transform_cell(cell).encode())
    except SyntaxError:
        return facts(b"")


def _named_files(found: Facts, root: Path) -> Iterator[Path]:
    """Files of the project that a string in a cell names, relative to the notebooks' folder."""
    for text in found.strings:
        if not 0 < len(text) < 200 or "\0" in text:
            continue
        path = (root / NOTEBOOKS.name / text).resolve()
        if path.is_file() and path.is_relative_to(root) and path.suffix != ".ipynb":
            yield path
