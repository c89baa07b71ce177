"""German and French words of the pages are marked as what they are, those of figures too.

What is marked, and by which rules, is in `course_lab.figures.language`. It is done when all pages
are written, so it holds for text, tables, formulas, captions, drawings and headings alike.
"""

from pathlib import Path

from sphinx.application import Sphinx

from course_lab.figures.language import marked


def mark(page: Path) -> None:
    """Mark the words in the body of a finished page."""
    text = page.read_text(encoding="utf-8")
    head, body, rest = text.partition("<body")
    if body:
        page.write_text(head + marked(body + rest), encoding="utf-8")


def _at_the_end(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        for page in sorted(Path(app.outdir).rglob("*.html")):
            mark(page)


def setup(app: Sphinx) -> None:
    """Before the index of the search is made, which says which words are marked."""
    app.connect("build-finished", _at_the_end, priority=840)
