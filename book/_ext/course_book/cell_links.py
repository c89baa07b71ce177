"""A place and a link for each code cell: its id in the notebook, which its own text alone decides.

So a link to a cell holds while other cells are edited, moved or added.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform


class CellLinks(SphinxPostTransform):
    """Behind myst-nb's folding, which looks at the first and the last part of a cell."""

    default_priority = 250
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Change the page in place."""
        for node in list(self.document.findall(nodes.container)):
            if node.get("nb_element") != "cell_code" or not node.children:
                continue
            identity = node["cell_metadata"].get("id")  # texts.py puts it there
            if identity is None:
                continue
            name = f"cell-{identity}"
            node["ids"].append(name)
            link = f'<a class="cell-link" href="#{name}" title="Link to this cell">#</a>'
            node += nodes.raw("", link, format="html")


def setup(app: Sphinx) -> None:
    """Register it."""
    app.add_post_transform(CellLinks)
