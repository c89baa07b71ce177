"""Every file that the code cells of a notebook can reach."""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.inputs.code import NOTHING, Facts, facts
from tools.inputs.files import contents
from tools.inputs.pins import pins_of
from tools.inputs.reach import Reached, reach
from tools.project import NOTEBOOKS, ROOT


def cell_parts(cells: Iterable[str], root: Path = ROOT) -> list[tuple[str, bytes]]:
    """What these cells come out of: themselves, what they reach, the pins of its packages."""
    cells = list(cells)
    reached, named = _used(cells, root)
    return [
        *(("cell", source.encode()) for source in cells),
        *reached.contents(),
        *contents(set(named) - set(reached.files), root),
        ("pins", pins_of(reached.foreign, root).encode()),
    ]


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
    found = facts(cell.encode())
    if found != NOTHING or _is_python(cell):
        return found
    # Takes a while to import, and few cells have a line of IPython's own.
    from IPython.core.inputtransformer2 import TransformerManager

    try:
        return facts(TransformerManager().transform_cell(cell).encode())
    except SyntaxError:
        return NOTHING


def _is_python(cell: str) -> bool:
    try:
        ast.parse(cell)
    except (SyntaxError, ValueError):
        return False
    return True


def _named_files(found: Facts, root: Path) -> Iterator[Path]:
    """Files of the project that a string in a cell names, relative to the notebooks' folder."""
    for text in found.strings:
        if not 0 < len(text) < 200 or "\0" in text:
            continue
        path = (root / NOTEBOOKS.name / text).resolve()
        if path.is_file() and path.is_relative_to(root) and path.suffix != ".ipynb":
            yield path
