"""The book builds without a warning, and its pages ask no other host for anything."""

import re
from html.parser import HTMLParser
from pathlib import Path

from tools import book
from tools.gates.result import Result, from_problems
from tools.project import BUILD, ROOT, TaskError

# Attributes by which a browser fetches something without being asked; a link is not one of them.
_FETCHING = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
    ("video", "src"),
    ("audio", "src"),
    ("object", "data"),
    ("embed", "src"),
}
_FETCHING_LINKS = ("stylesheet", "preload", "prefetch", "modulepreload", "preconnect", "icon")
_ELSEWHERE = re.compile(r"^(https?:)?//", re.IGNORECASE)
_CSS_FETCH = re.compile(r"(?:@import\s+|url\(\s*)[\"']?((?:https?:)?//[^\"')\s]+)", re.IGNORECASE)


def pages(root: Path = ROOT) -> Result:
    """Build the book and look through every page and style sheet."""
    try:
        book.build(root)
    except TaskError as error:
        return Result(False, str(error), "not built", failures=1)
    html = root / BUILD.name / "html"
    count = len(list(html.rglob("*.html")))
    return from_problems(outside_requests(html), f"{count} pages, none asks the network")


def outside_requests(html: Path) -> list[str]:
    """Each script, style, font or image that would come from another host."""
    problems = []
    for page in sorted(html.rglob("*.html")):
        reader = _Fetches()
        reader.feed(page.read_text(encoding="utf-8"))
        problems += [f"{page.relative_to(html)}: fetches {url}" for url in reader.found]
    for sheet in sorted(html.rglob("*.css")):
        urls = _CSS_FETCH.findall(sheet.read_text(encoding="utf-8", errors="replace"))
        problems += [f"{sheet.relative_to(html)}: fetches {url}" for url in urls]
    return problems


class _Fetches(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._in_style = tag == "style"
        values = {name: value or "" for name, value in attrs}
        if tag == "link" and not set(values.get("rel", "").split()) & set(_FETCHING_LINKS):
            return
        for name, value in values.items():
            fetched = (tag, name) in _FETCHING and _ELSEWHERE.match(value)
            if fetched or (name == "srcset" and "//" in value):
                self.found.append(value)
            elif name == "style":
                self.found += _CSS_FETCH.findall(value)

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.found += _CSS_FETCH.findall(data)
