"""The network that runs in the page: on the home page by a directive, in chapter 4 as an output.

Its weights, 230 kB, are in the notebook, so that it is whole by itself. In the book they become one
file that a page asks for when the reader first touches the figure. It is a script, since a page
that was opened from a folder may load nothing else.
"""

import hashlib
import os
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FILE = "course-net.js"
_NET = re.compile(r'(<script type="application/octet-stream" class="cl-net")>([^<]+)</script>')


class Steer(SphinxDirective):
    """`{steer}`, or `{steer} family length`: the figure with a sentence of `in_page.families`."""

    optional_arguments = 2

    def run(self) -> list[nodes.Node]:
        """The figure as raw HTML."""
        # Loads torch, which a book without this directive can do without.
        from course_lib.experiments.bahdanau import in_page

        self.env.note_dependency(str(in_page.STORED))
        figure = in_page.show(*map(int, self.arguments))
        raw = nodes.raw("", figure._repr_html_(), format="html")
        return [nodes.container("", raw, classes=["steer"])]


def move_nets(folder: Path) -> None:
    """Put the weights that stand in pages into a file that they ask for.

    Raises:
        ValueError: two pages hold different weights.
    """
    nets: set[str] = set()
    for path in sorted(folder.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        found = [net for _, net in _NET.findall(text)]
        if not found:
            continue
        nets.update(found)
        version = hashlib.sha256(found[0].encode()).hexdigest()[:8]
        static = Path(os.path.relpath(folder / "_static", path.parent)).as_posix()
        source = f'data-src="{static}/{FILE}?v={version}"'
        path.write_text(_NET.sub(rf"\1 {source}></script>", text), encoding="utf-8")
    if len(nets) > 1:
        raise ValueError(f"{len(nets)} different networks stand in the pages (make notebooks)")
    for net in nets:
        script = f'window.courseNet = "{net}";\n'
        (folder / "_static" / FILE).write_text(script, encoding="utf-8")


def _at_the_end(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        move_nets(Path(app.outdir))


def setup(app: Sphinx) -> None:
    """Register the directive, and the file before pages are looked through for their scripts."""
    app.add_directive("steer", Steer)
    app.connect("build-finished", _at_the_end, priority=800)
