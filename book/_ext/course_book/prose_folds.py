"""Parts of a page that a reader may skip (`Deeper: ...`), with a name to link to.

An author writes `<details><summary>Deeper: ...</summary>`, an empty line, text and cells, and
`</details>`. JupyterLab, Colab and GitHub fold this by themselves, and so does a browser.
"""

import html
import re

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

_OPEN = re.compile(r"<details>\s*<summary>(.+?)</summary>\s*", re.DOTALL)


class ProseFolds(SphinxTransform):
    """Gives each fold an id, and says it to MyST as if it were a heading's."""

    default_priority = 204

    def apply(self) -> None:
        """Change the page in place."""
        slugs = {**getattr(self.document, "myst_slugs", {})}
        for tag in [*self.document.findall(nodes.raw)]:
            if found := _OPEN.fullmatch(tag.astext()):
                name = nodes.make_id(html.unescape(found[1]))
                slugs[name] = (tag.line, name, found[1])
                summary = (
                    f'<summary>{" ".join(found[1].split())}</summary>\n<span id="{name}"></span>'
                )
                opened = f'<details class="fold">{summary}'
                tag.replace_self(nodes.raw("", opened, format="html"))
        self.document.myst_slugs = self.env.metadata[self.env.docname]["myst_slugs"] = slugs


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(ProseFolds)
