"""A test in the browser may visit the pages that its stamp hangs on, and no other."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.book.conftest import no_other_page

pytestmark = pytest.mark.browser

OPENS = ("book/index.html",)
HOST = "http://127.0.0.1:1"


def asked(*names: str) -> list[str]:
    return [f"{HOST}/{name}" for name in ("_static/course.js", *names)]


def test_a_page_that_the_file_does_not_name_is_not_visited(request):
    no_other_page(request, asked("book/index.html#top", "_static/course.css?v=1"), HOST)
    with pytest.raises(pytest.fail.Exception, match=r"search\.html: not in OPENS of test_visits"):
        no_other_page(request, asked("book/index.html", "search.html?q=a.html#b"), HOST)


def test_nor_another_than_the_one_it_is_called_for():
    node = SimpleNamespace(callspec=SimpleNamespace(params={"chapter": "notebooks/a.html"}))
    request = SimpleNamespace(node=node, module=None, path=Path("test_a.py"))
    no_other_page(request, asked("notebooks/a.html"), HOST)
    with pytest.raises(pytest.fail.Exception, match=r"book/index\.html: not in OPENS"):
        no_other_page(request, asked(*OPENS), HOST)


def test_a_link_that_is_followed_counts(visit, request, book_address):
    opened = visit("book/index.html")
    opened.page.locator(".start a").first.click()
    opened.page.wait_for_url("**/notebooks/*.html")
    followed = list(opened.asked)
    opened.asked[:] = [url for url in opened.asked if "/notebooks/" not in url]
    with pytest.raises(pytest.fail.Exception, match="not in OPENS"):
        no_other_page(request, followed, book_address)
