"""Folds of a chapter that begin in one cell and end in another, as sections of a notebook.

A `<details>` that spans several cells becomes a heading, under which JupyterLab and Colab fold.
"""

import re
from typing import NamedTuple

from nbformat import NotebookNode

_TAG = re.compile(r"^(?:<details>\s*<summary>(?P<title>.+?)</summary>|</details>) *$", re.M | re.S)
HEADING = re.compile(r"^(#+) +(.+)$", re.M)
FENCE = re.compile(r"^(`{3,}).*?^\1 *$", re.DOTALL | re.MULTILINE)


class Mark(NamedTuple):
    """A tag in a cell, and the heading that stands in its place, if any."""

    begin: int
    end: int
    heading: str
    kind: str


def folds_of(notebook: NotebookNode) -> dict[int, list[Mark]]:
    """By cell, the tags of folds that begin in one cell and end in another."""
    marks: dict[int, list[Mark]] = {}
    open_ones: list[tuple[int, re.Match[str], int]] = []
    level = 1
    for place, cell in enumerate(notebook.cells):
        if cell.cell_type != "markdown":
            continue
        source = FENCE.sub(lambda match: " " * len(match[0]), cell.source)
        for match in sorted(
            (*_TAG.finditer(source), *HEADING.finditer(source)), key=lambda match: match.start()
        ):
            if match.re is HEADING:
                level = len(match[1])
            elif match["title"]:
                open_ones.append((place, match, level + 1 + len(open_ones)))
            elif open_ones:
                begun, tag, depth = open_ones.pop()
                if begun == place:
                    continue
                title = " ".join(tag["title"].split())
                begin = Mark(tag.start(), tag.end(), f"{'#' * depth} {title}", "fold")
                marks.setdefault(begun, []).append(begin)
                heading = f"{'#' * depth} Back on the main path"
                if _is_ended(notebook.cells[place:], match.end(), depth):
                    heading = ""
                end = Mark(match.start(), match.end(), heading, "end of a fold")
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
            match = HEADING.match(rest)
            return match is not None and len(match[1]) <= depth
    return True
