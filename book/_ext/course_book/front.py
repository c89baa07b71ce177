"""The line below a chapter's title: how long it takes and runs, and where to get and open it.

Both times are what the chapter says itself; a paragraph that begins with one is not said twice.
Colab and Binder stand there once the address is known (project.py).
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from course_book.project import links

CHAPTER = re.compile(r"notebooks/\d\d[a-z]?_\w+")
_TAKES = re.compile(r"Your time:?\s+([^.]+)\.")
_RUNS = re.compile(r"Running time:?\s+(.+?) on two CPU cores", re.DOTALL)


class Front(SphinxTransform):
    """Writes the line while the page is read, so that its download is collected."""

    default_priority = 211

    def apply(self) -> None:
        """Change the page in place."""
        name = self.env.docname
        title = next(self.document.findall(nodes.title), None)
        if not CHAPTER.fullmatch(name) or title is None:
            return
        takes, runs = take(self.document, _TAKES), take(self.document, _RUNS)
        parts: list[nodes.Node] = []
        if takes:
            parts.append(nodes.Text(takes[0].upper() + takes[1:]))
        if runs:
            parts.append(nodes.Text(f"{runs} to run"))
        file = addnodes.download_reference(
            "", "", reftarget=f"/{name}.ipynb", refdoc=name, reftype="download"
        )
        file += nodes.inline("", "Download the notebook", classes=["download"])
        parts.append(file)
        line = nodes.paragraph(classes=["chapter-line"])
        for number, part in enumerate(parts):
            line += [nodes.Text(" · "), part] if number else [part]
        line += links(name, self.config)
        title.parent.insert(title.parent.index(title) + 1, line)


def take(page: nodes.Node, said: re.Pattern[str]) -> str:
    """What the chapter says of itself, such as "about two minutes"; "" where it says nothing.

    A paragraph that begins so leaves the page: the line says it.
    """
    for paragraph in page.findall(nodes.paragraph):
        if found := said.search(paragraph.astext()):
            if found.start() == 0:
                paragraph.parent.remove(paragraph)
            return " ".join(found[1].split())
    return ""


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(Front)
