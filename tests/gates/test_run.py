"""`make test` itself: every gate runs, a table tells, the last line says where the results are."""

import json
import subprocess
import sys

import pytest

from tools.gates.pytest_run import pytest as run_pytest
from tools.gates.result import Result, from_problems, run
from tools.gates.run import GATES, Gate
from tools.gates.run import run as run_gates
from tools.project import ROOT


def gate(name, result):
    def decide(root, parts):
        if isinstance(result, Exception):
            raise result
        return result

    return Gate(name, f"the {name} gate", decide)


def lines(capsys):
    return capsys.readouterr().out.strip().splitlines()


def test_all_passed(tmp_path, capsys):
    assert run_gates([gate("one", Result(True)), gate("two", Result(True, tests=40))], tmp_path)
    printed = lines(capsys)
    assert printed[-2].startswith("==== 41 passed in ")
    assert printed[-1].startswith("All gates passed. Results: _build/test")


def test_a_failure_does_not_hide_the_gates_after_it(tmp_path, capsys):
    gates = [
        gate("bad", from_problems(["it is wrong"], "")),
        gate("broken", RuntimeError("a defect of the gate")),
        gate("good", Result(True, tests=3, skipped=1, skips=("no Chromium here",))),
    ]
    assert not run_gates(gates, tmp_path)
    printed = lines(capsys)
    assert "it is wrong" in printed
    assert any("RuntimeError: a defect of the gate" in line for line in printed)
    assert any(line.startswith("good       passed") for line in printed)
    assert "skipped in good: no Chromium here" in printed
    assert printed[-2].startswith("==== 2 failed, 2 passed, 1 skipped in ")
    assert printed[-1].startswith("Failed: bad, broken. Results: ")
    summary = json.loads((tmp_path / "_build" / "test" / "summary.json").read_text())
    assert [entry["passed"] for entry in summary] == [False, False, True]
    assert "it is wrong" in (tmp_path / "_build" / "test" / "bad.log").read_text()


@pytest.mark.parametrize(
    ("ci", "again", "begins"), [("", False, True), ("true", False, False), ("", True, False)]
)
def test_what_a_gate_begins_runs_beside_those_before_it(tmp_path, monkeypatch, ci, again, begins):
    monkeypatch.setenv("CI", ci)
    told = []

    def begin(root):
        told.append("begun")
        slow = "import pathlib, time; time.sleep(1); pathlib.Path('made').touch()"
        return subprocess.Popen([sys.executable, "-c", slow], cwd=root)

    def decide(name):
        def decided(root, parts):
            told.append((name, (root / "made").exists()))
            return Result(True)

        return decided

    before = Gate("before", "a gate", decide("before"))
    slow = Gate("slow", "a gate", decide("slow"), begin=begin)
    assert run_gates([before, slow], tmp_path, again=again)
    assert told == ["begun"] * begins + [("before", False), ("slow", begins)]


def test_what_cannot_begin_is_told_by_the_gate(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("CI", "")

    def begin(root):
        raise OSError("no process to be had")

    bad = gate("bad", from_problems(["it is wrong"], ""))._replace(begin=begin)
    assert not run_gates([bad], tmp_path)
    assert "it is wrong" in lines(capsys)


@pytest.mark.parametrize(
    ("ci", "again", "anew"), [("", False, False), ("true", False, True), ("", True, True)]
)
def test_where_everything_is_run_a_gate_makes_anew_what_it_made(
    tmp_path, monkeypatch, ci, again, anew
):
    monkeypatch.setenv("CI", ci)
    made, found = tmp_path / "made", []

    def decide(root, parts):
        found.append(made.exists())
        return Result(True)

    made.touch()
    before = Gate("before", "a gate", decide)
    maker = Gate("maker", "a gate", decide, forget=lambda root: (root / "made").unlink())
    assert run_gates([before, maker], tmp_path, again=again)
    # Only when its turn comes: the gates before it may look at what is there.
    assert found == [True, not anew]


def test_gates_have_names_of_their_own_and_logs_that_do_not_collide():
    names = [one.name for one in GATES]
    assert len(set(names)) == len(names)


def test_a_program_that_prints_odd_bytes_is_still_heard(tmp_path):
    code, output = run(["python3", "-c", r"import os; os.write(1, b'\xff ok\n')"], tmp_path)
    assert code == 0
    assert "ok" in output


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "tests").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -q\n")

    def write(body):
        (tmp_path / "tests" / "test_it.py").write_text(f"import pytest\n\n{body}")
        return run_pytest("suite", ["tests", "-p", "no:cacheprovider"], tmp_path)

    return write


def test_counts_and_skips_come_from_pytest_itself(suite):
    result = suite(
        "def test_a(): pass\n"
        "def test_b(): pytest.skip('no data: set COURSE_DATA')\n"
        "@pytest.mark.parametrize('x', [1, 2])\ndef test_c(x): pass\n"
    )
    assert result.passed
    assert (result.tests, result.failures, result.skipped) == (4, 0, 1)
    assert result.skips == ("no data: set COURSE_DATA",)
    assert result.note.startswith("3 passed, 1 skipped in")


def test_a_failing_test_fails_the_gate(suite):
    result = suite("def test_a(): assert 1 == 2\ndef test_b(): pass\n")
    assert not result.passed
    assert (result.tests, result.failures) == (2, 1)
    assert "assert 1 == 2" in result.output


def test_a_suite_that_cannot_be_collected_fails_the_gate(suite):
    result = suite("import nothing_of_this_name\n")
    assert not result.passed
    assert result.failures >= 1


def test_an_empty_suite_passes_and_says_so(suite):
    result = suite("")
    assert result.passed
    assert result.tests == 0
    assert result.note == "no tests of this kind"


def test_a_pytest_that_is_killed_fails_the_gate_and_says_how(suite):
    result = suite("import os, signal\ndef test_a(): os.kill(os.getpid(), signal.SIGKILL)\n")
    assert not result.passed
    assert result.failures == 1
    assert result.note == "ended without a summary, exit code -9"


def test_notebooks_are_read_without_a_grammar_of_addresses():
    """It takes two seconds to build; tools/light.py keeps it out, and nbformat does without."""
    code = (
        "import sys, tools.project, nbformat\n"
        "nbformat.validate(nbformat.v4.new_notebook())\n"
        "assert sys.modules['rfc3987_syntax'] is None\n"
        "assert 'lark' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
