"""A chapter as a notebook viewer shows it: plain Markdown in place of what only the book reads.

JupyterLab, VS Code, Colab and GitHub know no role, no directive and no label. So a citation becomes
a name, a year and a link; a reference the number that the book gives; a box a quotation with a
heading; a caption a line below its figure; a drawing a picture inside the notebook. A fold that
spans several cells becomes a section under a heading, which JupyterLab and Colab open folded.

The book is not built from this form but from the text itself (book/_ext/course_book/texts.py).
"""

import base64
import functools
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from PIL import Image
from pybtex.database import parse_string
from pybtex.richtext import Text

from tools.notebooks.text import SOLUTION_TAG, dress, from_text
from tools.project import CHAPTERS, CONFIG, NOTEBOOKS, ROOT, TaskError

DRAWING_SCALE = 2
"""Dots of a drawing's file for each dot on the page (`make drawings`)."""

_CITATIONS = Path("book", "references.bib")
_SITE = re.compile(r"https://github\.com/([\w.-]+)/([\w.-]+?)(?:\.git)?/?")
_ROLE = re.compile(r"\{([a-z]+(?::[a-z]+)?)\}`([^`]+)`")
_TITLED = re.compile(r"(.+?)\s*<(.+)>", re.DOTALL)
_EQUATION = re.compile(
    r"^(?P<indent> *)\$\$\n(?P<tex>(?:(?!\$\$).)*)\n *\$\$ *\((?P<label>[\w-]+)\) *$",
    re.DOTALL | re.MULTILINE,
)
_DISPLAYED = re.compile(r"\$\$.*?\$\$", re.DOTALL)
_BOX = re.compile(
    r"^:::\{admonition\} *(?P<title>[^\n]*)\n(?::class:[^\n]*\n)?\n*(?P<body>.*?)\n*^::: *$",
    re.DOTALL | re.MULTILINE,
)
_DRAWING = re.compile(
    r"^!\[(?P<alt>[^\]]*)\]\(drawings/(?P<name>\w+)\.\w+\)(?:\n\*(?P<caption>.+?)\*(?=\n\n|\n*\Z))?",
    re.DOTALL | re.MULTILINE,
)
_LINK = re.compile(r"(?<!!)\[(?P<words>[^\]]+)\]\((?P<target>(?!https?://)[^()\s]+)\)")
_TAG = re.compile(r"^(?:<details>\s*<summary>(?P<title>.+?)</summary>|</details>) *$", re.M | re.S)
_HEADING = re.compile(r"^(#+) +(.+)$", re.M)
_FENCE = re.compile(r"^(`{3,}).*?^\1 *$", re.DOTALL | re.MULTILINE)

_RAW = {
    "a role": re.compile(r"(?<![`\w])\{[a-z][\w:.-]*\}`[^`]"),
    "a directive": re.compile(r"^ *(?::{3,}|`{3,}) *\{[a-z]|^ *:{3,} *$", re.MULTILINE),
    "a label": re.compile(r"\$\$ *\([\w-]+\) *$|^ *\([\w-]+\)= *$", re.MULTILINE),
    "a substitution": re.compile(r"\{\{ *\w+ *\}\}"),
    "a link to a file beside it": re.compile(r"\]\((?!https?://|data:)[^()\s]+\)"),
}


def for_viewers(notebook: NotebookNode, stem: str, root: Path = ROOT) -> NotebookNode:
    """The notebook that is stored, from what `from_text` made of a chapter's text.

    Raises:
        TaskError: the text cites, shows or refers to something that is not there.
    """
    chapter = _Chapter(notebook, stem, root)
    shown = NotebookNode(notebook)
    shown.cells = [cell for n in range(len(notebook.cells)) for cell in chapter.cells(n)]
    return dress(shown)


def raw_problems(notebook: NotebookNode) -> Iterator[str]:
    """What a viewer would show raw or could not find."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            for what, pattern in _RAW.items():
                for found in pattern.finditer(cell.source):
                    text = found[0].strip()
                    yield f"a viewer would show {what}: {text!r} in {_begin(cell.source)}"


class _Chapter:
    """One chapter on its way to a viewer."""

    def __init__(self, notebook: NotebookNode, stem: str, root: Path) -> None:
        self._cells, self._root, self._number = notebook.cells, root, _number_of(stem)
        config = yaml.safe_load((root / CONFIG.name).read_text(encoding="utf-8"))
        self._site = _site(config["repository"]["url"])
        self._numbers = _numbers(notebook, self._number)
        self._folds = _folds(notebook)
        self._figures = 0
        self._solves = False

    def cells(self, place: int) -> Iterator[NotebookNode]:
        """Those of one cell of the text, asked for in order."""
        cell = self._cells[place]
        if cell.cell_type != "markdown":
            if self._is_first_solution(place):
                yield _made("solution", "**Solution**")
            yield cell
            if caption := _caption_of(cell):
                yield _made("caption", self._caption(self._inline(caption)))
            return
        for found in _HEADING.finditer(_FENCE.sub("", cell.source)):
            if len(found[1]) == 2:
                self._solves = found[2].strip() == "Exercises"
        begin = 0
        for fold in self._folds.get(place, []):
            yield from self._prose(cell.source[begin : fold.begin])
            if fold.heading:
                yield _made(fold.kind, fold.heading)
            begin = fold.end
        yield from self._prose(cell.source[begin:])

    def _is_first_solution(self, place: int) -> bool:
        before = self._cells[place - 1]
        return self._solves and _is_solution(self._cells[place]) and not _is_solution(before)

    def _prose(self, source: str) -> Iterator[NotebookNode]:
        """Text, and each drawing in a cell of its own: nobody wants its bytes in a paragraph."""
        if "<details>" in source:  # which ends with its cell
            yield from self._markdown(
                _DRAWING.sub(lambda found: self._drawing(**found.groupdict()), source)
            )
            return
        begin = 0
        for found in _DRAWING.finditer(source):
            yield from self._markdown(source[begin : found.start()])
            yield _made("drawing", self._drawing(**found.groupdict()))
            begin = found.end()
        yield from self._markdown(source[begin:])

    def _markdown(self, source: str) -> Iterator[NotebookNode]:
        source = _BOX.sub(lambda found: _quoted(**found.groupdict()), source.strip("\n"))
        source = _EQUATION.sub(self._equation, source)
        if source := self._inline(source):
            yield new_markdown_cell(source)

    def _equation(self, found: re.Match[str]) -> str:
        indent, tex = found["indent"], found["tex"]
        tag = f"\\tag{{{self._numbers[found['label']]}}}"
        return f"{indent}$$\n{tex}\n{indent}{tag}\n{indent}$$"

    def _inline(self, source: str) -> str:
        return _LINK.sub(self._link, _ROLE.sub(self._role, source))

    def _role(self, found: re.Match[str]) -> str:
        name, said = found.groups()
        if name in ("cite:t", "cite:p"):
            return self._cited([key.strip() for key in said.split(",")], name == "cite:t")
        if name == "numref":
            return f"Figure {self._found(said)}"
        if name == "eq":
            return f"({self._found(said)})"
        if name == "doc" and (titled := _TITLED.fullmatch(said)):
            return self._linked(titled[1], f"{NOTEBOOKS.name}/{titled[2]}.html")
        return found[0]  # the gate `stored` names it

    def _found(self, label: str) -> str:
        if label in self._numbers:
            return self._numbers[label]
        for path in sorted((self._root / CHAPTERS.relative_to(ROOT)).glob("*.md")):
            text = path.read_text(encoding="utf-8")
            if label in text and (number := _elsewhere(path.stem, text).get(label)):
                return number
        raise TaskError(f"nothing in the chapters is called {label!r}")

    def _cited(self, keys: list[str], in_the_sentence: bool) -> str:
        known = _papers(self._root / _CITATIONS)
        for key in keys:
            if key not in known:
                raise TaskError(f"{_CITATIONS.as_posix()} holds no {key!r}")
        papers = [known[key] for key in keys]
        if in_the_sentence:
            return " and ".join(_to(at, f"{who} ({year})") for who, year, at in papers)
        return f"({'; '.join(_to(at, f'{who}, {year}') for who, year, at in papers)})"

    def _link(self, found: re.Match[str]) -> str:
        place = re.sub(r"^\.\./|\.(?:md|ipynb)\b", "", found["target"])
        if place.startswith("#") or "/" not in place:
            return found["words"]
        return self._linked(found["words"], re.sub(r"(#|$)", r".html\1", place, count=1))

    def _linked(self, words: str, page: str) -> str:
        """Words that lead to a page of the book, as soon as it is known where the book is."""
        return _to(self._site and self._site + page, words)

    def _drawing(self, alt: str, name: str, caption: str | None) -> str:
        path = self._root / NOTEBOOKS.name / "drawings" / f"{name}.png"
        if not path.is_file():
            raise TaskError(f"there is no drawing {name!r} in {path.parent.name} (make drawings)")
        picture = _picture(path.read_bytes(), alt)
        return f"{picture}\n\n{self._caption(self._inline(caption))}" if caption else picture

    def _caption(self, caption: str) -> str:
        self._figures += 1
        return f"**Figure {self._number}.{self._figures}.** {' '.join(caption.split())}"


class _Mark(NamedTuple):
    """A tag in a cell, and the heading that stands in its place, if any."""

    begin: int
    end: int
    heading: str
    kind: str


def _folds(notebook: NotebookNode) -> dict[int, list[_Mark]]:
    """By cell, the tags of folds that begin in one cell and end in another."""
    marks: dict[int, list[_Mark]] = {}
    open_ones: list[tuple[int, re.Match[str], int]] = []
    level = 1
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type != "markdown":
            continue
        source = _FENCE.sub(lambda found: " " * len(found[0]), cell.source)
        for found in sorted(
            (*_TAG.finditer(source), *_HEADING.finditer(source)), key=lambda found: found.start()
        ):
            if found.re is _HEADING:
                level = len(found[1])
            elif found["title"]:
                open_ones.append((place, found, level + 1 + len(open_ones)))
            elif open_ones:
                begun, tag, depth = open_ones.pop()
                if begun == place:
                    continue
                title = " ".join(tag["title"].split())
                begin = _Mark(tag.start(), tag.end(), f"{'#' * depth} {title}", "fold")
                marks.setdefault(begun, []).append(begin)
                heading = f"{'#' * depth} Back on the main path"
                if _is_ended(notebook.cells[place:], found.end(), depth):
                    heading = ""
                end = _Mark(found.start(), found.end(), heading, "end of a fold")
                marks.setdefault(place, []).append(end)
    return {place: sorted(those) for place, those in marks.items()}


def _is_ended(cells: list[NotebookNode], begin: int, depth: int) -> bool:
    """True if the next thing ends a section of this depth anyway: a heading, or the notebook."""
    for cell in cells:
        rest = cell.source[begin:].lstrip()
        begin = 0
        if cell.cell_type != "markdown":
            return False
        if rest:
            found = _HEADING.match(rest)
            return found is not None and len(found[1]) <= depth
    return True


def _quoted(title: str, body: str) -> str:
    # A sign of quotation inside a formula would be a relation, so a formula gets one line.
    body = _DISPLAYED.sub(lambda found: " ".join(found[0].split()), body)
    return "\n".join(f"> {line}".rstrip() for line in [f"**{title}**", "", *body.splitlines()])


def _picture(png: bytes, alt: str) -> str:
    """A picture inside the cell. Colab shows neither attachments nor SVG, so it is a PNG."""
    with Image.open(io.BytesIO(png)) as image:
        width = image.width // DRAWING_SCALE
    data = base64.b64encode(png).decode()
    alt = " ".join(alt.split()).replace('"', "&quot;")
    return f'<img alt="{alt}" width="{width}" src="data:image/png;base64,{data}">'


def _to(address: str, words: str) -> str:
    """Words that lead somewhere, or words alone."""
    return f"[{words}]({address})" if address else words


def _made(kind: str, source: str) -> NotebookNode:
    """A cell that the text does not have."""
    return new_markdown_cell(source, metadata={"course": kind})


def _caption_of(cell: NotebookNode) -> str:
    """What a code cell says of its figure; "" if it has none."""
    return cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", "")


def _is_solution(cell: NotebookNode) -> bool:
    return cell.cell_type == "code" and SOLUTION_TAG in cell.metadata.get("tags", [])


def _number_of(stem: str) -> str:
    """What a chapter is called: "4", "6a"."""
    return stem.partition("_")[0].lstrip("0")


def _begin(source: str) -> str:
    return repr(" ".join(source.split()[:6]) + " ...")


@functools.lru_cache(maxsize=64)
def _elsewhere(stem: str, text: str) -> dict[str, str]:
    """The numbers of another chapter."""
    try:
        return _numbers(from_text(text), _number_of(stem))
    except TaskError:  # it is told where that text is read for itself
        return {}


def _numbers(notebook: NotebookNode, chapter: str) -> dict[str, str]:
    """The number of each labelled figure and equation of a chapter, counted as the book does."""
    labels: dict[str, list[str]] = {"figure": [], "equation": []}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if _caption_of(cell):
                labels["figure"].append(cell.metadata["mystnb"]["figure"].get("name", ""))
            continue
        for found in _DRAWING.finditer(cell.source):
            if found["caption"]:
                labels["figure"].append(f"drawing-{found['name'].replace('_', '-')}")
        labels["equation"] += [found["label"] for found in _EQUATION.finditer(cell.source)]
    return {
        label: f"{chapter}.{place}"
        for kind in labels.values()
        for place, label in enumerate(kind, start=1)
        if label
    }


@functools.lru_cache(maxsize=4)
def _papers(bibliography: Path) -> dict[str, tuple[str, str, str]]:
    """Who, when and where, by key."""
    found = {}
    cited = parse_string(bibliography.read_text(encoding="utf-8"), "bibtex")
    for key, entry in cited.entries.items():
        names = [
            str(Text.from_latex(" ".join([*person.prelast_names, *person.last_names])))
            for person in entry.persons.get("author") or entry.persons.get("editor", [])
        ]
        who = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
        fields = entry.fields
        where = fields.get("url", "")
        noted = re.search(r"arXiv:([\w.]+\w)", fields.get("note", ""))
        if number := fields.get("eprint", noted and noted[1]):
            where = f"https://arxiv.org/abs/{number}"
        if "doi" in fields:
            where = f"https://doi.org/{fields['doi']}"
        # A bracket would end the link.
        where = where.replace("(", "%28").replace(")", "%29")
        found[key] = (who, fields.get("year", ""), where)
    return found


def _site(repository: str) -> str:
    """Where the book of a repository on GitHub is published; "" if that is not known."""
    found = _SITE.fullmatch(repository)
    if not found:
        return ""
    host = f"{found[1].lower()}.github.io"
    return f"https://{host}/" if found[2].lower() == host else f"https://{host}/{found[2]}/"
