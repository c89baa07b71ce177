"""The one exception that users see as a single line."""

import unicodedata

LONGEST = 1000
"""Characters of a message; the middle of a longer one is left out."""


class CourseError(Exception):
    """A mistake that the user can mend: bad input, missing data, a broken file.

    The message is one line that says what was wanted, what came and what to do. The command
    line prints it without a traceback and leaves with exit code 2.
    """

    def __str__(self) -> str:
        return one_line(super().__str__())


def one_line(text: str) -> str:
    """A message on one line: what would break or colour it is escaped, a very long one is cut.

    Messages name files and words that somebody else chose, so there may be anything in them: a
    line break, a control sequence of the terminal, half a character.
    """
    line = escaped(text)
    if len(line) <= LONGEST:
        return line
    return f"{line[: LONGEST // 2]} ... {line[-LONGEST // 2 :]}"


def escaped(text: str) -> str:
    """The same text with a backslash in the place of what cannot be printed."""
    return "".join(
        c if c.isprintable() or unicodedata.category(c) == "Zs" else repr(c)[1:-1] for c in text
    )
