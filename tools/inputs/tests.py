"""What a test file is decided from: what it can reach, and what it says that it reads.

A test that opens a file of the project names it, or a folder that it lies in, in a tuple `READS`
at the top of its file or of a conftest.py. One that opens another fails (tools/gates/opened.py).
A test in the browser names the pages of the finished book that it visits in `OPENS`; it may visit
no other then (tests/book/conftest.py).
"""

import ast
import functools
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from tools.inputs.code import Facts, facts
from tools.inputs.files import content, contents, once_a_moment, tree
from tools.inputs.reach import Reached, reach

NAME = "READS"
PAGES = "OPENS"
_WAYS_TO_A_PAGE = re.compile(rb"\b(visit|book_address|HTML|page_names|BUILD)\b")


def test_files(root: Path) -> list[Path]:
    """Every test file, as seen from the project."""
    return sorted(path.relative_to(root) for path in (root / "tests").rglob("test_*.py"))


def reads(root: Path, test: Path, without: Collection[str] = ()) -> list[tuple[str, bytes]]:
    """All that the tests of a file are decided from, each with its content.

    Args:
        root: the project.
        test: the file, as seen from the project.
        without: what stands in `READS` and the caller counts itself, part by part.
    """
    reached, named = _used(root, test, without)
    # What a test reads as a text counts as it is written, the rest by what it means.
    texts = set(_files_in(root, *named))
    meant = reached._replace(files=tuple({*reached.files, *_own(root, test)}))
    return [*meant.contents(without=texts), *contents(texts, root)]


def readable(root: Path, test: Path) -> tuple[set[Path], list[Path]]:
    """The files that a test may open, and the folders in which it may open any."""
    reached, named = _used(root, test)
    places = [root / name for name in named]
    return {*reached.files, *_own(root, test), *places}, [p for p in places if p.is_dir()]


def named_by(root: Path, test: Path) -> list[str]:
    """What the file, its conftest.py files and its helpers say in `READS`."""
    return _used(root, test)[1]


def _used(root: Path, test: Path, without: Collection[str] = ()) -> tuple[Reached, list[str]]:
    own = [content(path) for path in _own(root, test)]
    pieces = [_without_reads(source) for source in own]
    reached = reach(pieces, root)
    helpers = [p for p in reached.files if p.suffix == ".py" and _is_test(p, root)]
    sources = [*own, *(content(path) for path in helpers)]
    named = [n for source in sources for n in named_in(source) if n not in without]
    # A program that is read is started, most likely: what it can reach counts, too.
    programs = [path for path in _files_in(root, *named) if path.suffix == ".py" and path.is_file()]
    if programs:
        reached = reach([*pieces, *(facts(content(path)) for path in programs)], root)
    return reached, named


@once_a_moment
def _files_in(root: Path, *named: str) -> list[Path]:
    return tree(root, *named)


def _own(root: Path, test: Path) -> Iterator[Path]:
    """The file and every conftest.py over it."""
    yield root / test
    for folder in test.parents:
        if (path := root / folder / "conftest.py").is_file():
            yield path


def opens(source: bytes) -> tuple[str, ...] | None:
    """The pages that a test file in the browser may visit; None is every page.

    A file that names none in `OPENS` visits none if it has no way to the finished book, neither by
    a fixture nor by its folder; most figures are tried on pages of their own.
    """
    if _WAYS_TO_A_PAGE.search(source) is None:
        return ()
    return _assigned(source, PAGES)


def named_in(source: bytes) -> tuple[str, ...]:
    """What stands in `READS`, or nothing."""
    return _assigned(source, NAME) or ()


@functools.cache
def _assigned(source: bytes, name: str) -> tuple[str, ...] | None:
    # Most files say nothing, and to read them as text takes no time.
    for node in ast.parse(source).body if name.encode() in source else ():
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == name:
            return tuple(ast.literal_eval(node.value))
    return None


def _without_reads(source: bytes) -> Facts:
    found = facts(source)
    return found._replace(strings=found.strings - set(named_in(source)))


def _is_test(path: Path, root: Path) -> bool:
    return path.is_relative_to(root / "tests")
