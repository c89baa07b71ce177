"""Files that are written whole or not at all, and JSON that is checked when it is read.

The bytes go to a temporary file in the same folder, reach the disk (fsync), and only then take
the file's name (`os.replace`, which is atomic within one file system). So a reader finds the old
file or the new one, never half a file, even if the process is killed.

A path that is not a regular file (`/dev/null`, a pipe) is written to in place: replacing it would
take it away from everybody else.
"""

import errno
import json
import math
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import MISSING, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_type_hints

from course_lib.errors import CourseError

Kind = TypeVar("Kind")

_MARK = ".part"
# Libraries written in Rust (safetensors, tokenizers) raise exceptions of their own; the system's
# error number is only in their text.
_RUST_OS_ERROR = re.compile(r"\(os error (\d+)\)")


@contextmanager
def atomic_path(path: Path | str) -> Iterator[Path]:
    """Give a temporary path to write to; it becomes `path` when the block ends without error.

    The temporary file lies in the same folder, ends in the same suffix and is removed if the
    block raises. If `path` is a symbolic link, the file that it points to is replaced. If it is
    a pipe or a character device, the path given is `path` itself.

    Raises:
        CourseError: the file cannot be written (disk full, read-only, no such folder, a folder or
            a disk in its place). What stood at `path` before is then unchanged.
    """
    if _takes_a_stream(path):
        try:
            yield Path(path)
        except OSError as error:
            raise cannot_write(path, error.errno or 0) from error
        return
    destination = Path(os.path.realpath(path))
    temporary = _temporary_name(destination)
    try:
        # Opened here, not by tempfile, so that the file gets the usual permissions, not 0600.
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        # What nobody else may read stays so.
        with suppress(OSError):
            os.chmod(temporary, stat.S_IMODE(os.stat(destination).st_mode) | 0o600)
        yield temporary
        _flush_to_disk(temporary)
        os.replace(temporary, destination)
        _flush_folder(destination.parent)
    except BaseException as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        number = _system_error(error)
        if number is None:
            raise
        raise cannot_write(path, number) from error


def atomic_write(path: Path | str, data: bytes | str) -> None:
    """Write `data` to `path`, whole or not at all. Text is written as UTF-8, newlines as given.

    Raises:
        CourseError: as `atomic_path` does.
    """
    content = data.encode("utf-8") if isinstance(data, str) else data
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)


def remove_leftovers(path: Path | str) -> None:
    """Remove temporary files for `path` that a killed process left beside it.

    Call it only where nobody else can be writing the same file.
    """
    destination = Path(os.path.realpath(path))
    pattern = re.compile(
        rf"\.{re.escape(destination.stem)}-[0-9a-f]{{12}}"
        rf"{re.escape(_MARK)}{re.escape(destination.suffix)}"
    )
    with suppress(OSError):
        for neighbour in list(destination.parent.iterdir()):
            if pattern.fullmatch(neighbour.name):
                neighbour.unlink(missing_ok=True)


def _takes_a_stream(path: Path | str) -> bool:
    """Whether `path` is a pipe or a character device; `CourseError` where no file can stand."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    except ValueError:
        raise CourseError(f"cannot write {path}: no file can have that name") from None
    except OSError as error:
        raise cannot_write(path, error.errno or 0) from error
    if stat.S_ISDIR(mode):
        raise cannot_write(path, errno.EISDIR)
    if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        raise CourseError(f"cannot write {path}: it is a disk or a socket; name a file")
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


def _temporary_name(destination: Path) -> Path:
    """Some libraries choose the format by the suffix, so it stays at the end."""
    mark = secrets.token_hex(6)
    return destination.with_name(f".{destination.stem}-{mark}{_MARK}{destination.suffix}")


def _flush_to_disk(file: Path) -> None:
    descriptor = os.open(file, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_folder(folder: Path) -> None:
    """The new name itself must reach the disk too; Windows cannot open a folder."""
    if os.name != "posix":
        return
    # Some network file systems refuse to flush a folder, and one that we may write to may refuse to
    # be read; the file is whole all the same.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _system_error(error: BaseException) -> int | None:
    """The system's error number behind an exception, or None if it is something else."""
    if isinstance(error, OSError):
        return error.errno
    if isinstance(error, Exception) and not isinstance(error, CourseError):
        found = _RUST_OS_ERROR.search(str(error))
        return int(found.group(1)) if found else None
    return None


def cannot_write(path: Path | str, number: int) -> CourseError:
    """The one line for a failed write: `number` is the system's error number (errno)."""
    if number in (errno.ENOSPC, errno.EDQUOT):
        why = "the disk is full; free some space and try again"
    elif number in (errno.EROFS, errno.EACCES, errno.EPERM):
        why = "this place is read-only for you; choose another folder"
    elif number in (errno.ENOENT, errno.ENOTDIR):
        why = f"there is no folder {Path(path).parent}; make it or choose another"
    elif number == errno.EISDIR:
        why = "a folder has that name; choose another name"
    else:
        why = os.strerror(number) if number else "the system gives no reason"
    return CourseError(f"cannot write {path}: {why}")


def parse_json(content: str | bytes) -> Any:
    """The value of a JSON text; bytes are UTF-8, with a byte-order mark or without.

    Raises:
        ValueError: it is not JSON, or nested too deeply.
    """
    try:
        return json.loads(content if isinstance(content, str) else content.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def fill(kind: type[Kind], values: Any) -> Kind:
    """A dataclass from the dictionary that `dataclasses.asdict` made of it.

    Fields that are whole numbers, numbers, texts, truth values or None are checked against their
    annotation; fields of other types must already have been converted.

    Raises:
        ValueError: not a dictionary, a field that is missing or unknown, or a value of the wrong
            type; infinity and NaN are not accepted as numbers.
    """
    if not isinstance(values, dict):
        raise ValueError(f"want {kind.__name__} as a dictionary; got {type(values).__name__}")
    known = {field.name: field for field in fields(kind)}
    if unknown := [name for name in values if name not in known]:
        raise ValueError(f"unknown {unknown[0]!r}")
    types, checked = get_type_hints(kind), {}
    for name, field in known.items():
        if name in values:
            checked[name] = _checked(name, values[name], types[name])
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ValueError(f"{name} is missing")
    return kind(**checked)


_SIMPLE = {int: "a whole number", float: "a number", str: "a text", bool: "true or false"}


def _checked(name: str, value: Any, wanted: Any) -> Any:
    choices = get_args(wanted) if isinstance(wanted, UnionType) else (wanted,)
    if not set(choices) <= {*_SIMPLE, NoneType} or (type(value) in choices and _finite(value)):
        return value
    # A JSON writer may leave out the ".0".
    if float in choices and type(value) is int and abs(value) < 2**1000:
        return float(value)
    words = " or ".join(_SIMPLE.get(choice, "null") for choice in choices)
    raise ValueError(f"want {words} as {name}; got {str(value)[:40]!r}")


def _finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)
