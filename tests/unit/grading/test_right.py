"""Right answers earn everything over the wire, however they are written."""

import pytest

from benchmarks.grading import right
from course_lib.errors import CourseError
from course_lib.grading import jail
from course_lib.grading.judge import Judge


@pytest.mark.parametrize("name", ["hw01", "hw08"])
def test_three_right_answers_a_question(name):
    """Those of others: `python -m benchmarks.grading right`; in process: tests/homework."""
    try:
        jail.choose()
    except CourseError as error:
        pytest.skip(str(error))
    with Judge(name, salt=b"right, in three ways") as judge:
        *wrong, told = right(judge)
    assert not wrong
    assert told == "15 of 15 right answers written differently are graded right"
