"""Drawings in the page itself, so that they follow its switch for light and dark.

In a chapter's text a drawing is an image of the file that the notebook holds, and the words in
italics below it are its caption:

    ![What it shows](drawings/one_vector.png)
    *The encoder reads ...*

The page shows `book/drawings/one_vector.svg` in its place. The figure's name is
`drawing-one-vector`; it has a number where it has a caption.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

FOLDER = "book/drawings"
_FILE = re.compile(r"(?:^|/)drawings/(\w+)\.\w+$")
_logger = logging.getLogger(__name__)


class Images(SphinxTransform):
    """Puts a drawing in the place of its image, before images are collected and figures counted."""

    default_priority = 205

    def apply(self) -> None:
        """Change the page in place."""
        for image in list(self.document.findall(nodes.image)):
            paragraph = image.parent
            name = _FILE.search(image["uri"])
            if not name or not isinstance(paragraph, nodes.paragraph) or paragraph[0] is not image:
                continue
            path = Path(self.env.srcdir, FOLDER, f"{name[1]}.svg")
            caption = _caption(paragraph)
            if not path.is_file():
                _logger.warning("there is no %s/%s", FOLDER, path.name, location=image)
            elif caption is None:
                _logger.warning(
                    "below a drawing stands its caption in italics, or nothing", location=image
                )
            else:
                self.env.note_dependency(str(path))
                paragraph.replace_self(self._figure(path, caption, image))

    def _figure(
        self, path: Path, caption: Sequence[nodes.Node], image: nodes.image
    ) -> nodes.figure:
        """A drawing with its caption, as a figure that can be linked to."""
        svg = nodes.raw("", path.read_text(encoding="utf-8"), format="html")
        figure = nodes.figure("", svg, classes=["drawing"])
        figure.source, figure.line = image.source, image.line
        if caption:
            figure += nodes.caption("", "", *caption)
        figure["names"].append(nodes.fully_normalize_name(f"drawing-{path.stem.replace('_', '-')}"))
        self.document.note_explicit_target(figure, figure)
        return figure


def _caption(paragraph: nodes.paragraph) -> list[nodes.Node] | None:
    """What stands in italics below the image; None if anything else does."""
    rest = [n for n in paragraph[1:] if not (isinstance(n, nodes.Text) and not n.strip())]
    if not rest:
        return []
    if len(rest) == 1 and isinstance(rest[0], nodes.emphasis):
        return list(rest[0].children)
    return None


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(Images)
