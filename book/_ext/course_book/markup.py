"""Markup that the theme and Sphinx write, put right for readers who listen or wait.

- An entry of the bibliography: role="doc-biblioentry" is deprecated, and the role "list" around it
  is broken by the numbers of back-references. A plain division says no more and nothing wrong.
- A cell that is folded away: its summary has a label that differs from the text that is seen.
- A formula as a table's header: not all tools find a name in it, so the name is written out.
- A formula: until the script has drawn it, its source stands there, longer than what will come.
  Room of about the right size is kept instead, so that the page does not jump.
"""

import re
from typing import Any

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx

_INLINE = re.compile(
    r'<span class="math notranslate nohighlight">(\\\(.*?\\\))</span>([.,;:!?)]*)', re.DOTALL
)
_DISPLAY = re.compile(r'<div class="math notranslate nohighlight"([^>]*)>(.*?)</div>', re.DOTALL)
_SILENT = re.compile(
    r"\\(left|right|[bB]igg?[lrm]?|mathrm|mathbf|mathbb|mathcal|text|operatorname\*?|hat|bar|tilde"
    r"|displaystyle|limits)(?![a-zA-Z])"
)
_NAMED = re.compile(r"\\(exp|log|tanh|softmax|max|min|arg|sin|cos|Pr)(?![a-zA-Z])")
_SYMBOL = re.compile(r"\\([a-zA-Z]+|.)")
_HEADER = re.compile(
    r'(<th[^>]*><p>)(<span class="math notranslate nohighlight"[^>]*>(\\\(.*?\\\))</span>)'
    r"(</p></th>)",
    re.DOTALL,
)
EM_PER_SIGN = 0.5


def inline_room(tex: str) -> float:
    """About the width in em that a formula in a line will have."""
    text = _NAMED.sub(r"\1", _SILENT.sub("", tex[2:-2]))
    text = re.sub(r"[{}\s]", "", _SYMBOL.sub("x", text))
    small = re.findall(r"[_^]", text)
    return round(EM_PER_SIGN * max(1.0, len(text) - 1.25 * len(small)), 2)


def display_room(tex: str) -> float:
    """About the height in em that a formula of its own will have."""
    lines = tex.count(r"\\") + 1
    tall = max(len(re.findall(r"\\(?:frac|sum|prod)", line)) > 0 for line in tex.split(r"\\"))
    return round(lines * (3.3 if tall else 1.6), 2)


def spoken(tex: str) -> str:
    """Plain words for a short formula, such as "alpha_ij"."""
    text = _NAMED.sub(r"\1", _SILENT.sub("", tex[2:-2]))
    return re.sub(r"[{}\\$]|\s+(?=[_^])", "", text).strip()


def keep_room(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Write the room for each formula of a page beside it, for course.css to use.

    A page without formulas gets no MathJax: Sphinx gives it also to a page that lists one with
    formulas, such as the home page.
    """
    body = context.get("body", "")
    if 'class="math' not in body:
        scripts = context["script_files"]
        scripts[:] = [script for script in scripts if not _draws_formulas(script)]
        return
    body = _HEADER.sub(
        lambda m: (
            f'{m[1]}<span class="visually-hidden">{spoken(m[3])}</span>'
            f'<span aria-hidden="true">{m[2]}</span>{m[4]}'
        ),
        body,
    )
    body = _INLINE.sub(_inline, body)
    context["body"] = _DISPLAY.sub(
        lambda m: (
            f'<div class="math notranslate nohighlight"{m[1]} style="--room:'
            f'{display_room(m[2])}em">{m[2]}</div>'
        ),
        body,
    )


def _inline(match: re.Match[str]) -> str:
    tex, sign = match.groups()
    span = (
        f'<span class="math notranslate nohighlight" style="--room:{inline_room(tex)}em">'
        f"{tex}</span>"
    )
    # A comma that stands behind a drawn formula may not begin the next line.
    return f'<span class="together">{span}{sign}</span>' if sign else span


def _draws_formulas(script: Any) -> bool:
    attributes = getattr(script, "attributes", {})
    text = f"{getattr(script, 'filename', script)} {attributes.get('body', '')}"
    return "mathjax" in text.lower()


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
    # After Sphinx, which adds its scripts to the page in the same event.
    app.connect("html-page-context", keep_room, priority=900)
