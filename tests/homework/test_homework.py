"""Each homework: students get what the source says, right answers pass, known slips are told."""

import os
import re
from itertools import chain

import dill
import nbformat
import pytest

from course_lib.homework import HomeworkError
from tests.homework.answers import asked_for, ignorant, known_slips, outcomes, right_answers
from tools.homework import POINTS, differences, load
from tools.project import ROOT, homework_sources

CRASH = """
def {name}(*given, **named):
    kept = list(given)
    return kept.missing
"""


class Poison:
    """What makes a folder when it is unpickled, as a submission's log could do anything."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


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

    def test_every_cell_runs_after_the_right_answers(self, made):
        made.names(code=made.everything)

    def test_a_finale_asks_for_what_is_not_written_yet(self, made):
        for finale in (cell for cell in made.everything if "require_written(" in cell):
            with pytest.raises(HomeworkError, match=r"want your answer in \w+; got `...`"):
                exec(finale, made.names("\n\n".join(made.template.values())))

    def test_right_answers_pass_every_test(self, made):
        for question in made.tests:
            failed = [o.message for o in made.ask(question) if not o.passed]
            assert not failed, "\n".join(failed)

    def test_right_answers_that_are_written_differently_pass(self, made):
        for question, way, answer in right_answers(self.name):
            failed = [o.message for o in made.ask(question, answer) if not o.passed]
            assert not failed, "\n".join([f"{question}: {way}", *failed])

    def test_an_unanswered_question_fails_with_a_sentence(self, made):
        for question, template in made.template.items():
            results = list(made.ask(question, template))
            assert not any(outcome.passed for outcome in results), question
            public = [outcome.message for outcome in results if not outcome.hidden]
            assert "AssertionError" in public[0]
            assert "None" in public[0]

    def test_a_crash_shows_the_students_own_line(self, made):
        for question, path in made.tests.items():
            for name in sorted(asked_for([path])):
                told = [o.message for o in made.ask(question, CRASH.format(name=name))]
                stopped = [message for message in told if "has no attribute 'missing'" in message]
                assert stopped, name
                line = "(your code stopped at line 4 of its cell: `return kept.missing`)"
                assert all(line in message for message in stopped), name
                assert all("Error at line" in message for message in stopped), "the test's, too"

    @pytest.mark.parametrize(("fill", "lists"), [(0, True), (0.5, True), (1, False)])
    def test_an_answer_that_looks_at_nothing_earns_a_point_at_most(self, made, fill, lists):
        right = made.names()
        names = dict(right)  # Beside them, so that right answers still call each other.
        for name in asked_for(made.tests.values()):
            names[name] = ignorant(right[name], fill, lists)
        assert POINTS - sum(made.lost(names).values()) <= 1

    def test_a_submissions_log_is_not_opened(self, made, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        log, opened = tmp_path / ".OTTER_LOG", tmp_path / "opened"
        log.write_bytes(dill.dumps(Poison(opened)))
        names = made.names()
        assert all(o.passed for o in outcomes(made.tests["q1"], names))
        assert not opened.exists()
        # What otter's own runner calls, PythonRunner.run, before it grades. Imported by now:
        # packages that otter brings in complain about each other (see tools.homework.load).
        from otter.check.logs import Log

        with pytest.raises(AttributeError):
            Log.from_file(str(log))
        assert opened.exists(), "otter no longer unpickles it: then book/homework.md is wrong"

    def test_two_fifths_of_the_points_or_more_are_hidden(self, made):
        cases = [case for path in made.tests.values() for case in load(path).test_cases]
        hidden = sum(case.points for case in cases if case.hidden)
        assert hidden >= 0.4 * sum(case.points for case in cases)
        assert all(case.failure_message for case in cases if case.hidden)

    def test_each_question_has_three_known_slips_or_more(self, made):
        for question in made.tests:
            names = {slip.name for slip in known_slips(self.name) if slip.question == question}
            assert len(names) >= 3, question
        assert any(slip.hidden for slip in known_slips(self.name))

    def test_a_known_slip_is_told(self, made, slip):
        outcomes = made.ask(slip.question, made.with_slip(slip))
        first = next((outcome for outcome in outcomes if not outcome.passed), None)
        assert first is not None, "every test let it pass"
        assert slip.says in first.message
        assert first.hidden == slip.hidden

    def test_the_notebook_has_no_outputs_and_ids_of_its_own(self, made):
        path = made.assigned.student / f"{self.name}.ipynb"
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
        assert not any(cell.get("outputs") for cell in notebook.cells)
        assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)

    def test_the_written_notebook_hands_in_no_log(self):
        """book/homework.md promises it; a log in an archive is then a stranger's."""
        (source,) = (source for source in homework_sources() if source.stem == self.name)
        notebook = nbformat.read(source.parent / "student" / f"{self.name}.ipynb", as_version=4)
        (call,) = re.findall(r"grader\.export\((.*)\)", "\n".join(c.source for c in notebook.cells))
        assert "ignore_log=True" in call.split(", ")

    def costs_what_it_touches(self, made, most):
        """By name some slips, each with the most points that it may cost."""
        known = {slip.name: slip for slip in known_slips(self.name)}
        for name, points in most.items():
            lost = sum(made.lost(made.names(made.with_slip(known[name]))).values())
            assert 0 < lost <= points, f"{name} costs {lost} points"


class TestHw01(Checks):
    name = "hw01_recurrence"

    def test_a_missing_transpose_costs_what_it_touches(self, made):
        back, weights = (
            "goes back through W_hh, not through its transpose",
            "the gradient of W_hh the wrong way up",
        )
        self.costs_what_it_touches(made, {back: 2, weights: 1})


class TestHw02(Checks):
    name = "hw02_seq2seq"


class TestHw03(Checks):
    name = "hw03_alignment"


class TestHw04(Checks):
    name = "hw04_bahdanau"

    def test_a_missing_transpose_costs_what_it_touches(self, made):
        self.costs_what_it_touches(made, {"W not transposed": 1.5, "U not transposed": 1.5})

    def test_the_page_quotes_what_a_wrong_softmax_gets_to_hear(self, made):
        page = (ROOT / "book" / "homework.md").read_text(encoding="utf-8")
        quoted = " ".join(re.findall(r"^ *> (.*)$", page, re.MULTILINE))
        (slip,) = (s for s in known_slips(self.name) if s.name == "softmax over the batch")
        told = next(o.message for o in made.ask("q1", made.with_slip(slip)) if not o.passed)
        assert len(quoted) > 100
        assert quoted in " ".join(told.split())


class TestHw05(Checks):
    name = "hw05_query_key_value"


class TestHw06(Checks):
    name = "hw06_where_to_look"


class TestHw07(Checks):
    name = "hw07_decomposable"


class TestHw08(Checks):
    name = "hw08_self_attention"


class TestHw09(Checks):
    name = "hw09_multi_head"


class TestHw10(Checks):
    name = "hw10_transformer"

    def test_a_slip_costs_what_it_touches(self, made):
        most = {"no biases in attention": 3, "max for min": 2, "the loss is a sum": 1.5}
        self.costs_what_it_touches(made, most)


class TestHw11(Checks):
    name = "hw11_decoding"

    def test_a_slip_costs_what_it_touches(self, made):
        most = {
            "multiplied": 1,
            "never hopeless": 0.5,
            "always position 0": 2,
            "the cache stays behind": 1.5,
            "times the temperature": 1.5,
        }
        self.costs_what_it_touches(made, most)


class TestHw12(Checks):
    name = "hw12_at_scale"

    def test_a_slip_costs_what_it_touches(self, made):
        most = {"no scale": 3, "numbers for bytes": 4}
        self.costs_what_it_touches(made, most)


class TestHw13(Checks):
    name = "hw13_real_translation"

    def test_a_slip_costs_what_it_touches(self, made):
        most = {"times the mask": 1, "the end mark is a word": 2, "item by item": 2}
        self.costs_what_it_touches(made, most)


class TestHw14(Checks):
    name = "hw14_gpt"


@pytest.mark.parametrize("source", homework_sources(), ids=lambda source: source.stem)
def test_minutes_and_stars_of_the_questions(source):
    hours = {"about two hours": 120, "about two and a half hours": 150}
    introduction, *questions = source.read_text(encoding="utf-8").split("\n# ## Question ")
    told = " ".join(introduction.replace("\n# ", " ").split())
    minutes = 0
    for question in questions:
        line = re.match(r"\d.*\n#\n# \*About (\d+) minutes, (★☆☆|★★☆|★★★)\.\*\n#\n", question)
        assert line, f"want minutes and stars under the heading; got {question[:100]!r}"
        assert (line[2] != "★☆☆") == ("# <details><summary>" in question), question[:100]
        minutes += int(line[1])
    assert [minutes] == [given for words, given in hours.items() if words in told]


def test_no_homework_is_left_out():
    assert [source.stem for source in homework_sources()] == [
        c.name for c in Checks.__subclasses__()
    ]
