"""Build the HTML book from the stored notebooks, and show it."""

import functools
import hashlib
import http.server
import shutil
import subprocess
import time
from pathlib import Path

from tools.project import BUILD, ROOT, TaskError, program, say, shown

STAMP = ".course-stamp"
_INPUTS = ("_config.yml", "_toc.yml", "requirements.txt", "book", "notebooks")


def build(root: Path = ROOT, *, log: Path | None = None) -> Path:
    """Bring `_build/html` up to date, with every warning an error; the page to open.

    Args:
        root: the project.
        log: where Sphinx's output goes; None means to the screen.

    Raises:
        TaskError: Sphinx found something wrong.
    """
    html = root / BUILD.name / "html"
    stamp, wanted = html / STAMP, _key(root)
    page = html / "index.html"
    previous = stamp.read_text(encoding="utf-8") if stamp.is_file() else ""
    if previous == wanted and page.is_file():
        say("The book is up to date.")
        return page
    if previous.partition(" ")[0] != wanted.partition(" ")[0]:
        # Pages that the table of contents dropped would stay; and warnings of pages that Sphinx
        # thinks it has read already would not come again.
        for folder in (html, html.parent / ".doctrees", html.parent / "jupyter_execute"):
            shutil.rmtree(folder, ignore_errors=True)
    stamp.unlink(missing_ok=True)
    start = time.monotonic()
    _sphinx(root, log)
    stamp.write_text(wanted, encoding="utf-8")
    say(f"The book was built in {time.monotonic() - start:.0f} s.")
    return page


def serve(root: Path = ROOT, port: int = 8000) -> None:
    """Show the finished book at a local address until Ctrl-C."""
    html = root / BUILD.name / "html"
    handler = functools.partial(_Quiet, directory=str(html))
    for candidate in range(port, port + 20):
        try:
            server = http.server.ThreadingHTTPServer(("127.0.0.1", candidate), handler)
        except OSError:
            continue  # taken, most likely by another `make serve`
        with server:
            say(f"The book is at http://127.0.0.1:{candidate} (Ctrl-C ends it).")
            server.serve_forever()
    raise TaskError(f"no free port between {port} and {port + 19}")


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Say nothing about each request."""


def _sphinx(root: Path, log: Path | None) -> None:
    command = [program("jupyter-book"), "build", ".", "-W", "--keep-going"]
    if log is None:
        code = subprocess.run([*command, "--quiet"], cwd=root).returncode
    else:
        with log.open("w", encoding="utf-8") as file:
            done = subprocess.run(command, cwd=root, stdout=file, stderr=subprocess.STDOUT)
        code = done.returncode
    if code:
        # A half-built book must not pass for one the next time.
        (root / BUILD.name / "html" / STAMP).unlink(missing_ok=True)
        where = f" (see {shown(log, root)})" if log else ""
        raise TaskError(f"the book was not built: Sphinx found errors or warnings{where}")


def _key(root: Path) -> str:
    """Two hashes: of what calls for a build from nothing, and of all pages and assets."""
    base, pages = hashlib.sha256(), hashlib.sha256()
    for name in _INPUTS:
        path = root / name
        files = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        for file in files:
            if any(part.startswith(".") for part in file.relative_to(root).parts):
                continue
            content = file.read_bytes()
            digest = pages if path.is_dir() else base
            digest.update(f"{file.relative_to(root).as_posix()} {len(content)}\n".encode())
            digest.update(content)
    return f"{base.hexdigest()} {pages.hexdigest()}"
