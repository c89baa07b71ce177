"""Which earlier cells a cell depends on, by the names that it reads.

A cell is as it was shaken while its own code means the same, and that of every cell whose names it
reads, directly or through others. A cell that only prints may change without that. What a call does
to an object that another cell made is seen where the call stands alone, as `rows.append(x)` does.
"""

import ast
import functools
import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tools.inputs.cells import cell_meaning, python_of
from tools.inputs.code import parsed


class Names(NamedTuple):
    """What a cell reads, and what it makes or changes."""

    read: frozenset[str]
    made: frozenset[str]


def fingerprints(sources: Sequence[str]) -> list[str]:
    """For each cell, in order, a short hash over it and all earlier cells that it depends on."""
    names = [names_of(source) for source in sources]
    return [_digest(sources[i] for i in _needed(names, last)) for last in range(len(sources))]


def _needed(names: Sequence[Names], last: int) -> list[int]:
    wanted, found = set(names[last].read), [last]
    for i in range(last - 1, -1, -1):
        if names[i].made & wanted:
            wanted |= names[i].read
            found.append(i)
    return sorted(found)


@functools.cache
def names_of(source: str) -> Names:
    """The names of one cell; a cell that is no Python reads and makes none."""
    read, made = set(), set()
    for node in ast.walk(parsed(python_of(source)) or ast.Module([], [])):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            made.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            made.update((a.asname or a.name).partition(".")[0] for a in node.names)
        made.update(_changed(node))
    return Names(frozenset(read), frozenset(made))


def _changed(node: ast.AST) -> Iterator[str]:
    """Objects that an assignment to a part of them, or a call on its own line, may change."""
    parts: list[ast.expr] = []
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        parts = [node.value]
    elif _is_call_of_a_method(node):
        parts = [node.value.func]
    for part in parts:
        while isinstance(part, (ast.Attribute, ast.Subscript)):
            part = part.value
        if isinstance(part, ast.Name):
            yield part.id


def _is_call_of_a_method(node: ast.AST) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)


def _digest(sources: Iterator[str]) -> str:
    return hashlib.sha256("\n".join(map(cell_meaning, sources)).encode()).hexdigest()[:12]
