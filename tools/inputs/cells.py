"""Every file that the code cells of a notebook can reach."""

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.inputs.code import Facts, facts, parsed
from tools.inputs.files import contents
from tools.inputs.meaning import meaning
from tools.inputs.pins import pins_of
from tools.inputs.reach import Reached, reach
from tools.project import NOTEBOOKS, ROOT


def cell_parts(cells: Iterable[str], root: Path = ROOT) -> list[tuple[str, bytes]]:
    """What these cells come out of: themselves, what they reach, the pins of its packages."""
    cells = list(cells)
    reached, named = _used(cells, root)
    return [
        *(("cell", cell_meaning(source).encode()) for source in cells),
        *reached.contents(typed=False),
        *contents(set(named) - set(reached.files), root),
        ("pins", pins_of(reached.foreign, root).encode()),
    ]


@functools.cache
def cell_meaning(cell: str) -> str:
    """A hash of what a cell does: its comments and its layout do not count."""
    code = python_of(cell)
    tree = parsed(code) if code else None
    return meaning((code or cell).encode(), tree, typed=False, cell=True)


@functools.cache
def python_of(cell: str) -> str:
    """Its code with IPython's own lines as calls; "" of a cell that is no Python."""
    if parsed(cell):
        return cell
    # Takes a while to import, and few cells have such a line.
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        code = TransformerManager().transform_cell(cell)
    except SyntaxError:
        return ""
    return code if parsed(code) else ""


def sources(cells: Iterable[str], root: Path = ROOT) -> list[Path]:
    """Every file of the project that the code of these cells can reach, sorted."""
    reached, named = _used(cells, root)
    return sorted({*reached.files, *named})


def _used(cells: Iterable[str], root: Path) -> tuple[Reached, list[Path]]:
    found = [facts(python_of(source).encode()) for source in cells]
    named = [path for one in found for path in _named_files(one, root)]
    return reach(found, root), named


def _named_files(found: Facts, root: Path) -> Iterator[Path]:
    """Files of the project that a string in a cell names, relative to the notebooks' folder."""
    for text in found.strings:
        if not 0 < len(text) < 200 or "\0" in text:
            continue
        path = (root / NOTEBOOKS.name / text).resolve()
        if path.is_file() and path.is_relative_to(root) and path.suffix != ".ipynb":
            yield path
