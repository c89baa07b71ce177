"""Words of the glossary, linked where a chapter first uses them; the link says what they mean."""

import functools
import re
from collections.abc import Iterator

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

EVERYDAY = {"gold", "head", "key", "link", "seed", "source", "target", "update", "value"}
"""Words with a plain meaning too: linked only where the author sets them in italics."""
_NOT_IN = (
    nodes.title, nodes.reference, nodes.literal, nodes.math, nodes.raw, nodes.caption, nodes.table,
    nodes.admonition, nodes.legend,
)  # fmt: skip


def link_words(app: Sphinx, page: nodes.document, name: str) -> None:
    """Link each word once."""
    words = _words(app.env) if name.startswith("notebooks/") else {}
    if not words or app.builder.format != "html":
        return
    # The longest first: "attention map" is not "attention". An update gate is no update.
    either = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    pattern = re.compile(rf"(?<![\w-])({either})(s?)(?![\w-]| gate)", re.IGNORECASE)
    for text in [text for text in page.findall(nodes.Text) if _may_link(text)]:
        parts = [*_parts(app, name, text, pattern, words)]
        text.parent.replace(text, parts)


def _may_link(text: nodes.Text) -> bool:
    node, inside = text.parent, False
    while node is not None:
        if isinstance(node, _NOT_IN) or node.get("nb_element") == "cell_code":
            return False
        inside = inside or isinstance(node, nodes.paragraph | nodes.list_item)
        node = node.parent
    return inside


def _parts(
    app: Sphinx, name: str, text: nodes.Text, pattern: re.Pattern, words: dict
) -> Iterator[nodes.Node]:
    """Yield the text with links; each word that is linked leaves `words`."""
    said, done = text.astext(), 0
    for found in pattern.finditer(said):
        word = found[1].lower()
        plain = word in EVERYDAY and not isinstance(text.parent, nodes.emphasis)
        if plain or word not in words:
            continue
        page, place = words[word]
        meaning = _meanings(app.env, page).get(place, "")
        for other in [other for other, at in words.items() if at == (page, place)]:
            del words[other]
        yield nodes.Text(said[done : found.start()])
        address = f"{app.builder.get_relative_uri(name, page)}#{place}"
        link = nodes.reference("", found[0], internal=True, refuri=address, reftitle=meaning)
        link["classes"] = ["glossary-word"]
        yield link
        done = found.end()
    yield nodes.Text(said[done:])


def _words(env: BuildEnvironment) -> dict[str, tuple[str, str]]:
    """Return the page and the place of each word of the glossary, by the word in small letters."""
    terms = env.get_domain("std").get_objects()
    return {word.lower(): (page, at) for word, _, kind, page, at, _ in terms if kind == "term"}


@functools.lru_cache(maxsize=4)
def _meanings(env: BuildEnvironment, page: str) -> dict[str, str]:
    """Return the sentence for each place of a glossary. To read it from its file takes a while."""
    return {
        place: " ".join(term.parent.children[-1].astext().split())
        for term in env.get_doctree(page).findall(nodes.term)
        for place in term["ids"]
    }


def setup(app: Sphinx) -> None:
    """Go over a page when all words are known."""
    app.connect("doctree-resolved", link_words)
