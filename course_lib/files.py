"""Files that are written whole or not at all.

The bytes go to a temporary file in the same folder, reach the disk (fsync), and only then take the
file's name (`os.replace`, which is atomic). So a reader never finds half a file.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from course_lib.errors import CourseError


@contextmanager
def atomic_path(path: Path | str) -> Iterator[Path]:
    """Give a temporary path to write to; it becomes `path` when the block ends without error.

    If `path` is a symbolic link, the file that it points to is replaced. If it is a pipe or a
    device such as /dev/null, the path given is `path` itself. CourseError if the file cannot be
    written; what was at `path` before is then unchanged.
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
        raise CourseError(f"cannot write {path}: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def atomic_write(path: Path | str, data: bytes | str) -> None:
    """Write `data` to `path`, whole or not at all; text as UTF-8. Errors as in `atomic_path`."""
    content = data.encode("utf-8") if isinstance(data, str) else data
    with atomic_path(path) as temporary:
        temporary.write_bytes(content)
