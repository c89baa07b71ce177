"""What a page, a style sheet, a drawing or a script would fetch from another host.

Refused is every address of another host that a browser may fetch without being asked, wherever it
is: not the known places are listed, but the few that are only links. A script is not run: an
address that it puts together from pieces is not seen. The sealed browser (tests/book) sees that.
"""

import re
from html.parser import HTMLParser
from pathlib import Path

# A link is followed by the reader; a source is quoted; a name is compared and never fetched.
_LINKS = {("a", "href"), ("a", "xlink:href"), ("area", "href")}
_NEVER = ("alt", "cite", "itemid", "itemprop", "itemtype", "title", "xmlns")
_RELATIONS = {
    *("alternate", "author", "bookmark", "canonical", "help", "index", "license", "me", "next"),
    *("nofollow", "prev", "search", "tag"),
}
# A host has a name of one word or more, a number in brackets or a part that is filled in; what
# has none is half an address ("https://" +) or no address at all ("// a comment").
_HOST = r"""\s*((?:(?:https?|wss?|ftp):[/\\]*|[/\\]{2,})[\w\[$%][^"'`\s()<>,;]*)"""
_IN_ATTRIBUTE = re.compile(rf"(?:^|[\s\"'(,;=]){_HOST}", re.IGNORECASE)
_IN_STYLE = re.compile(rf"[\"'(]{_HOST}", re.IGNORECASE)
_IN_SCRIPT = re.compile(rf"[\"'`]{_HOST}", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NAMESPACE = re.compile(r"https?://www\.w3\.org/(1999|2000|1998)/", re.IGNORECASE)


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
    return reader.found


def in_style(text: str) -> list[str]:
    """The same of a style sheet, without its comments."""
    return _found(_IN_STYLE, _COMMENT.sub("", text))


def in_script(text: str) -> list[str]:
    """Addresses in quotes; a slash may be escaped there."""
    return _found(_IN_SCRIPT, re.sub(r"\\([/\\])", r"\1", text))


def _found(pattern: re.Pattern[str], text: str) -> list[str]:
    return [url for url in pattern.findall(text) if not _NAMESPACE.match(url)]


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        values = {name: value or "" for name, value in attrs}
        for name, value in values.items():
            self.found += _in_attribute(tag, name, value, values)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self._inside = ""

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in ("style", "script"):
            self.found += (in_style if self._inside == "style" else in_script)(data)


def _in_attribute(tag: str, name: str, value: str, values: dict[str, str]) -> list[str]:
    if (
        (tag, name) in _LINKS
        or name in _NEVER
        or name.startswith(("xmlns:", "data-", "aria-", "rdf:"))
    ):
        return []
    relations = {*values.get("rel", "").lower().split()}
    if tag == "link" and relations and relations <= _RELATIONS:
        return []
    if name == "content" and values.get("http-equiv", "").lower() != "refresh":
        return []
    if name == "style":
        return in_style(value)
    if name == "srcdoc":
        return in_page(value)
    if name.startswith("on"):
        return in_script(value)
    return _found(_IN_ATTRIBUTE, value)
