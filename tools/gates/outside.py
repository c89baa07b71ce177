"""What a page, a style sheet, a drawing or a script would fetch from another host.

Refused is every address of another host that a browser may fetch without being asked, wherever it
stands: not the known places are listed, but the few that are only links. HTML is taken apart by
Python's own parser and styles by tinycss2: white space, escapes and letter case hide nothing. A
script is not taken apart: what begins there with a quote and then as an address does is one, and
one that a script puts together from pieces is not seen.
"""

import base64
import binascii
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import chain
from pathlib import Path
from urllib.parse import unquote_to_bytes

import tinycss2

# A link is followed by the reader; a source is quoted; a name is compared and never fetched.
_LINKS = {("a", "href"), ("a", "xlink:href"), ("area", "href")}
_NEVER = {
    *("alt", "cite", "content", "itemid", "itemprop", "itemtype", "rdf:about", "rdf:resource"),
    *("title", "xmlns"),
}
# Here a single word with a colon is an address, too.
_ADDRESSES = {
    *("action", "archive", "background", "classid", "code", "codebase", "data", "dynsrc"),
    *("formaction", "href", "icon", "longdesc", "lowsrc", "manifest", "ping", "poster", "profile"),
    *("src", "xlink:href", "xml:base"),
}
_LINK_RELATIONS = {
    *("alternate", "author", "bookmark", "canonical", "help", "index", "license", "me", "next"),
    *("nofollow", "prev", "search", "tag"),
}
_HARMLESS = ("about:", "blob:", "mailto:", "tel:", "#")
_LISTS = ("srcset", "imagesrcset")
_STRING_FUNCTIONS = {"url", "src", "image", "image-set", "-webkit-image-set", "cross-fade"}
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:")
_PLAIN = re.compile(r"https?:|[a-z][a-z0-9+.-]*://")
_EDGES = "".join(map(chr, range(0x21)))  # what a browser takes off both ends
# A host has a name of one word or more, a number in brackets or a part that is filled in; what
# has none is half an address ("https://" +) or no address at all ("// a comment").
_IN_SCRIPT = re.compile(
    r"""["'`]\s*((?:(?:https?|wss?|ftp):[/\\]*|[/\\]{2,})[\w\[$%][^"'`\s]*)""", re.IGNORECASE
)
_ESCAPED = re.compile(r"\\(?:(?:x|u00|u\{0*)([0-7][0-9a-f])\}?|([/\\]))", re.IGNORECASE)
_SHEET = re.compile(r"<\?xml-stylesheet\s(.*?)\?>", re.DOTALL)
_NAMESPACE = re.compile(r"https?://www\.w3\.org/(1999|2000|1998)/", re.IGNORECASE)
_REFRESH = re.compile(r"^[\s\d.]*[;,]?\s*(?:url\s*=)?\s*[\"']?(.*?)[\"']?\s*$", re.I | re.S)


def in_folder(html: Path) -> list[str]:
    """Each address of another host in the pages, drawings, style sheets and scripts of a folder."""
    problems = []
    readers = {".html": in_page, ".svg": in_page, ".css": in_style, ".js": in_script}
    for path in sorted(html.rglob("*")):
        if (reader := readers.get(path.suffix)) and path.is_file():
            found = dict.fromkeys(reader(path.read_text(encoding="utf-8", errors="replace")))
            problems += [f"{path.relative_to(html)}: fetches {url}" for url in found]
    return problems


def in_page(text: str) -> list[str]:
    """The addresses of other hosts that a page would fetch."""
    reader = _Page()
    reader.feed(text)
    reader.close()
    # A drawing may name a style sheet before it begins, in what is written like attributes; the
    # parser would end that at the first ">", which may stand in one of them.
    sheets = (in_page(f"<image {said}>") for said in _SHEET.findall(text))
    return [*reader.found, *chain.from_iterable(sheets)]


def in_style(text: str) -> list[str]:
    """The addresses of other hosts that a style sheet would fetch."""
    rules = tinycss2.parse_stylesheet(text, skip_comments=True)
    return [url for rule in rules for url in _in_rule(rule)]


def in_script(text: str) -> list[str]:
    """Addresses in quotes, but for the names of XML's vocabularies."""
    plain = _ESCAPED.sub(_unescaped, text)
    return [url for url in _IN_SCRIPT.findall(plain) if not _NAMESPACE.match(url)]


def elsewhere(address: str, *, sure: bool = True) -> list[str]:
    """The address itself if it leads to another host; of a document in it, what that fetches.

    Args:
        address: as it stands in the page.
        sure: it is one, and not some text.
    """
    bare = re.sub(r"[\t\n\r]", "", address.strip(_EDGES))
    lowered = bare.replace("\\", "/").lower()
    if lowered.startswith("javascript:"):
        return in_script(bare)
    if lowered.startswith("data:"):
        return _in_data(bare)
    if lowered.startswith(_HARMLESS):
        return []
    scheme = (_SCHEME if sure else _PLAIN).match(lowered)
    return [bare] if scheme or lowered.startswith("//") else []


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag if tag in ("style", "script") else ""
        values = {name: value or "" for name, value in attrs}
        for name, value in attrs:
            self.found += self._in_attribute(tag, name, value or "", values)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._inside = ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "style":
            # Within an SVG the section is markup, and what stands in it is read as style.
            data = data.replace("<![CDATA[", "").replace("]]>", "")
            self.found += in_style(data)
        elif self._inside == "script":
            self.found += in_script(data)

    def _in_attribute(self, tag: str, name: str, value: str, values: dict[str, str]) -> list[str]:
        if tag == "meta":
            refresh = values.get("http-equiv", "").strip().lower() == "refresh"
            return elsewhere(_REFRESH.match(value)[1]) if refresh and name == "content" else []
        if name == "style":
            return _in_tokens(tinycss2.parse_component_value_list(value))
        if name == "srcdoc":
            return in_page(value)
        if name.startswith("on"):
            return in_script(value)
        if name in _LISTS:
            return [url for part in re.split(r"[\s,]+", value) for url in elsewhere(part)]
        if (tag, name) in _LINKS or name in _NEVER or name.startswith(("xmlns:", "data-", "aria-")):
            return []
        if tag == "link" and name == "href":
            relations = set(values.get("rel", "").lower().split())
            if relations and relations <= _LINK_RELATIONS:
                return []
        if (
            "(" in value and name not in _ADDRESSES
        ):  # a presentation attribute of SVG: fill="url(...)"
            return _in_tokens(tinycss2.parse_component_value_list(value))
        # One address, or several as `ping` and `values` have them.
        one = "data:" in value.lower() or "javascript:" in value.lower()
        parts = [value] if one else re.split(r"[ ,;]+", value)
        return [url for part in parts for url in elsewhere(part, sure=name in _ADDRESSES)]


def _unescaped(found: re.Match[str]) -> str:
    code, itself = found.groups()
    return itself or chr(int(code, 16))


def _in_data(address: str) -> list[str]:
    head, _, body = address[len("data:") :].partition(",")
    kind, *options = head.lower().split(";")
    content = unquote_to_bytes(body)
    if "base64" in (option.strip() for option in options):
        try:
            content = base64.b64decode(content + b"==")
        except binascii.Error:
            return []
    text = content.decode("utf-8", errors="replace")
    if kind.strip() == "text/css":
        return in_style(text)
    if "html" in kind or "svg" in kind or "xml" in kind:
        return in_page(text)
    return in_script(text) if "javascript" in kind else []


def _in_rule(rule: object) -> Iterator[str]:
    name = getattr(rule, "lower_at_keyword", "")
    prelude = getattr(rule, "prelude", None) or []
    if name == "namespace":
        return
    if name == "import":
        first = next((token for token in prelude if token.type == "string"), None)
        if first is not None:
            yield from elsewhere(first.value)
    yield from _in_tokens([*prelude, *(getattr(rule, "content", None) or [])])


def _in_tokens(tokens: list, in_function: bool = False) -> list[str]:
    """Addresses in a run of tokens, brackets and all; a style in a style may import, too."""
    found, importing = [], False
    for token in tokens:
        if token.type == "url" or (token.type == "string" and (in_function or importing)):
            found += elsewhere(token.value)
        keyword = token.type == "at-keyword" and token.lower_value == "import"
        importing = keyword or (importing and token.type == "whitespace")
        if token.type == "function":
            inside = in_function or token.lower_name in _STRING_FUNCTIONS
            found += _in_tokens(token.arguments, inside)
        elif token.type in ("{} block", "() block", "[] block"):
            found += _in_tokens(token.content, in_function)
    return found
