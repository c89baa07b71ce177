"""Code cells that are folded under a name, so that the page tells a story and hides no code.

An author tags a cell `fold`. Its name is what the cell says of itself (`fold: "Four more seeds"`),
or follows from the code: imports, a claim, a figure, a table. Outputs stay in view.
"""

import ast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

TAG = "fold"
IMPORTS, CLAIM, FIGURE, TABLE = (
    "Imports",
    "Code behind the verdict",
    "Code of the figure",
    "Code of the table",
)
_TABLES = ("charts.Table", "charts.by_rate")
"""Calls by which a cell is known to show a table."""
_CHARTS = ("plt.subplots", "charts.")
_FIGURES = "course_lab.figures"
_SETTINGS = "torch.set_"
"""A call that may stand among imports: how many threads, how many digits."""
_log = logging.getLogger(__name__)


def name_of(code: str) -> str | None:
    """What a cell of this code is called, or None if its kind has no name."""
    try:
        body = ast.parse(code).body
    except SyntaxError:  # a line for IPython alone
        return None
    if body and all(map(_is_set_up, body)):
        return IMPORTS
    inside = [part for statement in body for part in ast.walk(statement)]
    calls = [ast.unparse(part.func) for part in inside if isinstance(part, ast.Call)]
    if "claim" in calls:
        return CLAIM
    modules = [part.module or "" for part in inside if isinstance(part, ast.ImportFrom)]
    if any(call in _TABLES for call in calls) or any(".still.table" in each for each in modules):
        return TABLE
    if any(call.startswith(_CHARTS) for call in calls):
        return FIGURE
    if any(module.startswith(_FIGURES) for module in modules):
        return FIGURE
    return None


def _is_set_up(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return True
    called = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return called and ast.unparse(statement.value.func).startswith(_SETTINGS)


class CodeFolds(SphinxTransform):
    """Gives each tagged cell what myst-nb folds it by."""

    default_priority = 205

    def apply(self) -> None:
        """Change the page in place."""
        for cell in self.document.findall(_is_tagged):
            name = cell["cell_metadata"].get(TAG) or name_of(cell.children[0].astext())
            if name is None:
                _log.warning('a folded cell has no name (fold: "What it does")', location=cell)
                continue
            cell.setdefault("hide_mode", "input")
            cell["prompt_show"] = cell["prompt_hide"] = name


def _is_tagged(node: nodes.Node) -> bool:
    if not isinstance(node, nodes.container) or node.get("nb_element") != "cell_code":
        return False
    said = node["cell_metadata"]
    return bool(node.children) and (TAG in said.get("tags", []) or TAG in said)


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(CodeFolds)
