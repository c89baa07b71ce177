"""The exception that users see as a single line."""

import unicodedata


class CourseError(Exception):
    """A mistake that the user can fix: bad input, missing data, a damaged file.

    The command line prints the message, one line, without a traceback and exits with code 2.
    """

    def __str__(self) -> str:
        return one_line(super().__str__())


def one_line(text: str) -> str:
    """The text with backslash escapes for what cannot be printed, such as a line break.

    Messages name files and words that others chose, which may contain anything.
    """
    return "".join(
        c if c.isprintable() or unicodedata.category(c) == "Zs" else repr(c)[1:-1] for c in text
    )
