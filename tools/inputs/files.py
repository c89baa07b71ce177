"""Content of files, and one hash over many. Standard library only: the set-up uses it."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

_LEFT_BEHIND = ("__pycache__", "node_modules")


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
    named = {path.relative_to(root).as_posix(): path for path in paths}
    for name in sorted(named):
        try:
            yield name, named[name].read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            yield f"{name} absent", b""


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
