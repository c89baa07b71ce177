"""What our book asks of Sphinx beyond the theme, done when it builds, so that pages need no script.

texts.py     a chapter's page from its text and its notebook's outputs
cells.py     what a cell printed: how it wraps, and where a verdict stands in it
verdicts.py  the line of a claim, with a place to link to
code_folds.py   code cells folded under a name
prose_folds.py  parts of the text that a reader may skip
front.py     the line below a chapter's title
cell_links.py  a place and a link for each cell
glossary_links.py  words of the glossary, linked where a chapter first uses them
markup.py    repairs of markup for readers who listen
formulas.py  formulas as MathML, and the font that they are set in
colours.py   the list of colours, from the palette
collapse.py  the figure on the home page, drawn from stored results
drawings.py  drawings of our own code, in the page itself
library.py   the public names of the library, from its source
pictures.py  smaller copies of the notebooks' pictures
chapters.py  words for chapters that link where the chapter is there
steer.py     networks that run in pages, and the files of their weights
project.py   where the project is, and the links to Colab and Binder
languages.py German and French words, marked for who listens and for browsers that translate
"""

from typing import Any
from urllib.parse import urlsplit

from sphinx.application import Sphinx

from course_book import (
    cell_links,
    cells,
    chapters,
    code_folds,
    collapse,
    colours,
    drawings,
    formulas,
    front,
    glossary_links,
    languages,
    library,
    markup,
    pictures,
    project,
    prose_folds,
    results_figures,
    steer,
    texts,
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the parts, and what needs the address at which the book is published."""
    if address := app.config.html_baseurl:
        for extension in ("sphinxext.opengraph", "sphinx_sitemap", "notfound.extension"):
            app.setup_extension(extension)
        app.config.ogp_site_url = address
        app.config.ogp_site_name = app.config.html_title
        app.config.ogp_social_cards = {"enable": False}  # they cannot show a logo in SVG
        app.config.notfound_urls_prefix = urlsplit(address).path
        app.config.sitemap_url_scheme = "{link}"
    texts.setup(app)
    cell_links.setup(app)
    cells.setup(app)
    chapters.setup(app)
    code_folds.setup(app)
    collapse.setup(app)
    colours.setup(app)
    drawings.setup(app)
    formulas.setup(app)
    front.setup(app)
    glossary_links.setup(app)
    languages.setup(app)
    library.setup(app)
    markup.setup(app)
    pictures.setup(app)
    project.setup(app)
    results_figures.setup(app)
    prose_folds.setup(app)
    steer.setup(app)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
