"""Outputs of cells: lines of `claim` get a link (verdicts.py), printed text wraps or does not."""

import re
from collections import Counter

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from course_book import verdicts
from course_lab.claims import read_findings

MAX_COLUMNS = 75
"""The column of the book on a wide screen; what is longer is a sentence, not a table."""
_IN_COLUMNS = re.compile(r"\S {2,}\S")


class Cells(SphinxTransform):
    """Goes over the outputs of a page while it is read, before labels are collected."""

    default_priority = 210

    def apply(self) -> None:
        """Change the page in place."""
        seen: Counter[str] = Counter()
        for block in list(self.document.findall(_is_printed)):
            block.parent.replace(block, _parts(block, self.env.docname, seen, self.document))


def _is_printed(node: nodes.Node) -> bool:
    return isinstance(node, nodes.literal_block) and "stream" in node["classes"]


def _parts(
    block: nodes.literal_block, docname: str, seen: Counter[str], document: nodes.document
) -> list[nodes.Node]:
    parts: list[nodes.Node] = []
    plain: list[str] = []

    def flush() -> None:
        if any(line.strip() for line in plain):
            parts.append(_printed(block, "\n".join(plain)))
        plain.clear()

    for line in block.astext().splitlines():
        found = next(read_findings(line), None)
        if found is None:
            plain.append(line)
            continue
        flush()
        seen[found.identifier] += 1
        parts.append(verdicts.line(found, docname, seen[found.identifier], document))
    flush()
    return parts


def _printed(block: nodes.literal_block, text: str) -> nodes.literal_block:
    """Lines in columns keep their columns, and scroll where there is no room; others wrap."""
    copy = nodes.literal_block(text, text, **block.attributes)
    lines = text.splitlines()
    aligned = sum(bool(_IN_COLUMNS.search(line)) for line in lines)
    table = aligned > 1 and max(map(len, lines)) <= MAX_COLUMNS
    copy["classes"] = [*block["classes"], "in-columns" if table else "wrapping"]
    return copy


def setup(app: Sphinx) -> None:
    """Register the transform."""
    app.add_transform(Cells)
