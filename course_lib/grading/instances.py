"""Fresh instances: the seeds in hidden tests depend on a salt that no student has."""

import ast
import hashlib
import hmac
from collections.abc import Callable
from types import FunctionType
from typing import NamedTuple

from course_lib.grading.assignment import Case

SEEDED = ("manual_seed", "Random", "default_rng")
"""The calls whose number, if there is one, is a seed."""


class Instances(NamedTuple):
    """The draws of one run.

    Attributes:
        salt: empty leaves every test as it is written.
        assignment, variant: of the homework.
        student: whose instances are different from others'; "" gives all students the same.
    """

    salt: bytes
    assignment: str
    variant: str
    student: str = ""

    def seed(self, case: Case, purpose: str | int = "") -> int:
        """A number of 63 bits for a test and a purpose in it."""
        parts = (self.assignment, self.variant, case.question, case.name, self.student, purpose)
        told = "\0".join(map(str, parts)).encode()
        digest = hmac.new(self.salt or b"none", told, hashlib.sha256).digest()
        return int.from_bytes(digest[:8], "big") >> 1

    def function(self, case: Case) -> Callable[..., None]:
        """The test, with its seeds salted if it is hidden."""
        file = f"<{case.question} {case.name}>"
        tree = ast.parse(case.code, file)
        names: dict = {"__name__": file}
        if self.salt and case.hidden:
            tree = ast.fix_missing_locations(_Salted().visit(tree))
            names["_salted"] = lambda seed: self.seed(case, seed)
        exec(compile(tree, file, "exec"), names)
        function = names[case.name]
        assert isinstance(function, FunctionType)
        return function


class _Salted(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in SEEDED and len(node.args) == 1:
            node.args = [ast.Call(ast.Name("_salted", ast.Load()), node.args, [])]
        return node
