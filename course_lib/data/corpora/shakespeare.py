"""Tiny Shakespeare: 40,000 lines of the plays as one text, in the public domain.

The text and its split are those of Karpathy's char-rnn and nanoGPT: the first nine tenths of its
1,115,394 characters are for training, the rest is for validation.
"""

from pathlib import Path

from course_lib.data.corpora.download import fetch
from course_lib.errors import CourseError


def load(*, progress: bool = True) -> str:
    """The whole text.

    Raises:
        CourseError: the text cannot be downloaded or found.
    """
    return read_text(fetch("shakespeare", progress=progress)["input.txt"])


def read_text(path: Path) -> str:
    """The text of a file.

    Raises:
        CourseError: the file cannot be read, or is no text in UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CourseError(f"want text in UTF-8; {path} is no text in UTF-8") from error


def split(text: str) -> tuple[str, str]:
    """The first nine tenths, and the rest."""
    cut = int(0.9 * len(text))
    return text[:cut], text[cut:]
