"""What the judge gives for honest work, and what it does where the machine or a name is wrong."""

import socket

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
    assert record.questions[1].tests[0].note == "(It is right with a right double, for 80 %.)"
    neither = "def fourfold(x):\n    return double(x)\n"
    assert judge.grade(notebook(wrong, neither), student="neither").score == 0


def test_a_loop_that_is_forbidden_is_named_and_earns_nothing(judge, monkeypatch):
    loops = (("fourfold", lambda n: (torch.ones(n),)),)
    monkeypatch.setitem(judge.rules, "q2", judge.rules["q2"]._replace(loops=loops))
    loop = "def fourfold(x):\n    return torch.stack([double(double(each)) for each in x])\n"
    record = judge.grade(notebook(RIGHT, loop), student="loops")
    (test,) = record.questions[1].tests
    assert (record.score, test.status) == (10, "failed")
    assert "asks for no Python loop: fourfold takes" in test.note


def test_a_cell_that_raises_does_not_stop_the_others(judge):
    record = judge.grade(
        notebook("1 / 0", RIGHT, "%matplotlib inline\nx = (", FOURFOLD), student="x"
    )
    assert record.score == 20
    assert [line.partition(":")[0] for line in record.cells] == ["cell 1", "cell 3"]
    assert "ZeroDivisionError" in record.cells[0]
    assert record.cells[1].endswith("(it begins: %matplotlib inline)")


def test_what_a_cell_starts_is_left_alone_while_it_runs(judge):
    runs = "import subprocess\nfor _ in range(20): subprocess.run(['/usr/bin/true'], check=True)"
    record = judge.grade(notebook(*[runs] * 4, RIGHT, FOURFOLD), student="x")
    assert (record.score, record.cells) == (20, ())


def test_a_missing_answer_is_a_failure_with_its_name(judge):
    record = judge.grade({"cells": []}, student="nothing")
    assert record.score == 0
    assert "'double' is not defined" in record.questions[0].tests[0].message


def test_what_no_answer_needs_is_flagged_and_costs_nothing(judge):
    cells = ["import ctypes", RIGHT, "import sys\nsys.settrace(None)", FOURFOLD]
    record = judge.grade(notebook(*cells), student="x")
    assert (record.score, record.status) == (20, "graded")
    assert record.reason == "look at this: cell 1 names ctypes, cell 3 names settrace"


@pytest.fixture
def hurried(judge, monkeypatch):
    """The judge with a second for each test and cell, of which one may wait."""
    monkeypatch.setattr("course_lib.grading.judge.WAITS", 1)
    for holder in (judge, judge.zygote):
        monkeypatch.setattr(holder, "limits", judge.limits._replace(wall=1.0))
    return judge


def test_whose_tests_wait_is_not_waited_for_long(hurried):
    waits = "import time\ndef double(x):\n    time.sleep(1000)\n"
    record = hurried.grade(notebook(waits, FOURFOLD), student="waits")
    tests = [test for question in record.questions for test in question.tests]
    assert [test.status for test in tests] == ["review"] * 3
    assert record.status == "needs review"
    assert "no answer for 1 seconds" in tests[0].message
    assert tests[1].message == "not tried: 1 tests before it did not answer"
    assert hurried.at == "q2"
    assert record.seconds < 4


def test_a_function_that_waits_while_its_loops_are_counted_waits_once(hurried, monkeypatch):
    loops = (("double", lambda n: (torch.ones(n),)),)
    monkeypatch.setitem(hurried.rules, "q1", hurried.rules["q1"]._replace(loops=loops))
    waits = "import time\ndef double(x):\n    time.sleep(1000)\n"
    record = hurried.grade(notebook(waits, FOURFOLD), student="waits")
    assert record.questions[0].tests[0].message == "not tried: 1 tests before it did not answer"
    assert record.status == "needs review"


def test_whose_cells_wait_is_not_waited_for_long(hurried):
    waits = "import time\ntime.sleep(1000)"
    record = hurried.grade(notebook(RIGHT, *[waits] * 9), student="waits")
    assert record.score == 10
    told = "cell 2: left out: stopped: it waited 1 seconds without computing"
    assert record.cells == (f"{told} (it begins: import time)",)
    assert record.reason == "cell 2 was stopped"
    assert record.seconds < 4


def test_whose_cells_loop_is_not_waited_for_long(judge, monkeypatch):
    for holder in (judge, judge.zygote):
        limits = judge.limits._replace(cpu=0.3, cells=0.5)
        monkeypatch.setattr(holder, "limits", limits)
    record = judge.grade(notebook(RIGHT, *["while True: pass"] * 9), student="loops")
    assert (record.score, len(record.cells)) == (10, 2)


def test_a_test_that_takes_too_long_here_is_ended(hurried, monkeypatch):
    def spins(double):
        while True:
            pass

    monkeypatch.setattr(hurried, "function", lambda case, instances: spins)
    monkeypatch.setattr(hurried, "questions", ("q2",))
    (question,) = hurried.grade(notebook(FOURFOLD), student="x").questions
    assert [test.status for test in question.tests] == ["time"]


def test_a_zygote_that_is_gone_costs_one_submission_its_score(folder, judge):
    judge.zygote.control.shutdown(socket.SHUT_RDWR)
    record = judge.grade(judge.assignment.solution(), student="x")
    assert (record.status, record.score) == ("error", None)
    assert "the zygote is gone" in record.reason
    assert judge.grade(judge.assignment.solution(), student="x").score == 20


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
    one = Instances(SALT, "hw99_small", "v0")
    others = [Instances(b"other", *one[1:]), one._replace(variant="v1"), one._replace(student="a")]
    drawn = [_drawn(instances, case) for instances in (one, *others)]
    assert torch.equal(drawn[0], _drawn(one, case)), "kept for a regrade"
    assert all(not torch.equal(a, b) for i, a in enumerate(drawn) for b in drawn[:i])
    written = _drawn(Instances(b"", "hw99_small", "v0"), case)
    assert torch.equal(_drawn(one, case._replace(hidden=False)), written), "public tests are fixed"
    assert torch.equal(written, torch.randn(3, generator=torch.Generator().manual_seed(1)))


def test_sizes_are_drawn_but_for_ones_and_equal_ones_stay_equal():
    case = parse("hw99_small", SOURCE).questions["q1"].cases[1]
    rows = "[(2, 7, 4), (1, 3, 3), (5, 5, 2)]"
    code = f"def {case.name}(double):\n    for _, (B, T, D) in enumerate({rows}):\n"
    code += "        double((B, T, D))\n"
    case, found = case._replace(code=code), []
    for number in range(30):
        sizes = []
        Instances(b"%d" % number, "hw99_small", "v0").function(case)(sizes.append)
        found.append(tuple(sizes))
    first, second, third = (set(row) for row in zip(*found, strict=True))
    assert first == {(B, T, 4) for B in (2, 3, 4) for T in (7, 8, 9)}
    assert second == {(1, 3, 3)}
    assert third == {(B, B, 2) for B in (5, 6, 7)}


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
