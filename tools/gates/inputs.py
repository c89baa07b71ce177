"""What each gate, or each of its parts, is decided from: one hash a part.

Every hash covers the gate's own code, the tables of requirements.txt and pyproject.toml, and what
the machine adds (tools/inputs/machine.py); then what that part reads.
"""

import json
import re
from collections.abc import Collection
from pathlib import Path

from tools import book
from tools.gates.suites import (
    ALL_HOMEWORKS,
    BY_PAGE,
    HOMEWORK_TESTS,
)
from tools.gates.web_pages import SEARCH, page_names, shown_by
from tools.inputs import pins
from tools.inputs.cells import cell_parts
from tools.inputs.code import facts
from tools.inputs.files import contents, digest, tree
from tools.inputs.machine import browser_path, browser_version, firefox_path, machine
from tools.inputs.reach import reach, reach_modules
from tools.inputs.tests import opens, reads, test_files
from tools.project import BUILD, homework_sources

Inputs = dict[str, str]
WHOLE = "all"
"""The one part of a gate that has no parts."""
_NO_INPUTS = ("_build", "runs")
_OF_ONE_GATE = ("tool.ruff", "tool.importlinter")
"""Tables that `lint` and `imports` alone are decided from; these see the whole project."""
_SEARCH_INDEX = "course-search.js"
_VERSION_OF_INDEX = re.compile(rb"(?<=course-search\.js)\?v=\w+")


def everything(root: Path) -> Inputs:
    """For the gates that are quick: the whole project."""
    return {WHOLE: digest([*_common(root), *contents(_project(root), root)])}


def of_tests(root: Path) -> Inputs:
    """For each test file what it can reach, and what it says that it reads.

    Those that start programs come first: they take longest.
    """
    common = digest(_common(root, "tools.gates.suites"))
    elsewhere = ("homework", "book", "real", "outside")
    files = [path for path in test_files(root) if path.parts[1] not in elsewhere]
    files.sort(key=lambda path: (path.parts[1] != "gates", path))
    return {
        path.as_posix(): digest([("common", common.encode()), *reads(root, path)]) for path in files
    }


def of_homework(root: Path) -> Inputs:
    """For each homework its folder, its known slips, and what its code can reach.

    The tests name the library as a whole in `READS`: which of it they open depends on the homework.
    """
    slips_of = "tests/homework/slips"
    tests = reads(root, Path(HOMEWORK_TESTS), without=("homework", slips_of, "course_lib"))
    common = [*_common(root, "tools.gates.suites"), *tests]
    shared = ("common", digest(common).encode())
    found = {}
    for source in homework_sources(root):
        slips = root / slips_of / source.name
        files = tree(root, source.parent.relative_to(root).as_posix())
        pieces = [facts(path.read_bytes()) for path in (source, slips) if path.is_file()]
        own = [*contents({*files, slips}, root), *reach(pieces, root).contents()]
        found[source.stem] = digest([shared, *own])
    names = "\n".join(found).encode()
    return {**found, ALL_HOMEWORKS: digest([shared, ("names", names)])}


def of_book(root: Path) -> Inputs:
    """What the pages are made from."""
    own = [*_common(root, "tools.gates.pages"), ("book", book.key(root).encode())]
    return {WHOLE: digest(own)}


def of_browser(root: Path) -> Inputs:
    """For each test file the pages that it visits; where it is called for each page, one by one.

    A book that is not built has no page, and the tests that ask for one are skipped.
    """
    html = root / BUILD.name / "html"
    common = _common(root, "tools.gates.suites")

    def seen_by(path: str | None) -> tuple[str, bytes]:
        seen = ("browser", browser_version(path).encode())
        return "common", digest([*common, seen]).encode()

    base, firefox = seen_by(browser_path()), seen_by(firefox_path())
    book = _Book(html, root)
    found = {}
    for path in test_files(root):
        name = path.as_posix()
        if path.parts[1] != "book":
            continue
        named = opens((root / path).read_bytes())
        first = [base, firefox] if "firefox" in path.name else [base]
        own = digest([*first, *reads(root, path)])
        if not name.startswith(f"{BY_PAGE}/"):
            found[name] = digest([("own", own.encode()), *book.seen(named)])
            continue
        called_for = (page for page in book.names if page.startswith(_begin(path)))
        for page in called_for:
            seen = book.seen((page, *(named or ())))
            found[f"{name}::{page}"] = digest([("own", own.encode()), *seen])
    return found


def _begin(test: Path) -> str:
    """How the names of those pages begin that a test is called for."""
    return "notebooks/" if "chapter" in test.name else ""


class _Book:
    """The finished pages, each with what it shows, by their hashes."""

    def __init__(self, html: Path, root: Path) -> None:
        self.names = page_names(html)
        self._html, self._root = html, root
        self._index = html / "_static" / _SEARCH_INDEX
        shared = [path for path in tree(html, "_static") if path != self._index]
        self._shared = ("shared", digest(contents(shared, root)).encode())
        self._pages: dict[str, tuple[str, bytes]] = {}

    def seen(self, names: Collection[str] | None) -> list[tuple[str, bytes]]:
        """What a test depends on that may visit these pages, or all of them (None).

        What the search finds, which every change of prose changes, is the affair of tests that may
        visit all pages: they search the book. Another brings an index of its own, or searches not.
        """
        if names is None:
            index = ("index", digest(contents([self._index], self._root)).encode())
            return [self._shared, index, *map(self._page, self.names)] if self.names else []
        wanted = [name for name in names if name in self.names]
        return [self._shared, *map(self._page, wanted)] if wanted else []

    def _page(self, name: str) -> tuple[str, bytes]:
        if name not in self._pages:
            page = self._html / name
            told = contents({page, *shown_by(page, self._html)}, self._root)
            if name == SEARCH:
                told = [(path, _VERSION_OF_INDEX.sub(b"", content)) for path, content in told]
            self._pages[name] = (name, digest(told).encode())
        return self._pages[name]


def of_notebooks(root: Path) -> Inputs:
    """For each notebook its stamp, and its code cells with their outputs; prose does not count."""
    shared = digest(
        [
            *_common(root, "tools.gates.suites", "tools.notebooks.tolerance"),
            *contents(tree(root, "conftest.py", "tools/nbval_sanitize.cfg"), root),
        ]
    )
    found = {}
    for path in sorted((root / "notebooks").glob("*.ipynb")):
        name = path.relative_to(root).as_posix()
        found[name] = digest([("shared", shared.encode()), *_notebook(path, root)])
    return found


def _notebook(path: Path, root: Path) -> list[tuple[str, bytes]]:
    """Read as plain JSON; what is no notebook counts as it is, and the gate says what it is."""
    content = path.read_bytes()
    try:
        cells = [cell for cell in json.loads(content)["cells"] if cell["cell_type"] == "code"]
        told = [[cell["metadata"], cell["outputs"]] for cell in cells]
        sources = ["".join(cell["source"]) for cell in cells]
    except (ValueError, KeyError, TypeError):
        return [("spoiled", content)]
    own = json.dumps(told, sort_keys=True, ensure_ascii=False).encode(errors="replace")
    return [("cells", own), *cell_parts(sources, root)]


def of_real_data(root: Path) -> Inputs:
    """Each test file of the real path: what it reaches."""
    return _of_folder(root, "real")


def of_outside(root: Path) -> Inputs:
    """Each test file of the outside: what it reaches, and all that users get."""
    return _of_folder(root, "outside")


def _of_folder(root: Path, folder: str) -> Inputs:
    common = digest(_common(root, "tools.gates.suites")).encode()
    files = [path for path in test_files(root) if path.parts[1] == folder]
    return {p.as_posix(): digest([("common", common), *reads(root, p)]) for p in files}


def _common(root: Path, *modules: str) -> list[tuple[str, bytes]]:
    return [
        ("requirements", "\n".join(pins.requirements(root)).encode()),
        ("project", pins.project(root, without=_OF_ONE_GATE).encode()),
        *reach_modules(modules, root).contents(),
        ("machine", machine(root).encode()),
    ]


def _project(root: Path) -> list[Path]:
    names = [p.name for p in root.iterdir() if p.name[0] != "." and p.name not in _NO_INPUTS]
    return tree(root, *names, ".ci", ".github")
