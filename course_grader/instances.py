"""Fresh instances: seeds and sizes in hidden tests depend on a salt that no student has."""

import ast
import hashlib
import hmac
from collections.abc import Callable
from typing import NamedTuple

from course_grader.assignment import Case

SEEDED = ("manual_seed", "Random", "default_rng")
"""The calls whose number, if there is one, is a seed."""

SIZES = ("B", "T", "S", "Q", "M", "N", "n", "rows", "sentences", "words")
"""How tests call the numbers of sentences and of positions, which may as well be larger."""


class Instances(NamedTuple):
    """The draws of one run; an empty salt leaves every test as it is written."""

    salt: bytes
    assignment: str

    def seed(self, case: Case, purpose: str | int = "") -> int:
        """Return a number of 63 bits for a test and a purpose in it."""
        text = "\0".join((self.assignment, case.question, case.name, str(purpose)))
        digest = hmac.new(self.salt or b"none", text.encode(), hashlib.sha256).digest()
        return int.from_bytes(digest[:8], "big") >> 1

    def function(self, case: Case) -> Callable[..., None]:
        """Return the test, with its seeds and its sizes salted if it is hidden."""
        file = f"<test {case.question} {case.name}>"
        tree, names = ast.parse(case.code, file), {"__name__": file}
        if self.salt and case.hidden:
            tree = ast.fix_missing_locations(_Salted(self, case).visit(tree))
            names["_salted"] = lambda seed: self.seed(case, seed)
        exec(compile(tree, file, "exec"), names)
        return names[case.name]


class _Salted(ast.NodeTransformer):
    def __init__(self, instances: Instances, case: Case):
        self.instances, self.case = instances, case

    def visit_For(self, node: ast.For) -> ast.For:
        """Draw B and T, but no ones, in `for B, T, D in [(2, 3, 4), (1, 1, 8)]`.

        Equal numbers stay equal, since a test may depend on it.
        """
        self.generic_visit(node)
        target, rows = node.target, node.iter
        if ast.unparse(rows).startswith("enumerate(") and isinstance(target, ast.Tuple):
            target, rows = target.elts[-1], rows.args[0]
        names = [getattr(each, "id", "") for each in getattr(target, "elts", ())]
        for row in getattr(rows, "elts", ()):
            parts = getattr(row, "elts", ())
            sizes = [getattr(part, "value", None) for part in parts]
            if len(sizes) != len(names) or not all(type(size) is int for size in sizes):
                continue
            kept = {size for name, size in zip(names, sizes, strict=True) if name not in SIZES}
            for part in parts:
                if part.value > 1 and part.value not in kept:
                    part.value += self.instances.seed(self.case, f"{sizes} {part.value}") % 3
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:
        """Replace the number in `manual_seed(4)`."""
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in SEEDED and len(node.args) == 1:
            node.args = [ast.Call(ast.Name("_salted", ast.Load()), node.args, [])]
        return node
