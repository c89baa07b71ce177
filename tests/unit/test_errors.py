"""What a user reads is one line, whatever stands in the names that it tells."""

import pytest

from course_lib.errors import CourseError


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\nb", r"a\nb"),
        ("a\r\x1b[31mb", r"a\r\x1b[31mb"),
        ("a\u2028b\ufeffc", r"a\u2028b\ufeffc"),
        ("a\udce4b", r"a\udce4b"),
        ("\u202eabc", r"\u202eabc"),
        ("Straße 中 😀 'x' \\n", "Straße 中 😀 'x' \\n"),
    ],
)
def test_what_would_break_the_line_is_escaped(name, shown):
    error = CourseError(f"no file {name}")
    assert str(error) == f"{error}" == f"no file {shown}"
    assert len(str(error).splitlines()) == 1
    str(error).encode()


def test_a_message_told_twice_is_not_escaped_twice():
    assert str(CourseError(f"pair 1: {CourseError('a' + chr(10))}")) == r"pair 1: a\n"
