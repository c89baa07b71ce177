"""Standard input, output and error, which may be closed or speak another code than we do."""

import io
import os
import sys
from contextlib import suppress

from course_lib.errors import CourseError


def is_heard() -> bool:
    """Whether this process speaks for those that torchrun started, of which the first one does.

    What one of them has to complain of, all have, or they complain that it is gone.
    """
    # Clusters set RANK too, in processes that nobody else speaks for.
    return "TORCHELASTIC_RUN_ID" not in os.environ or os.environ.get("RANK", "0") == "0"


def require_output() -> None:
    """Makes sure that there is somewhere to write to.

    Without standard error what would go there is dropped, as whoever closed it wanted. So is the
    output of a process that is not heard.

    Raises:
        CourseError: standard output is closed.
    """
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if not is_heard():
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        raise CourseError("standard output is closed; send it to a file or to /dev/null")


def input_lines() -> list[str]:
    """The lines of standard input without their ends, empty ones among them.

    Raises:
        CourseError: standard input is closed, or is not in the code that Python expects there.
    """
    if sys.stdin is None:
        raise CourseError("standard input is closed; give a sentence in quotes, or a file with <")
    if isinstance(sys.stdin, io.TextIOWrapper):
        # In some locales Python takes any bytes and hands on what nobody can read.
        sys.stdin.reconfigure(errors="strict")
    try:
        return [line.rstrip("\n") for line in sys.stdin]
    except UnicodeDecodeError as error:
        raise CourseError(
            f"standard input is not {error.encoding}: byte {error.object[error.start]:#04x} does "
            "not belong there; convert it, or set PYTHONIOENCODING to its encoding"
        ) from error


def cannot_print(error: UnicodeEncodeError) -> CourseError:
    """The one line for a letter that the terminal, or the file in its place, cannot take."""
    letter = error.object[error.start]
    return CourseError(
        f"standard output is {error.encoding}, which has no {letter!a}; set PYTHONIOENCODING=utf-8"
    )


def drop_output() -> None:
    """Sends standard output nowhere if it is broken: Python would fail on it again on exit."""
    try:
        sys.stdout.flush()
    except OSError:
        # Not a file of the system's, as in a notebook: then there is nothing to redirect.
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
