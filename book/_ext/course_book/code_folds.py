"""Code cells with the tag `fold`: MyST-NB hides their code under a name that says what it is.

The name is what the cell says of itself (`fold: "Four more seeds"`), or its kind.
"""

import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

SOLUTION = "Show solution", "Hide solution"
_IMPORTS = re.compile(r"(?:(?:import|from|torch\.set_)[^\n]*(?:\([^()]*\))?\s*|[ )][^\n]*\s*)+")


class CodeFolds(SphinxTransform):
    """Names what MyST-NB folds. A cell that is hidden as a whole is a solution."""

    default_priority = 205

    def apply(self) -> None:
        """Change the page in place."""
        for cell in self.document.findall(nodes.container):
            said = cell.get("cell_metadata", {})
            if cell.get("hide_mode") == "all":
                cell["prompt_show"], cell["prompt_hide"] = SOLUTION
            elif cell.children and ("fold" in said or "fold" in said.get("tags", [])):
                imports = _IMPORTS.fullmatch(cell.children[0].astext())
                name = said.get("fold") or ("Imports" if imports else "Code")
                cell.setdefault("hide_mode", "input")
                cell["prompt_show"] = cell["prompt_hide"] = name


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(CodeFolds)
