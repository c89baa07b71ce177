"""Every file of the project that code can reach: the one walk behind every stamp.

Modules are found by import, wherever the import stands, read from the source and not by importing.
Files beside a reached module count by these rules, so that what is new beside it counts by itself
and what belongs to another chapter does not:

- text and other data: always;
- JSON, which holds results of experiments: where a reached string is its name or its stem;
- scripts and styles: the same, or where a string holds the name, or a counted one names it;
- of any kind: where it has the stem of a reached module (`chain.py`, `chain.js`, `chain.css`).

A folder beside a module that holds no Python belongs to the module.
"""

import functools
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from course_lab.figures.bare import bare
from tools.inputs.code import Facts, Import, facts, table_lines
from tools.inputs.files import content, contents, name_of, once_a_moment
from tools.inputs.meaning import before_moves

PLACES = {
    "course_lib": "course_lib",
    "course_lab": "course_lab",
    "tools": "tools",
    "tests": "tests",
    "benchmarks": "benchmarks",
    "course_book": "book/_ext/course_book",
}
"""Where the packages of the project lie."""
TABLES = {"course_lab/claims.py": "CLAIMS"}
"""Tables that all chapters share: an entry counts where a string names its key, and all of them
where the table itself is imported."""
_NAMED = (".json",)
_WEB = (".js", ".css")


class Reached(NamedTuple):
    """What some code can reach.

    Attributes:
        root: the project.
        files: modules and the files beside them that count, sorted.
        strings: every string in the code and in the modules, but for those of shared tables.
        foreign: the packages of others that are imported, by the first part of their names.
        names: every name that is imported from a module.
    """

    root: Path
    files: tuple[Path, ...]
    strings: frozenset[str]
    foreign: frozenset[str]
    names: frozenset[str]

    def contents(self, *, typed: bool = True) -> Iterator[tuple[str, bytes]]:
        """What each file means, by its path; of shared tables only what is named.

        Args:
            typed: whether the annotations of functions and variables count; in tests shapes are
                checked at run time.
        """
        found = []
        for path in self.files:
            name, told = name_of(path, self.root), content(path)
            if name in TABLES and TABLES[name] not in self.names:
                told = _shortened(told, TABLES[name], self.strings)
            told = _meant(told, path.suffix, typed)
            # A package that holds a docstring alone may come and go with what moves through it.
            if told or path.suffix != ".py":
                found.append((before_moves(name, "/"), told))
        return iter(sorted(found))


def meant(paths: Iterable[Path], root: Path) -> Iterator[tuple[str, bytes]]:
    """What files mean, each by its path as seen from the project; one that is absent says so."""
    for name, told in contents(paths, root):
        yield name, _meant(told, Path(name).suffix, typed=True)


def _meant(told: bytes, suffix: str, typed: bool) -> bytes:
    if suffix == ".py":
        return (facts(told).typed if typed else facts(told).untyped).encode()
    return _bare(told, suffix) if suffix in _WEB else told


@functools.cache
def _bare(text: bytes, suffix: str) -> bytes:
    """As it stands in a figure, and so in the outputs of a notebook."""
    return bare(text.decode("utf-8", errors="replace"), suffix).encode(errors="replace")


def reach(code: Iterable[Facts], root: Path) -> Reached:
    """Follows the imports of these pieces of code."""
    pieces = list(code)
    waiting = [(one, "") for piece in pieces for one in piece.imports]
    modules: set[Path] = set()
    foreign: set[str] = set()
    seen: set[str] = set()
    while waiting:
        one, package = waiting.pop()
        for name in one.candidates(package):
            if name in seen:
                continue
            seen.add(name)
            if name.partition(".")[0] not in PLACES:
                foreign.add(name.partition(".")[0])
                continue
            path = module_path(name, root)
            if path is None or path in modules:
                continue
            modules.add(path)
            inside = name if path.name == "__init__.py" else name.rpartition(".")[0]
            found = _facts_of(path)
            # A shared table names every key; that names none of them for the code that uses it.
            shared = name_of(path, root) in TABLES
            pieces.append(found._replace(strings=frozenset()) if shared else found)
            waiting += [(each, inside) for each in found.imports]
    strings = frozenset().union(*(piece.strings for piece in pieces))
    names = frozenset(name for piece in pieces for one in piece.imports for name in one.names)
    files = sorted(modules | _beside(modules, strings), key=str)
    return Reached(root, tuple(files), strings, frozenset(foreign), names)


@once_a_moment
def _facts_of(path: Path) -> Facts:
    return facts(content(path))


def reach_modules(names: Iterable[str], root: Path) -> Reached:
    """The same for modules that are named."""
    return reach([Facts(tuple(Import(0, name, ()) for name in names), frozenset())], root)


@once_a_moment
def module_path(name: str, root: Path) -> Path | None:
    """The file of a module, or None if the name is not one (a function, a class)."""
    first, *rest = name.split(".")
    if first not in PLACES:
        return None
    # Asked for each name that is imported, most of which are no modules: pathlib is too slow.
    path = os.path.join(root, PLACES[first], *rest)
    for candidate in (f"{path}/__init__.py", f"{path}.py"):
        if os.path.isfile(candidate):
            return Path(candidate)
    return None


def _beside(modules: set[Path], strings: frozenset[str]) -> set[Path]:
    stems = {(path.parent, path.stem) for path in modules}
    found: set[Path] = set()
    web: dict[str, Path] = {}
    text = "\n".join(strings)
    for folder in {path.parent for path in modules}:
        for path in _data(folder):
            named = bool(strings & {path.name, path.stem}) or (path.parent, path.stem) in stems
            if path.suffix in _WEB:
                web[path.name] = path
                named = named or path.name in text
            if named or path.suffix not in (*_NAMED, *_WEB):
                found.add(path)
    return found | _web_closure(found, web)


def _web_closure(found: set[Path], web: dict[str, Path]) -> set[Path]:
    """Scripts and styles that a counted one names: an import, a `url()`."""
    waiting, more = [path for path in found if path.suffix in _WEB], set()
    while waiting:
        text = content(waiting.pop()).decode("utf-8", errors="replace")
        for name, path in web.items():
            if name in text and path not in found | more:
                more.add(path)
                waiting.append(path)
    return more


@once_a_moment
def _data(folder: Path) -> list[Path]:
    found = []
    for path in folder.iterdir():
        if path.name.startswith((".", "__pycache__")) or path.suffix in (".py", ".pyc", ".part"):
            continue
        if path.is_file():
            found.append(path)
        elif path.is_dir() and not any(path.rglob("*.py")):
            found += _data(path)
    return found


def _shortened(content: bytes, table: str, strings: frozenset[str]) -> bytes:
    lines = content.splitlines(keepends=True)
    for key, (first, last) in table_lines(content, table).items():
        if key not in strings:
            lines[first - 1 : last] = [b""] * (last - first + 1)
    return b"".join(lines)
