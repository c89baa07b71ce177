"""The finished book behind a local server, and browsers that can reach nothing else."""

import functools
import http.server
import itertools
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

import pytest

from tests.book.checks import DESKTOP, HTML, LIGHT, SETTLE, page_of, settle
from tests.book.firefox import firefox
from tests.book.firefox_checks import strangers
from tools.gates.web_pages import PAGES, page_names
from tools.inputs.machine import browser_path, firefox_path

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

FIRST = """
    window.courseShift = 0;
    new PerformanceObserver(list => list.getEntries().forEach(e => {
        if (!e.hadRecentInput) window.courseShift += e.value;
    })).observe({type: 'layout-shift', buffered: true});
    try {  // A new tab knows nothing of those before it; some pages may keep nothing at all.
        if (!window.name) { localStorage.clear(); window.name = 'begun'; }
    } catch (refused) { /* nothing to forget */ }
"""
"""Runs in each page before its own scripts."""


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
    """A test of each page is called for all of them or those of --page."""
    if "page_name" in metafunc.fixturenames:
        path = metafunc.definition.nodeid.partition("::")[0]
        named = [one.rpartition("::") for one in metafunc.config.getoption("--page") or ()]
        chosen = [page for file, _, page in named if file in ("", path)]
        metafunc.parametrize("page_name", chosen or page_names(HTML) or [None])


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
def new_page(chromium):
    """Opens an empty page and listens to it.

    Pages of the same kind share a window, which takes long to open, and with it the files that one
    of them has fetched. What they store is forgotten with each new page.
    """
    windows = {}

    def opened(**kind: object) -> Visit:
        key = tuple(sorted(kind.items()))
        if key not in windows:
            windows[key] = chromium.new_context(**kind)
            windows[key].add_init_script(FIRST)
        one = Visit(windows[key].new_page(), [], [], [])
        page, asked, failed, complaints = one
        page.on("request", lambda request: asked.append(request.url))
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.on("response", lambda r: failed.append(r.url) if r.status >= 400 else None)
        heard = ("error", "warning")
        page.on("console", lambda m: complaints.append(m.text) if m.type in heard else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return one

    yield opened
    for window in windows.values():
        window.close()


@pytest.fixture(scope="session")
def judged() -> set[str]:
    """Looks whose colours were found to be good, on any page so far."""
    return set()


@pytest.fixture(scope="session")
def _free() -> dict[tuple, list[Visit]]:
    return defaultdict(list)


@pytest.fixture
def show(new_page, _free):
    """Put the HTML of figures on a page; on leaving, nothing was asked for, nothing complained."""
    opened = []

    def open_page(body: str, width=900, html=LIGHT, at="", before="", **kind):
        """`before` is a script that runs first; with one, the caller waits for the figures."""
        key = (before, *sorted(kind.items()))
        one = _free[key].pop() if _free[key] else new_page(**kind)
        opened.append((key, one))
        page = one.page
        if before:
            page.add_init_script(before)
        page.set_default_timeout(20_000)
        page.mouse.move(0, 0)
        page.emulate_media(media="screen")
        page.set_viewport_size({"width": width, "height": 900})
        # Another address each time, or it would be a link within the page of the test before.
        page.goto(f"about:blank?{next(_NUMBERS)}{at}")
        for notes in one[1:]:
            notes.clear()
        page.set_content(page_of(body, html))
        if kind.get("java_script_enabled", True) and not before:
            page.evaluate(SETTLE, 0)
        return page

    yield open_page
    for key, one in opened:
        assert one[1:] == ([], [], [])
        _free[key].append(one)


_NUMBERS = itertools.count()


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
    called_for = {parameters["page_name"]} if "page_name" in parameters else set()
    named = getattr(request.module, PAGES, None)
    if named is None and not called_for:
        return
    opened = {url.removeprefix(f"{book_address}/").partition("#")[0] for url in asked}
    pages = {name.partition("?")[0] for name in opened if ".html" in name and "://" not in name}
    if others := sorted(pages - {*called_for, *(named or ())}):
        pytest.fail(f"{', '.join(others)}: not in {PAGES} of {request.path.name}", pytrace=False)


@pytest.fixture
def visit(request, new_page, book_address):
    """Open a page; what it asked for, what failed and what it complained about come back.

    `answers` holds files by name that are given in the place of the book's own.
    """
    opened = []

    def open_page(
        name: str,
        width: int = DESKTOP,
        scheme: str = "light",
        script: bool = True,
        answers: Mapping[str, str] = MappingProxyType({}),
        **kind: object,
    ) -> Visit:
        one = new_page(java_script_enabled=script, reduced_motion="reduce", **kind)
        opened.append(one)
        page = one.page
        page.set_default_timeout(PATIENCE)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        for file, text in answers.items():
            page.route(f"**/{file}*", _answer(text))
        page.goto(f"{book_address}/{name}", wait_until="load")
        if script:
            settle(page)
        return one

    yield open_page
    for one in opened:
        one.page.close()
    no_other_page(request, itertools.chain(*(one.asked for one in opened)), book_address)


def _answer(text: str) -> Callable[[object], None]:
    """Takes the route alone: Playwright would give a second parameter the request."""
    return lambda route: route.fulfill(body=text)
