"""The line below a chapter's title: how long to read and to run it, and where to get and open it.

Words and cells are counted on the main path: nothing that is folded. How long it runs is what the
chapter says itself; a paragraph that begins with it is not said twice. Colab and Binder stand there
once the address is known (project.py).
"""

import math
import re
from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from course_book.project import links
from course_book.prose_folds import Fold

CHAPTER = re.compile(r"notebooks/\d\d[a-z]?_\w+")
WORDS_A_MINUTE = 200
MINUTES_A_CELL = 1
"""A cell in view is read line by line, and its output with it."""
_RUNS = re.compile(r"Running time:?\s+(.+?) on two CPU cores", re.DOTALL)
_APART = (nodes.literal_block, nodes.math, nodes.math_block, nodes.raw, nodes.comment, Fold)


class Front(SphinxTransform):
    """Writes the line while the page is read, so that its download is collected."""

    default_priority = 211

    def apply(self) -> None:
        """Change the page in place."""
        name = self.env.docname
        title = next(self.document.findall(nodes.title), None)
        if not CHAPTER.fullmatch(name) or title is None:
            return
        runs = take_running_time(self.document)
        count = minutes(self.document)
        code = " with the code" * any(_cells(self.document))
        reading = f"About {count} minute{'s' * (count > 1)} to read{code}"
        parts: list[nodes.Node] = [nodes.Text(reading)]
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


def minutes(page: nodes.Node) -> int:
    """How long the main path takes to read, at least one minute."""
    words = sum(len(text.split()) for text in _read(page))
    cells = sum(1 for _ in _cells(page))
    return max(1, math.ceil(words / WORDS_A_MINUTE + MINUTES_A_CELL * cells))


def _read(node: nodes.Node) -> Iterator[str]:
    if isinstance(node, nodes.Text):
        yield node.astext()
    elif not isinstance(node, _APART) and node.get("nb_element") != "cell_code":
        for child in node.children:
            yield from _read(child)


def _cells(node: nodes.Node) -> Iterator[nodes.Node]:
    """The cells whose code is in view."""
    if isinstance(node, Fold):
        return
    if isinstance(node, nodes.Element) and node.get("nb_element") == "cell_code":
        if node.get("hide_mode") in (None, "output"):
            yield node
        return
    for child in node.children:
        yield from _cells(child)


def take_running_time(page: nodes.Node) -> str:
    """What the chapter says of itself, such as "about two minutes"; "" where it says nothing.

    A paragraph that begins so leaves the page: the line says it.
    """
    for paragraph in page.findall(nodes.paragraph):
        text = paragraph.astext()
        if found := _RUNS.search(text):
            if found.start() == 0:
                paragraph.parent.remove(paragraph)
            return " ".join(found[1].split())
    return ""


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(Front)
