"""A page as a tree of elements, and a formula as one line of plain text.

What is searched, and what is shown of a result, is text: no TeX and no tags. A formula becomes
what one would write in a letter: `c_i = ∑_(j=1)^S α_ij h_j`.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)
_SPACED = frozenset("=<>≤≥≈≠∝≡+−-×∈∉∪∩→↦←∼≪≫∣")
# Signs that are not drawn, the choice of a form for script letters, the brace under a term.
_UNSEEN = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064\ufe00\ufe01⏟⏞"))
_ACCENTS = frozenset("^ˆ~˜¯‾→←⃗.˙")
_SHORT = re.compile(r"[\w,+−<⊤*′]+")


class Element:
    """A tag with what stands in it: elements and pieces of text, in order."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.classes = frozenset(attributes.get("class", "").split())
        self.inside: list[Element | str] = []

    @property
    def elements(self) -> list["Element"]:
        """What stands directly in it, without the text."""
        return [part for part in self.inside if isinstance(part, Element)]

    def find(self, tag: str) -> Iterator["Element"]:
        """Elements with this tag, however deep."""
        for element in self.elements:
            if element.tag == tag:
                yield element
            yield from element.find(tag)


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].inside.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        names = [element.tag for element in self.open]
        if tag in names[1:]:
            del self.open[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        self.open[-1].inside.append(data)


def tree(page: str) -> Element:
    """The page, in an element without a tag."""
    builder = _Builder()
    builder.feed(page)
    builder.close()
    return builder.open[0]


def words(element: Element) -> str:
    """What an element says, on one line; links to itself are no part of it."""
    return " ".join("".join(_words(element)).split())


def _words(element: Element) -> Iterator[str]:
    if "headerlink" in element.classes:
        return
    if element.tag == "math":
        yield formula(element)
        return
    for part in element.inside:
        if isinstance(part, str):
            yield part
        else:
            yield from _words(part)


def formula(math: Element) -> str:
    """A formula in MathML as one line of text."""
    return _tidy(_line(math))


def _tidy(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(r"\. \. \.|\.\.\.", "…", text)
    text = re.sub(r" (?=[,;)\]}^_/])|(?<=[(\[{^_√/]) ", "", text)
    # A name such as exp keeps its bracket, a negative number its sign.
    text = re.sub(r"(?<=\w) (?=\()", "", text)
    return re.sub(r"(^|[(\[=,;<>≤≥≈] ?)− (?=\w)", r"\1−", text)


def _line(element: Element) -> str:
    parts = element.elements
    if element.tag in ("mi", "mn", "mo", "mtext", "ms"):
        return _sign(element)
    if element.tag == "mspace":
        return " "
    if element.tag in ("annotation", "annotation-xml", "mphantom"):
        return ""
    if element.tag == "mtable":
        return "; ".join(_tidy(_line(row)).rstrip(",;") for row in parts)
    if element.tag == "mtr":
        return " ".join(_line(cell) for cell in parts)
    if element.tag == "msqrt":
        return "√" + _grouped(" ".join(map(_line, parts)))
    if element.tag == "mfrac" and len(parts) == 2:
        return f"{_grouped(_line(parts[0]))}/{_grouped(_line(parts[1]))}"
    if element.tag in _SCRIPTS and len(parts) > 1:
        base, *scripts = (_tidy(_line(part)) for part in parts)
        signs = _SCRIPTS[element.tag]
        told = [f"{sign}{_script(text)}" for sign, text in zip(signs, scripts, strict=False)]
        if element.tag == "mover" and scripts[0] in _ACCENTS:
            return f"{base} "
        if element.tag == "msup" and scripts[0] in ("′", "″"):
            return base + scripts[0]
        return f"{base}{''.join(told)} " if scripts[0] else f"{base} "
    line = ""
    for text in map(_line, parts):
        line += f" {text}" if re.search(r"\w$", line) and re.match(r"\w", text) else text
    return line


_SCRIPTS = {
    **{"msub": "_", "munder": "_", "msup": "^", "mover": "^"},
    **{"msubsup": "_^", "munderover": "_^"},
}


def _sign(element: Element) -> str:
    text = "".join(part for part in element.inside if isinstance(part, str))
    text = text.translate(_UNSEEN)
    name = element.tag == "mi" and len(text) > 1
    return f" {text} " if name or text.strip() in _SPACED or text.strip() == "," else text


def _script(text: str) -> str:
    """A short one stands bare, another in brackets."""
    bare = text.replace(" ", "")
    return bare if _SHORT.fullmatch(bare) else f"({text})"


def _grouped(text: str) -> str:
    text = _tidy(text)
    return f"({text})" if re.search(r"[\s+/]", text) else text
