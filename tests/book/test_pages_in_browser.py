"""Every page of the finished book, opened in a browser that has no network."""

import pytest

from tools.project import BUILD

HTML = BUILD / "html"

pytestmark = pytest.mark.browser

PAGES = sorted(
    path.relative_to(HTML).as_posix()
    for path in HTML.glob("*/*.html")
    if not path.parent.name.startswith("_")
)


@pytest.fixture
def visit(chromium, book_address):
    """Open a page; what it asked for, what failed and what it complained about come back."""
    contexts = []

    def open_page(name: str, width: int = 1280, scheme: str = "light"):
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        asked, failed, complaints = [], [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.on("response", lambda r: failed.append(r.url) if r.status >= 400 else None)
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{book_address}/{name}", wait_until="networkidle")
        return page, asked, failed, complaints

    yield open_page
    for context in contexts:
        context.close()


def test_there_are_pages_to_open():
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built (make book)")
    assert "book/index.html" in PAGES


@pytest.mark.parametrize("name", PAGES)
def test_page_needs_no_network_and_complains_about_nothing(visit, book_address, name):
    _, asked, failed, complaints = visit(name)
    local = (book_address, "data:", "blob:")
    assert [url for url in asked if not url.startswith(local)] == []
    assert failed == []
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_formulas_are_drawn(visit, scheme):
    page, *_ = visit("book/notation.html", scheme=scheme)
    page.wait_for_selector("mjx-container", timeout=20_000)
    assert page.locator("mjx-container").count() > 10
    assert page.locator("mjx-merror").count() == 0


@pytest.mark.parametrize("name", PAGES)
def test_page_fits_a_phone(visit, name):
    page, *_ = visit(name, width=375)
    page.wait_for_timeout(300)
    assert page.evaluate("document.documentElement.scrollWidth") <= 375
