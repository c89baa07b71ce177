"""The finished pages: which there are, what each shows, and whether its links lead somewhere."""

import ast
import functools
import html as html_text
import os
import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tools.inputs.files import tree

SEARCH = "search.html"
BY_PAGE = "tests/book/by_page"
"""Tests that are called for each page, or for each chapter."""
EVERY_PAGE, FIGURES = "every page", "figures"
"""Parts of the gate `browser`: tests that may visit any page, and those that visit none."""
PAGES = "OPENS"
"""Where a test file names the pages that it visits; tests/book/conftest.py lets it visit no other.

A file that names none visits none if it has no way to the finished book, neither by a fixture nor
by its folder: most figures are tried on pages of their own."""
_WAYS_TO_A_PAGE = re.compile(r"\b(visit|book_address|HTML|page_names|BUILD)\b")
_ALONE = (SEARCH, "genindex.html", "404.html")
_SHOWN = re.compile(rb"""["']((?:\.\./)*_(?:images|downloads)/[^"'?#]+)""")


def page_names(html: Path) -> list[str]:
    """Every page that a reader may open, the heaviest first, so that the last ones are short."""
    pages = [*html.glob("*/*.html"), *(html / name for name in _ALONE)]
    own = [p for p in pages if p.is_file() and not p.parent.name.startswith("_")]
    own.sort(key=lambda path: (-path.stat().st_size, path))
    return [path.relative_to(html).as_posix() for path in own]


def visitors(root: Path) -> dict[str, tuple[str, ...] | None]:
    """For each test file in the browser the pages that it visits; None is any page."""
    return {
        path.relative_to(root).as_posix(): _opens(path.read_text(encoding="utf-8"))
        for path in sorted((root / "tests" / "book").rglob("test_*.py"))
    }


def _opens(source: str) -> tuple[str, ...] | None:
    if _WAYS_TO_A_PAGE.search(source) is None:
        return ()
    for node in ast.parse(source).body if PAGES in source else ():
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == PAGES:
            return tuple(ast.literal_eval(node.value))
    return None


def shown_by(page: Path, html: Path) -> set[Path]:
    """Pictures and downloads that a page names; looked for as text, which takes no time."""
    found = (unquote(html_text.unescape(m[1].decode())) for m in _SHOWN.finditer(page.read_bytes()))
    return {Path(os.path.normpath(page.parent / name)) for name in found}


def dead_links(html: Path) -> list[str]:
    """Links inside the book whose page or place is missing."""
    problems = []
    for page in tree(html, "."):
        if page.suffix != ".html" or page.is_relative_to(html / "_static"):
            continue
        for address in _read(page).addresses:
            parts = urlsplit(address.strip())
            if parts.scheme or parts.netloc:
                continue
            target = page
            if parts.path:
                target = Path(os.path.normpath(page.parent / unquote(parts.path)))
            target, place = target / "index.html" if target.is_dir() else target, parts.fragment
            missing = not target.is_file()
            if not missing and place and target.suffix == ".html":
                missing = unquote(place) not in _read(target).places
            if missing:
                shown = os.path.relpath(target, html) + (f"#{unquote(place)}" if place else "")
                problems.append(f"{page.relative_to(html)}: a link leads nowhere: {shown}")
    return list(dict.fromkeys(problems))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.places: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if not value:
                continue
            if name == "id" or (tag == "a" and name == "name"):
                self.places.add(value)
            elif (tag, name) in (("a", "href"), ("area", "href")) or name in ("src", "data"):
                self.addresses.append(value)

    handle_startendtag = handle_starttag


def _read(page: Path) -> _Reader:
    return _parsed(page.read_bytes())


@functools.lru_cache(maxsize=256)
def _parsed(content: bytes) -> _Reader:
    reader = _Reader()
    reader.feed(content.decode("utf-8", errors="replace"))
    return reader
