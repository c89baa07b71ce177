"""Formulas as MathML in the HTML, so that no page needs a script or waits for one.

math-core turns TeX into MathML when the book is built; browsers draw it. The TeX stays in each
formula as an annotation: it is what a reader copies. Numbers are those of the chapter: (4.2) is the
second of chapter 4.

The font is STIX Two Math, as the package ziamath brings it (ziamath itself is not used), cut down
to the signs that the book shows, with the table that says how a fraction or a root is set.
"""

import html
import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number

FONT_FILE = "course-math.woff2"
_EARLY = """<script>
if (location.protocol.startsWith("http")) document.head.append(Object.assign(
  document.createElement("link"),
  {rel: "preload", as: "font", type: "font/woff2", crossOrigin: "", href: "PLACE"}));
</script>
"""
_AWAITED = """<script>
(root => {
  const show = () => { delete root.dataset.letters; };
  root.dataset.letters = "awaited";
  document.addEventListener("load", ({target}) => {
    if (target.rel === "stylesheet") document.fonts.load('1em "Course Math"').finally(show);
  }, true);
  setTimeout(show, 3000);
})(document.documentElement);
</script>
"""
"""Where formulas stand in the first screen, nothing is shown before their letters are there: in
another font they are a fifth wider, and lines below them would jump."""
_FIRST_SCREEN = 6000
"""Characters of a page's HTML, about what a desk shows before a reader scrolls."""
_ALPHABETS = (
    ("AZ", 0x1D434),
    ("az", 0x1D44E),
    ("ΑΩ", 0x1D6E2),
    ("αω", 0x1D6FC),
)
_LATE = "∂ϵϑϰϕϱϖ"
_ROOT = re.compile(r"<m(?:sq|ro)")
_CHAPTER = re.compile(r"(?:^|/)0*(\d+[a-z]?)_")
_ANNOTATION = re.compile(r"<annotation.*?</annotation>", re.DOTALL)
_MATH = re.compile(r"<math\b.*?</math>", re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
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


def signs(drawn: str) -> set[str]:
    """Every character that a browser takes from the font to draw a formula."""
    bare = _ANNOTATION.sub("", drawn)
    found = set(html.unescape(_TAG.sub("", bare)))
    if _ROOT.search(bare):
        found.add("√")  # stands in no text: the element draws it
    return found | {slanted(letter) for letter in map(html.unescape, _LETTER.findall(bare))}


def slanted(letter: str) -> str:
    """The slanted letter that a browser draws for a lone one in `<mi>`."""
    if letter == "h":
        return "ℎ"
    for (first, last), begin in _ALPHABETS:
        if first <= letter <= last:
            return chr(begin + ord(letter) - ord(first))
    return chr(0x1D715 + _LATE.index(letter)) if letter in _LATE else letter


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


def ship_font(app: Sphinx, error: Exception | None) -> None:
    """Put the font beside the pages, with no more signs than they show."""
    if error is None and app.builder.format == "html":
        pages = (path.read_text(encoding="utf-8") for path in Path(app.outdir).rglob("*.html"))
        shown = {sign for page in pages for drawn in _MATH.findall(page) for sign in signs(drawn)}
        write_font(shown, Path(app.outdir) / "_static" / FONT_FILE)


def write_font(shown: Iterable[str], target: Path) -> None:
    """The mathematical font, cut down to some signs."""
    from fontTools import subset

    options = subset.Options(
        flavor="woff2",
        layout_features=["ssty", "dtls"],
        # Its licence travels with it.
        name_IDs=[0, 1, 2, 3, 4, 5, 6, 13, 14],
        notdef_outline=True,
        hinting=False,
    )
    options.recalc_timestamp = False
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(sorted(shown)))
    target.parent.mkdir(parents=True, exist_ok=True)
    with subset.load_font(font_path(), options) as font:
        cutter.subset(font)
        subset.save_font(font, target, options)


def font_path() -> Path:
    """Where ziamath keeps it. Importing ziamath would warn, and load what nobody needs."""
    origin = find_spec("ziamath").origin
    return Path(origin).parent / "fonts" / "STIXTwoMath-Regular.ttf"


def ask_early(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """The font comes with the page, so that nothing moves when it is there.

    A page that is opened from a folder may not ask so, and has the font at once.
    """
    if "<math" in context.get("body", ""):
        place = context["pathto"](f"_static/{FONT_FILE}", resource=True)
        asked = _EARLY.replace("PLACE", place)
        if context["body"].index("<math") < _FIRST_SCREEN:
            asked += _AWAITED
        context["metatags"] = context.get("metatags", "") + asked


def setup(app: Sphinx) -> None:
    """Register the renderer, the numbers and the font."""
    app.add_html_math_renderer("course", (visit_inline, None), (visit_block, None))
    # After Sphinx, which counts in the same event.
    app.connect("env-get-updated", number_by_chapter, priority=900)
    app.connect("html-page-context", ask_early)
    app.connect("build-finished", ship_font)
