"""Each homework: students get no solution, which passes; constant answers earn nothing."""

from itertools import chain

import nbformat
import pytest

from course_lib.homework import HomeworkError, load_tests
from tests.homework.answers import constant
from tools.homework import find_sources

POINTS = 20


@pytest.fixture(params=[source.stem for source in find_sources()])
def made(request, homework):
    return homework(request.param)


def test_students_get_no_solution_and_no_hidden_test(made):
    files = chain(*(made.student.rglob(f"*.{kind}") for kind in ("ipynb", "py")))
    everything = "\n".join(path.read_text(encoding="utf-8") for path in files)
    for word in ("SOLUTION", "HIDDEN", "hidden=True", "END TEST"):
        assert word not in everything
    assert set(made.template) == set(made.answers) == set(made.tests)
    for question, template in made.template.items():
        assert "..." in template
        assert made.answers[question] not in everything
    notebook = nbformat.read(made.student / f"{made.name}.ipynb", as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells)


def test_points_add_up_and_two_fifths_are_hidden(made):
    cases = {question: load_tests(path).test_cases for question, path in made.tests.items()}
    given = {question: sum(case.points for case in part) for question, part in cases.items()}
    assert given == pytest.approx(made.points)
    assert sum(given.values()) == pytest.approx(POINTS)
    hidden = [case for part in cases.values() for case in part if case.hidden]
    assert sum(case.points for case in hidden) >= 0.4 * POINTS
    assert all(case.failure_message for case in hidden)


def test_right_answers_pass_and_every_cell_runs(made):
    names = made.names(optional=True)
    for question in made.tests:
        assert made.failures(question, names) == []


def test_a_finale_asks_for_what_is_not_written_yet(made):
    for finale in (cell for cell in made.optional if "require_written(" in cell):
        with pytest.raises(HomeworkError, match=r"want your answer in \w+; got `...`"):
            exec(finale, made.names("\n\n".join(made.template.values())))


def test_an_answer_that_looks_at_nothing_earns_a_point_at_most(made):
    right = made.names()
    names = dict(right)  # Beside them, so that right answers still call each other.
    for name in made.asked():
        names[name] = constant(right[name], 0.5)
    results = [r for question in made.tests for r in made.results(question, names)]
    assert sum(r.test_case.points for r in results if r.passed) <= 1
