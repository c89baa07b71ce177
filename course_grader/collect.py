"""Finds what was handed in. Nothing here runs a student's code, follows a link or unpacks to disk.

A folder of submissions holds, for each student, a notebook, an archive (what a homework's last cell
packs) or a folder with either. What cannot be graded is a submission too, with its reason.
"""

import hashlib
import io
import json
import os
import re
import stat
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from course_grader import GraderError

LARGEST = 20 << 20
"""The most bytes of a notebook, with the pictures in its outputs."""
MOST_FILES = 1000
"""The most files of one submission."""

_HOMEWORK = re.compile(r"(?:Homework|Notebook)\(\s*[\"'](\w+)")
# Canvas: doejane_LATE_1234_5678_hw01.ipynb. Moodle: Jane Doe_1234_assignsubmission_file.
_CANVAS = re.compile(r"(?P<name>.+?)(?:_LATE)?_(?P<id>\d+)_\d+_.+")
_MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w+")
_LITTER = re.compile(r"\..*|__MACOSX|~\$.*|thumbs\.db|desktop\.ini", re.IGNORECASE)


class Refused(Exception):
    """Why a submission or a file cannot be graded, in words for the teacher's table."""


class Submission(NamedTuple):
    """What one student handed in.

    Attributes:
        student: as the platform's export, or the file, names the student.
        id: the platform's number of the student; may be empty.
        file: the notebook, relative to the folder of submissions.
        sha256: of the notebook's bytes.
        notebook: its cells; None if it cannot be graded.
        reason: why it cannot; or what is odd beside a notebook that can.
    """

    student: str = ""
    id: str = ""
    file: str = ""
    sha256: str = ""
    notebook: dict[str, Any] | None = None
    reason: str = ""


def collect(folder: Path, assignment: str = "") -> list[Submission]:
    """Return all submissions of a folder, by student's name.

    Args:
        folder: holds a file or a folder for each student.
        assignment: such as "hw01_recurrence"; notebooks of another one are refused.

    Raises:
        GraderError: there is no such folder, or nothing in it.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if not _LITTER.fullmatch(name))
    except OSError as error:
        raise GraderError(f"cannot read the submissions {folder}: {error.strerror}") from None
    groups: dict[tuple[str, str], list[Path]] = {}
    for name in names:
        match = _CANVAS.fullmatch(name) or _MOODLE.fullmatch(name)
        stem = Path(name).stem if name.lower().endswith((".ipynb", ".zip")) else name
        who = (_readable(match["name"]), match["id"]) if match else (_readable(stem), "")
        groups.setdefault(who, []).append(folder / name)
    if not groups:
        raise GraderError(f"want submissions in {folder}; it is empty")
    return [
        _submission(folder, paths, assignment)._replace(student=student, id=number)
        for (student, number), paths in sorted(groups.items())
    ]


def collect_one(path: Path, assignment: str = "") -> Submission:
    """Return the submission in one file or folder; raise GraderError if there is nothing."""
    if not path.exists():
        raise GraderError(f"want a notebook, an archive or a folder with one; there is no {path}")
    path = path.resolve()
    return _submission(path.parent, [path], assignment)._replace(student=_readable(path.stem))


def homeworks_named(notebook: dict[str, Any]) -> set[str]:
    """Return the homeworks that a notebook's cells name, or else otter's note in it."""
    named = {name for cell in code_of(notebook) for name in _HOMEWORK.findall(cell)}
    noted: Any = notebook
    for key in ("metadata", "otter", "assignment_name"):
        noted = noted.get(key) if isinstance(noted, dict) else None
    return named or ({noted} if isinstance(noted, str) else set())


def code_of(notebook: dict[str, Any]) -> list[str]:
    """Return the text of each code cell."""
    return [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def read_notebook(content: bytes, assignment: str = "") -> dict[str, Any]:
    """Return a notebook's cells, with their type and text, and its metadata.

    Raises:
        Refused: it is no notebook, has no code, or names another assignment.
    """
    try:
        values = json.loads(content)
        cells = [_cell(each) for each in values["cells"]]
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        raise Refused("it is no notebook" if content.strip() else "the file is empty") from None
    notebook = {"cells": cells, "metadata": values.get("metadata")}
    if not any(source.strip() for source in code_of(notebook)):
        raise Refused("the notebook has no code")
    named = homeworks_named(notebook)
    if assignment and named and assignment not in named:
        raise Refused(f"it is a notebook of {', '.join(sorted(named))}; want {assignment}")
    return notebook


def _cell(values: dict[str, Any]) -> dict[str, str]:
    source = values.get("source", "")
    source = source if isinstance(source, str) else "".join(source)
    # Half a character, which JSON may hold, is nothing that Python could compile.
    source = source.encode("utf-8", "replace").decode("utf-8")
    return {"cell_type": "code" if values.get("cell_type") == "code" else "other", "source": source}


def _readable(name: str) -> str:
    """Return a file's name as text: in UTF-8, and composed (NFC), which a Mac's is not."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return unicodedata.normalize("NFC", text)


def _submission(folder: Path, paths: list[Path], assignment: str) -> Submission:
    """Return one student's notebook out of all files that were handed in under one name."""
    notebooks: list[tuple[str, bytes, dict[str, Any]]] = []
    problems, others = [], []
    for name, content in _files(folder, paths):
        try:
            if isinstance(content, Refused):
                raise content
            if content is None:
                others.append(name)
            else:
                notebooks.append((name, content, read_notebook(content, assignment)))
        except Refused as refused:
            problems.append(f"{name}: {refused}")
    # One that names the assignment is meant before one that names none.
    named = [each for each in notebooks if homeworks_named(each[2])]
    left = sorted(named or notebooks, key=lambda each: (len(each[0]), each[0]))
    if not left:
        there = f" (there is {', '.join(others[:3])})" if others else ""
        return Submission(reason="; ".join(problems[:3]) or f"there is no notebook{there}")
    if len({tuple(code_of(notebook)) for _, _, notebook in left}) > 1:
        files = ", ".join(name for name, _, _ in left[:4])
        return Submission(reason=f"several notebooks that differ: {files}; keep one")
    name, content, notebook = left[0]
    if not named:
        problems.append(f"{name} does not say which homework it is")
    sha256 = hashlib.sha256(content).hexdigest()
    return Submission("", "", name, sha256, notebook, "; ".join(problems[:3]))


def _files(folder: Path, tops: list[Path]) -> Iterator[tuple[str, bytes | Refused | None]]:
    """Yield each file's name with its notebook, why there is none, or None for another file."""
    for count, path in enumerate(path for top in tops for path in _paths(top)):
        name, suffix = _readable(path.relative_to(folder).as_posix()), path.suffix.lower()
        if count >= MOST_FILES:
            yield name, Refused(f"more than {MOST_FILES} files, which are not read")
            return
        if suffix not in (".ipynb", ".zip") and not path.is_symlink():
            yield name, None
            continue
        try:
            content = _read(path)
            if suffix == ".zip":
                yield from ((f"{name}/{member}", each) for member, each in _unpacked(content))
            else:
                yield name, content
        except Refused as refused:
            yield name, refused


def _paths(top: Path) -> Iterator[Path]:
    """Yield a file, or the files and links in a folder, in order."""
    if top.is_symlink() or not top.is_dir():
        yield top
        return
    for path in sorted(top.iterdir()):
        if not _LITTER.fullmatch(path.name):
            yield from _paths(path)


def _read(path: Path) -> bytes:
    """Return the bytes of a file; raise Refused for a link, a pipe or a file that is too large."""
    try:  # not blocked by a pipe, nor led astray by a link
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        link = "it is a link, which is not followed"
        raise Refused(link if path.is_symlink() else f"unreadable: {error.strerror}") from None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused("it is no regular file")
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Refused(f"it is larger than {LARGEST >> 20} MB: clear its outputs")
    return content


def _unpacked(content: bytes) -> list[tuple[str, bytes]]:
    """Return the notebooks of an archive, by name; raise Refused if it is damaged or too large."""
    notebooks, left = [], LARGEST
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist()[:MOST_FILES]:
                parts = member.filename.split("/")
                if parts[-1].lower().endswith(".ipynb") and not any(map(_LITTER.fullmatch, parts)):
                    with archive.open(member) as file:
                        inside = file.read(left + 1)
                    left -= len(inside)
                    if left < 0:
                        raise Refused(f"it holds more than {LARGEST >> 20} MB of notebooks")
                    notebooks.append((_readable(member.filename), inside))
    except Refused:
        raise
    except Exception as error:  # zipfile, zlib and lzma each have exceptions of their own
        raise Refused(f"the archive is damaged or locked: {error}") from None
    if not notebooks:
        raise Refused("the archive holds no notebook")
    return notebooks
