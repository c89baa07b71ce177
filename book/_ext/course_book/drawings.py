"""Drawings of our own code in the page itself, so that they follow its switch for light and dark.

In a chapter's text a drawing is an image of its file, which the notebook holds, and the words in
italics below it are its caption:

    ![What it shows](drawings/one_vector.png)
    *The encoder reads ...*

In other pages the directive does the same. The figure's name is `drawing-one-vector`; it has a
number where it has a caption.
"""

import re
from collections.abc import Sequence
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from course_lab.figures.drawn.shelf import drawing
from course_lib.errors import CourseError

_FILE = re.compile(r"(?:^|/)drawings/(\w+)\.\w+$")
_logger = logging.getLogger(__name__)


class Images(SphinxTransform):
    """Puts a drawing in the place of its image, before images are collected and figures counted."""

    default_priority = 205

    def apply(self) -> None:
        """Change the page in place."""
        for image in list(self.document.findall(nodes.image)):
            paragraph = image.parent
            found = _FILE.search(image["uri"])
            if not found or not isinstance(paragraph, nodes.paragraph) or paragraph[0] is not image:
                continue
            caption = _caption(paragraph)
            if caption is None:
                _logger.warning(
                    "below a drawing stands its caption in italics, or nothing", location=image
                )
                continue
            paragraph.replace_self(figure(found[1], caption, self.document, image))


class Draw(SphinxDirective):
    """`{drawing} name`, its caption as content."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"name": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        """The figure; `:name:` gives it a name of its own."""
        caption: Sequence[nodes.Node] = ()
        if self.content:
            caption, _ = self.state.inline_text(" ".join(self.content), self.lineno)
        here = nodes.inline()
        self.set_source_info(here)
        name = self.options.get("name", "")
        return [figure(self.arguments[0], caption, self.state.document, here, name)]


def figure(
    name: str,
    caption: Sequence[nodes.Node],
    document: nodes.document,
    place: nodes.Element,
    label: str = "",
) -> nodes.Node:
    """A drawing with its caption, as a figure that can be linked to."""
    try:
        drawn = drawing(name).svg()
    except CourseError as error:
        _logger.warning("%s", error, location=place)
        return nodes.paragraph("", str(error))
    made = nodes.figure("", nodes.raw("", drawn, format="html"), classes=["drawing"])
    made.source, made.line = place.source, place.line
    if caption:
        made += nodes.caption("", "", *caption)
    made["names"].append(nodes.fully_normalize_name(label or f"drawing-{name.replace('_', '-')}"))
    document.note_explicit_target(made, made)
    return made


def _caption(paragraph: nodes.paragraph) -> list[nodes.Node] | None:
    """What stands in italics below the image; None if anything else does."""
    rest = [n for n in paragraph[1:] if not (isinstance(n, nodes.Text) and not n.strip())]
    if not rest:
        return []
    if len(rest) == 1 and isinstance(rest[0], nodes.emphasis):
        return list(rest[0].children)
    return None


def setup(app: Sphinx) -> None:
    """Register the directive and the images."""
    app.add_directive("drawing", Draw)
    app.add_transform(Images)
