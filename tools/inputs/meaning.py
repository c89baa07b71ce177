"""What Python code means, as a short hash: a comment, a docstring and layout do not count.

`ast.dump` differs between versions of Python, and these hashes are stored in the repository. So the
syntax tree is written here, by rules that are the same on Python 3.10 to 3.13.
"""

import ast
import hashlib
from collections.abc import Iterator

MOVED: dict[str, str] = {}
"""Modules and packages that moved, by their old dotted name. Hashes are taken as if nothing had
moved, so a move makes no stored result stale. Once all are made anew, the entry is dropped."""
_OWN_TEXT = frozenset(("__doc__", "getsource", "getdoc"))
_UNSEEN = ("ctx", "kind", "type_comment", "type_ignores")
_BLOCKS = ("body", "orelse", "finalbody")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def meaning(source: bytes, tree: ast.Module | None, *, typed: bool, cell: bool = False) -> str:
    """A hash of a module, or of a cell; "" if nothing in it does anything.

    Args:
        source: its text, which counts where it is no Python or reads its own text.
        tree: the parsed text; None of what is no Python.
        typed: whether the annotations of functions and variables count. Those of a class always do:
            `dataclass` and `NamedTuple` make fields of them.
        cell: of a notebook: a string that stands alone at its end is shown, and no docstring.
    """
    quick = any(name.encode() in source for name in _OWN_TEXT)
    if tree is None or (quick and _reads_its_own_text(tree)):
        return _hashed(source.replace(b"\r\n", b"\n"))
    body = list(tree.body if cell else _statements(tree.body))
    return _hashed(_Writer(typed).written(body).encode()) if body else ""


def before_moves(name: str, sign: str = ".") -> str:
    """The name as it was before any move: of a module or, with `sign="/"`, of a file."""
    for old, new in sorted(MOVED.items(), key=lambda move: -len(move[1])):
        new = new.replace(".", sign)
        if name == new or name.startswith((f"{new}.", f"{new}{sign}")):
            return old.replace(".", sign) + name[len(new) :]
    return name


class _Writer:
    def __init__(self, typed: bool) -> None:
        self._typed = typed

    def written(self, node: object, in_class: bool = False) -> str:
        if isinstance(node, list):
            told = (self.written(one, in_class) for one in node)
            return f"[{','.join(filter(None, told))}]"
        if not isinstance(node, ast.AST):
            return ascii(before_moves(node) if MOVED and isinstance(node, str) else node)
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return ",".join(_imported(node))
        unseen = _UNSEEN if self._typed else (*_UNSEEN, "returns", "annotation")
        kind = type(node).__name__
        if isinstance(node, ast.AnnAssign) and in_class:
            unseen = _UNSEEN
        elif isinstance(node, ast.AnnAssign) and not self._typed:
            if node.value is None:
                return ""
            node, kind = ast.Assign([node.target], node.value), "Assign"
        elif isinstance(node, ast.JoinedStr):
            node = ast.JoinedStr(_joined(node.values))
        inside = isinstance(node, ast.ClassDef) or (in_class and not isinstance(node, _FUNCTIONS))
        parts = []
        for name in node._fields:
            value = getattr(node, name, None)
            if name in _BLOCKS and isinstance(value, list):
                value = list(_statements(value))
            # Fields that are new in a later Python are empty in code for all of them.
            if name not in unseen and value is not None and value != []:
                parts.append(f"{name}={self.written(value, inside)}")
        return f"{kind}({','.join(parts)})"


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Without docstrings, and other strings that stand alone."""
    return (node for node in body if not is_remark(node))


def is_remark(node: ast.AST) -> bool:
    """True for a string that stands alone as a statement."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    """Each name on its own: one import of a line may have moved and another not."""
    kind = type(node).__name__
    for alias in node.names:
        if isinstance(node, ast.Import):
            yield f"{kind}({before_moves(alias.name)} as {alias.asname})"
        else:
            full = f"{'.' * node.level}{node.module or ''}.{alias.name}"
            yield f"{kind}({before_moves(full)} as {alias.asname or alias.name})"


def _joined(values: list[ast.expr]) -> list[ast.expr]:
    """The parts of an f-string; some versions of Python cut its text into pieces."""
    found: list[ast.expr] = []
    for one in values:
        if found and isinstance(one, ast.Constant) and isinstance(found[-1], ast.Constant):
            found[-1] = ast.Constant(found[-1].value + one.value)
        elif not isinstance(one, ast.Constant) or one.value:
            found.append(one)
    return found


def _reads_its_own_text(tree: ast.Module) -> bool:
    return any(
        getattr(node, "id", "") in _OWN_TEXT or getattr(node, "attr", "") in _OWN_TEXT
        for node in ast.walk(tree)
    )


def _hashed(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:24]
