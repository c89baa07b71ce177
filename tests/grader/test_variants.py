"""Private variants and fresh instances: other questions, other numbers, the same solutions."""

import pytest
import torch

from course_grader import GraderError
from course_grader.assignment import SOURCES, load
from course_grader.instances import function
from course_grader.variants import read_changes, varied
from tests.grader.conftest import question

DRAWN = """
def test_twice(double):
    import torch
    double(torch.randn(3, generator=torch.Generator().manual_seed(1)))
"""


def seen(salt, code, hidden=True):
    found = []
    case = question("double", code, hidden=hidden)
    function(salt, case)(found.append)
    return found


def test_a_salt_draws_the_numbers_of_hidden_tests_alone():
    one, same, other = (seen(salt, DRAWN)[0].tolist() for salt in (b"a", b"a", b"b"))
    written = torch.randn(3, generator=torch.Generator().manual_seed(1)).tolist()
    assert one == same
    assert len({tuple(each) for each in (one, other, written)}) == 3
    assert seen(b"", DRAWN)[0].tolist() == seen(b"a", DRAWN, hidden=False)[0].tolist() == written


def answers(homework):
    names = {}
    for cell in homework.cells:
        if cell.kind == "code":
            exec(cell.solution, names)
    return names


def lost(homework, names):
    points = 0.0
    for case in homework.cases:
        try:
            function(b"", case)(*[names[name] for name in case.names])
        except Exception:
            points += case.points
    return points


@pytest.mark.parametrize(
    "name", sorted(path.parent.name for path in SOURCES.glob("*/variants.txt"))
)
def test_a_variants_own_solution_solves_it_and_the_public_one_does_not(name):
    changes = read_changes((SOURCES / name / "variants.txt").read_text(encoding="utf-8"))
    made = load(name, variant=f"v{2 ** len(changes) - 1}")
    assert lost(made, answers(made)) == 0
    assert lost(made, answers(load(name))) >= 2
    assert made.digest != load(name).digest


RULES = "# a comment\none\n\n- a = 1\n- b = 2\n+ a = 3\n+ b = 4\n- c\n+ d\ntwo\n- keep\n+\n"


def test_a_number_draws_changes_by_its_binary_digits(tmp_path):
    source = tmp_path / "hw01_x.py"
    source.write_text("a = 1\nb = 2\nc\nkeep")
    (tmp_path / "variants.txt").write_text(RULES)
    texts = {variant: varied(source, variant) for variant in ("v0", "v1", "v2", "v3")}
    assert texts["v0"] == source.read_text()
    assert texts["v1"] == "a = 3\nb = 4\nd\nkeep"
    assert texts["v2"] == "a = 1\nb = 2\nc\n"
    assert texts["v3"] == "a = 3\nb = 4\nd\n"
    with pytest.raises(GraderError, match=r"from v0 to v3 .*; got 'v4'"):
        varied(source, "v4")
    source.write_text("a = 1\nb = 2\nc c")
    with pytest.raises(GraderError, match="want this text once in the source; got it 2 times"):
        varied(source, "v1")


@pytest.mark.parametrize("rules", ["- a\n+ b", "name\n+ b"])
def test_changes_that_are_written_wrongly_are_refused(rules):
    with pytest.raises(GraderError, match="want a change's name, then - and"):
        read_changes(rules)
