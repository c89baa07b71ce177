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

LARGEST = 20 * 2**20
"""Bytes of a notebook; pictures in outputs count."""
MOST_FILES = 1000
"""Files of one submission."""

_HOMEWORK = re.compile(r"(?:Homework|Notebook)\(\s*[\"'](\w+)")
# Canvas: doejane_LATE_1234_5678_hw01.ipynb. Moodle: Jane Doe_1234_assignsubmission_file.
_PLATFORMS = (
    re.compile(r"(?P<name>.+?)(?P<late>_LATE)?_(?P<id>\d+)_\d+_.+"),
    re.compile(r"(?P<name>.+)(?P<late>)_(?P<id>\d+)_assignsubmission_\w+"),
)
# As JupyterLab and browsers name a copy of a file.
_COPY = re.compile(r"(?:-Copy\d+| ?\(\d+\))$")
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
        notebook: its JSON; None if it cannot be graded.
        reason: why it cannot; or what is odd beside a notebook that can.
    """

    student: str
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
    groups: dict[tuple[str, str], list[str]] = {}
    for name in names:
        groups.setdefault(_student(name, names), []).append(name)
    if not groups:
        raise GraderError(f"want submissions in {folder}; it is empty")
    found = []
    for (student, number), entries in sorted(groups.items()):
        submission = _submission(folder, entries, assignment)
        if any((match := _PLATFORMS[0].fullmatch(name)) and match["late"] for name in entries):
            reason = "; ".join(filter(None, ["handed in late", submission.reason]))
            submission = submission._replace(reason=reason)
        found.append(submission._replace(student=student, id=number))
    return found


def collect_one(path: Path, assignment: str = "") -> Submission:
    """Return the submission in one file or folder.

    Raises:
        GraderError: there is nothing.
    """
    if not path.exists():
        raise GraderError(f"want a notebook, an archive or a folder with one; there is no {path}")
    path = path.resolve()
    return _submission(path.parent, [path.name], assignment)._replace(student=_readable(path.stem))


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
    if not content.strip():
        raise Refused("the file is empty")
    try:
        values = json.loads(content)
    except (ValueError, RecursionError):
        raise Refused("it is no notebook: its content is not JSON") from None
    if isinstance(values, dict) and "worksheets" in values:
        raise Refused("it is a notebook of an old format: open it in Jupyter and save it again")
    if not isinstance(values, dict) or not isinstance(values.get("cells"), list):
        raise Refused("it is no notebook: it has no cells")
    cells = [_cell(each) for each in values["cells"] if isinstance(each, dict)]
    notebook = {"cells": cells, "metadata": values.get("metadata")}
    if not any(source.strip() for source in code_of(notebook)):
        raise Refused("the notebook has no code")
    named = homeworks_named(notebook)
    if assignment and named and assignment not in named:
        raise Refused(f"it is a notebook of {', '.join(sorted(named))}; want {assignment}")
    return notebook


def _cell(values: dict[str, Any]) -> dict[str, str]:
    source = values.get("source", "")
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    source = source if isinstance(source, str) else ""
    # Half a character, which JSON may hold, is nothing that Python could compile.
    source = source.encode("utf-8", "replace").decode("utf-8")
    return {"cell_type": "code" if values.get("cell_type") == "code" else "other", "source": source}


def _readable(name: str) -> str:
    """Return a file's name as text: in UTF-8 and composed, as other systems write it."""
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return unicodedata.normalize("NFC", text)


def _student(name: str, names: list[str]) -> tuple[str, str]:
    """Return the student to whom a file or folder belongs, and the platform's number."""
    for pattern in _PLATFORMS:
        if match := pattern.fullmatch(name):
            return _readable(match["name"]), match["id"]
    stem, suffix = os.path.splitext(name)
    if suffix.lower() not in (".ipynb", ".zip"):
        return _readable(name), ""
    original = _COPY.sub("", stem)
    beside = f"{original}.ipynb" in names or f"{original}.zip" in names
    return _readable(original if original and beside else stem), ""


def _submission(folder: Path, entries: list[str], assignment: str) -> Submission:
    """Return one student's notebook out of all files that were handed in under one name."""
    found: list[tuple[str, bytes, dict[str, Any]]] = []
    problems, others = [], []
    try:
        for name, content in _files(folder, entries):
            if content is None:
                others.append(name)
                continue
            try:
                if isinstance(content, Refused):
                    raise content
                found.append((name, content, read_notebook(content, assignment)))
            except Refused as refused:
                problems.append(f"{name}: {refused}")
    except Refused as refused:
        return Submission("", reason=str(refused))
    # One that names the assignment is meant before one that names none.
    named = [each for each in found if homeworks_named(each[2])]
    left = sorted(named or found, key=lambda each: (len(each[0]), each[0]))
    if not left:
        there = f" (there is {', '.join(others[:3])})" if others else ""
        return Submission("", reason="; ".join(problems[:3]) or f"there is no notebook{there}")
    if len({tuple(code_of(notebook)) for _, _, notebook in left}) > 1:
        files = ", ".join(name for name, _, _ in left[:4])
        return Submission("", reason=f"several notebooks that differ: {files}; keep one")
    name, content, notebook = left[0]
    if not named:
        problems.append(f"{name} does not say which homework it is")
    problems += [f"{other} is a copy of {name}" for other, _, _ in left[1:]]
    sha256 = hashlib.sha256(content).hexdigest()
    return Submission("", "", name, sha256, notebook, "; ".join(problems[:3]))


def _files(folder: Path, entries: list[str]) -> Iterator[tuple[str, bytes | Refused | None]]:
    """Yield each file's name with its notebook, why there is none, or None for another file."""
    for path in _paths(folder, entries):
        name, suffix = _readable(path.relative_to(folder).as_posix()), path.suffix.lower()
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


def _paths(folder: Path, entries: list[str]) -> list[Path]:
    found = []
    for entry in entries:
        top = folder / entry
        if top.is_symlink() or not top.is_dir():
            found.append(top)
            continue
        for here, folders, files in os.walk(top):
            folders[:] = sorted(name for name in folders if not _LITTER.fullmatch(name))
            links = [name for name in folders if (Path(here) / name).is_symlink()]
            found += [Path(here) / n for n in [*sorted(files), *links] if not _LITTER.fullmatch(n)]
            if len(found) > MOST_FILES:
                raise Refused(f"more than {MOST_FILES} files")
    return found


def _read(path: Path) -> bytes:
    """Return the bytes of a regular file that is not too large.

    Raises:
        Refused: it is a link, a pipe, too large, or cannot be read.
    """
    if path.is_symlink():
        raise Refused("it is a link, which is not followed")
    try:  # not blocked by a pipe, nor led astray by a link that takes the file's place now
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Refused(f"it cannot be read: {error.strerror}") from None
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Refused("it is no regular file")
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise Refused(f"it is larger than {LARGEST // 2**20} MB: clear its outputs")
    return content


def _unpacked(content: bytes) -> list[tuple[str, bytes]]:
    """Return the notebooks of an archive, by name.

    Raises:
        Refused: it is damaged, locked, or holds too much.
    """
    notebooks, room = [], LARGEST
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for member in archive.infolist()[:MOST_FILES]:
                parts = member.filename.split("/")
                if parts[-1].lower().endswith(".ipynb") and not any(map(_LITTER.fullmatch, parts)):
                    with archive.open(member) as file:
                        inside = file.read(room + 1)
                    room -= len(inside)
                    if room < 0:
                        raise Refused(f"it holds more than {LARGEST // 2**20} MB of notebooks")
                    notebooks.append((_readable(member.filename), inside))
    except Refused:
        raise
    except Exception as error:  # zipfile, zlib and lzma each have exceptions of their own
        raise Refused(f"the archive is damaged or locked: {error}") from None
    if not notebooks:
        raise Refused("the archive holds no notebook")
    return notebooks
