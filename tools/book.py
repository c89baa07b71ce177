"""Build the HTML book from the stored notebooks, and show it."""

import functools
import http.server
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from tools.inputs.code import facts
from tools.inputs.files import contents, digest, tree
from tools.inputs.machine import software
from tools.inputs.reach import reach_modules
from tools.project import BUILD, LIBRARY, ROOT, TaskError, say, shown

STAMP = ".course-stamp"
_INPUTS = ("_config.yml", "_toc.yml", "book", "notebooks", "homework")
_PAGES = ("book/*.md", "book/chapters/*.md", "notebooks/*.ipynb")
_JUPYTER_BOOK = "import tools.light; from jupyter_book.cli.main import main; main()"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def build(root: Path = ROOT) -> Path:
    """Bring `_build/html` up to date, with every warning an error; the page to open.

    If anything changed, all pages are written: a page holds the titles of its neighbours. Sphinx
    reads anew the texts alone that changed, if nothing else did and the last build had no warning:
    one about a text that is not read again would not come again.

    Raises:
        TaskError: Sphinx found something wrong, or a verdict of the ledger changed.
    """
    # Reads notebooks, for which much is imported; the key of the book does without.
    from tools import ledger

    if wrong := ledger.problems(root):
        raise TaskError("\n  ".join(["the book was not built:", *wrong]))
    html, trees = root / BUILD.name / "html", root / BUILD.name / ".doctrees"
    page, read = html / "index.html", trees / STAMP
    if is_built(root):
        say("The book is up to date.")
        return page
    shutil.rmtree(html, ignore_errors=True)
    say("Building the book ...")
    start = time.monotonic()
    # Taken first: what changes while Sphinx runs is in some pages and not in others.
    made_from, rest = key(root), _rest(root)
    if not (read.is_file() and read.read_text(encoding="utf-8") == rest):
        for folder in (trees, root / BUILD.name / "jupyter_execute"):
            shutil.rmtree(folder, ignore_errors=True)
    read.unlink(missing_ok=True)
    _sphinx(root, root / BUILD.name / "book.log")
    # Written last: a build that failed or was interrupted has none and does not count.
    trees.mkdir(exist_ok=True)
    read.write_text(rest, encoding="utf-8")
    (html / STAMP).write_text(_stamp(root, made_from), encoding="utf-8")
    say(f"The book was built in {time.monotonic() - start:.0f} s.")
    return page


def begin(root: Path = ROOT) -> subprocess.Popen[bytes] | None:
    """Start `build` in a process of its own, beside other work; None where the book is up to date.

    Wait for it, then call `build`: it finds the work done, or does it again and says what is wrong.
    """
    if is_built(root):
        return None
    code = f"from pathlib import Path; from tools import book; book.build(Path({str(root)!r}))"
    nothing = subprocess.DEVNULL
    return subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=nothing, stderr=nothing)


def serve(root: Path = ROOT, port: int = 8000) -> None:
    """Show the finished book at a local address until Ctrl-C.

    Raises:
        TaskError: no port is free.
    """
    handler = functools.partial(_Quiet, directory=str(root / BUILD.name / "html"))
    for candidate in range(port, port + 20):
        try:
            server = http.server.ThreadingHTTPServer(("127.0.0.1", candidate), handler)
        except OSError:
            continue  # taken, most likely by another `make serve`
        with server:
            say(f"The book is at http://127.0.0.1:{candidate} (Ctrl-C ends it).")
            server.serve_forever()
    raise TaskError(f"no free port between {port} and {port + 19}")


def is_built(root: Path) -> bool:
    """True if the pages are those that would be built now, and nobody touched them since."""
    stamp = root / BUILD.name / "html" / STAMP
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == _stamp(root, key(root))


def _stamp(root: Path, made_from: str) -> str:
    html = root / BUILD.name / "html"
    return f"{made_from}\n{digest(contents(tree(html, '.'), root))}\n"


def key(root: Path) -> str:
    """A hash of all that the book is made from: pages, our code, Python and what is installed.

    The rest of the machine does not count: nothing is trained or executed for the book, and no
    variable is asked.
    """
    return digest([*_shown([*tree(root, *_INPUTS), *_rooms(root)], root), *_machinery(root)])


def _rooms(root: Path) -> list[Path]:
    """The modules of the library that have a page."""
    rooms = (p.stem.removeprefix("library_") for p in (root / "book").glob("library_*.md"))
    return tree(root, *(f"{LIBRARY.name}/{room}" for room in rooms))


def _rest(root: Path) -> str:
    """The same without the texts that become pages, of which Sphinx sees by itself what changed."""
    pages = {path for pattern in _PAGES for path in root.glob(pattern)}
    others = [path for path in tree(root, *_INPUTS) if path not in pages]
    modules = ("modules", str([path.name for path in _rooms(root)]).encode())
    return digest([modules, *contents(others, root), *_machinery(root)])


def _shown(paths: Iterable[Path], root: Path) -> Iterator[tuple[str, bytes]]:
    """Each file; of the library what its code means and its docstrings say, without comments."""
    for name, text in contents(paths, root):
        if name.startswith(f"{LIBRARY.name}/") and name.endswith(".py"):
            text = "".join((facts(text).typed, facts(text).told)).encode()
        yield name, text


def _machinery(root: Path) -> list[tuple[str, bytes]]:
    code = reach_modules(["course_book", "tools.book"], root)
    return [*code.contents(), ("software", "\n".join(software()).encode())]


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments: object) -> None:
        """Say nothing about each request."""


def _sphinx(root: Path, log: Path) -> None:
    log.parent.mkdir(exist_ok=True)
    path = [str(ROOT), os.environ.get("PYTHONPATH")]
    done = subprocess.run(
        [sys.executable, "-c", _JUPYTER_BOOK, "build", ".", "-W", "--keep-going"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, path))},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    output = _COLOUR.sub("", done.stdout)
    log.write_text(output, encoding="utf-8")
    if done.returncode:
        lines = [line for line in output.splitlines() if re.search(r"WARNING|ERROR|Error", line)]
        raise TaskError(
            "\n  ".join([f"the book was not built (all of it: {shown(log, root)}):", *lines[:20]])
        )
