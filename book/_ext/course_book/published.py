"""What a page says of itself to those who link to it: description, preview card, sitemap, 404.

The address of the book follows from the repository's, the one that `_config.yml` holds, by the
rules of GitHub Pages and GitLab Pages; `html: baseurl` there names another. As long as there is
none, a page has a description and a title for cards, and nothing that would need an address.

The packages for this were tried: without an address one writes half of one, one warns and so stops
the build, and one writes links that assets.py cannot follow.
"""

import html
import io
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from sphinx.application import Sphinx
from sphinx.config import Config

from course_book import collapse
from course_book.plain import tree, words

CARD = "_static/card.png"
SITEMAP = "sitemap.xml"
NOT_FOUND = "404"
_CARD_SIZE = (1200, 630)
_LONGEST, _ENOUGH = 200, 60
_NOT_TOLD = {"admonition-title", "chapter-line", "cl-note", "project"}
_PARAGRAPH = re.compile(r"<p\b.*?</p>", re.DOTALL)
_REPOSITORY = re.compile(r"https://(?:www\.)?(github|gitlab)\.com/([\w.-]+)/([\w.-]+)")


def site(repository: str) -> str:
    """The address of the book, ending in a slash; "" where the repository's says nothing of it."""
    found = _REPOSITORY.fullmatch(repository.strip().removesuffix("/").removesuffix(".git"))
    if not found:
        return ""
    service, owner, name = found[1], found[2].lower(), found[3]
    host = f"{owner}.{service}.io"
    return f"https://{host}/" if name.lower() == host else f"https://{host}/{name}/"


def description(body: str) -> str:
    """The first sentences of a page, some 200 characters of plain text."""
    text = ""
    # No paragraph holds another, and the first few are enough: the rest of the page is not parsed.
    for found in _PARAGRAPH.finditer(body):
        (paragraph,) = tree(found[0]).find("p")
        if not paragraph.classes & _NOT_TOLD:
            text = f"{text} {words(paragraph)}".strip()
        if len(text) >= _ENOUGH:
            break
    return text if len(text) <= _LONGEST else text[:_LONGEST].rpartition(" ")[0] + " …"


def tags(title: str, told: str, name: str, address: str = "", card: str = "") -> str:
    """The elements of a page's head.

    Args:
        title: of the page.
        told: its description.
        name: of the book.
        address: of the page, "" if it has none.
        card: the address of the picture, "" if it has none.
    """
    found = [("name", "description", told), ("property", "og:title", title)]
    found += [("property", "og:type", "website"), ("property", "og:site_name", name)]
    found += [("property", "og:description", told), ("property", "og:url", address)]
    if card:
        width, height = map(str, _CARD_SIZE)
        found += [("property", "og:image", card), ("property", "og:image:alt", _card_alt(name))]
        found += [("property", "og:image:width", width), ("property", "og:image:height", height)]
        found.append(("name", "twitter:card", "summary_large_image"))
    return "".join(
        f'<meta {kind}="{key}" content="{html.escape(value)}">\n'
        for kind, key, value in found
        if value
    )


def sitemap(addresses: list[str]) -> str:
    """The pages for search engines."""
    places = "".join(f"<url><loc>{html.escape(place)}</loc></url>\n" for place in addresses)
    schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{schema}">\n{places}</urlset>\n'


def card(name: str) -> bytes:
    """The picture of a link to the book: its name, the measured fact, the curve."""
    # Loads matplotlib, which a book that nobody links to can do without.
    import matplotlib.image
    from matplotlib.figure import Figure

    from course_lab.figures.style import CARD as GROUND
    from course_lab.figures.style import INK, MUTED

    width, height = _CARD_SIZE
    figure = Figure(figsize=(width / 100, height / 100), dpi=100, facecolor=GROUND)
    figure.text(0.06, 0.8, name, size=40, weight="bold", color=INK)
    told = textwrap.fill(collapse.headline(), 28)
    figure.text(0.06, 0.7, told, size=20, color=MUTED, va="top", linespacing=1.5)
    axes = figure.add_axes((0.42, 0.05, 0.54, 0.68))
    axes.imshow(matplotlib.image.imread(io.BytesIO(collapse.picture().png())))
    axes.axis("off")
    written = io.BytesIO()
    figure.savefig(written, format="png", metadata={"Software": None})
    return written.getvalue()


def _card_alt(name: str) -> str:
    return f"{name}. {collapse.headline()}"


def _set_address(app: Sphinx, config: Config) -> None:
    if not config.html_baseurl:
        config.html_baseurl = site(config.html_theme_options.get("repository_url") or "")


def _describe(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    base = app.config.html_baseurl
    if page == NOT_FOUND and base:
        # Whatever address was asked for: links are meant from the top of the book.
        context["metatags"] = f'<base href="{urlsplit(base).path}">\n'
    if doctree is None:
        return
    title = words(tree(context["title"]))
    address = urljoin(base, app.builder.get_target_uri(page)) if base else ""
    picture = urljoin(base, CARD) if base else ""
    told = description(context["body"])
    context["metatags"] += tags(title, told, app.config.html_title, address, picture)


def _not_found(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    yield NOT_FOUND, {}, "404.html"


def _at_the_end(app: Sphinx, error: Exception | None) -> None:
    base = app.config.html_baseurl
    if error is not None or app.builder.format != "html" or not base:
        return
    folder = Path(app.outdir)
    pages = sorted(app.env.found_docs)
    places = [urljoin(base, app.builder.get_target_uri(page)) for page in pages]
    (folder / SITEMAP).write_text(sitemap(places), encoding="utf-8")
    (folder / CARD).write_bytes(card(app.config.html_title))


def setup(app: Sphinx) -> None:
    """Set the address before anything asks for it."""
    app.connect("config-inited", _set_address)
    app.connect("html-page-context", _describe)
    app.connect("html-collect-pages", _not_found)
    app.connect("build-finished", _at_the_end, priority=700)
