"""On GitHub Pages the address of the book says where the project is; elsewhere nothing does."""

import mimetypes
from urllib.parse import urlsplit

import pytest

from tests.book.checks import HTML

pytestmark = pytest.mark.browser

OPENS = ("notebooks/06a_where_to_look.html", "book/index.html", "book/how_to_use.html")
CHAPTER, *TOLD = OPENS


@pytest.fixture
def served(chromium, built):
    """Opens a page of the book at an address that this machine answers in the place of its host."""
    context = chromium.new_context()
    asked: list[str] = []

    def open_page(root: str, name: str):
        def answer(route) -> None:
            file = HTML / urlsplit(route.request.url.removeprefix(root)).path
            kind = mimetypes.guess_type(file.name)[0] or "text/plain"
            route.fulfill(body=file.read_bytes(), content_type=kind)

        context.route(f"{root}**", answer)
        page = context.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(f"{root}{name}", wait_until="load")
        assert [url for url in asked if not url.startswith((root, "data:"))] == []
        return page

    yield open_page
    context.close()


@pytest.mark.parametrize(
    ("root", "project"),
    [
        ("https://someone.github.io/course/", "someone/course"),
        ("https://some-one.github.io/", "some-one/some-one.github.io"),
        ("https://someone.github.io/course/v2/", "someone/course"),
    ],
)
def test_links_lead_to_the_project_that_the_address_names(served, root, project):
    page = served(root, CHAPTER)
    links = page.locator(".chapter-line a.external").evaluate_all("all => all.map(a => a.href)")
    name = CHAPTER.replace(".html", ".ipynb")
    assert links == [
        f"https://colab.research.google.com/github/{project}/blob/published/{name}",
        f"https://mybinder.org/v2/gh/{project}/published?urlpath=lab/tree/{name}",
    ]
    for told in TOLD:
        line = served(root, told).locator("p.project")
        assert line.locator("a").get_attribute("href") == f"https://github.com/{project}"
        assert line.inner_text().endswith(f"It is at github.com/{project}.")


@pytest.mark.parametrize("root", ["https://example.org/course/", "https://github.io.example.org/"])
def test_any_other_address_tells_nothing(served, root):
    assert served(root, CHAPTER).locator(".chapter-line a.external").count() == 0
    line = served(root, TOLD[0]).locator("p.project")
    assert line.inner_text().endswith("these pages are built from it.")
    assert "PROJECT" not in line.inner_text()
