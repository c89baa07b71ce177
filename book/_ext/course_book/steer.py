"""Networks that run in pages: on book pages by a directive, in chapters 2, 4, 10 as outputs.

The weights, 230 to 370 kB, are in the notebooks, so that these are whole by themselves; those of
the translator, 4.6 MB, are in pages alone. In the book a network becomes one file that a page asks
for when the reader first touches the figure. It is a script, since a page that was opened from a
folder may load nothing else. On the home page the translator is only its first state, of which the
whole figure is such a file, too (opens.js).
"""

import hashlib
import json
import os
import re
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

FILES = "course-net-*.js"
FIGURES = "course-figure-*.js"
_NET = re.compile(
    r'(<script type="application/octet-stream" class="cl-net"(?: data-name="[a-z]+")?)'
    r">([^<]+)</script>"
)
_OPENED = re.compile(r" data-figure><template>(.*?)</template>", re.DOTALL)


class Steer(SphinxDirective):
    """`{steer}`, or `{steer} family length`: the figure with a sentence of `in_page.families`."""

    optional_arguments = 2

    def run(self) -> list[nodes.Node]:
        """The figure as raw HTML."""
        # Loads torch, which a book without this directive can do without.
        from course_lab.experiments.bahdanau import in_page

        self.env.note_dependency(str(in_page.STORED))
        figure = in_page.show(*map(int, self.arguments))
        raw = nodes.raw("", figure._repr_html_(), format="html")
        return [nodes.container("", raw, classes=["steer"])]


class Translate(SphinxDirective):
    """`{translator}`: the translator of real sentences; `{translator} opens`: its first state."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """The figure as raw HTML."""
        from course_lab.experiments.real import in_page, networks

        for path in (in_page.STORED, networks.FOLDER / f"{in_page.NAME}.safetensors"):
            self.env.note_dependency(str(path))
        figure = in_page.show()._repr_html_()
        if self.arguments:
            figure = first_state(figure)
        return [nodes.raw("", figure, format="html")]


def first_state(figure: str) -> str:
    """A sentence, its translation and one look, which a link opens to the whole figure.

    Where there is no script, the link leads to the page of the translator.
    """
    from course_lab.experiments.real import in_page

    one, size = in_page.stored(), f"{len(in_page.in_one_file()) / 1e6:.1f} MB"
    way = in_page.WAYS[one.way]
    back = in_page.WAYS[1 - one.way]
    # The weights begin with the mark of the language, which is no word of the reader's.
    shares = zip(one.source, one.rows[in_page.AT][1:], strict=False)
    above = "".join(
        f'<span class="opens-word" style="--w:{share:.2f}">{escape(word)}</span>'
        for word, share in shares
    )
    below = "".join(
        f'<span class="opens-word{" opens-at" * (i == in_page.AT)}">{escape(word)}</span>'
        for i, word in enumerate(one.words)
    )
    looked = escape(one.words[in_page.AT])
    return (
        f'<div class="opens"><p lang="{way.lang}">{above}</p><p lang="{back.lang}">{below}</p>'
        f'<p class="opens-say">The bars show what the network read when it wrote '
        f'<em lang="{back.lang}">{looked}</em>. '
        f'<a href="translate.html" data-figure><template>{figure}</template>'
        f"Translate your own sentence here ({size})</a></p></div>"
    )


def move_nets(folder: Path) -> None:
    """Put the weights that stand in pages into files that they ask for, one for each network, and
    then the figures that open on demand."""
    for path in sorted(folder.rglob("*.html")):
        text = path.read_text(encoding="utf-8")
        if not _NET.search(text):
            continue
        static = Path(os.path.relpath(folder / "_static", path.parent)).as_posix()

        def moved(found: re.Match[str], static: str = static) -> str:
            name = FILES.replace("*", hashlib.sha256(found[2].encode()).hexdigest()[:8])
            # Of several scripts each one is read as soon as it has come.
            script = f'window.courseNet = "{found[2]}";\n'
            (folder / "_static" / name).write_text(script, encoding="utf-8")
            return f'{found[1]} data-src="{static}/{name}"></script>'

        def opened(found: re.Match[str], static: str = static) -> str:
            name = FIGURES.replace("*", hashlib.sha256(found[1].encode()).hexdigest()[:8])
            script = f"window.courseFigure = {json.dumps(found[1])};\n"
            (folder / "_static" / name).write_text(script, encoding="utf-8")
            return f' data-figure="{static}/{name}">'

        path.write_text(_OPENED.sub(opened, _NET.sub(moved, text)), encoding="utf-8")


def _at_the_end(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        move_nets(Path(app.outdir))


def setup(app: Sphinx) -> None:
    """Register the directives, and the file before pages are looked through for their scripts."""
    app.add_directive("steer", Steer)
    app.add_directive("translator", Translate)
    app.connect("build-finished", _at_the_end, priority=800)
