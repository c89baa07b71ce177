"""What our book asks of Sphinx beyond the theme, done when it builds, so that pages need no script.

texts.py     a chapter's page from its text and its notebook's outputs
cells.py     what a cell printed: how it wraps, and where a verdict stands in it
verdicts.py  the line of a claim, with a place to link to
charts.py    charts of stored results on pages without code
code_folds.py   names for code cells that are folded
prose_folds.py  parts of the text that a reader may skip
glossary_links.py  words of the glossary, linked where a chapter first uses them
markup.py    repairs of markup for readers who listen, and German words marked for them
formulas.py  formulas as MathML
drawings.py  drawings in the page itself
library.py   the public names of the library, by autodoc
chapters.py  words for chapters and the project, with their links
steer.py     networks that run in pages, and the files of their weights
"""

from typing import Any
from urllib.parse import urlsplit

from sphinx.application import Sphinx

from course_book import (
    cells,
    chapters,
    charts,
    code_folds,
    drawings,
    formulas,
    glossary_links,
    library,
    markup,
    prose_folds,
    steer,
    texts,
)

PARTS = (texts, cells, chapters, charts, code_folds, drawings, formulas, glossary_links, library)
PARTS += (markup, prose_folds, steer)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the parts, and what needs the address at which the book is published."""
    if address := app.config.html_baseurl:
        for extension in ("sphinxext.opengraph", "sphinx_sitemap", "notfound.extension"):
            app.setup_extension(extension)
        app.config.ogp_site_url = address
        app.config.ogp_site_name = app.config.html_title
        app.config.ogp_image = "_static/preview.png"
        app.config.ogp_image_alt = "A German translation and the English words it was read from"
        app.config.ogp_social_cards = {"enable": False}  # they cannot show a logo in SVG
        app.config.notfound_urls_prefix = urlsplit(address).path
        app.config.sitemap_url_scheme = "{link}"
        app.config.sitemap_excludes = ["404.html", "genindex.html", "search.html"]
    for part in PARTS:
        part.setup(app)
    app.connect("html-page-context", _without_unused)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _without_unused(app: Sphinx, page: str, template: str, context: dict[str, Any], _) -> None:
    """Leave out the style and script of togglebutton, which Jupyter Book loads and no page uses."""
    for kind in ("script_files", "css_files"):
        context[kind] = [f for f in context[kind] if "togglebutton" not in str(f.filename)]
