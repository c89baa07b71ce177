"""How a page of the book opens on a slow phone: weight, largest paint, blocked time, shift.

Run as `make bench ARGS=pages` after `make book`, with an installed Chromium and nothing else to do
on the machine: the seconds belong to it, the order of the pages carries over. The phone has a
window of 412 px, a quarter of this processor's speed, and 1.44 Mbit/s with 150 ms to the server,
which sends text gzipped, as the servers of pages do.
"""

import functools
import gzip
import http.server
import json
import statistics
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from tools import HTML, chromium
from tools.text import pages_listed

RESULTS = Path(__file__).parent / "results" / "pages.json"
WINDOW = {"width": 412, "height": 823}
SLOWER = 4
LATENCY_MS, BYTES_A_SECOND = 150, 1.44e6 / 8
REPEATS = 3
_PACKED = (".html", ".css", ".js", ".svg", ".json", ".xml")
_WATCH = """
    window.seen = { paint: 0, blocked: 0, shift: 0 };
    const watch = (type, take) => new PerformanceObserver(
        list => list.getEntries().forEach(take)).observe({ type, buffered: true });
    watch('largest-contentful-paint', entry => { seen.paint = entry.startTime; });
    watch('longtask', entry => { seen.blocked += Math.max(0, entry.duration - 50); });
    watch('layout-shift', entry => { if (!entry.hadRecentInput) seen.shift += entry.value; });
"""


class _Packing(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; text goes out gzipped."""

    protocol_version = "HTTP/1.1"
    sent = 0

    def do_GET(self) -> None:
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        packed = path.suffix in _PACKED
        if packed:
            content = gzip.compress(content)
        type(self).sent += len(content)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(content)))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    handler = functools.partial(_Packing, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def opened(browser, address: str, name: str) -> dict[str, float]:
    """One visit by a browser that has seen nothing of the book yet."""
    context = browser.new_context(viewport=WINDOW)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    line = {"downloadThroughput": BYTES_A_SECOND, "uploadThroughput": BYTES_A_SECOND / 2}
    limits = {"offline": False, "latency": LATENCY_MS, **line}
    session.send("Network.emulateNetworkConditions", limits)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.add_init_script(_WATCH)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    _Packing.sent = 0
    page.goto(f"{address}/{name}", wait_until="load")
    page.wait_for_timeout(2500)
    seen = page.evaluate("seen")
    context.close()
    return {
        "kB": _Packing.sent / 1000,
        "requests": len(asked),
        "paint s": seen["paint"] / 1000,
        "blocked ms": seen["blocked"],
        "shift": seen["shift"],
    }


def main(names: Sequence[str] = ()) -> None:
    """Open pages, all that a reader may open if none is named, print the table, write the file."""
    rows = []
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with _served(HTML) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=flags)
        print(f"{'':32} {'kB':>6} {'requests':>9} {'paint s':>8} {'blocked ms':>11} {'shift':>6}")
        for name in names or sorted(f"{name}.html" for name in pages_listed()):
            visits = [opened(browser, address, name) for _ in range(REPEATS)]
            row = {key: statistics.median(visit[key] for visit in visits) for key in visits[0]}
            rows.append({"page": name, **row})
            kilobytes, requests, paint, blocked, shift = row.values()
            print(
                f"{name:32} {kilobytes:6.0f} {requests:9.0f} {paint:8.1f} {blocked:11.0f} "
                f"{shift:6.3f}",
                flush=True,
            )
        browser.close()
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    import sys

    main(sys.argv[1:])
