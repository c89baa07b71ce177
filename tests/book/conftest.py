"""The finished book behind a local server, and browsers that can reach nothing else."""

import functools
import http.server
import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import pytest

from tests.book.checks import DESKTOP, HTML, LIGHT, SETTLE, page_of
from tests.book.firefox import firefox
from tests.book.firefox_checks import strangers
from tools.gates.web_pages import PAGES, page_names
from tools.inputs.machine import browser_path, firefox_path

EACH = {"page_name": "", "chapter": "notebooks/"}
"""What a test takes that is called for each page, and how the names of those pages begin."""
PATIENCE = 120_000
"""Milliseconds until a page counts as hung; a busy machine may take long."""

NOT_NEEDED = (
    # Two pages of the address bar's own in every window, a third of the work of opening one.
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
    # A second list takes the place of Playwright's, so what counts of that stands here as well.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "OptimizationHints",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
)
"""Features of Chromium that no test is about."""

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
    parser.addoption(
        "--page",
        action="append",
        help="open this page, such as book/index.html; after FILE:: for the tests of a file alone",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test of each page, or each chapter, is called for all of them or those of --page."""
    for name, start in EACH.items():
        if name in metafunc.fixturenames:
            chosen = _chosen(metafunc) or page_names(HTML)
            pages = [page for page in chosen if page.startswith(start)]
            metafunc.parametrize(name, pages or [None])


def _chosen(metafunc: pytest.Metafunc) -> list[str]:
    """The pages that --page names for the file of this test."""
    path = metafunc.definition.nodeid.partition("::")[0]
    named = [one.rpartition("::") for one in metafunc.config.getoption("--page") or ()]
    return [page for file, _, page in named if file in ("", path)]


@pytest.fixture(scope="session")
def built() -> None:
    """Needs the book."""
    if not (HTML / "index.html").is_file():
        pytest.skip("the book is not built (make book)")


@pytest.fixture(scope="session")
def book_address(built) -> Iterator[str]:
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
                f"--disable-features={','.join(NOT_NEEDED)}",
                # Sealed: every name but the book's own server leads nowhere.
                "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            ],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def windows(chromium):
    """Opens an empty page; pages of the same kind share a window, which takes long to open."""
    opened = {}

    def window(**kind: object):
        key = tuple(sorted(kind.items()))
        if key not in opened:
            opened[key] = chromium.new_context(**kind)
        return opened[key]

    yield window
    for context in opened.values():
        context.close()


@pytest.fixture(scope="session")
def blank_page(windows):
    """A function that opens an empty page, which is closed by whoever asked for it.

    Nothing is left from one to the next, since a page without an address can store nothing.
    """

    def open_page(width: int, **kind: object):
        page = windows(**kind).new_page()
        page.set_viewport_size({"width": width, "height": 900})
        return page

    return open_page


class _Pages:
    """Pages that are used again by the next test, once it has asked for all that one needs."""

    def __init__(self, blank_page) -> None:
        self._open, self._free = blank_page, {}

    def take(self, **kind: object):
        """A page, with the addresses that it asks for and its complaints."""
        key = tuple(sorted(kind.items()))
        if free := self._free.get(key):
            return free.pop()
        before = kind.pop("before")
        page, asked, complaints = self._open(900, **kind), [], []
        page.add_init_script(WATCH_SHIFT + before)
        page.set_default_timeout(20_000)
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda m: complaints.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page, asked, complaints

    def give_back(self, one, **kind: object) -> None:
        self._free.setdefault(tuple(sorted(kind.items())), []).append(one)


@pytest.fixture(scope="session")
def pages(blank_page):
    """The pages of `show`."""
    return _Pages(blank_page)


@pytest.fixture
def show(pages):
    """Put figures on a page; on leaving, nothing was asked for and nothing complained."""
    opened = []

    def open_page(body, width=900, html=LIGHT, at="", before="", **kind):
        """`before` is a script that runs first; with one, the caller waits for the figures."""
        kind = {"before": before, **kind}
        one = page, asked, complaints = pages.take(**kind)
        opened.append((one, kind))
        # From elsewhere, or the address would be a link within the page of the test before.
        page.goto("data:text/html,")
        page.mouse.move(0, 0)
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"about:blank{at}")
        asked.clear()
        complaints.clear()
        page.set_content(page_of(body, html))
        if kind.get("java_script_enabled", True) and not before:
            settle(page)
        return page

    yield open_page
    for one, kind in opened:
        _, asked, complaints = one
        assert asked == []
        assert complaints == []
        pages.give_back(one, **kind)


@pytest.fixture(scope="session")
def firefox_tab():
    """The one tab of a Firefox, which takes seconds to start."""
    path = firefox_path()
    if path is None:
        pytest.skip("no Firefox on this machine (install it, or name it in COURSE_FIREFOX)")
    with firefox(path) as tab:
        yield tab


@pytest.fixture
def firefox_visit(request, firefox_tab, book_address):
    """Open a page in that tab; nothing fails and nothing is asked of another host meanwhile."""

    def open_page(name: str, width: int = DESKTOP):
        return firefox_tab.open(f"{book_address}/{name}", width)

    firefox_tab.visited.clear()
    yield open_page
    assert strangers(firefox_tab, book_address) == []
    no_other_page(request, firefox_tab.visited, book_address)


def no_other_page(request, asked: Iterable[str], book_address: str) -> None:
    """Fail if a page was opened that the test's stamp does not hang on.

    It hangs on the page that the test was called for and on those that its file names in `OPENS`;
    on all of them if there are neither.
    """
    parameters = request.node.callspec.params if hasattr(request.node, "callspec") else {}
    called_for = [parameters[name] for name in EACH if name in parameters]
    named = getattr(request.module, PAGES, None)
    if named is None and not called_for:
        return
    opened = {url.removeprefix(f"{book_address}/").partition("#")[0] for url in asked}
    pages = {name.partition("?")[0] for name in opened if ".html" in name and "://" not in name}
    if others := sorted(pages - {*called_for, *(named or ())}):
        pytest.fail(f"{', '.join(others)}: not in {PAGES} of {request.path.name}", pytrace=False)


@pytest.fixture
def visit(request, chromium, book_address):
    """Open a page; what it asked for, what failed and what it complained about come back.

    `answers` holds files by name that are given in the place of the book's own.
    """
    contexts, requests = [], []

    def open_page(
        name: str,
        width: int = DESKTOP,
        scheme: str = "light",
        script: bool = True,
        answers: Mapping[str, str] = MappingProxyType({}),
    ):
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            reduced_motion="reduce",
            java_script_enabled=script,
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        context.add_init_script(WATCH_SHIFT)
        for file, text in answers.items():
            context.route(f"**/{file}*", _answer(text))
        page = context.new_page()
        asked, failed, complaints = [], [], []
        requests.append(asked)
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
    no_other_page(request, itertools.chain(*requests), book_address)


def _answer(text: str) -> Callable[[object], None]:
    return lambda route: route.fulfill(body=text)


def settle(page) -> None:
    """Wait until nothing on the page is going to move any more."""
    page.evaluate(SETTLE)
