"""The list of mutants is true, and a mutant that survives or does not fit fails the command."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.mutants.lists import MUTANTS
from tools.mutants.mutant import Mutant, misfits, mutate
from tools.project import ROOT

TEST = """\
from arithmetic import double


def test_double():
    assert double(2) == 4
"""
TESTS = "tests/test_double.py"
NOTICED = Mutant("triple", "arithmetic.py", "2 * x", "3 * x", TESTS)
UNNOTICED = Mutant("square", "arithmetic.py", "2 * x", "x * x", TESTS)
GONE = Mutant("gone", "arithmetic.py", "x + x", "0", TESTS)
TESTLESS = Mutant("testless", "arithmetic.py", "2 * x", "3 * x", "tests/test_triple.py")


@pytest.fixture
def project(tmp_path) -> Path:
    root = tmp_path / "project"
    (root / "tests").mkdir(parents=True)
    (root / "arithmetic.py").write_text("def double(x):\n    return 2 * x\n")
    (root / TESTS).write_text(TEST)
    (root / "pyproject.toml").write_text('[tool.pytest.ini_options]\npythonpath = ["."]\n')
    return root


def command(root: Path, *mutants: Mutant, before: str = "") -> subprocess.CompletedProcess:
    """The command on a project of its own; a fork wants a process without threads."""
    code = (
        "from pathlib import Path\n"
        f"{before}\n"
        "from tools.mutants.__main__ import Mutant, main\n"
        f"raise SystemExit(main(['-j2'], {list(mutants)!r}, Path({str(root)!r}), ['pytest']))"
    )
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=100
    )


def test_every_mutant_of_the_list_fits_the_code_and_has_its_tests():
    assert misfits(MUTANTS, ROOT) == []


def test_all_killed_passes_and_nothing_is_changed(project):
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    done = command(project, NOTICED)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "tests/test_double.py::test_double" in done.stdout
    assert "1 of 1 mutants killed (100.0 %)" in done.stdout
    assert before == {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}


def test_a_survivor_fails_the_command_and_is_named(project):
    done = command(project, NOTICED, UNNOTICED, NOTICED._replace(why="triple again"))
    assert done.returncode == 1
    assert "survived: square (arithmetic.py)" in done.stdout
    assert "2 of 3 mutants killed (66.7 %)" in done.stdout


@pytest.mark.parametrize("misfit", [GONE, TESTLESS], ids=lambda mutant: mutant.why)
def test_a_mutant_that_does_not_fit_fails_the_command_and_is_named(project, misfit):
    done = command(project, NOTICED, misfit)
    assert done.returncode == 1
    assert f"misfit: {misfit.why}" in done.stdout
    assert "1 of 2 mutants killed" in done.stdout


@pytest.mark.parametrize(
    ("new", "soon"),
    [("max(iter(int, 1))", "run.LIMIT = 1"), ("__import__('time').sleep(99)", "run._WAITED = 2")],
    ids=["computes", "waits"],
)
def test_one_that_never_ends_is_ended_and_killed(project, new, soon):
    endless = Mutant("endless", "arithmetic.py", "2 * x", new, TESTS)
    done = command(project, endless, before=f"from tools.mutants import run\n{soon}")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the tests ran past" in done.stdout


def test_tests_that_fail_by_themselves_prove_nothing(project):
    (project / TESTS).write_text(TEST.replace("4", "5"))
    done = command(project, NOTICED)
    assert done.returncode == 1
    assert "fail without any mutant" in done.stderr


def test_what_cannot_be_a_mutant_is_told(project):
    assert "found it 2 times" in misfits([NOTICED._replace(old="x")], project)[0]
    assert "no Python" in misfits([NOTICED._replace(new="2 *")], project)[0]
    assert "no other.py" in misfits([NOTICED._replace(file="other.py")], project)[0]
    assert "two mutants" in misfits([NOTICED, NOTICED], project)[0]
    assert (
        "no tests/test_double.py::test_half"
        in (misfits([NOTICED._replace(tests=f"{TESTS}::test_half")], project)[0])
    )
    assert mutate(NOTICED, project) == "def double(x):\n    return 3 * x\n"
