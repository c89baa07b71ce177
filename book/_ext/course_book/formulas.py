"""Formulas as MathML in the HTML, so that no page needs a script or waits for one.

math-core turns TeX into MathML when the book is built; browsers draw it. The TeX stays in each
formula as an annotation: it is what a reader copies. Numbers are those of the chapter: (4.2) is the
second of chapter 4.

The font `course-math.woff2` is STIX Two Math (SIL Open Font License), cut down with pyftsubset and
`--layout-features=ssty,mark,mkmk --no-hinting` to Latin letters, digits and the signs of the book;
another sign comes from the reader's own fonts, but a root is drawn only if the font has its sign.
That sign has one size: Chromium would leave the room of the widest one behind every root.
"""

import html
import re
from typing import Any

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

_CHAPTER = re.compile(r"(?:^|/)0*(\d+[a-z]?)_")
_LETTER = re.compile(r"<mi(?: class=\"\w+\")?>(.)</mi>")
BY_ROLE = frozenset({"eq-weights", "eq-context", "eq-score"})
"""Displayed formulas whose letters wear the colours of their roles, by their labels."""
ROLES = {"h": "source", "s": "state", "α": "weight", "c": "context"}
"""What these letters stand for where a decoder looks back (the list of notation says so too)."""
_logger = logging.getLogger(__name__)
_converter = LatexToMathML(annotation=True, fancy_error=False)


def mathml(tex: str, *, display: bool) -> str:
    """One formula.

    Raises:
        LatexError: what the converter does not know.
    """
    tex = tex.strip()
    if display and r"\\" in tex and r"\begin" not in tex:
        # Sphinx's own writer for MathJax lines such a block up in the same way.
        tex = rf"\begin{{aligned}}{tex}\end{{aligned}}"
    return _converter.convert_with_local_state(tex, displaystyle=display)


def coloured(drawn: str) -> str:
    """The formula with the letters of `ROLES` in the colours of their roles; the TeX stays."""
    return _LETTER.sub(
        lambda found: (
            f'<mi class="{ROLES[found[1]]}">{found[1]}</mi>' if found[1] in ROLES else found[0]
        ),
        drawn,
    )


def visit_inline(self: Any, node: nodes.math) -> None:
    """A formula in a line of text."""
    drawn = _drawn(node, display=False)
    self.body.append(f'<span class="math notranslate nohighlight">{drawn}</span>')
    raise nodes.SkipNode


def visit_block(self: Any, node: nodes.math_block) -> None:
    """A formula on its own, with its number where it has one."""
    self.body.append(self.starttag(node, "div", CLASS="math notranslate nohighlight"))
    drawn = _drawn(node, display=True)
    self.body.append(coloured(drawn) if node.get("label") in BY_ROLE else drawn)
    if node["number"]:
        number = get_node_equation_number(self, node)
        self.body.append(f'<span class="eqno">({number})')
        self.add_permalink_ref(node, "Link to this formula")
        self.body.append("</span>")
    self.body.append("</div>\n")
    raise nodes.SkipNode


def _drawn(node: nodes.math | nodes.math_block, *, display: bool) -> str:
    tex = node.astext()
    try:
        return mathml(tex, display=display)
    except LatexError as error:
        _logger.warning("formula %r: %s", tex, error, location=node)
        return f"<code>{html.escape(tex)}</code>"


def number_by_chapter(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Numbers as (4.2) or (6a.1): the chapter's own, not its place in the table of contents."""
    for page, kinds in env.toc_fignumbers.items():
        chapter = _CHAPTER.search(page)
        for numbers in kinds.values():
            for place, name in enumerate(numbers, start=1):
                numbers[name] = (chapter[1], place) if chapter else (place,)
    return []


def setup(app: Sphinx) -> None:
    """Register the renderer and the numbers."""
    app.add_html_math_renderer("course", (visit_inline, None), (visit_block, None))
    # After Sphinx, which counts in the same event.
    app.connect("env-get-updated", number_by_chapter, priority=900)
