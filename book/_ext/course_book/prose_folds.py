"""Parts of a page that a reader may skip: `Deeper: ...`, `How we measured`.

An author writes them as HTML, with an empty line on both sides of each tag:

    <details><summary>Deeper: which row is whose?</summary>

    Text, formulas, and where the end stands in a later cell, code cells too.

    </details>

JupyterLab, Colab and GitHub fold this by themselves, where a directive would show its colons; and
only tags can begin in one cell and end in another. Here the pair becomes one element of the page,
with a name to link to. `folds.js` opens it for a link that leads into it.
"""

import html
import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

_OPEN = re.compile(r"<details>\s*<summary>(.+?)</summary>\s*", re.DOTALL)
_CLOSE = "</details>"
_log = logging.getLogger(__name__)


class Fold(nodes.General, nodes.Element):
    """What is folded, with its `summary` in words."""


class ProseFolds(SphinxTransform):
    """Makes one node of an opening tag, a closing tag and what stands between them."""

    default_priority = 204

    def apply(self) -> None:
        """Change the page in place."""
        # The last one first, so that one inside another is whole before it is moved.
        for tag in reversed([*self.document.findall(_is_tag)]):
            found = _OPEN.fullmatch(tag.astext().strip())
            if found is None:
                continue
            end = next((n for n in _behind(tag) if n.astext().strip() == _CLOSE), None)
            if end is None:
                _log.warning("a fold does not end in its section", location=tag)
                continue
            self._wrap(tag, end, html.unescape(" ".join(found[1].split())))
        for tag in self.document.findall(_is_tag):
            if tag.astext().strip() == _CLOSE:
                _log.warning("a fold ends that did not begin in this section", location=tag)

    def _wrap(self, tag: nodes.Node, end: nodes.Node, summary: str) -> None:
        parent = tag.parent
        first, last = parent.index(tag), parent.index(end)
        fold = Fold(summary=summary, names=[nodes.fully_normalize_name(summary)])
        fold.source, fold.line = tag.source, tag.line
        inside = parent.children[first + 1 : last]
        parent[first : last + 1] = [fold]
        fold += inside
        self.document.note_implicit_target(fold, fold)
        # As a heading has: so `[text](#name)` finds it, from this page and from others.
        slugs = {**getattr(self.document, "myst_slugs", {})}
        slugs[fold["ids"][0]] = (fold.line, fold["ids"][0], summary)
        self.document.myst_slugs = slugs
        self.env.metadata[self.env.docname]["myst_slugs"] = slugs


def _is_tag(node: nodes.Node) -> bool:
    if not isinstance(node, nodes.raw) or "html" not in node.get("format", ""):
        return False
    text = node.astext().strip()
    return text == _CLOSE or _OPEN.fullmatch(text) is not None


def _behind(tag: nodes.Node) -> list[nodes.Node]:
    beside = tag.parent.children
    return [node for node in beside[beside.index(tag) + 1 :] if _is_tag(node)]


def visit_fold(self: Any, node: Fold) -> None:
    """Open it."""
    self.body.append(self.starttag(node, "details", classes=["fold"]))
    self.body.append(f"<summary>{self.encode(node['summary'])}</summary>\n")


def depart_fold(self: Any, node: Fold) -> None:
    """Close it."""
    self.body.append("</details>\n")


def setup(app: Sphinx) -> None:
    """Register the node and the transform."""
    app.add_node(Fold, html=(visit_fold, depart_fold))
    app.add_transform(ProseFolds)
