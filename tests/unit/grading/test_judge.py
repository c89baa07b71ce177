"""What the judge gives for honest work, and what it does where the machine or a name is wrong."""

import pytest
import torch

from course_lib.errors import CourseError
from course_lib.grading import jail
from course_lib.grading.assignment import load, parse
from course_lib.grading.instances import Instances
from course_lib.grading.judge import Judge, cells_of
from course_lib.grading.record import fingerprint
from tests.unit.grading.small import FOURFOLD, RIGHT, SOURCE, notebook

SALT = b"0123456789abcdef"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("homework")
    (made / "hw99_small").mkdir()
    (made / "hw99_small" / "hw99_small.py").write_text(SOURCE, encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def judge(folder):
    try:
        jail.choose()
    except CourseError as error:
        pytest.skip(str(error))
    with Judge("hw99", homework=folder, salt=SALT) as made:
        yield made


def test_right_answers_get_all_points(judge):
    record = judge.grade(judge.assignment.solution(), student="right")
    assert (record.score, record.points, record.status, record.cells) == (20, 20, "graded", ())
    assert (record.jail, record.salt) == (judge.jail, fingerprint(SALT))
    assert all(t.status == "passed" and not t.message for q in record.questions for t in q.tests)
    assert record.cpu_seconds > 0


def test_no_answers_get_none_and_a_sentence(judge):
    record = judge.grade(judge.assignment.start(), student="empty")
    assert record.score == 0
    public, hidden = record.questions[0].tests
    assert public.message == "want a tensor; got a NoneType"
    assert (public.public, hidden.public, hidden.topic) == (True, False, "Random numbers.")


def test_a_crash_tells_the_students_line(judge):
    record = judge.grade(notebook("def double(x):\n    y = x\n    return y.missing\n"), student="x")
    test = record.questions[0].tests[0]
    assert "AttributeError" in test.message
    assert test.line == "line 3 of its cell: `return y.missing`"


def test_a_wrong_answer_does_not_cost_the_question_that_builds_on_it(judge):
    wrong = "def double(x):\n    return 2 * x + 1\n"
    record = judge.grade(notebook(wrong, FOURFOLD), student="follows")
    assert [question.score for question in record.questions] == [0, 8]
    assert "a right double" in record.questions[1].tests[0].message
    neither = "def fourfold(x):\n    return double(x)\n"
    assert judge.grade(notebook(wrong, neither), student="neither").score == 0


def test_a_cell_that_raises_does_not_stop_the_others(judge):
    record = judge.grade(
        notebook("1 / 0", RIGHT, "%matplotlib inline\nx = (", FOURFOLD), student="x"
    )
    assert record.score == 20
    assert [line.partition(":")[0] for line in record.cells] == ["cell 1", "cell 3"]
    assert "ZeroDivisionError" in record.cells[0]


def test_a_missing_answer_is_a_failure_with_its_name(judge):
    record = judge.grade({"cells": []}, student="nothing")
    assert record.score == 0
    assert "'double' is not defined" in record.questions[0].tests[0].message


def test_some_questions(folder, judge):
    with pytest.raises(CourseError, match="want questions of q1, q2; got q7"):
        Judge("hw99", homework=folder, questions=["q7"])
    judge.questions = ("q2",)
    try:
        record = judge.grade(notebook(RIGHT, FOURFOLD), student="x")
    finally:
        judge.questions = ("q1", "q2")
    assert (record.score, record.points, len(record.questions)) == (10, 10, 1)


def test_no_jail_no_grade(folder, monkeypatch):
    monkeypatch.setattr(jail, "_without_namespaces", lambda: "bubblewrap is not installed")
    monkeypatch.setattr(jail, "_without_landlock", lambda: "the kernel has no Landlock")
    with pytest.raises(CourseError, match="--allow-weak"):
        Judge("hw99", homework=folder)
    with pytest.raises(CourseError, match="want the jail namespaces"):
        jail.choose("namespaces", allow_weak=True)
    assert jail.choose(allow_weak=True) == jail.WEAK
    assert ("jail", False) in [row[:2] for row in jail.doctor()]


def test_instances_depend_on_all_that_they_should():
    case = parse("hw99_small", SOURCE).questions["q1"].cases[1]
    public = parse("hw99_small", SOURCE).questions["q1"].cases[0]
    one = Instances(SALT, "hw99_small", "v0")
    others = [Instances(b"other", *one[1:]), one._replace(variant="v1"), one._replace(student="a")]
    drawn = [_drawn(instances, case) for instances in (one, *others)]
    assert torch.equal(drawn[0], _drawn(one, case)), "kept for a regrade"
    assert all(not torch.equal(a, b) for i, a in enumerate(drawn) for b in drawn[:i])
    assert _drawn(one, public).tolist() == [3], "public tests are fixed"
    written = _drawn(Instances(b"", "hw99_small", "v0"), case)
    assert torch.equal(written, torch.randn(3, generator=torch.Generator().manual_seed(1)))


def _drawn(instances, case):
    seen = []

    def double(x):
        seen.append(x.clone())
        return 2 * x

    instances.function(case)(double)
    return seen[0]


def test_what_a_try_it_shows_is_not_run():
    assignment = load("hw04")
    kept = [source for _, source in cells_of(assignment.solution(), assignment)]
    tried = [cell.start for cell in assignment.cells if cell.kind == "tried"]
    assert tried
    assert not set(tried) & set(kept)
    first = "from course_lib.homework import Homework\ngrader = Homework('hw04')"
    assert not cells_of({"cells": [{"cell_type": "code", "source": [first]}]}, assignment)


def test_points_add_up():
    with pytest.raises(CourseError, match="want 20 points in all; got 10"):
        parse("hw99", SOURCE.partition("# %% [raw]\n# # BEGIN QUESTION\n# name: q2")[0])
    with pytest.raises(CourseError, match="want tests that give 11 points; got 10"):
        parse("hw99", SOURCE.replace("# points: 10", "# points: 11", 1))
    for number in range(1, 15):
        assert load(f"hw{number:02}").questions
