"""Pictures in the page: SVG of our own stands in it.

A figure of `course_lab.figures.style` comes with SVG in the page's colours. In the page itself, and
not as an image, it follows the switch for light and dark, and its text can be read and searched.
"""

import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

_OURS = re.compile(r'<svg [^>]*class="course-figure"')


class InThePage(SphinxPostTransform):
    """Puts our SVG in the place of its image, when the kind of each output has been chosen."""

    default_priority = 800
    formats = ("html",)

    def run(self, **_: Any) -> None:
        """Change the page in place."""
        for image in list(self.document.findall(nodes.image)):
            path = Path(self.env.srcdir, image["uri"])
            if path.suffix == ".svg" and path.is_file():
                text = path.read_text(encoding="utf-8")
                if _OURS.match(text):
                    drawn = _told(text, image.get("alt", ""))
                    image.replace_self(nodes.raw("", drawn, format="html"))


def _told(svg: str, alt: str) -> str:
    """With the words that an author gave the picture; without any it says its own."""
    return svg.replace("<svg ", f'<svg aria-label="{escape(alt)}" ', 1) if alt else svg


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_post_transform(InThePage)
