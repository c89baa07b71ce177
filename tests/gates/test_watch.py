"""Progress within a gate, and a test that opens what is none of its inputs."""

import json
import sys

import pytest

from tools.gates import watch
from tools.gates.pytest_run import pytest as run_pytest
from tools.gates.result import run
from tools.project import ROOT

TESTS = """\
import pytest


def test_a():
    pass


@pytest.mark.parametrize("x", [1, 2])
def test_b(x):
    pass


def test_skipped():
    pytest.skip("no data")


@pytest.mark.xfail
def test_expected():
    assert False


def test_wrong():
    assert False


@pytest.fixture
def spoiled():
    yield
    raise RuntimeError("afterwards")


def test_whose_end_fails(spoiled):
    pass
"""


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -q\n")

    def write(**files):
        for name, body in files.items():
            (tmp_path / f"test_{name}.py").write_text(body)
        return tmp_path

    return write


@pytest.mark.parametrize("workers", [[], ["-n2"]])
def test_every_test_is_noted_with_its_outcome_and_its_file_passes_or_not(suite, workers):
    root = suite(
        mixed=TESTS,
        good="def test_a():\n    pass\n",
        skips=TESTS[: TESTS.index("@pytest.mark.xfail")],
        broken="import nothing_of_this_name\n",
    )
    arguments = [".", "-p", "no:cacheprovider", "--continue-on-collection-errors", *workers]
    asked = [f"test_{name}.py" for name in ("good", "gone", "skips", "mixed", "broken")]
    result = run_pytest("suite", arguments, root, parts=asked)
    _, done = watch.read(root / "_build" / "test" / "suite.notes")
    outcomes = {test.node.partition("::")[2]: test.outcome for test in done if "mixed" in test.node}
    assert outcomes == {
        "test_a": "passed",
        "test_b[1]": "passed",
        "test_b[2]": "passed",
        "test_skipped": "skipped",
        "test_expected": "skipped",
        "test_wrong": "failed",
        "test_whose_end_fails": "failed",
    }
    # Neither what failed nor what was skipped is stamped, however much beside it passed; and a part
    # that was asked for and has no test has not passed.
    assert result.parts == {"test_good.py": 1}
    assert not result.passed
    assert len(result.slow) == 5


def test_a_run_that_was_killed_gives_no_part(suite):
    killed = (
        "import os, signal\ndef test_a(): pass\n"
        "def test_b(): os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    assert run_pytest("suite", [".", "-p", "no:cacheprovider"], suite(killed=killed)).parts == {}


def test_lines_of_progress_say_how_far_it_is_and_where(tmp_path):
    notes = tmp_path / "notes"
    entries = [
        {"total": 40},
        {"node": "notebooks/01_recurrence.ipynb::Cell 3", "outcome": "passed", "seconds": 1.0},
        {"node": "notebooks/02_seq2seq.ipynb::Cell 1", "outcome": "failed", "seconds": 1.0},
    ]
    notes.write_text("".join(json.dumps(entry) + "\n" for entry in entries) + '{"half')
    said = []
    progress = watch.Progress("notebooks", notes, said.append, every=0.0)
    progress()
    (line,) = said
    assert line.startswith("notebooks  ... 2 of 40, 1 failed, 0 s, at 01_recurrence and 02_seq2seq")


def test_nothing_is_said_before_it_is_time_or_known(tmp_path):
    said = []
    watch.Progress("tests", tmp_path / "absent", said.append, every=0.0)()
    watch.Progress("tests", tmp_path / "absent", said.append, every=1000.0)()
    assert said == []


READING = """\
import subprocess
import sys
from pathlib import Path

{reads}
ROOT = Path(__file__).parents[1]
{at_import}

def test_reads():
    {body}
"""


# What the file says that it reads, what it does when imported and in its test, what is said of it.
CASES = [
    ("", "", "(ROOT / 'README.md').read_text()", "opens README.md, which is none"),
    ("READS = ('README.md',)", "", "(ROOT / 'README.md').read_text()", ""),
    ("READS = ('docs',)", "", "open(ROOT / 'docs' / 'a.txt').read()", ""),
    ("", "(ROOT / 'README.md').read_bytes()", "pass", "opens README.md, which is none"),
    ("", "", "import course_lib.extra", ""),
    ("", "", "__import__('course_lib' + '.hidden')", "opens course_lib/hidden.py"),
    ("", "", "(ROOT / 'pyproject.toml').read_text()", "opens pyproject.toml, which is none"),
    ("", "", "Path('/etc/hostname').exists()", ""),
    ("", "", "subprocess.run([sys.executable, '-c', ''])", "starts python"),
    ("READS = ('docs',)", "", "subprocess.run([sys.executable, '-c', ''])", ""),
]


def test_a_test_that_opens_what_is_none_of_its_inputs_fails(tmp_path, monkeypatch):
    packages = ("tools", "tools/gates", "tools/inputs", "course_lib", "course_lab/figures")
    for folder in (*packages, "docs", "tests"):
        (tmp_path / folder).mkdir(parents=True)
    names = ("tools/project.py", "tools/light.py", "tools/gates/opened.py")
    modules = [ROOT / name for name in (*names, "course_lab/figures/bare.py")]
    for module in (*modules, *(ROOT / "tools" / "inputs").glob("*.py")):
        (tmp_path / module.relative_to(ROOT)).write_bytes(module.read_bytes())
    for name in (*(f"{package}/__init__" for package in packages), "course_lib/extra"):
        (tmp_path / f"{name}.py").write_text("")
    (tmp_path / "course_lib" / "hidden.py").write_text("")
    (tmp_path / "README.md").write_text("read")
    (tmp_path / "docs" / "a.txt").write_text("a")
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\naddopts = '-q'\n")
    (tmp_path / "tests" / "conftest.py").write_text(
        "from tools.gates.opened import (\n    pytest_make_collect_report,\n"
        "    pytest_runtest_call,\n    pytest_runtest_setup,\n)\n"
    )
    for number, (reads, at_import, body, _) in enumerate(CASES):
        test = READING.format(reads=reads, at_import=at_import, body=body)
        (tmp_path / "tests" / f"test_{number}.py").write_text(test)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    command = [sys.executable, "-m", "pytest", "tests", "-p", "no:cacheprovider"]
    _, output = run([*command, "--continue-on-collection-errors"], tmp_path)
    for number, (*_, said) in enumerate(CASES):
        if said:
            assert f"tests/test_{number}.py {said}" in output
        else:
            assert f"test_{number}.py " not in output, output
