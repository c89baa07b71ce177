"""Networks that run in pages: chapter 4's on the home page too, by a directive; chapter 10's.

Their weights, 230 and 370 kB, are in the notebooks, so that these are whole by themselves. In the
book those of one name become one file, which a page asks for when the reader first touches the
figure. It is a script, since a page that was opened from a folder may load nothing else.
"""

import hashlib
import os
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FILES = "course-net*.js"
_NET = re.compile(
    r'(<script type="application/octet-stream" class="cl-net"(?: data-name="([a-z]+)")?)'
    r">([^<]+)</script>"
)


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
    """Put the weights that stand in pages into files that they ask for.

    Raises:
        ValueError: two pages hold different weights of one name.
    """
    nets: dict[str, str] = {}
    for path in sorted(folder.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        static = Path(os.path.relpath(folder / "_static", path.parent)).as_posix()
        for _, name, net in _NET.findall(text):
            if nets.setdefault(name, net) != net:
                raise ValueError(
                    "different networks of one name stand in the pages (make notebooks)"
                )

        def asked_for(found: re.Match, static: str = static) -> str:
            version = hashlib.sha256(found[3].encode()).hexdigest()[:8]
            return f'{found[1]} data-src="{static}/{_file(found[2])}?v={version}"></script>'

        moved = _NET.sub(asked_for, text)
        if moved != text:
            path.write_text(moved, encoding="utf-8")
    for name, net in nets.items():
        script = f'window.courseNet = "{net}";\n'
        (folder / "_static" / _file(name)).write_text(script, encoding="utf-8")


def _file(name: str | None) -> str:
    return FILES.replace("*", f"-{name}" if name else "")


def _at_the_end(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        move_nets(Path(app.outdir))


def setup(app: Sphinx) -> None:
    """Register the directive, and the file before pages are looked through for their scripts."""
    app.add_directive("steer", Steer)
    app.connect("build-finished", _at_the_end, priority=800)
