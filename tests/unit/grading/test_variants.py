"""A variant asks for something else, its own solution earns everything, the public one does not."""

import pytest

from course_lib.errors import CourseError
from course_lib.grading.assignment import HOMEWORK, load
from course_lib.grading.variants import parse, varied

SOURCES = sorted(path.parent.name for path in HOMEWORK.glob("*/variants.txt"))


def names(assignment):
    """What the right answers define."""
    defined = {}
    for cell in assignment.cells:
        if cell.kind in ("code", "answer"):
            exec(cell.solution, defined)
    return defined


def lost(assignment, answers, enough=20.0):
    """The points that the answers lose; once these are enough, no test is run any more."""
    missing = 0.0
    for case in (case for question in assignment.questions.values() for case in question.cases):
        test = {}
        exec(case.code, test)
        try:
            test[case.name](*[answers[name] for name in case.asked])
        except Exception:
            missing += case.points
        if missing >= enough:
            break
    return missing


@pytest.mark.parametrize("name", SOURCES)
def test_each_change_and_all_together_are_solved_by_their_own_solution_alone(name):
    source = HOMEWORK / name / f"{name}.py"
    count = len(parse(source.with_name("variants.txt").read_text(encoding="utf-8")))
    public = names(load(name))
    for number in {*(1 << place for place in range(count)), (1 << count) - 1}:
        made = load(name, variant=f"v{number}")
        assert lost(made, names(made)) == 0, number
        assert lost(made, public, enough=2) >= 2, number
        assert [c.start for c in made.cells] != [c.start for c in load(name).cells], number


def test_the_public_variant_is_the_source():
    source = HOMEWORK / "hw01_recurrence" / "hw01_recurrence.py"
    assert varied(source, "v0") == source.read_text(encoding="utf-8")


RULES = """\
# a comment
one

- a = 1
- b = 2
+ a = 3
+ b = 4
- c
+ d
two
- keep
+
"""


def test_a_number_draws_changes_by_its_binary_digits(tmp_path):
    source = tmp_path / "hw01_x.py"
    source.write_text("a = 1\nb = 2\nc\nkeep")
    (tmp_path / "variants.txt").write_text(RULES)
    assert varied(source, "v1") == "a = 3\nb = 4\nd\nkeep"
    assert varied(source, "v2") == "a = 1\nb = 2\nc\n"
    assert varied(source, "v3") == "a = 3\nb = 4\nd\n"
    for wrong in ("v4", "v-1", "3", "v1.5", "", "v" + "9" * 5000):
        with pytest.raises(CourseError, match=r"want a variant .* v0 .*to v3; got"):
            varied(source, wrong)


def test_a_change_that_no_longer_fits_is_told(tmp_path):
    source = tmp_path / "hw01_x.py"
    source.write_text("a = 1\nb = 2\nc c\nkeep")
    (tmp_path / "variants.txt").write_text(RULES)
    with pytest.raises(CourseError, match="one: want this text once in the source; got it 2 times"):
        varied(source, "v1")


@pytest.mark.parametrize("rules", ["- a\n+ b", "name\n+ b"])
def test_changes_that_are_written_wrongly_are_told(tmp_path, rules):
    source = tmp_path / "hw01_x.py"
    source.write_text("a")
    (tmp_path / "variants.txt").write_text(rules)
    with pytest.raises(CourseError, match="want a change's name, then - lines"):
        varied(source, "v1")


def test_a_homework_without_changes_has_only_the_public_variant(tmp_path):
    (tmp_path / "hw01_x.py").write_text("a")
    with pytest.raises(CourseError, match=r"that is v0 \(the public one\); got 'v1'"):
        varied(tmp_path / "hw01_x.py", "v1")
