"""The folder of a run as a place: which files it has, who may write them, and who does so now.

config.json               the model's name and settings, the data, the training
source_tokenizer.json     how sentences become ids
target_tokenizer.json
best.safetensors          the best weights so far
last.safetensors          weights, optimizer and progress: what `fit` resumes from
history.json              what was measured on the way
.lock                     there while somebody trains here, or was killed; empty
"""

import errno
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from course_lib.atomic import cannot_write, remove_leftovers
from course_lib.errors import CourseError

CONFIG = "config.json"
TOKENIZERS = ("source_tokenizer.json", "target_tokenizer.json")
BEST = "best.safetensors"
LAST = "last.safetensors"
HISTORY = "history.json"
FILES = (CONFIG, *TOKENIZERS, BEST, LAST, HISTORY)

LOCK = ".lock"
# What `atomic_path` leaves of a run that was killed while it wrote.
_HALF = re.compile(r"\.\w+-[0-9a-f]{12}\.part\.\w+")
# What a file system answers that knows no locks.
_NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK, errno.EINVAL)

log = logging.getLogger(__name__)


def holds_run(directory: Path | str) -> bool:
    """Whether training has left weights or a history in this folder."""
    # Unlike Path.exists this does not raise for a name that no file can have.
    return any(os.path.exists(Path(directory, name)) for name in (LAST, BEST, HISTORY))


def refuse_to_overwrite(directory: Path | str) -> None:
    """Raises CourseError if the folder already holds a run."""
    if holds_run(directory):
        raise CourseError(
            f"{directory} already holds a run; resume it (resume=True, or --resume), or choose "
            "another folder"
        )


@contextmanager
def training_in(directory: Path | str | None) -> Iterator[None]:
    """Makes the folder of a run and keeps everybody else from training in it meanwhile.

    The lock is the system's and dies with its process, however that ends. Who holds it already
    may take it again. What a killed run left half-written is cleared away. Without a directory
    there is nothing to lock.

    Raises:
        CourseError: somebody trains there now, the folder cannot be made or written to, or it
            holds other things than a run.
    """
    if directory is None:
        yield
        return
    folder = _make(Path(directory))
    # One lock a file within this process, so that `fit` may be called under a lock held already.
    lock = FileLock(folder / LOCK, blocking=False, is_singleton=True)
    try:
        lock.acquire()
    except Timeout:
        raise CourseError(
            f"another training is going on in {folder}; wait for it, or choose another folder"
        ) from None
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            raise cannot_write(folder / LOCK, error.errno or 0) from error
        log.warning("%s cannot be locked here: let no other training write into it", folder)
        yield
        return
    try:
        for name in FILES:
            remove_leftovers(folder / name)
        yield
    finally:
        if lock.lock_counter == 1:
            # Before the release: afterwards it may be another's already.
            with suppress(OSError):
                os.unlink(folder / LOCK)
        lock.release()


def _make(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        strangers = sorted(
            name
            for name in os.listdir(folder)
            if name not in (*FILES, LOCK) and not _HALF.fullmatch(name)
        )
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise CourseError(f"cannot make the folder {folder}: {why}; choose another") from error
    if strangers and not holds_run(folder):
        raise CourseError(
            f"{folder} holds other things ({strangers[0]}) and no run; choose a folder of its own"
        )
    return folder
