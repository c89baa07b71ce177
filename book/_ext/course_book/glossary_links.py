"""Words of the glossary, linked where a chapter first uses them, each with a card that `words.js`
shows beside it. Without a script the link leads to the glossary, as it does with one.
"""

import functools
import html
import json
import re
from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from course_book.formulas import LatexError, mathml
from course_book.front import CHAPTER
from course_lab.figures.language import marked

EVERYDAY = {"gold", "head", "key", "link", "seed", "source", "target", "update", "value"}
"""Words with a plain meaning too: linked only where the author sets them in italics."""
_TEXT = (nodes.paragraph, nodes.list_item)
_NOT_IN = (
    nodes.title, nodes.reference, nodes.literal, nodes.math, nodes.raw, nodes.caption, nodes.table,
    nodes.admonition, nodes.legend,
)  # fmt: skip
_CARDS = '<script type="application/json" class="glossary-cards">{}</script>'


def link_words(app: Sphinx, page: nodes.document, name: str) -> None:
    """Link each word once, and put the cards behind the text."""
    if app.builder.format != "html" or not CHAPTER.fullmatch(name):
        return
    places = words(app.env)
    cards: dict[str, str] = {}
    if not places:
        return
    # The longest first: "attention map" is not "attention".
    either = "|".join(re.escape(word) for word in sorted(places, key=len, reverse=True))
    # An update gate is no update.
    pattern = re.compile(rf"(?<![\w-])({either})(s?)(?![\w-]| gate)", re.IGNORECASE)
    for text in [text for text in page.findall(nodes.Text) if _may_link(text)]:
        parts = [*_parts(app, name, text, pattern, places, cards)]
        if len(parts) > 1 or (parts and isinstance(parts[0], nodes.reference)):
            text.parent.replace(text, parts)
    if cards:
        # No tag in the data may end the element that holds it.
        data = json.dumps(cards, ensure_ascii=False).replace("</", "<\\/")
        page += nodes.raw("", _CARDS.format(data), format="html")


def words(env: BuildEnvironment) -> dict[str, tuple[str, str]]:
    """The page and the place of each word of the glossary, by the word in small letters."""
    objects = env.get_domain("std").get_objects()
    return {
        name.lower(): (page, place) for name, _, kind, page, place, _ in objects if kind == "term"
    }


def _may_link(text: nodes.Text) -> bool:
    node, inside = text.parent, False
    while node is not None:
        if isinstance(node, _NOT_IN) or node.get("nb_element") == "cell_code":
            return False
        if "chapter-line" in node.get("classes", ()):
            return False
        inside = inside or isinstance(node, _TEXT)
        node = node.parent
    return inside


def _parts(
    app: Sphinx, name: str, text: nodes.Text, pattern: re.Pattern, places: dict, cards: dict
) -> Iterator[nodes.Node]:
    said, done = text.astext(), 0
    emphasised = isinstance(text.parent, nodes.emphasis)
    for found in pattern.finditer(said):
        word = found[1].lower()
        page, place = places[word]
        if place in cards or (word in EVERYDAY and not emphasised):
            continue
        cards[place] = definition(app.env, page, place)
        if found.start() > done:
            yield nodes.Text(said[done : found.start()])
        address = f"{app.builder.get_relative_uri(name, page)}#{place}"
        yield nodes.reference(
            "", found[0], internal=True, refuri=address, classes=["glossary-word"]
        )
        done = found.end()
    if done < len(said):
        yield nodes.Text(said[done:])


def definition(env: BuildEnvironment, page: str, place: str) -> str:
    """The sentence of the glossary as HTML: text and formulas, no links."""
    return _definitions(env, page).get(place, "")


@functools.lru_cache(maxsize=4)
def _definitions(env: BuildEnvironment, page: str) -> dict[str, str]:
    """Each place of a glossary with its sentence. To read the page from its file takes a while."""
    return {
        place: marked(" ".join("".join(_html(term.parent.children[-1])).split()))
        for term in env.get_doctree(page).findall(nodes.term)
        for place in term["ids"]
    }


def _html(node: Any) -> Iterator[str]:
    if isinstance(node, nodes.math):
        try:
            yield mathml(node.astext(), display=False)
        except LatexError:  # told where the glossary itself is written
            yield html.escape(node.astext())
    elif isinstance(node, nodes.Text):
        yield html.escape(node.astext())
    else:
        for child in node.children:
            yield from _html(child)


def setup(app: Sphinx) -> None:
    """Go over a page when all words are known."""
    app.connect("doctree-resolved", link_words)
