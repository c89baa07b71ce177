"""The set-up of `.venv`: once, again when it must, never half; and the commands around it."""

import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools import commands, environment
from tools.project import ROOT, TaskError, venv_python
from tools.targets import TARGETS

OLD_PYTHON = (
    "import sys, runpy; sys.version_info = (3, 8, 0); "
    "runpy.run_path('tools/tasks.py', run_name='__main__')"
)
ALL, UPDATE = ["venv", "pip", "pip"], ["pip", "pip"]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A project whose installer is played; `set_up` gives the programs that were run."""
    (tmp_path / "requirements.txt").write_text("torch==2.13.0\n")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    calls, place = [], SimpleNamespace(root=tmp_path, stop_at=0)

    def run(command, root, remedy):
        calls.append(command[2])
        if "venv" in command:
            shutil.rmtree(root / ".venv", ignore_errors=True)
            python = venv_python(root / ".venv")
            python.parent.mkdir(parents=True)
            python.symlink_to(sys.executable)
        if len(calls) == place.stop_at:
            raise KeyboardInterrupt

    def set_up(root=tmp_path):
        calls.clear()
        assert environment.ensure(root) == venv_python(root / ".venv")
        return calls

    place.set_up = set_up
    monkeypatch.setattr(environment, "_run", run)
    monkeypatch.delenv("COURSE_PYTHON", raising=False)
    return place


def test_the_first_run_makes_all_and_the_second_nothing(place, tmp_path_factory):
    assert place.set_up() == ALL
    assert place.set_up() == []
    venv_python(place.root / ".venv").unlink()
    assert place.set_up() == ALL
    moved = tmp_path_factory.mktemp("moved") / "project"
    shutil.copytree(place.root, moved, symlinks=True)
    assert place.set_up(moved) == UPDATE


@pytest.mark.parametrize(
    ("name", "text", "runs"),
    [
        ("requirements.txt", "torch==2.13.0\nruff==1\n", UPDATE),
        ("requirements.txt", "# arrays\n\n  torch == 2.13.0   # tensors\n", []),
        ("pyproject.toml", "[project]\nname = 'y'\n", UPDATE),
        ("pyproject.toml", "[tool.ruff]\nline-length = 9\n[project]  # us\nname = 'x'\n", []),
    ],
)
def test_a_changed_requirement_is_installed_into_the_same_environment(place, name, text, runs):
    place.set_up()
    (place.root / name).write_text(text)
    assert place.set_up() == runs


@pytest.mark.parametrize("stop_at", [1, 2, 3])
def test_an_interrupted_set_up_is_made_from_nothing(place, stop_at):
    place.stop_at = stop_at
    with pytest.raises(KeyboardInterrupt):
        place.set_up()
    place.stop_at = 0
    assert place.set_up() == ALL


def test_an_environment_that_is_there_is_taken_if_it_holds_the_pins(place, monkeypatch):
    monkeypatch.setenv("COURSE_PYTHON", sys.executable)
    (place.root / "requirements.txt").write_text("# nothing\n")
    assert environment.ensure(place.root) == Path(sys.executable)
    monkeypatch.undo()
    monkeypatch.setenv("COURSE_PYTHON", sys.executable)
    (place.root / "requirements.txt").write_text("no-such-package==1\n")
    with pytest.raises(TaskError, match=r"pip failed .* bring COURSE_PYTHON=.* up to date"):
        environment.ensure(place.root)
    monkeypatch.setenv("COURSE_PYTHON", "/nowhere/python")
    with pytest.raises(TaskError, match="/nowhere/python cannot be run: No such"):
        environment.ensure(place.root)


def test_make_python_and_commands_offer_the_same_targets():
    phony = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY")
    )
    assert set(phony.split()[1:]) == set(TARGETS) - {"address"}
    assert all(hasattr(commands, t.replace("-", "_")) for t in set(TARGETS) - {"help", "setup"})


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["tools/tasks.py", "help"], 0, ""),
        (["tools/tasks.py", "tets"], 2, "error: there is no target 'tets'; there are: help, "),
        (["-m", "tools.commands", "test", "tets"], 1, "error: there is no gate 'tets'; there are"),
        (["-c", OLD_PYTHON], 1, "error: the course needs Python 3.10 or newer, and this one is"),
    ],
)
def test_a_mistake_is_one_line_and_no_traceback(words, code, said):
    run = [sys.executable, *words]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == code
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == bool(said)
    assert bool(said) or all(name in done.stdout for name in TARGETS)
