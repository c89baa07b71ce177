"""By how much the inequalities behind a claim hold, measured while a chapter is executed.

A verdict that holds under every condition may hold by a hair. So each comparison with < or > in a
claim's condition is replaced by a call that makes it and notes how far apart its sides are.
"""

import ast
import math
from collections.abc import Mapping, Sequence

from tools.shake.spread import UNMOVED

NOTE, TOLD = "_margin_of", "_margins_told"
"""Names in the kernel; no chapter has them."""
PREPARE = f"""
def {NOTE}(cell, texts, signs, *sides):
    for text, sign, left, right in zip(texts, signs, sides, sides[1:]):
        holds = left < right if sign == "<" else left <= right if sign == "<=" else (
            left > right if sign == ">" else left >= right)
        try:
            gap = right - left if sign[0] == "<" else left - right
            # What has a gradient would be converted with a warning, and it be taken for output.
            gap = float(gap.detach() if hasattr(gap, "detach") else gap)
            known = {TOLD}.setdefault(str(cell), {{}})
            known[text] = min(known.get(text, gap), gap)
        except (TypeError, ValueError):
            pass  # sides that are no numbers are not so and so far apart
        if not holds:
            return holds
    return holds
{TOLD} = {{}}
"""
REPORT = f"import json as _margins_json\nprint(_margins_json.dumps({TOLD}))"
_SIGNS = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
CONDITION = 2
"""Which argument of `claim` it is."""


def noted(source: str, cell: int) -> str:
    """A cell whose claims note their margins; one without a claim, or that is no Python, as it is.

    Args:
        source: of the cell.
        cell: its number, by which `REPORT` tells its margins.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return source
    claims = [node for node in ast.walk(tree) if _is_claim(node)]
    for call in claims:
        call.args[CONDITION] = _Comparisons(cell).visit(call.args[CONDITION])
    return ast.unparse(ast.fix_missing_locations(tree)) if claims else source


def _is_claim(node: ast.AST) -> bool:
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return called and node.func.id == "claim" and len(node.args) > CONDITION


class _Comparisons(ast.NodeTransformer):
    def __init__(self, cell: int) -> None:
        self._cell = cell

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if any(type(sign) not in _SIGNS for sign in node.ops):
            return node
        sides = [node.left, *node.comparators]
        signs = [_SIGNS[type(sign)] for sign in node.ops]
        texts = [
            f"{ast.unparse(left)} {sign} {ast.unparse(right)}"
            for left, sign, right in zip(sides[:-1], signs, sides[1:], strict=True)
        ]
        told = [ast.Constant(self._cell), _tuple(texts), _tuple(signs)]
        return ast.Call(ast.Name(NOTE, ast.Load()), [*told, *sides], [])


def _tuple(texts: Sequence[str]) -> ast.Tuple:
    return ast.Tuple([ast.Constant(text) for text in texts], ast.Load())


def widest(made: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[float, float]]:
    """For each inequality the least and the greatest margin over the conditions, where they differ.

    Args:
        made: for each condition the margins of one cell.
    """
    texts = dict.fromkeys(text for one in made.values() for text in one)
    found = {text: [one[text] for one in made.values() if text in one] for text in texts}
    ends = {text: (min(gaps), max(gaps)) for text, gaps in found.items()}
    return {text: both for text, both in ends.items() if not math.isclose(*both, rel_tol=UNMOVED)}
