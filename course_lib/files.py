"""Files that are written whole or not at all.

The bytes go to a temporary file in the same folder, reach the disk (fsync), and only then take
the file's name (`os.replace`, which is atomic within one file system). So a reader finds the old
file or the new one, never half a file, even if the process is killed.
"""

import errno
import json
import math
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import MISSING, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_type_hints

from course_lib.errors import CourseError

Kind = TypeVar("Kind")


@contextmanager
def atomic_path(path: Path | str) -> Iterator[Path]:
    """Give a temporary path to write to; it becomes `path` when the block ends without error.

    The temporary file is in the same folder, ends in the same suffix and is removed if the block
    raises. If `path` is a symbolic link, the file that it points to is replaced. If it is a pipe
    or a device such as /dev/null, the path given is `path` itself: replacing it would take it away
    from everybody else.

    Raises:
        CourseError: the file cannot be written. What was at `path` before is then unchanged.
    """
    final = Path(os.path.realpath(path))
    if final.exists() and not final.is_file() and not final.is_dir():
        yield Path(path)
        return
    # Some libraries choose the format by the suffix, so it stays at the end.
    temporary = final.with_name(f".{final.stem}-{secrets.token_hex(6)}.part{final.suffix}")
    try:
        yield temporary
        with open(temporary, "rb+") as file:
            os.fsync(file.fileno())
        os.replace(temporary, final)
    except OSError as error:
        raise cannot_write(path, error.errno or 0) from error
    finally:
        temporary.unlink(missing_ok=True)


def atomic_write(path: Path | str, data: bytes | str) -> None:
    """Write `data` to `path`, whole or not at all. Text is written as UTF-8, newlines as given.

    Raises:
        CourseError: as `atomic_path` does.
    """
    content = data.encode("utf-8") if isinstance(data, str) else data
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)


def cannot_write(path: Path | str, number: int) -> CourseError:
    """The error for a failed write: `number` is the system's error number (errno)."""
    if number in (errno.ENOSPC, errno.EDQUOT):
        reason = "the disk is full; free some space and try again"
    else:
        reason = os.strerror(number) if number else "the system gives no reason"
    return CourseError(f"cannot write {path}: {reason}")


# The rest is used by course_lib.grading alone and goes with it.


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
