"""Search in the book's own pages, section by section, without a server.

When all pages are written, their sections are collected as plain text into one script file, which
only the search page asks for; `course-find.js` looks through it. A script, since a page that was
opened from a folder may load nothing else. Sphinx's own index, which knows whole pages and fetches
each of them for a few words of it, is not made.

A section is what has a heading and a place to link to: a section, a term of the glossary, a part
that is folded away. Of code cells the names are found but not shown; outputs are neither.
"""

import builtins
import json
import keyword
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml
from sphinx.application import Sphinx

from course_book.plain import Element, formula, tree, words
from course_lab.figures.language import language

INDEX, SCRIPT = "course-search.js", "course-find.js"
SYNONYMS = Path(__file__).with_name("search_words.yml")
REPLACED = ("searchtools.js", "language_data.js", "searchindex.js")
"""Sphinx's own, which the theme asks for on every page."""
_SKIPPED_TAGS = frozenset(("button", "noscript", "script", "style", "summary", "svg", "template"))
_SKIPPED = frozenset(("cl-fig", "eqno", "headerlink", "steer", "toctree-wrapper"))
_HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
# What stands in a line; anything else parts words.
_INLINE = frozenset(
    ("a", "abbr", "b", "bdi", "cite", "code", "em", "i", "kbd", "span", "strong", "sub")
)
_PYTHON = frozenset([*keyword.kwlist, *dir(builtins)])
_MARKED = re.compile(r'<\w+ lang="(?:de|fr)"[^>]*>([^<]*)<')
_MODULE = re.compile(r"^[a-z_0-9.]*\.")
_NAME = re.compile(r"[A-Za-z_]\w{2,}")


class Section:
    """A part of a page that a result may lead to.

    Attributes:
        place: its id, "" for the top of the page.
        title: its heading.
        text: what it says, without its parts that are sections themselves.
        names: the names in its code that its text does not hold.
    """

    def __init__(self, place: str = "") -> None:
        self.place = place
        self.title = ""
        self.pieces: list[str] = []
        self.code: set[str] = set()

    @property
    def text(self) -> str:
        """On one line."""
        return re.sub(r"\s+(?=[,.;:!?)](?:\s|$))", "", " ".join("".join(self.pieces).split()))

    @property
    def names(self) -> str:
        """Sorted, so that the same page gives the same index; not those that Python itself has."""
        return " ".join(sorted(self.code - set(_NAME.findall(self.text)) - _PYTHON))


def sections(page: str) -> list[Section]:
    """The sections of a finished page in their order; none of a page that is no article."""
    found: list[Section] = []
    for article in tree(page).find("article"):
        found.append(Section())
        _collect_inside(article, found[-1], found)
    return [section for section in found if section.title]


def _collect(element: Element, section: Section, found: list[Section]) -> None:
    if element.tag in _SKIPPED_TAGS or element.classes & _SKIPPED:
        return
    if element.tag == "math":
        section.pieces.append(formula(element))
    elif element.tag == "pre":
        section.code |= set(_NAME.findall(words(element)))
    elif element.tag == "dl":
        _collect_terms(element, section, found)
    elif element.tag in _HEADINGS and not section.title:
        section.title = words(element)
    elif "cell_output" in element.classes:
        for part in element.elements:
            if "verdict" in part.classes:
                _collect_inside(part, section, found)
    else:
        _collect_inside(element, _section_of(element, section, found), found)


def _section_of(element: Element, outer: Section, found: list[Section]) -> Section:
    """Where the text in an element belongs; a section with a place begins a new one."""
    place = element.attributes.get("id", "")
    # The outermost section is the page itself: its title is not there yet.
    if not place or not outer.title or element.tag not in ("section", "details"):
        return outer
    own = Section(place)
    if element.tag == "details":
        own.title = next((words(part) for part in element.elements if part.tag == "summary"), "")
    found.append(own)
    return own


def _collect_inside(element: Element, section: Section, found: list[Section]) -> None:
    edge = "" if element.tag in _INLINE else " "
    section.pieces.append(edge)
    for part in element.inside:
        if isinstance(part, str):
            section.pieces.append(part)
        else:
            _collect(part, section, found)
    section.pieces.append(edge)


def _collect_terms(terms: Element, section: Section, found: list[Section]) -> None:
    """What is defined is a section of its own where it can be linked to."""
    own, named = section, False
    for part in terms.elements:
        if part.tag == "dt":
            place = part.attributes.get("id", "")
            own = Section(place) if place else section
            if place:
                # Of a name of the library: not how it is called, and one sentence of what it does.
                named = "sig" in part.classes
                own.title = _MODULE.sub("", place) if named else words(part)
                found.append(own)
                continue
        elif named:
            _collect_named(part, own, found)
            continue
        _collect_inside(part, own, found)


def _collect_named(told: Element, own: Section, found: list[Section]) -> None:
    for number, part in enumerate(told.elements):
        if "py" in part.classes:
            _collect_terms(part, own, found)
        elif not number:
            own.pieces.append(words(part).partition(". ")[0])


def index(folder: Path, synonyms: Mapping[str, str] = MappingProxyType({})) -> str:
    """The script that holds every section below a folder.

    Args:
        folder: of the finished pages.
        synonyms: what readers type, and the words that the book has for it.
    """
    foreign: dict[str, str] = {}
    pages: list[list[str]] = []
    entries: list[list[Any]] = []
    for path in sorted(folder.glob("*/*.html")):
        if path.parent.name.startswith("_"):
            continue
        text = path.read_text(encoding="utf-8")
        found = sections(text)
        # A form that English has too is left out: a result is too short to tell which it is.
        marked = (word for part in _MARKED.findall(text) for word in re.findall(r"\w+", part))
        foreign |= {word: kind for word in marked if (kind := language(word, {})) in ("de", "fr")}
        if not found:
            continue
        pages.append([path.relative_to(folder).as_posix(), found[0].title])
        for section in found:
            names = [section.names] if section.names else []
            entries.append([len(pages) - 1, section.place, section.title, section.text, *names])
    told = json.dumps(
        {
            "pages": pages,
            "sections": entries,
            "synonyms": dict(synonyms),
            "foreign": dict(sorted(foreign.items())),
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return f"window.courseSearch = {told};\n"


def _search_page(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    yield "search", {}, "search.html"


def _without_sphinx(app: Sphinx) -> None:
    if app.builder.format == "html":
        app.builder.search = False


def _at_the_end(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        folder = Path(app.outdir)
        synonyms = yaml.safe_load(SYNONYMS.read_text(encoding="utf-8"))
        (folder / "_static" / INDEX).write_text(index(folder, synonyms), encoding="utf-8")
        for name in REPLACED:
            (folder / "_static" / name).unlink(missing_ok=True)


def setup(app: Sphinx) -> None:
    """Make the index when all pages stand, and before assets.py looks for the page's scripts."""
    app.connect("builder-inited", _without_sphinx)
    app.connect("html-collect-pages", _search_page)
    app.connect("build-finished", _at_the_end, priority=850)
