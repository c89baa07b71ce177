"""Each homework: students get what the source says, right answers pass, known slips are told."""

import re
from itertools import chain

import nbformat
import pytest

from tests.homework.answers import wrong_answers
from tools.homework import differences, load
from tools.project import ROOT, homework_sources


class Checks:
    """The tests of one homework; those of one class stay with one worker, which makes it once."""

    name: str

    @pytest.fixture
    def made(self, homework):
        return homework(self.name)

    def test_students_get_what_the_source_gives(self, made):
        changed = differences(made.assigned, made.source.parent / "student")
        told = f"{', '.join(changed)}: run make homework (and work on a copy of student/)"
        assert not changed, told

    def test_nothing_of_the_solution_or_of_hidden_tests_reaches_the_student(self, made):
        files = chain(*(made.assigned.student.rglob(f"*.{kind}") for kind in ("ipynb", "py")))
        everything = "\n".join(path.read_text(encoding="utf-8") for path in files)
        for word in ("SOLUTION", "HIDDEN", "hidden=True", "END TEST"):
            assert word not in everything
        assert set(made.template) == set(made.tests)
        assert all("..." in answer for answer in made.template.values())

    def test_right_answers_pass_every_test(self, made):
        for question in made.tests:
            failed = [o.message for o in made.ask(question) if not o.passed]
            assert not failed, "\n".join(failed)

    def test_an_unanswered_question_fails_with_a_sentence(self, made):
        for question, template in made.template.items():
            results = list(made.ask(question, template))
            assert not any(outcome.passed for outcome in results), question
            public = [outcome.message for outcome in results if not outcome.hidden]
            assert "AssertionError" in public[0]
            assert "None" in public[0]

    def test_two_fifths_of_the_points_or_more_are_hidden(self, made):
        cases = [case for path in made.tests.values() for case in load(path).test_cases]
        hidden = sum(case.points for case in cases if case.hidden)
        assert hidden >= 0.4 * sum(case.points for case in cases)
        assert all(case.failure_message for case in cases if case.hidden)

    def test_each_question_has_three_known_slips_or_more(self, made):
        for question in made.tests:
            slips = {wrong.slip for wrong in wrong_answers(self.name) if wrong.question == question}
            assert len(slips) >= 3, question
        assert any(wrong.hidden for wrong in wrong_answers(self.name))

    def test_a_known_slip_is_told(self, made, wrong):
        outcomes = made.ask(wrong.question, wrong.code)
        first = next((outcome for outcome in outcomes if not outcome.passed), None)
        assert first is not None, "every test let it pass"
        assert wrong.says in first.message
        assert first.hidden == wrong.hidden

    def test_the_notebook_has_no_outputs_and_ids_of_its_own(self, made):
        path = made.assigned.student / f"{self.name}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert not any(cell.get("outputs") for cell in notebook.cells)
        assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


class TestHw01(Checks):
    name = "hw01_recurrence"


class TestHw02(Checks):
    name = "hw02_seq2seq"


class TestHw03(Checks):
    name = "hw03_alignment"


class TestHw04(Checks):
    name = "hw04_bahdanau"

    def test_the_page_quotes_what_a_wrong_softmax_gets_to_hear(self, made):
        page = (ROOT / "book" / "homework.md").read_text(encoding="utf-8")
        quoted = " ".join(re.findall(r"^ *> (.*)$", page, re.MULTILINE))
        (wrong,) = (w for w in wrong_answers(self.name) if w.slip == "softmax over the batch")
        told = next(o.message for o in made.ask("q1", wrong.code) if not o.passed)
        assert len(quoted) > 100
        assert quoted in " ".join(told.split())


class TestHw05(Checks):
    name = "hw05_query_key_value"


class TestHw06(Checks):
    name = "hw06_where_to_look"


class TestHw07(Checks):
    name = "hw07_decomposable"


class TestHw10(Checks):
    name = "hw10_transformer"


def test_no_homework_is_left_out():
    assert [source.stem for source in homework_sources()] == [
        c.name for c in Checks.__subclasses__()
    ]
