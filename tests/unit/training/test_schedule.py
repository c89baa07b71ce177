"""Learning-rate schedules are the papers' and refuse what they cannot do."""

import math

import pytest

from course_lib.errors import CourseError
from course_lib.training.schedule import SCHEDULES, learning_rate_factor, paper_peak


@pytest.mark.parametrize("width", [64, 512])
@pytest.mark.parametrize("warmup", [1, 400, 4000])
def test_the_transformers_schedule_is_equation_3_of_its_paper(width, warmup):
    factor = learning_rate_factor("warmup_inverse_sqrt", warmup, total=100_000)
    for step in (1, 2, 399, 400, 401, 4000, 4001, 99_999):
        paper = width**-0.5 * min(step**-0.5, step * warmup**-1.5)
        assert paper_peak(width, warmup) * factor(step) == pytest.approx(paper, rel=1e-12)


def test_constant_is_one_after_its_warmup():
    factor = learning_rate_factor("constant", 4, total=10)
    assert [factor(step) for step in (1, 2, 3, 4, 5, 10)] == [0.25, 0.5, 0.75, 1, 1, 1]
    assert learning_rate_factor("constant", 0, total=10)(1) == 1


def test_cosine_by_hand():
    factor = learning_rate_factor("cosine", 2, total=6)
    wanted = [0.5, 1.0] + [0.5 * (1 + math.cos(math.pi * i / 4)) for i in range(4)]
    assert [factor(step) for step in range(1, 7)] == pytest.approx(wanted)
    assert learning_rate_factor("cosine", 0, total=1)(1) == 1.0


def test_an_unknown_name_lists_those_that_exist():
    with pytest.raises(CourseError) as caught:
        learning_rate_factor("linear", 0, 10)
    assert all(name in str(caught.value) for name in SCHEDULES)


@pytest.mark.parametrize(("name", "warmup"), [("warmup_inverse_sqrt", 0), ("cosine", 10)])
def test_an_impossible_warmup_is_refused(name, warmup):
    with pytest.raises(CourseError, match="warmup"):
        learning_rate_factor(name, warmup, total=10)
