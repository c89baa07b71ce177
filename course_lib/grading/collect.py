"""Finds what was handed in. Nothing here runs a student's code, follows a link or unpacks to disk.

A folder of submissions holds, for each student, a notebook, an archive (what a homework's last cell
packs) or a folder with either. Names as Canvas and Moodle give them are understood. Whatever cannot
be graded is a submission too, with its reason.
"""

import hashlib
import io
import os
import re
import stat
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from course_lib.errors import CourseError
from course_lib.files import parse_json

LARGEST = 20 * 2**20
"""Bytes of a notebook; pictures in outputs count."""
MOST_FILES = 1000
"""Files of one submission."""

_HOMEWORK = re.compile(r"(?:Homework|Notebook)\(\s*[\"'](\w+)")
# surname_LATE_1234_5678_hw01.ipynb; Jane Doe_1234_assignsubmission_file
_CANVAS = re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_\d+_.+")
_MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w+")
# As JupyterLab and browsers name a copy of a file.
_COPY = re.compile(r"(?:-Copy\d+| ?\(\d+\))$")


class Refused(Exception):
    """Why a submission or a file cannot be graded, in words for the teacher's table."""


@dataclass(frozen=True)
class Submission:
    """What one student handed in.

    Attributes:
        student: as the folder or file is named, without what Canvas or Moodle put around it.
        file: the notebook, relative to the folder of submissions.
        sha256: of the notebook's bytes.
        notebook: its cells, each with its type and text; None if it cannot be graded.
        reason: why it cannot; or what is odd beside a notebook that can.
    """

    student: str
    file: str = ""
    sha256: str = ""
    notebook: dict[str, Any] | None = field(default=None, repr=False)
    reason: str = ""


def collect(folder: Path, assignment: str) -> list[Submission]:
    """All submissions of a folder, by student's name.

    Args:
        folder: holds a file or a folder for each student.
        assignment: such as "hw01_recurrence".

    Raises:
        CourseError: there is no such folder, or nothing in it.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if not _is_litter(name))
    except OSError as error:
        raise CourseError(
            f"cannot read the folder of submissions {folder}: {error.strerror}; want a folder "
            "with a notebook, an archive or a folder for each student (unpack a whole download)"
        ) from error
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(_student(name, names), []).append(name)
    if not groups:
        raise CourseError(f"want submissions in {folder}; it is empty")
    return [
        _marked(_submission(folder, who, entries, assignment), entries)
        for who, entries in groups.items()
    ]


def collect_one(path: Path, assignment: str = "") -> Submission:
    """The submission in one file or folder; no assignment takes any.

    Raises:
        CourseError: there is nothing.
    """
    if not path.exists():
        raise CourseError(f"want a notebook, an archive or a folder with one; there is no {path}")
    path = path.resolve()
    return _submission(path.parent, _readable(path.stem), [path.name], assignment)


def read_notebook(content: bytes, assignment: str = "") -> dict[str, Any]:
    """The cells of a notebook's bytes.

    Args:
        content: of an .ipynb file.
        assignment: the notebook must not name another one; empty takes any.

    Raises:
        Refused: it is no notebook, has no code, or names another assignment.
    """
    if not content.strip():
        raise Refused("the file is empty")
    try:
        values = parse_json(content)
    except ValueError:
        raise Refused("it is no notebook: its content is not JSON") from None
    if isinstance(values, dict) and "worksheets" in values:
        raise Refused("it is a notebook of an old format: open it in Jupyter and save it again")
    if not isinstance(values, dict) or not isinstance(values.get("cells"), list):
        raise Refused("it is no notebook: it has no cells")
    notebook = read_cells(values)
    if not any(source.strip() for source in code_of(notebook)):
        raise Refused("the notebook has no code")
    named = homeworks_named(notebook)
    if assignment and named and assignment not in named:
        raise Refused(f"it is a notebook of {', '.join(sorted(named))}; want {assignment}")
    return notebook


def read_cells(notebook: dict[str, Any]) -> dict[str, Any]:
    """A notebook with the type and the text of its cells, its homework's name, and nothing else."""
    cells = [_cell(each) for each in notebook["cells"] if isinstance(each, dict)]
    name: Any = notebook
    for key in ("metadata", "otter", "assignment_name"):  # where otter writes it
        name = name.get(key) if isinstance(name, dict) else None
    own = {"otter": {"assignment_name": name}} if isinstance(name, str) else {}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": own, "cells": cells}


def homeworks_named(notebook: dict[str, Any]) -> set[str]:
    """The homeworks that a notebook's cells name, or else otter's note in it.

    One, unless somebody mixed two, or removed all.
    """
    named = {name for cell in code_of(notebook) for name in _HOMEWORK.findall(cell)}
    noted = notebook.get("metadata", {}).get("otter", {}).get("assignment_name")
    return named or ({noted} if noted else set())


def code_of(notebook: dict[str, Any]) -> list[str]:
    """The text of each code cell."""
    return [cell["source"] for cell in notebook["cells"] if cell["cell_type"] == "code"]


def read_file(path: Path) -> bytes:
    """The bytes of a regular file.

    Raises:
        Refused: it is a link, a pipe, too large, or cannot be read.
    """
    if path.is_symlink():
        raise Refused("it is a link, which is not followed")
    # Not blocked by a pipe, nor by a link that takes the file's place now. Windows has neither.
    flags = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(path, os.O_RDONLY | flags)
    except OSError as error:
        raise Refused(f"it cannot be read: {error.strerror}") from None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused("it is no regular file")
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Refused(f"it is larger than {LARGEST // 2**20} MB: clear its outputs")
    return content


def student_id(student: str) -> tuple[str, str]:
    """The name and the number that Canvas or Moodle know a student by; the number may be empty."""
    name, _, number = student.rpartition("_")
    return (name, number) if name and number.isdigit() else (student, "")


def platform(file: str) -> str:
    """Whose download a submission's file is from, "canvas" or "moodle"; empty for neither's."""
    name = file.partition("/")[0]
    patterns = (("canvas", _CANVAS), ("moodle", _MOODLE))
    return next((system for system, pattern in patterns if pattern.fullmatch(name)), "")


def _cell(values: dict[str, Any]) -> dict[str, str]:
    source = values.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    source = source if isinstance(source, str) else ""
    # Half a character, which JSON may hold, is nothing that Python could compile.
    source = source.encode("utf-8", "replace").decode("utf-8")
    return {"cell_type": "code" if values.get("cell_type") == "code" else "other", "source": source}


def _is_litter(name: str) -> bool:
    return name.startswith(".") or name == "__MACOSX"


def _readable(name: str) -> str:
    """A file's name need not be UTF-8; what is printed and stored must be."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _student(name: str, names: list[str]) -> str:
    """The student to whom a file or folder belongs."""
    for pattern in (_CANVAS, _MOODLE):
        if found := pattern.fullmatch(name):
            return _readable(f"{found['name']}_{found['id']}")
    stem, suffix = os.path.splitext(name)
    if suffix.lower() not in (".ipynb", ".zip"):
        return _readable(name)
    original = _COPY.sub("", stem)
    beside = f"{original}.ipynb" in names or f"{original}.zip" in names
    return _readable(original if original and beside else stem)


def _submission(folder: Path, student: str, entries: list[str], assignment: str) -> Submission:
    """One student's notebook out of all that was handed in under one name."""
    found: list[tuple[str, bytes, dict[str, Any]]] = []
    problems, others = [], []
    try:
        for name, content in _files(folder, entries):
            if isinstance(content, Refused):
                problems.append(f"{name}: {content}")
            elif content is None:
                others.append(name)
            else:
                try:
                    found.append((name, content, read_notebook(content, assignment)))
                except Refused as error:
                    problems.append(f"{name}: {error}")
    except Refused as error:
        return Submission(student, reason=str(error))
    # One that names the assignment is meant before one that names none.
    named = [each for each in found if homeworks_named(each[2])]
    left = named or found
    if not left:
        there = f" (there is {', '.join(others[:3])})" if others else ""
        return Submission(student, reason="; ".join(problems[:3]) or f"there is no notebook{there}")
    left.sort(key=lambda each: (len(each[0]), each[0]))
    if len({tuple(code_of(notebook)) for _, _, notebook in left}) > 1:
        files = ", ".join(name for name, _, _ in left[:4])
        return Submission(student, reason=f"several notebooks that differ: {files}; keep one")
    name, content, notebook = left[0]
    if not named:
        problems.append(f"{name} does not say which homework it is")
    problems += [f"{other} is a copy of {name}" for other, _, _ in left[1:]]
    sha256 = hashlib.sha256(content).hexdigest()
    return Submission(student, name, sha256, notebook, "; ".join(problems[:3]))


def _marked(submission: Submission, entries: list[str]) -> Submission:
    """The submission, with a note if Canvas says in a file's name that it came late."""
    if not any((found := _CANVAS.fullmatch(name)) and found["late"] for name in entries):
        return submission
    reason = "; ".join(filter(None, ["handed in late", submission.reason]))
    return replace(submission, reason=reason)


def _files(folder: Path, entries: list[str]) -> Iterator[tuple[str, bytes | Refused | None]]:
    """Each file's name with its notebook, why there is none, or None where none is expected."""
    for path in _paths(folder, entries):
        name = _readable(path.relative_to(folder).as_posix())
        suffix = path.suffix.lower()
        if suffix not in (".ipynb", ".zip"):
            # A link may be named as it likes, and stands where a notebook was expected.
            yield (
                name,
                Refused("it is a link, which is not followed") if path.is_symlink() else None,
            )
            continue
        try:
            content = read_file(path)
            if suffix == ".ipynb":
                yield name, content
            else:
                for member, inside in _unpacked(content):
                    yield f"{name}/{member}", inside
        except Refused as error:
            yield name, error


def _paths(folder: Path, entries: list[str]) -> list[Path]:
    found = []
    for entry in entries:
        top = folder / entry
        if top.is_symlink() or not top.is_dir():
            found.append(top)
            continue
        for here, folders, files in os.walk(top):
            links = [name for name in folders if (Path(here) / name).is_symlink()]
            folders[:] = sorted(name for name in folders if not _is_litter(name))
            found += [
                Path(here) / name for name in [*sorted(files), *links] if not _is_litter(name)
            ]
            if len(found) > MOST_FILES:
                raise Refused(f"more than {MOST_FILES} files")
    return found


def _unpacked(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The notebooks of an archive, by name.

    Raises:
        Refused: it is damaged, locked, or holds too much.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = archive.infolist()
            if len(members) > MOST_FILES:
                raise Refused(f"more than {MOST_FILES} files")
            room, some = LARGEST, False
            for member in members:
                parts = member.filename.split("/")
                if not parts[-1].lower().endswith(".ipynb") or any(map(_is_litter, parts)):
                    continue
                if stat.S_ISLNK(member.external_attr >> 16):
                    raise Refused(f"{_readable(member.filename)} in it is a link")
                with archive.open(member) as file:
                    inside = file.read(room + 1)
                room, some = room - len(inside), True
                if room < 0:
                    raise Refused(f"it holds more than {LARGEST // 2**20} MB of notebooks")
                yield _readable(member.filename), inside
            if not some:
                raise Refused("the archive holds no notebook")
    except Refused:
        raise
    except Exception as error:  # zipfile, zlib and lzma each have exceptions of their own
        raise Refused(f"the archive is damaged or locked: {error}") from None
