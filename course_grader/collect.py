"""Finds what was handed in. Nothing here runs a student's code, follows a link or unpacks to disk.

A folder of submissions holds, for each student, a notebook, an archive (what a homework's last cell
packs) or a folder with either. What cannot be graded is a submission too, with its reason.
"""

import hashlib
import io
import json
import os
import re
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from course_grader import GraderError

LARGEST = 20 << 20  # bytes of a notebook, with the pictures in its outputs

_HOMEWORK = re.compile(r"(?:Homework|Notebook)\(\s*[\"'](\w+)")
# Canvas: doejane_LATE_1234_5678_hw01.ipynb. Moodle: Jane Doe_1234_assignsubmission_file.
_CANVAS = re.compile(r"(?P<name>.+?)(?:_LATE)?_(?P<id>\d+)_\d+_.+")
_MOODLE = re.compile(r"(?P<name>.+)_(?P<id>\d+)_assignsubmission_\w+")
_LITTER = re.compile(r"\..*|__MACOSX|~\$.*|thumbs\.db|desktop\.ini", re.IGNORECASE)


class Refused(Exception):
    """Why a submission or a file cannot be graded, in words for the teacher's table."""


class Submission(NamedTuple):
    """What one student handed in.

    `student` and `id` are those of the platform's export, or of the file's name. `notebook` is None
    where there is none to grade; `reason` says why, or what is odd beside a notebook.
    """

    student: str = ""
    id: str = ""
    file: str = ""
    sha256: str = ""
    notebook: dict[str, Any] | None = None
    reason: str = ""


def collect(folder: Path, assignment: str = "") -> list[Submission]:
    """Return all submissions of a folder; refuse notebooks that name another assignment."""
    groups: dict[tuple[str, str], list[Path]] = {}
    for name in sorted(name for name in os.listdir(folder) if not _LITTER.fullmatch(name)):
        match = _CANVAS.fullmatch(name) or _MOODLE.fullmatch(name)
        stem = Path(name).stem if name.lower().endswith((".ipynb", ".zip")) else name
        who = (_readable(match["name"]), match["id"]) if match else (_readable(stem), "")
        groups.setdefault(who, []).append(folder / name)
    if not groups:
        raise GraderError(f"want submissions in {folder}; it is empty")
    return [
        _submission(paths, assignment)._replace(student=student, id=number)
        for (student, number), paths in sorted(groups.items())
    ]


def collect_one(path: Path, assignment: str = "") -> Submission:
    """Return the submission in one file or folder."""
    return _submission([path], assignment)._replace(student=_readable(path.stem))


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
    """Return a notebook's cells and metadata; raise Refused unless it is one to be graded."""
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


def _submission(paths: list[Path], assignment: str) -> Submission:
    """Return one student's notebook out of all files that were handed in under one name."""
    notebooks: list[tuple[str, bytes, dict[str, Any]]] = []
    problems = []
    for name, content in (each for path in paths for each in _files(path, _readable(path.name))):
        try:
            if isinstance(content, Refused):
                raise content
            notebooks.append((name, content, read_notebook(content, assignment)))
        except Refused as refused:
            problems.append(f"{name}: {refused}")
    # One that names the assignment is meant before one that names none.
    named = [each for each in notebooks if homeworks_named(each[2])]
    left = sorted(named or notebooks, key=lambda each: (len(each[0]), each[0]))
    if not left:
        return Submission(reason="; ".join(problems[:3]) or "there is no notebook")
    if len({tuple(code_of(notebook)) for _, _, notebook in left}) > 1:
        files = ", ".join(name for name, _, _ in left[:4])
        return Submission(reason=f"several notebooks that differ: {files}; keep one")
    name, content, notebook = left[0]
    if not named:
        problems.append(f"{name} does not say which homework it is")
    sha256 = hashlib.sha256(content).hexdigest()
    return Submission("", "", name, sha256, notebook, "; ".join(problems[:3]))


def _files(path: Path, name: str) -> Iterator[tuple[str, bytes | Refused]]:
    """Yield each notebook in a file or a folder by name, or why it cannot be read."""
    link = path.is_symlink()
    if path.is_dir() and not link:
        for child in sorted(path.iterdir()):
            if not _LITTER.fullmatch(child.name):
                yield from _files(child, f"{name}/{_readable(child.name)}")
    elif link or path.suffix.lower() in (".ipynb", ".zip"):
        try:
            content = _read(path)
            if path.suffix.lower() == ".zip":
                yield from ((f"{name}/{member}", each) for member, each in _unpacked(content))
            else:
                yield name, content
        except Refused as refused:
            yield name, refused


def _read(path: Path) -> bytes:
    if path.is_symlink() or not path.is_file():
        raise Refused("it is a link, which is not followed, or no regular file")
    if path.stat().st_size > LARGEST:
        raise Refused(f"it is larger than {LARGEST >> 20} MB: clear its outputs")
    return path.read_bytes()


def _unpacked(content: bytes) -> list[tuple[str, bytes]]:
    """Return the notebooks of an archive, by name."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [m for m in archive.infolist() if m.filename.lower().endswith(".ipynb")]
            members = [m for m in members if not any(map(_LITTER.fullmatch, m.filename.split("/")))]
            if sum(member.file_size for member in members) > LARGEST:  # no more is unpacked
                raise Refused(f"it holds more than {LARGEST >> 20} MB of notebooks")
            notebooks = [(_readable(member.filename), archive.read(member)) for member in members]
    except Refused:
        raise
    except Exception as error:  # zipfile, zlib and lzma each have exceptions of their own
        raise Refused(f"the archive is damaged or locked: {error}") from None
    if not notebooks:
        raise Refused("the archive holds no notebook")
    return notebooks
