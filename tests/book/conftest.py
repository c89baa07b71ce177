"""The built book behind a local server, and a browser that reaches no other host."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator

import pytest

pytest.register_assert_rewrite("tests.book.pages", "tests.book.driver")

from tests.book.pages import HTML  # noqa: E402

CHROMIUM = os.environ.get("COURSE_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
SETTLED = """document.fonts.status === 'loaded' &&
    !document.querySelector('.cl-fig[data-found]:not([data-on]), html[data-letters]')"""
"""Fonts are loaded, formulas are set and every figure is built."""


class Visit:
    """An open page, the addresses that it requested and what went wrong on it."""

    def __init__(self, page) -> None:
        self.page, self.requests, self.problems = page, [], []
        page.set_default_timeout(60_000)
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", self._failed)
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("response", self._answered)
        page.on("console", self._logged)

    def _failed(self, request) -> None:
        # A page that is left aborts what it asked for, and Chromium its own wish for an icon; "csp"
        # are the scripts of a page that is opened without any.
        left_out = request.failure in ("net::ERR_ABORTED", "csp") or "favicon" in request.url
        if not left_out:
            self.problems.append(f"failed: {request.url} ({request.failure})")

    def _answered(self, response) -> None:
        if response.status >= 400:
            self.problems.append(f"{response.status}: {response.url}")

    def _logged(self, message) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(f"console: {message.text}")

    def close(self, own: str) -> None:
        """Close the page; fail if it asked another host or if anything went wrong."""
        self.page.evaluate("() => { try { localStorage.clear(); } catch {} }")
        self.page.close()
        local = (own, "data:", "blob:", "about:", "file:")
        assert [url for url in self.requests if not url.startswith(local)] == []
        assert self.problems == []


class _Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture(scope="session")
def book() -> Iterator[str]:
    """The address of the built book."""
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built (make book)")
    handler = functools.partial(_Handler, directory=str(HTML))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="session")
def chromium():
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine (install it, or name it in COURSE_CHROMIUM)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",  # root in a container cannot have Chromium's own sandbox
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def contexts(chromium):
    """Give the browser context of a kind; a new one for each page would take it 2 s more."""
    made = {}

    def context(**kind):
        key = repr(sorted(kind.items()))
        if key not in made:
            made[key] = chromium.new_context(**kind)
        return made[key]

    return context


@pytest.fixture
def tab(contexts):
    """Opens an empty page; on leaving, it has asked no other host and complained about nothing."""
    opened = []

    def open_tab(own: str = "about:", width: int = 900, script: bool = True, **kind) -> Visit:
        kind = {"reduced_motion": "reduce", "java_script_enabled": script, **kind}
        one = Visit(contexts(**kind).new_page())
        one.page.set_viewport_size({"width": width, "height": 900})
        opened.append((one, own))
        return one

    yield open_tab
    for one, own in opened:
        one.close(own)


@pytest.fixture
def visit(tab, book):
    """Opens a page of the book."""

    def open_page(name: str, width: int = 1280, script: bool = True, **kind) -> Visit:
        one = tab(book, width, script, **kind)
        one.page.goto(f"{book}/{name}")
        if script:
            one.page.wait_for_function(SETTLED)
        return one

    return open_page


@pytest.fixture
def show(tab):
    """Puts the HTML of figures on a page of its own."""

    def open_page(body: str, at: str = "", root: str = "lang=en data-theme=light", **kind):
        page = tab(**kind).page
        page.goto(f"about:blank?{at}")
        page.set_content(
            f"<!doctype html><html {root}><head><title>Figures</title><meta name=viewport content="
            f"width=device-width></head><body><main><h1>Figures</h1>{body}</main></body></html>"
        )
        if kind.get("script", True):
            page.wait_for_function(SETTLED)
        return page

    return open_page
