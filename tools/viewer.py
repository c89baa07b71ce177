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

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from PIL import Image
from pybtex.database import parse_file
from pybtex.richtext import Text

from tools import ROOT
from tools.text import NOTEBOOKS, SOLUTION_TAG, config

DRAWING_SCALE = 2
"""Dots of a drawing's file for each dot on the page (`make drawings`)."""

_HEADING = re.compile(r"^(#+) +(.+)$", re.MULTILINE)
_FENCE = re.compile(r"^(`{3,}).*?^\1 *$", re.DOTALL | re.MULTILINE)
_FOLD = re.compile(
    r"(?P<whole><details>(?:(?!<details>).)*?</details>)"
    r"|<details>\s*<summary>(?P<title>.+?)</summary>|</details>",
    re.DOTALL,
)
_CITATIONS = ROOT / "book" / "references.bib"
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


def for_viewers(notebook: NotebookNode, stem: str) -> NotebookNode:
    """Return what is stored as a notebook, from what `from_text` made of a chapter's text.

    Raises:
        KeyError: the text cites or refers to something that is not there.
    """
    chapter = _Chapter(notebook, stem)
    shown = NotebookNode(notebook)
    shown.cells = [cell for n in range(len(notebook.cells)) for cell in chapter.cells(n)]
    return shown


class _Chapter:
    """One chapter on its way to a viewer."""

    def __init__(self, notebook: NotebookNode, stem: str) -> None:
        self._cells, self._number = notebook.cells, _number_of(stem)
        self._site = config()["html"]["baseurl"]
        self._numbers = _numbers(notebook, self._number)
        self._figures = 0
        self._heading = ("#", "")

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
        begin = 0
        for fold in _FOLD.finditer(cell.source):
            if fold["whole"]:  # a viewer folds what is within one cell
                continue
            yield from self._prose(cell.source[begin : fold.start()])
            begin = fold.end()
            if fold["title"]:
                yield _made("fold", f"#{self._heading[0]} {' '.join(fold['title'].split())}")
            elif not self._heading_follows(place, begin):
                yield _made("end of a fold", f"#{self._heading[0]} Back on the main path")
        yield from self._prose(cell.source[begin:])

    def _heading_follows(self, place: int, begin: int) -> bool:
        """Return whether a heading or the notebook's end ends the section of a fold anyway."""
        rest = self._cells[place].source[begin:].lstrip()
        if not rest and place + 1 < len(self._cells):
            rest = self._cells[place + 1].source
        return not rest or rest.startswith("#")

    def _is_first_solution(self, place: int) -> bool:
        before, cell = self._cells[place - 1 : place + 1]
        solution = [SOLUTION_TAG in each.metadata.get("tags", []) for each in (before, cell)]
        return self._heading == ("##", "Exercises") and solution == [False, True]

    def _prose(self, source: str) -> Iterator[NotebookNode]:
        """Text, and each drawing in a cell of its own: nobody wants its bytes in a paragraph."""
        self._heading = (_HEADING.findall(_FENCE.sub("", source)) or [self._heading])[-1]
        if "<details>" in source:  # which ends with its cell
            yield from self._markdown(
                _DRAWING.sub(lambda match: self._drawing(**match.groupdict()), source)
            )
            return
        begin = 0
        for match in _DRAWING.finditer(source):
            yield from self._markdown(source[begin : match.start()])
            yield _made("drawing", self._drawing(**match.groupdict()))
            begin = match.end()
        yield from self._markdown(source[begin:])

    def _markdown(self, source: str) -> Iterator[NotebookNode]:
        source = _BOX.sub(lambda match: _quoted(**match.groupdict()), source.strip("\n"))
        source = _EQUATION.sub(self._equation, source)
        if source := self._inline(source):
            yield new_markdown_cell(source)

    def _equation(self, match: re.Match[str]) -> str:
        indent, tex = match["indent"], match["tex"]
        tag = f"\\tag{{{self._numbers[match['label']]}}}"
        return f"{indent}$$\n{tex}\n{indent}{tag}\n{indent}$$"

    def _inline(self, source: str) -> str:
        return _LINK.sub(self._link, _ROLE.sub(self._role, source))

    def _role(self, match: re.Match[str]) -> str:
        name, said = match.groups()
        if name in ("cite:t", "cite:p"):
            return self._cited([key.strip() for key in said.split(",")], name == "cite:t")
        if name == "numref":
            return f"Figure {self._numbers[said]}"
        if name == "eq":
            return f"({self._numbers[said]})"
        if name == "doc" and (titled := _TITLED.fullmatch(said)):
            return self._linked(titled[1], f"{NOTEBOOKS.name}/{titled[2]}.html")
        return match[0]

    def _cited(self, keys: list[str], in_the_sentence: bool) -> str:
        papers = [_papers()[key] for key in keys]
        if in_the_sentence:
            return " and ".join(_to(at, f"{who} ({year})") for who, year, at in papers)
        return f"({'; '.join(_to(at, f'{who}, {year}') for who, year, at in papers)})"

    def _link(self, match: re.Match[str]) -> str:
        place = re.sub(r"^\.\./|\.(?:md|ipynb)\b", "", match["target"])
        if place.startswith("#") or "/" not in place:
            return match["words"]
        return self._linked(match["words"], re.sub(r"(#|$)", r".html\1", place, count=1))

    def _linked(self, words: str, page: str) -> str:
        """Words that lead to a page of the book, as soon as it is known where the book is."""
        return _to(self._site and self._site + page, words)

    def _drawing(self, alt: str, name: str, caption: str | None) -> str:
        # An error here wants `make drawings`.
        picture = _picture((NOTEBOOKS / "drawings" / f"{name}.png").read_bytes(), alt)
        return f"{picture}\n\n{self._caption(self._inline(caption))}" if caption else picture

    def _caption(self, caption: str) -> str:
        self._figures += 1
        return f"**Figure {self._number}.{self._figures}.** {' '.join(caption.split())}"


def _quoted(title: str, body: str) -> str:
    # A sign of quotation inside a formula would be a relation, so a formula gets one line.
    body = _DISPLAYED.sub(lambda match: " ".join(match[0].split()), body)
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


def _number_of(stem: str) -> str:
    """What a chapter is called: "4", "6a"."""
    return stem.partition("_")[0].lstrip("0")


def _numbers(notebook: NotebookNode, chapter: str) -> dict[str, str]:
    """The number of each labelled figure and equation of a chapter, counted as the book does."""
    labels: dict[str, list[str]] = {"figure": [], "equation": []}
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if _caption_of(cell):
                labels["figure"].append(cell.metadata["mystnb"]["figure"].get("name", ""))
            continue
        for match in _DRAWING.finditer(cell.source):
            if match["caption"]:
                labels["figure"].append(f"drawing-{match['name'].replace('_', '-')}")
        labels["equation"] += [match["label"] for match in _EQUATION.finditer(cell.source)]
    return {
        label: f"{chapter}.{place}"
        for kind in labels.values()
        for place, label in enumerate(kind, start=1)
        if label
    }


@functools.cache
def _papers() -> dict[str, tuple[str, str, str]]:
    """Who, when and where, by key."""
    papers = {}
    cited = parse_file(str(_CITATIONS), "bibtex")
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
        papers[key] = (who, fields.get("year", ""), where)
    return papers
