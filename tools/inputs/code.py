"""What a piece of Python imports, which words it quotes and what it means. Each is parsed once.

`recall` and `keep` carry that from one process to the next, by the hash of the piece.
"""

import ast
import functools
import hashlib
import json
import os
import sys
from pathlib import Path
from typing import NamedTuple

from tools.inputs import meaning


class Import(NamedTuple):
    """`from ..module import names`, or `import module` with no names."""

    level: int
    module: str
    names: tuple[str, ...]

    @functools.cache  # noqa: B019 - a tuple of words, and few of them
    def candidates(self, package: str) -> tuple[str, ...]:
        """The modules that this may load, seen from a package, and the packages they lie in."""
        base = self.module
        if self.level:
            parts = package.split(".")
            parts = parts[: len(parts) - self.level + 1]
            base = ".".join([*parts, *([base] if base else [])])
        parts = base.split(".")
        over = [".".join(parts[: n + 1]) for n in range(len(parts))]
        return (*over, *(f"{base}.{name}" for name in self.names))


class Facts(NamedTuple):
    """What stands in a piece of code, wherever it stands.

    Attributes:
        imports: all of them.
        strings: those that are no docstrings.
        typed: a hash of what it means, annotations included.
        untyped: the same without annotations, which only tests look at.
        told: a hash of its docstrings, which the book shows.
    """

    imports: tuple[Import, ...]
    strings: frozenset[str]
    typed: str = ""
    untyped: str = ""
    told: str = ""


_known: dict[str, Facts] = {}


@functools.cache
def facts(source: bytes) -> Facts:
    """The facts of a module; of a text that is not Python the hashes alone."""
    name = hashlib.sha256(source).hexdigest()
    if name not in _known:
        _known[name] = _parse(source)
    return _known[name]


def recall(path: Path) -> None:
    """Take over what an earlier process with the same code and the same Python has parsed."""
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored.pop("by") != _by():
            return
        for name, (imports, strings, *meant) in stored.items():
            found = tuple(Import(level, module, tuple(names)) for level, module, names in imports)
            _known.setdefault(name, Facts(found, frozenset(strings), *meant))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return  # absent or spoiled: everything is parsed


def keep(path: Path) -> None:
    """Leave what this process used for the next one."""
    entries = {name: [one[0], sorted(one[1]), *one[2:]] for name, one in _known.items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".part")
    # A lone surrogate in somebody's string has no bytes of its own, hence the escapes.
    temporary.write_text(json.dumps({"by": _by(), **entries}), encoding="utf-8")
    os.replace(temporary, path)


def _by() -> str:
    code = Path(__file__).read_bytes() + Path(meaning.__file__).read_bytes()
    return hashlib.sha256(code + sys.version.encode()).hexdigest()


def parsed(source: str | bytes) -> ast.Module | None:
    """The syntax tree, or None of what is not Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return None


def _parse(source: bytes) -> Facts:
    tree = parsed(source)
    imports, strings, remarks = [], set(), {}
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            imports += [Import(0, alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            imports.append(Import(node.level, node.module or "", names))
        elif meaning.is_remark(node):
            remarks[node.value] = node.value.value
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in remarks:
            strings.add(node.value)
    meant = (meaning.meaning(source, tree, typed=typed) for typed in (True, False))
    told = hashlib.sha256(repr(list(remarks.values())).encode()).hexdigest()[:24]
    return Facts(tuple(imports), frozenset(strings), *meant, told)


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
