"""A place and a link for each code cell: its id in the notebook, which its own text alone decides.

So a link to a cell holds while other cells are edited, moved or added.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform


class CellLinks(SphinxPostTransform):
    """Behind myst-nb's folding, which looks at the first and the last part of a cell."""

    default_priority = 250
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Change the page in place."""
        found = [
            node
            for node in self.document.findall(nodes.container)
            if node.get("nb_element") == "cell_code" and node.children
        ]
        path = Path(self.env.doc2path(self.env.docname))
        if not found or path.suffix != ".ipynb":
            return
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        for node in found:
            identity = cells[node["cell_index"]].get("id")
            if identity is None:
                continue
            name = f"cell-{identity}"
            node["ids"].append(name)
            link = f'<a class="cell-link" href="#{name}" title="Link to this cell">#</a>'
            node += nodes.raw("", link, format="html")


def setup(app: Sphinx) -> None:
    """Register it."""
    app.add_post_transform(CellLinks)
