"""Content of files, and one hash over many. Standard library only: the set-up uses it."""

import functools
import hashlib
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

_LEFT_BEHIND = ("__pycache__", "node_modules")
_Asked = TypeVar("_Asked", bound=Callable)
_seen: dict[Hashable, object] | None = None


@contextmanager
def one_moment() -> Iterator[None]:
    """Inside, every part sees the project as it was when it was first looked at.

    Hundreds of parts reach the same modules. Each file is read once for all of them, and none of
    them can see it before a change and another behind.
    """
    global _seen
    before, _seen = _seen, {}
    try:
        yield
    finally:
        _seen = before


def once_a_moment(function: _Asked) -> _Asked:
    """A function of what lies on the disk, called once for the same arguments in `one_moment`."""

    @functools.wraps(function)
    def asked(*arguments):
        if _seen is None:
            return function(*arguments)
        key = (function, arguments)
        if key not in _seen:
            _seen[key] = function(*arguments)
        return _seen[key]

    return asked


@once_a_moment
def content(path: Path) -> bytes:
    """What a file holds."""
    return path.read_bytes()


def digest(parts: Iterable[tuple[str, bytes]]) -> str:
    """SHA-256 over named contents, in the order given.

    A checkout on Windows may have other line ends; the content is the same.
    """
    total = hashlib.sha256()
    for name, content in parts:
        content = content.replace(b"\r\n", b"\n")
        total.update(f"{name} {len(content)}\n".encode() + content)
    return total.hexdigest()


def contents(paths: Iterable[Path], root: Path) -> Iterator[tuple[str, bytes]]:
    """Each file by its path as seen from the project, sorted; one that is absent says so."""
    named = {name_of(path, root): path for path in paths}
    for name in sorted(named):
        try:
            yield name, content(named[name])
        except (FileNotFoundError, NotADirectoryError):
            yield f"{name} absent", b""


@once_a_moment
def name_of(path: Path, root: Path) -> str:
    """A path as seen from the project, with the same separators on every system."""
    return path.relative_to(root).as_posix()


def tree(root: Path, *names: str) -> list[Path]:
    """The files under these files and folders; what tools leave behind does not count."""
    found: list[Path] = []
    for name in names:
        path = root / name
        if not path.is_dir():
            found.append(path)
            continue
        found += [file for file in _walk(path) if file.is_file()]
    return sorted(set(found))


def _walk(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in _LEFT_BEHIND:
            continue
        if path.name.endswith((".pyc", ".egg-info", ".part")):
            continue
        if path.is_dir():
            yield from _walk(path)
        else:
            yield path
