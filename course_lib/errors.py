"""The one exception that users see as a single line."""


class CourseError(Exception):
    """A mistake that the user can mend: bad input, missing data, a broken file.

    The message is one line that says what was wanted, what came and what to do. The command
    line prints it without a traceback and leaves with exit code 2.
    """
