"""Markup that the theme and Sphinx write, put right for readers who look or listen.

- An entry of the bibliography: role="doc-biblioentry" is deprecated, and the role "list" around it
  is broken by the numbers of back-references. A plain division says no more and nothing wrong.
- A cell that is folded away: its summary has a label that differs from the text that is seen.
- A formula, or code of several words: the signs around it stay with it.
- A header of a table that says nothing is no header.
- German words of the mini-world are marked as German.
"""

import re
from typing import Any

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx

from course_book.language import marked

_MATH = r'<span class="math notranslate nohighlight"><math(?:(?!</math>).)*</math></span>'
_CODE = r'<code class="[^"]*"><span class="pre">[^<]*</span> (?:(?!</code>).)*</code>'
_HELD = re.compile(rf"{_MATH}[.,;:!?)]+|[(“]{_CODE}[.,;:!?)”]*|{_CODE}[.,;:!?)”]+", re.DOTALL)
_EMPTY_HEADER = re.compile(r"<th( [^>]*)?>\s*(?:<p>\s*</p>\s*)?</th>")


def repair(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Change the body of a page that is otherwise ready."""
    body = _HELD.sub(r'<span class="together">\g<0></span>', context.get("body", ""))
    context["body"] = marked(_EMPTY_HEADER.sub("<td></td>", body))


def visit_citation(self: Any, node: nodes.citation) -> None:
    """Open a plain division."""
    if not isinstance(node.previous_sibling(), nodes.citation):
        self.body.append('<div class="citation-list">\n')
    self.body.append(self.starttag(node, "div", classes=["citation"]))


def depart_citation(self: Any, node: nodes.citation) -> None:
    """Close it, and the list after the last."""
    self.body.append("</div>\n")
    if not isinstance(node.next_node(descend=False, siblings=True), nodes.citation):
        self.body.append("</div>\n")


def visit_folded(self: Any, node: HideCodeCellNode) -> None:
    """A summary whose name is its text."""
    classes = " ".join(["admonition", "hide", *node["classes"]])
    show, hide = (self.encode(node[key]) for key in ("prompt_show", "prompt_hide"))
    self.body.append(
        f'<details class="{classes}">\n<summary>\n'
        f'<span class="collapsed admonition-title">{show}</span>\n'
        f'<span class="expanded admonition-title">{hide}</span>\n</summary>\n'
    )


def depart_folded(self: Any, node: HideCodeCellNode) -> None:
    """Close the folded part."""
    self.body.append("</details>\n")


def setup(app: Sphinx) -> None:
    """Register the repairs."""
    app.add_node(nodes.citation, override=True, html=(visit_citation, depart_citation))
    app.add_node(HideCodeCellNode, override=True, html=(visit_folded, depart_folded))
    app.connect("html-page-context", repair)
