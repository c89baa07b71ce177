"""The finished book behind a local server, and a Chromium that can reach nothing else."""

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator

import pytest

from tools.project import BUILD

HTML = BUILD / "html"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        pass


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
    path = os.environ.get("COURSE_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
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
