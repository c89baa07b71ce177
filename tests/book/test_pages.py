"""Each page of the book but the chapters, in one visit; no file names another host."""

import re

import pytest

from tests.book.pages import HTML, PAGES, check_page


@pytest.mark.parametrize("name", [name for name in PAGES if "notebooks/" not in name])
def test_page(visit, name):
    check_page(visit, name)


FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed|object|use)\b[^>]*?\s(?:src|data|href)=["']?
        (?:https?:)?//[^"'\s>]+
    | <link\b(?![^>]*rel=["']?(?:canonical|license|author|search|next|prev))[^>]*href=["']?
        (?:https?:)?//[^"'\s>]+
    | url\(\s*["']?(?:https?:)?//[^)]+ | @import\s+["'](?:https?:)?//[^"']+
    | \b(?:fetch|import)\(\s*["'`](?:https?:)?//[^"'`]+""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a browser fetches from another host without being asked."""


def test_no_file_names_another_host_to_be_fetched(book):
    for path in HTML.rglob("*"):
        if path.suffix in (".html", ".css", ".js", ".svg"):
            assert FETCHED.findall(path.read_text(encoding="utf-8")) == [], path
