"""What a piece of Python imports, and which words it holds in quotes. Each is parsed once."""

import ast
import functools
from collections.abc import Iterator
from typing import NamedTuple


class Import(NamedTuple):
    """`from ..module import names`, or `import module` with no names."""

    level: int
    module: str
    names: tuple[str, ...]

    def candidates(self, package: str) -> Iterator[str]:
        """The modules that this may load, seen from a package, and the packages they lie in."""
        base = self.module
        if self.level:
            parts = package.split(".")
            parts = parts[: len(parts) - self.level + 1]
            base = ".".join([*parts, *([base] if base else [])])
        for name in [base, *(f"{base}.{name}" for name in self.names)]:
            parts = name.split(".")
            yield from (".".join(parts[: n + 1]) for n in range(len(parts)))


class Facts(NamedTuple):
    """What stands in a piece of code, wherever it stands."""

    imports: tuple[Import, ...]
    strings: frozenset[str]


NOTHING = Facts((), frozenset())


@functools.cache
def facts(source: bytes) -> Facts:
    """The facts of a module, or none of a text that is not Python: its bytes count all the same."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return NOTHING
    imports, strings = [], set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [Import(0, alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            imports.append(Import(node.level, node.module or "", names))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            strings.add(node.value)
    return Facts(tuple(imports), frozenset(strings))


@functools.cache
def table_lines(source: bytes, table: str) -> dict[str, tuple[int, int]]:
    """First and last line of each entry of a dict at a module's top level, by its key."""
    for node in ast.parse(source).body:
        target = node.target if isinstance(node, ast.AnnAssign) else None
        if isinstance(node, ast.Assign):
            target = node.targets[0]
        if isinstance(target, ast.Name) and target.id == table and isinstance(node.value, ast.Dict):
            pairs = zip(node.value.keys, node.value.values, strict=True)
            return {k.value: (k.lineno, v.end_lineno) for k, v in pairs if _is_text(k)}
    return {}


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
