"""What our book asks of Sphinx beyond the theme, done when it builds, so that pages need no script.

cells.py     verdicts of `claim` as boxes with a place to link to; how printed text wraps
markup.py    repairs of markup for readers who listen
formulas.py  formulas as MathML, and the font that they are set in
collapse.py  the figure on the home page, drawn from stored results
homework.py  what each homework asks, and its files to download
pictures.py  smaller copies of the notebooks' pictures
chapters.py  words for chapters that link where the chapter is there
steer.py     the network that runs in the page, and the file of its weights
published.py description, preview card, sitemap, and the page for an address that leads nowhere
search.py    search by sections, without a server; plain.py makes their text
assets.py    one style sheet and one script for all pages
"""

from typing import Any

from sphinx.application import Sphinx

from course_book import (
    assets,
    cells,
    chapters,
    collapse,
    formulas,
    homework,
    markup,
    pictures,
    published,
    search,
    steer,
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the parts."""
    cells.setup(app)
    chapters.setup(app)
    collapse.setup(app)
    formulas.setup(app)
    homework.setup(app)
    markup.setup(app)
    pictures.setup(app)
    published.setup(app)
    search.setup(app)
    steer.setup(app)
    assets.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
