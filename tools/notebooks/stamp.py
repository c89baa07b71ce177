"""The stamp: a hash that goes stale when a notebook's stored outputs may no longer be true.

It covers the code cells, every module of course_lib that they can reach by import (read from the
source, not by importing), the data files beside those modules, and every file that a code cell
names in a string. Of the JSON files, which hold the results of many experiments in one folder, only
those count that a string in this code names. So a change to the command line does not make a
chapter stale, and a change to attention does. Prose is not covered: it changes no output.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from tools.notebooks.text import is_install
from tools.project import NOTEBOOKS, ROOT

PACKAGE = "course_lib"


def stamp(notebook: NotebookNode, root: Path = ROOT) -> str:
    """SHA-256 over the code cells and all that they use of the project."""
    cells = [c.source for c in notebook.cells if c.cell_type == "code" and not is_install(c)]
    digest = hashlib.sha256()
    for source in cells:
        _add(digest, "cell", source.encode())
    for path in sources(cells, root):
        _add(digest, path.relative_to(root).as_posix(), path.read_bytes())
    return digest.hexdigest()


def sources(cells: Iterable[str], root: Path = ROOT) -> list[Path]:
    """Every file of the project that the code of these cells can reach, sorted."""
    trees = [_parsed(source) for source in cells]
    found = {path for tree in trees for path in _named_files(tree, root)}
    waiting = [name for tree in trees for name in imported(tree, package="")]
    seen: set[str] = set()
    beside: set[Path] = set()
    while waiting:
        name = waiting.pop()
        path = _file_of(name, root)
        if name in seen or path is None:
            continue
        seen.add(name)
        found.add(path)
        beside.update(_data_beside(path))
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        trees.append(ast.parse(path.read_bytes()))
        waiting += imported(trees[-1], package)
    strings = {text for tree in trees for text in _strings(tree)}
    found |= {p for p in beside if p.suffix != ".json" or strings & {p.name, p.stem}}
    return sorted(found)


def imported(tree: ast.AST, package: str) -> Iterator[str]:
    """Names of ours that the code may import, wherever the import stands, with their parents."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            names = [base, *(f"{base}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            parts = name.split(".")
            if parts[0] == PACKAGE:
                yield from (".".join(parts[: n + 1]) for n in range(len(parts)))


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    base = parts[: len(parts) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def _file_of(name: str, root: Path) -> Path | None:
    """The file of a module, or None if the name is not one (a function, a class)."""
    path = root.joinpath(*name.split("."))
    for candidate in (path / "__init__.py", path.with_name(path.name + ".py")):
        if candidate.is_file():
            return candidate
    return None


def _data_beside(module: Path) -> Iterator[Path]:
    for path in module.parent.iterdir():
        if path.is_file() and path.suffix not in (".py", ".pyc") and path.name[0] != ".":
            yield path


def _parsed(cell: str) -> ast.AST:
    try:
        return ast.parse(TransformerManager().transform_cell(cell))
    except SyntaxError:  # a cell that shows one on purpose; its text is in the hash all the same
        return ast.Module(body=[], type_ignores=[])


def _named_files(tree: ast.AST, root: Path) -> Iterator[Path]:
    """Files of the project that a string in a cell names, relative to the notebooks' folder."""
    for text in _strings(tree):
        if not 0 < len(text) < 200 or "\0" in text:
            continue
        path = (root / NOTEBOOKS.name / text).resolve()
        if path.is_file() and path.is_relative_to(root) and path.suffix != ".ipynb":
            yield path


def _strings(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _add(digest: "hashlib._Hash", name: str, content: bytes) -> None:
    # A checkout on Windows may have other line ends; the code is the same.
    content = content.replace(b"\r\n", b"\n")
    digest.update(f"{name} {len(content)}\n".encode() + content)
