"""The exception that users see as a single line."""

import unicodedata

LONGEST = 1000
"""Characters of a message; the middle of a longer message is left out."""


class CourseError(Exception):
    """A mistake that the user can fix: bad input, missing data, a damaged file.

    The command line prints the message, one line, without a traceback and exits with code 2.
    """

    def __str__(self) -> str:
        return one_line(super().__str__())


def one_line(text: str) -> str:
    """A message on one line: control characters are escaped, a very long message is cut.

    Messages name files and words that others chose, which may contain anything.
    """
    line = escaped(text)
    if len(line) <= LONGEST:
        return line
    return f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"


def escaped(text: str) -> str:
    """The same text with backslash escapes for what cannot be printed."""
    return "".join(
        c if c.isprintable() or unicodedata.category(c) == "Zs" else repr(c)[1:-1] for c in text
    )
