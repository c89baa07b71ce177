"""The finished book behind a local server, and a Chromium that can reach nothing else."""

import functools
import http.server
import threading
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.book.checks import DESKTOP, HTML, SETTLE
from tools.gates.web_pages import page_names
from tools.inputs.machine import browser_path
from tools.inputs.tests import PAGES

PATIENCE = 120_000
"""Milliseconds until a page counts as hung; a busy machine may take long."""

WATCH_SHIFT = """
    window.courseShift = 0;
    new PerformanceObserver(list => list.getEntries().forEach(e => {
        if (!e.hadRecentInput) window.courseShift += e.value;
    })).observe({type: 'layout-shift', buffered: true});
"""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


class Visit(NamedTuple):
    """A page that was opened, and what it did meanwhile."""

    page: object
    asked: list[str]
    failed: list[str]
    complaints: list[str]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--page", action="append", help="open this page, such as book/index.html")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `page_name` is called for each page, or for those that --page names."""
    if "page_name" in metafunc.fixturenames:
        names = metafunc.config.getoption("--page") or page_names(HTML) or [None]
        metafunc.parametrize("page_name", names)


@pytest.fixture(scope="session")
def book_address() -> Iterator[str]:
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built (make book)")
    handler = functools.partial(_Quiet, directory=str(HTML))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="session")
def chromium():
    """An installed browser; playwright's own is a download and is not used."""
    path = browser_path()
    if path is None:
        pytest.skip("no Chromium on this machine (install it, or name it in COURSE_CHROMIUM)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path,
            args=[
                "--no-sandbox",  # root in a container cannot have Chromium's own sandbox
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
                # Sealed: every name but the book's own server leads nowhere.
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture
def visit(request, chromium, book_address):
    """Open a page; what it asked for, what failed and what it complained about come back.

    Only the pages that the file names in `OPENS`, if it does: its stamp hangs on no other.
    """
    contexts = []
    may = getattr(request.module, PAGES, None)

    def open_page(name: str, width: int = DESKTOP, scheme: str = "light", script: bool = True):
        if may is not None and name.partition("#")[0] not in may:
            pytest.fail(f"{name} does not stand in {PAGES} of {request.path.name}")
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            reduced_motion="reduce",
            java_script_enabled=script,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.add_init_script(WATCH_SHIFT)
        page = context.new_page()
        asked, failed, complaints = [], [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.on("response", lambda r: failed.append(r.url) if r.status >= 400 else None)
        page.on(
            "console",
            lambda m: complaints.append(m.text) if m.type in ("error", "warning") else None,
        )
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"{book_address}/{name}", wait_until="load")
        if script:
            settle(page)
        return Visit(page, asked, failed, complaints)

    yield open_page
    for context in contexts:
        context.close()


def settle(page) -> None:
    """Wait until nothing on the page is going to move any more."""
    page.evaluate(SETTLE)
