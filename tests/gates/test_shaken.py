"""What the gate `shaken` refuses, each rule shown on a small course or on a few cells."""

import json

import pytest

from tools.gates import shaken as gate
from tools.notebooks.text import from_text
from tools.notebooks.write import seal
from tools.shake.depends import fingerprints
from tools.shake.judge import (
    PrintedCell,
    chapter_problems,
    experiment_problems,
    never_made,
    unshaken_claims,
)
from tools.shake.record import Cell, Made, Record, load, path_of, save
from tools.shake.registry import REGISTRY, Stored, shares
from tools.shake.spread import Spread, counts, last_place, shaken

SIX = ("as it is", "no AVX", "AVX2", "nudged a", "nudged b", "one thread")
TRAIN = "right = train(seed=0)"


def cells(printing="print(right)", tolerance=None, printed="0.50\n", ignored=False):
    """A cell that trains, and one that prints what came out."""
    return [
        PrintedCell("code cell 1", TRAIN, None, False, ()),
        PrintedCell("code cell 2", printing, tolerance, ignored, (printed,)),
    ]


def record(*spreads, of=None, conditions=SIX, **more):
    code = fingerprints([cell.source for cell in of or cells()])[1]
    part = Cell("print(right)", code, tuple(Spread(*s) for s in spreads), **more)
    return Record("2.13.0", conditions, "stamp", (part,))


def problems(some_cells, some_record):
    return "\n".join(chapter_problems(some_cells, some_record))


class TestChapter:
    def test_a_tolerance_with_room_passes(self):
        assert not problems(cells(tolerance={"atol": 0.1}), record(("0.48", "0.52")))

    def test_a_tolerance_without_room_is_refused(self):
        found = problems(cells(tolerance={"atol": 0.05}), record(("0.48", "0.52")))
        assert "moves from 0.48 to 0.52, and the tolerance is 0.05: at least 0.06" in found

    def test_the_stored_value_belongs_to_the_spread(self):
        some = cells(tolerance={"atol": 0.1}, printed="0.60\n")
        assert "moves from 0.48 to 0.60" in problems(some, record(("0.48", "0.52")))

    def test_a_tolerance_that_hides_a_change_is_refused(self):
        found = problems(cells(tolerance={"rtol": 0.6}), record(("0.48", "0.52")))
        assert "at most 0.24" in found

    def test_a_number_that_moves_over_half_of_its_size_is_none_to_print(self):
        some = cells(tolerance={"atol": 0.45}, printed="0.30\n")
        assert "over half of its size" in problems(some, record(("0.20", "0.47")))
        assert not problems(some, record(("0.25", "0.47")))
        # One unit of the last digit is rounding, however small the number.
        some = cells(tolerance={"atol": 0.2}, printed="0.0\n")
        assert not problems(some, record(("0.0", "0.1")))

    def test_the_number_that_moves_most_decides_what_is_too_wide(self):
        some = cells(tolerance={"atol": 0.15}, printed="1.00 0.50\n")
        assert not problems(some, record(("1.00", "1.00"), ("0.45", "0.52")))

    def test_a_few_units_of_the_last_digit_are_never_too_wide(self):
        some = cells(tolerance={"atol": 0.05})
        assert not problems(some, record(("0.50", "0.50")))
        assert "at most 0.06" in problems(cells(tolerance={"atol": 0.1}), record(("0.50", "0.50")))

    def test_a_tolerance_that_was_never_shaken_is_refused(self):
        some = cells(tolerance={"atol": 0.1})
        assert "1 cells carry a tolerance or give a verdict" in problems(some, None)
        other = record(("0.48", "0.52"), of=cells(printing="print(0)"))
        assert "not shaken since its code changed" in problems(some, other)
        assert not problems(cells(), None)

    def test_a_change_in_what_the_cell_depends_on_counts(self):
        some = cells(tolerance={"atol": 0.1})
        changed = [some[0]._replace(source="right = train(seed=1)"), some[1]]
        assert "not shaken" in problems(changed, record(("0.48", "0.52")))

    def test_a_count_that_moves_is_refused_under_every_tolerance(self):
        some = cells(tolerance={"rtol": 1.0}, printed="284 of 600\n")
        found = problems(some, record(("285", "297"), ("600", "600")))
        assert "prints a count that moves, from 284 to 297" in found

    def test_a_number_that_moves_needs_a_tolerance(self):
        found = problems(cells(), record(("0.48", "0.52")))
        assert "prints a number that moves, from 0.48 to 0.52: no tolerance" in found
        assert not problems(cells(), record(("0.500001", "0.500002")))

    def test_a_claim_that_turned_or_a_check_that_failed_is_refused(self):
        found = problems(cells(), record(raised={"AVX2": "AssertionError: C08: does not hold"}))
        assert "fails under AVX2: AssertionError: C08" in found
        ignored = cells(ignored=True)
        assert "fails under AVX2" in problems(ignored, record(raised={"AVX2": "AssertionError: "}))

    def test_other_words_are_refused(self):
        said = {"no AVX": "[C08] does not hold: 0.40\n"}
        found = problems(cells(), record(("0.50", "0.50"), otherwise=said))
        assert "says something else under no AVX: '[C08] does not hold: 0.40'" in found

    def test_a_claim_that_was_never_shaken_is_refused(self):
        found = problems(cells(printed="[C08] holds: 0.97\n"), None)
        assert "1 cells carry a tolerance or give a verdict, and it was never shaken" in found

    def test_a_claim_whose_code_changed_since_is_named(self):
        some = cells(printed="[C08] holds: 0.97\n")
        other = record(("0.48", "0.52"), of=cells(printing="print(0)"))
        assert not problems(some, other)
        assert list(unshaken_claims(some, other)) == [("C08", "code cell 2")]
        assert not list(unshaken_claims(cells(), other))
        assert not list(unshaken_claims(some, record(("0.97", "0.97"))))
        still = (fingerprints([cell.source for cell in some])[1],)
        assert not list(unshaken_claims(some, other._replace(still=still)))

    @pytest.mark.parametrize(
        ("low", "high", "refused"),
        [(0.01, 0.06, True), (0.03, 0.06, False), (0.5, 0.5, False), (-0.1, 0.2, False)],
    )
    def test_a_claim_with_little_margin_is_refused(self, low, high, refused):
        """Half of what it moved by is the least; below nothing one of two need not hold."""
        found = problems(cells(), record(("0.50", "0.50"), margins={"a < b": (low, high)}))
        assert ("claims that a < b, which holds by 0.01 to 0.06" in found) == refused
        assert bool(found) == refused

    def test_a_stored_count_that_moves_when_it_is_made_again_is_refused(self):
        some = cells(printed="8 of ten\n")
        found = problems(some, record(("8", "8"), again=(Spread("8", "9"),)))
        assert "a whole number that moves, from 8 to 9, where stored results are made" in found
        assert not problems(some, record(("8", "8")))

    def test_a_count_that_moves_is_refused_where_nothing_is_compared(self):
        some = cells(printed="18 of 1000 fail\n", ignored=True)
        found = problems(some, record(again=(Spread("15", "21"),)))
        assert "prints a count that moves, from 15 to 21, where nothing is compared" in found

    def test_an_output_that_is_not_the_shaken_one_is_refused(self):
        some = cells(tolerance={"atol": 0.1}, printed="0.50 0.60\n")
        assert "prints 2 numbers, and 1 were shaken" in problems(some, record(("0.48", "0.52")))

    def test_five_conditions_are_too_few(self):
        few = record(("0.48", "0.52"), conditions=SIX[:5])
        assert "under 5 conditions, and 6 is the least" in problems(cells(), few)


ENTRY = {"model": "cho", "seed": 0, "parameters": 10, "bins": [[4, 9, 100, 70]]}
STORED = Stored(
    "room/made.json",
    key=("model", "seed"),
    numbers=lambda entry: {"parameters": entry["parameters"], **shares(entry["bins"])},
    apart={"exact": 0.1},
)


def made(right=75, conditions=SIX, **changed):
    entry = {**ENTRY, "bins": [[4, 9, 100, right]], **changed}
    return Record("2.13.0", conditions, "stamp", (Made("AVX2", entry),))


def stored_problems(some_record, stored=STORED):
    return "\n".join(experiment_problems(stored, [ENTRY], some_record))


class TestExperiment:
    def test_what_came_out_nearly_as_stored_passes(self):
        assert not stored_problems(made())

    def test_a_record_that_came_out_otherwise_is_refused(self):
        found = stored_problems(made(right=80))
        assert "exact 4-9 is 0.7 and came out as 0.8 under AVX2" in found
        assert "0.15 is needed" in found

    def test_a_distance_without_room_is_refused(self):
        assert "0.06 apart is allowed" in stored_problems(
            made(), STORED._replace(apart={"exact": 0.06})
        )

    def test_what_is_not_trained_must_be_equal(self):
        assert "parameters is 10 and came out as 11" in stored_problems(made(parameters=11))

    def test_a_distance_that_hides_a_change_is_refused(self):
        found = stored_problems(made(), STORED._replace(apart={"exact": 0.5}))
        assert "exact may be 0.5 apart, and came out 0.05 apart at most: at most 0.3" in found

    def test_each_kind_has_a_step_of_its_own(self):
        """Nets recall or not: that updates move by 50 is no reason for shares to do so."""
        stored = STORED._replace(
            numbers=lambda entry: {"recalled": entry["recalled"], "updates": entry["updates"]},
            apart={"recalled": 1.5, "updates": 200.0},
            steps={"updates": 50.0},
        )
        entry = {**ENTRY, "recalled": 1.0, "updates": 100.0}
        same = Record("2", SIX, "", (Made("AVX2", entry),))
        found = list(experiment_problems(stored, [entry], same))
        assert found == ["recalled may be 1.5 apart, and came out 0 apart at most: at most 0.06"]

    def test_a_distance_of_nothing_is_refused(self):
        found = stored_problems(made(), STORED._replace(apart={"exact": 0.1, "nats": 1.0}))
        assert "nats may be 1 apart, and none was made again" in found

    def test_a_file_that_was_never_made_again_is_refused(self):
        assert "never made again" in stored_problems(None)

    def test_a_record_that_is_not_in_the_file_is_refused(self):
        assert "has no record ('cho', 7)" in stored_problems(made(seed=7))

    def test_a_number_that_came_out_as_nothing_is_refused(self):
        assert "came out as nan" in stored_problems(made(right=float("nan")))

    def test_five_conditions_are_too_few(self):
        few = made(conditions=SIX[:5])
        assert "6 is the least" in stored_problems(few)
        assert not stored_problems(made())

    def test_a_setting_that_was_never_made_again_is_refused(self):
        entries = [ENTRY, {**ENTRY, "seed": 1}, {**ENTRY, "model": "luong"}]
        found = list(experiment_problems(STORED, entries, made()))
        assert found == ["1 settings were never made again, ('luong',) among them (make shake)"]
        chooses = STORED._replace(file="room/made_tuning.json")
        assert not list(experiment_problems(chooses, entries, made()))

    def test_records_that_were_never_made_again_are_counted(self):
        other = {**ENTRY, "seed": 1}
        assert never_made(STORED, [ENTRY, other], made()) == [("cho", 1)]
        assert never_made(STORED, [ENTRY, other], None) == [("cho", 0), ("cho", 1)]


class TestSpread:
    def test_numbers_are_taken_one_by_one(self):
        found = shaken({"a": ["right 0.50 of 7\n"], "b": ["right 0.48 of 7\n"]})
        assert found.spreads == [Spread("0.48", "0.50"), Spread("7", "7")]
        assert not found.otherwise

    def test_what_says_something_else_is_set_apart(self):
        found = shaken({"a": ["den 0.5"], "b": ["die 0.7"], "c": ["den 0.6"]})
        assert found.otherwise == {"b": "die 0.7"}
        assert found.spreads == [Spread("0.5", "0.6")]

    @pytest.mark.parametrize(
        ("printed", "step"), [("0.25", 0.01), ("7", 1), ("3e-08", 1e-8), ("nan", 0), ("1.5e3", 100)]
    )
    def test_the_last_digit(self, printed, step):
        assert last_place(printed) == pytest.approx(step)

    def test_counts_that_move_are_found_between_any_words(self):
        found = {"a": ["18 of 1000 fail\n0.5 of it; 7 of 9"], "b": ["15 of 1000: den Hund\n7 of 9"]}
        assert counts(found) == [Spread("15", "18")]
        assert not counts({"a": ["51 times"], "b": ["69 times"]})
        assert not counts({"a": ["18 of 1000"], "b": ["none"]})

    def test_what_is_not_a_number_and_a_large_count_have_moved(self):
        assert Spread("0.5", "nan").moved
        assert Spread("1163578", "1163579").moved  # a count moves whole, however large it is
        assert not Spread("nan", "nan").moved


def test_a_record_is_read_as_it_was_written(tmp_path):
    cell = Cell("a", "b", (Spread("1", "1"), Spread("2", "3")), {"x": "ä"}, {"y": "z"})
    moved = cell._replace(again=(Spread("8", "9"),), margins={"a < b": (0.25, 0.5)})
    for parts in ((cell, moved), (Made("AVX2", {**ENTRY, "none": None}),)):
        written = Record("2.13.0", SIX, "stamp", parts, "again")
        for one in (written, written._replace(still=("c", "d"), of="e", turns=0)):
            save(tmp_path / "a.json", one)
            assert load(tmp_path / "a.json") == one
    assert load(tmp_path / "absent.json") is None


def test_a_record_of_the_first_kind_is_read(tmp_path):
    first = '{"torch": "2", "conditions": ["a"], "stamp": "s", "again": "", "made": []}'
    (tmp_path / "a.json").write_text(first, encoding="utf-8")
    assert load(tmp_path / "a.json") == Record("2", ("a",), "s", (), turns=1)
    save(tmp_path / "a.json", load(tmp_path / "a.json"))
    assert "turns" not in (tmp_path / "a.json").read_text(encoding="utf-8")


class TestGate:
    """The gate on a small course with one toleranced cell and one stored file."""

    @pytest.fixture
    def course(self, project):
        text = project.text.read_text(encoding="utf-8")
        text = text.replace(
            "```{code-cell} ipython3\nfrom course_lib.arithmetic",
            "```{code-cell} ipython3\n---\ntolerance: {atol: 0.1}\n---\nfrom course_lib.arithmetic",
        )
        project.text.write_text(text, encoding="utf-8")
        notebook = project.executed()
        project.store(notebook)
        codes = fingerprints([cell.source for cell in gate.printed_cells(notebook)])
        part = Cell("from", codes[0], (Spread("0.48", "0.52"),))
        stamp = gate.stamps.of_chapter(notebook, project.root)
        save(path_of("01_chapter", project.root), Record("2", SIX, stamp, (part,)))
        project.write("course_lab/experiments/room/made.json", json.dumps([ENTRY]))
        project.write("course_lab/experiments/room/made.py", "")
        stamp = gate.stamps.of_module(STORED.module_name, project.root)
        save(path_of(STORED.file, project.root), made()._replace(stamp=stamp))
        return project

    @staticmethod
    def decide(course):
        return gate.shaken(course.root, (STORED,))

    def test_it_passes_as_it_is(self, course):
        result = self.decide(course)
        assert result.passed, result.output
        assert result.note == "1 notebooks, 1 stored files"

    def test_a_wrong_tolerance_fails_it(self, course):
        text = course.text.read_text(encoding="utf-8").replace("atol: 0.1", "atol: 0.01")
        course.text.write_text(text, encoding="utf-8")
        course.store(course.executed())
        result = self.decide(course)
        assert not result.passed
        assert "01_chapter: code cell 2 (from course_lib" in result.output
        assert "at least 0.06 is needed" in result.output

    def test_a_stored_file_that_no_command_makes_fails_it(self, course):
        course.write("course_lab/experiments/room/stray.json", "[]")
        result = self.decide(course)
        assert "room/stray.json: no command makes it again" in result.output
        assert not result.passed

    def test_a_command_without_its_file_or_module_fails_it(self, course):
        (course.root / "course_lab/experiments/room/made.py").unlink()
        assert "no module course_lab.experiments.room.made" in self.decide(course).output
        (course.root / "course_lab/experiments/room/made.json").unlink()
        assert "is registered and does not exist" in self.decide(course).output

    def test_a_stored_number_that_was_edited_fails_it(self, course):
        wrong = {**ENTRY, "bins": [[4, 9, 100, 95]]}
        course.write("course_lab/experiments/room/made.json", json.dumps([wrong]))
        assert "exact 4-9 is 0.95 and came out as 0.75" in self.decide(course).output

    def test_a_record_of_nothing_fails_it(self, course):
        course.write("tests/shaken/02_gone.json", "{}")
        assert "02_gone.json: a record of nothing that there is" in self.decide(course).output

    def test_a_change_of_the_library_is_a_note(self, course):
        course.write("course_lib/words.py", "def times(n, x):\n    return x * n\n")
        result = self.decide(course)
        assert result.passed
        assert "code changed since for 1 (make shake)" in result.note

    def test_a_claim_whose_code_changed_since_is_refused(self, course):
        notebook = course.executed()
        notebook.cells[-2].outputs[0].data["text/plain"] = "[C08] holds: 4"
        course.store(notebook)
        assert self.decide(course).passed  # the stamp says: all is as it was shaken
        record = load(path_of("01_chapter", course.root))
        save(path_of("01_chapter", course.root), record._replace(stamp="other"))
        result = self.decide(course)
        assert not result.passed
        assert "01_chapter: code cell 4 (double(2)): C08 was not shaken since" in result.output

    def test_what_was_never_made_again_is_listed(self, course):
        entries = [ENTRY, {**ENTRY, "seed": 1}, {**ENTRY, "seed": 2}]
        course.write("course_lab/experiments/room/made.json", json.dumps(entries))
        result = self.decide(course)
        assert result.passed, result.output
        assert "2 of 3 records never made again" in result.note
        assert "room/made.json: 2 of 3 records never made again" in result.output
        assert "files" not in result.note.removeprefix("1 notebooks, 1 stored files")
        course.write("tests/test_file.py", "def test_it():\n    pass\n")
        stored = STORED._replace(needs="another net", held="tests/test_file.py::test_it")
        result = gate.shaken(course.root, (stored,))
        assert "1 files not made by make shake" in result.note
        assert "room/made.json: not made again by make shake: another net" in result.output

    @pytest.mark.parametrize(
        ("held", "problem"),
        [
            ("", "names the test that holds it"),
            ("tests/test_file.py", "no test tests/test_file.py holds it"),
            ("tests/test_file.py::test_other", "no test tests/test_file.py::test_other holds it"),
            ("tests/test_gone.py::test_it", "no test tests/test_gone.py::test_it holds it"),
            ("tests/test_file.py::test_it", ""),
        ],
    )
    def test_who_is_let_off_names_a_test_that_there_is(self, course, held, problem):
        course.write("tests/test_file.py", "def test_it():\n    pass\n")
        path_of(STORED.file, course.root).unlink()
        stored = STORED._replace(needs="another net", held=held)
        result = gate.shaken(course.root, (stored,))
        assert result.passed == (not problem)
        assert problem in result.output

    def test_who_is_made_again_names_none(self, course):
        stored = STORED._replace(held="tests/test_file.py::test_it")
        assert "and no other does" in gate.shaken(course.root, (stored,)).output


def test_every_stored_file_of_the_course_has_a_command_that_names_another_file(tmp_path):
    for stored in REGISTRY:
        assert bool(stored.needs) == bool(stored.held) != bool(stored.key)
        command = stored.command(tmp_path / "again.json", stored.parts[0])
        assert command[1:3] == ["-m", stored.module_name]
        assert str(tmp_path / "again.json") in command


def test_the_text_of_a_chapter_without_a_tolerance_needs_no_shaking(project):
    notebook = from_text(project.text.read_text(encoding="utf-8"), project.root / "_config.yml")
    seal(notebook, project.root)
    project.store(notebook)
    assert gate.shaken(project.root, ()).passed
