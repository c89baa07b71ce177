"""What each gate is decided from, as a hash: one a gate; of the notebooks and the pages one each.

Inputs are whole folders. Python counts by what it means, scripts and styles without comments, all
else as it is written. Every hash covers the gate's own code, the pins, and what the machine adds.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable
from pathlib import Path

from tools import book
from tools.gates.web_pages import (
    BY_PAGE,
    EVERY_PAGE,
    FIGURES,
    SEARCH,
    page_names,
    shown_by,
    visitors,
)
from tools.inputs import pins
from tools.inputs.cells import cell_parts
from tools.inputs.code import facts
from tools.inputs.files import content, contents, digest, tree
from tools.inputs.machine import browser_path, browser_version, firefox_path, machine
from tools.inputs.reach import meant, reach, reach_modules
from tools.project import BUILD

Inputs = dict[str, str]
WHOLE = "all"
"""The one part of a gate that has no parts."""
_CODE = ("course_lib", "course_lab", "tools", "conftest.py", "tests/conftest.py")
_BOOK = ("book", "notebooks", "homework", "_config.yml", "_toc.yml")
_INDEX = Path("_static", "course-search.js")
_VERSION_OF_INDEX = re.compile(rb"(?<=course-search\.js)\?v=\w+")


def everything(root: Path) -> Inputs:
    """The whole project as it is written."""
    left_out = ("_build", "runs")
    names = [p.name for p in root.iterdir() if p.name[0] != "." and p.name not in left_out]
    files = tree(root, *names, ".ci", ".github")
    return {WHOLE: digest([*_common(root), *contents(files, root)])}


def _folders(*names: str) -> Callable[[Path], Inputs]:
    def inputs(root: Path) -> Inputs:
        shared = [path.relative_to(root).as_posix() for path in (root / "tests").glob("*.py")]
        return {WHOLE: digest([*_common(root), *meant(tree(root, *names, *shared), root)])}

    return inputs


of_imports = _folders("course_lib", "course_lab")
of_chapters = _folders(*_BOOK, *_CODE, "tests/chapters", "tests/shaken")
of_tests = _folders(
    *(*_CODE, "tests/unit", "tests/property", "tests/parity", "tests/gates", "benchmarks"),
    *("book/_ext", "book/_static", "book/_templates", "book/references.bib", "_config.yml"),
    *("book/use_the_library.md", "book/notation.md"),
    *(".ci", ".github", ".devcontainer", "binder", "Makefile", "notebooks/ruff.toml"),
)
of_homework = _folders(*_CODE, "homework", "tests/homework", "book/homework.md", "_config.yml")
_of_users = _folders(
    *(*_CODE, "homework", "tests/outside", "README.md", "LICENSE", "LICENSE-TEXT"),
    ".gitattributes",
)
of_real_data = _folders(*_CODE, "tests/real")


def of_outside(root: Path) -> Inputs:
    """What users get; scripts and styles with their comments, which are read in a C locale, too."""
    web = [path for path in tree(root, *_CODE) if path.suffix in (".js", ".css")]
    return {WHOLE: digest([("meant", _of_users(root)[WHOLE].encode()), *contents(web, root)])}


def of_book(root: Path) -> Inputs:
    """What the pages are made from."""
    return {WHOLE: digest([*_common(root, "tools.gates.pages"), ("book", book.key(root).encode())])}


def of_browser(root: Path) -> Inputs:
    """For each page what it shows, with the tests that visit it; one hash for the tests of no page.

    A book that is not built has no page, and the tests that ask for one are skipped.
    """
    html = root / BUILD.name / "html"
    browsers = (browser_version(path) for path in (browser_path(), firefox_path()))
    common = digest([*_common(root, "tools.gates.suites"), ("browsers", str([*browsers]).encode())])
    static = [path for path in tree(html, "_static") if path != html / _INDEX]
    shared = digest(contents(static, root)) if static else ""
    names, visits = page_names(html), visitors(root)
    pages = {name: _page(name, html, root) for name in names}

    def part(files: Collection[str], visited: Iterable[str], *more: tuple[str, bytes]) -> str:
        seen = [(name, pages[name]) for name in sorted(visited) if name in pages]
        read = [root / name for name in (*over, *files)]
        code = reach((facts(content(path)) for path in read), root)
        own = [("common", common.encode()), *code.contents(), *meant(read, root)]
        return digest([*own, *((("shared", shared.encode()), *seen) if seen else ()), *more])

    over = [name for name in ("tests/book/conftest.py",) if (root / name).is_file()]
    each = [name for name in visits if name.startswith(BY_PAGE)]
    beside = {page for name in each for page in visits[name] or ()}
    found = {}
    for page in names:
        more = [name for name, named in visits.items() if page in (named or ())]
        found[page] = part([*each, *more], {page, *beside})
    rest = [name for name in visits if name not in each]
    index = dict(contents([html / _INDEX], root)).popitem()
    found[EVERY_PAGE] = part([name for name in rest if visits[name] is None], names, index)
    found[FIGURES] = part([name for name in rest if visits[name] == ()], ())
    return found


def _page(name: str, html: Path, root: Path) -> bytes:
    """What a page shows. What the search finds is the affair of tests that search the book."""
    told = contents({html / name, *shown_by(html / name, html)}, root)
    if name == SEARCH:
        told = ((path, _VERSION_OF_INDEX.sub(b"", text)) for path, text in told)
    return digest(told).encode()


def of_notebooks(root: Path) -> Inputs:
    """For each notebook its stamp, and its code cells with their outputs; prose does not count."""
    shared = digest(
        [
            *_common(root, "tools.gates.suites", "tools.notebooks.tolerance"),
            *meant(tree(root, "conftest.py", "tools/nbval_sanitize.cfg"), root),
        ]
    )
    return {
        path.relative_to(root).as_posix(): digest(
            [("shared", shared.encode()), *_notebook(path, root)]
        )
        for path in sorted((root / "notebooks").glob("*.ipynb"))
    }


def _notebook(path: Path, root: Path) -> list[tuple[str, bytes]]:
    """Read as plain JSON; what is no notebook counts as it is, and the gate says what it is."""
    text = content(path)
    try:
        cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
        told = [[cell["metadata"], cell["outputs"]] for cell in cells]
        sources = ["".join(cell["source"]) for cell in cells]
    except (ValueError, KeyError, TypeError):
        return [("spoiled", text)]
    own = json.dumps(told, sort_keys=True, ensure_ascii=False).encode(errors="replace")
    return [("cells", own), *cell_parts(sources, root)]


def _common(root: Path, *modules: str) -> list[tuple[str, bytes]]:
    return [
        ("requirements", "\n".join(pins.requirements(root)).encode()),
        ("project", pins.project(root).encode()),
        *reach_modules(modules, root).contents(),
        ("machine", machine(root).encode()),
    ]
