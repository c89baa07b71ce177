"""The set-up of `.venv`: once, again when it must, never half, and one clear line if it fails."""

import os
import shutil
import subprocess
import sys
from collections import namedtuple
from pathlib import Path

import pytest

from tools import commands, environment
from tools.project import ROOT, TaskError, venv_python
from tools.targets import TARGETS

SPEAKING = (
    "import sys; from tools import commands as c; c.COMMANDS['speak'] = lambda a: c.say('...'); "
    "sys.exit(c.main(['speak']))"
)
OLD_PYTHON = (
    "import sys, runpy; sys.version_info = (3, 8, 0); "
    "runpy.run_path('tools/tasks.py', run_name='__main__')"
)


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A project whose installer is played: what it was asked for is in `place.calls`."""
    (tmp_path / "requirements.txt").write_text("torch==2.13.0\n")
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    Place = namedtuple("Place", ["root", "calls", "venv"])
    calls = []

    def install(command, root, log):
        calls.append(" ".join(command[1:]))
        if "venv" in command:
            shutil.rmtree(root / ".venv", ignore_errors=True)
            python = venv_python(root / ".venv")
            python.parent.mkdir(parents=True)
            python.symlink_to(sys.executable)

    monkeypatch.setattr(environment, "_run", install)
    return Place(tmp_path, calls, tmp_path / ".venv")


def test_the_first_run_makes_all_and_the_second_nothing(place, capsys):
    python = environment.ensure(place.root)
    assert python == venv_python(place.venv)
    assert [call.split()[1] for call in place.calls] == ["venv", "pip", "pip"]
    place.calls.clear()
    capsys.readouterr()
    environment.ensure(place.root)
    assert place.calls == []
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("name", "text", "installs"),
    [
        ("requirements.txt", "torch==2.13.0\nruff==1\n", True),
        ("requirements.txt", 'torch==2.13.0; python_version > "3.10"\n', True),
        ("requirements.txt", "# arrays\n\n  torch == 2.13.0   # tensors\n", False),
        ("pyproject.toml", "[project]\nname = 'y'\n", True),
        ("pyproject.toml", "[tool.ruff]\nline-length = 9\n[project]  # us\nname = 'x'\n", False),
    ],
)
def test_a_changed_requirement_is_installed_into_the_same_environment(place, name, text, installs):
    environment.ensure(place.root)
    place.calls.clear()
    (place.root / name).write_text(text)
    environment.ensure(place.root)
    assert [call.split()[1] for call in place.calls] == ["pip", "pip"] * installs


def test_an_environment_that_is_there_is_taken_if_it_holds_the_pins(place, monkeypatch):
    monkeypatch.setenv("COURSE_PYTHON", sys.executable)
    (place.root / "requirements.txt").write_text("# nothing\n")
    assert environment.ensure(place.root) == Path(sys.executable)
    (place.root / "requirements.txt").write_text("no-such-package==1\n")
    with pytest.raises(TaskError, match=r"COURSE_PYTHON=.*no-such-package==1.*install -r req"):
        environment.ensure(place.root)
    monkeypatch.setenv("COURSE_PYTHON", "/nowhere/python")
    with pytest.raises(TaskError, match="COURSE_PYTHON=/nowhere/python cannot be run: No such"):
        environment.ensure(place.root)
    assert place.calls == []
    assert not place.venv.exists()


@pytest.mark.parametrize("stop_at", [1, 2, 3])
@pytest.mark.parametrize("interruption", [KeyboardInterrupt(), TaskError("pip failed")])
def test_an_interrupted_set_up_does_not_count_and_is_made_from_nothing(
    place, monkeypatch, stop_at, interruption
):
    install = environment._run

    def interrupted(command, root, log):
        install(command, root, log)
        if len(place.calls) == stop_at:
            raise interruption

    monkeypatch.setattr(environment, "_run", interrupted)
    with pytest.raises(type(interruption)):
        environment.ensure(place.root)
    monkeypatch.setattr(environment, "_run", install)
    place.calls.clear()
    environment.ensure(place.root)
    assert place.calls[0].split()[1:3] == ["venv", "--clear"]


def test_an_interrupted_update_is_made_from_nothing_too(place, monkeypatch):
    environment.ensure(place.root)
    (place.root / "requirements.txt").write_text("torch==2.13.1\n")
    install = environment._run

    def refuse(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(environment, "_run", refuse)
    with pytest.raises(KeyboardInterrupt):
        environment.ensure(place.root)
    monkeypatch.setattr(environment, "_run", install)
    place.calls.clear()
    # Even if the requirements go back to what was once installed.
    (place.root / "requirements.txt").write_text("torch==2.13.0\n")
    environment.ensure(place.root)
    assert place.calls[0].split()[1:3] == ["venv", "--clear"]


def test_an_environment_whose_python_is_gone_is_made_anew(place):
    environment.ensure(place.root)
    venv_python(place.venv).unlink()
    place.calls.clear()
    environment.ensure(place.root)
    assert place.calls[0].split()[1:3] == ["venv", "--clear"]


def test_a_moved_project_gets_a_new_environment(place, tmp_path_factory):
    environment.ensure(place.root)
    moved = tmp_path_factory.mktemp("moved") / "project"
    shutil.copytree(place.root, moved, symlinks=True)
    place.calls.clear()
    environment.ensure(moved)
    assert len(place.calls) > 0


def test_a_full_disk_is_told_before_anything_is_made(place, monkeypatch):
    Usage = namedtuple("Usage", ["total", "used", "free"])
    monkeypatch.setattr(environment.shutil, "disk_usage", lambda path: Usage(1, 1, 10**8))
    with pytest.raises(TaskError, match=r"needs about 3 GB in .* and 0.1 GB are free"):
        environment.ensure(place.root)
    assert place.calls == []


@pytest.mark.parametrize("module", ["venv", "ensurepip"])
def test_a_python_without_venv_is_told(place, monkeypatch, module):
    found = environment.importlib.util.find_spec
    monkeypatch.setattr(
        environment.importlib.util,
        "find_spec",
        lambda name: None if name == module else found(name),
    )
    with pytest.raises(TaskError, match=f"has no {module} module.*apt install python3-venv"):
        environment.ensure(place.root)


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("ERROR: [Errno 28] No space left on device\n", "the disk is full"),
        ("WARNING: NewConnectionError(...)\nERROR: no matching\n", "no package index"),
        ("ERROR: No matching distribution found for x==1\n", "No matching distribution"),
        ("", "no output"),
    ],
)
def test_what_pip_said_becomes_one_line(output, said):
    line = environment._explain(output, "_build/setup.log")
    assert said in line
    assert "\n" not in line


def test_a_failing_program_is_reported_with_its_log(tmp_path):
    (tmp_path / "_build").mkdir()
    log = tmp_path / "_build" / "setup.log"
    command = [sys.executable, "-c", "print('ERROR: so it is'); raise SystemExit(1)"]
    with pytest.raises(TaskError, match="so it is"):
        environment._run(command, tmp_path, log)
    assert "so it is" in log.read_text()


def test_an_old_python_gets_one_clear_line():
    done = subprocess.run(
        [sys.executable, "-c", OLD_PYTHON], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: the course needs Python 3.10 or newer, and this one is")
    assert len(done.stderr.splitlines()) == 1


def test_make_and_python_offer_the_same_targets():
    phony = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith(".PHONY")
    )
    assert set(phony.split()[1:]) == set(TARGETS) - {"address"}


def test_every_target_has_its_command():
    from tools.commands import COMMANDS

    assert set(COMMANDS) == set(TARGETS) - {"help", "setup"}


def test_help_needs_no_environment_and_an_unknown_target_is_named():
    run = [sys.executable, "tools/tasks.py"]
    told = subprocess.run([*run, "help"], cwd=ROOT, capture_output=True, text=True)
    assert told.returncode == 0
    assert all(name in told.stdout for name in TARGETS)
    wrong = subprocess.run([*run, "tets"], cwd=ROOT, capture_output=True, text=True)
    assert wrong.returncode == 2
    assert wrong.stderr.startswith("error: there is no target 'tets'")


@pytest.mark.parametrize(("given", "got"), [([], "nothing"), (["tets"], "tets")])
def test_an_unknown_command_is_one_line_and_no_traceback(given, got):
    run = [sys.executable, "-m", "tools.commands", *given]
    wrong = subprocess.run(run, cwd=ROOT, capture_output=True, text=True)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert wrong.stderr.startswith("error: wanted one of book, ")
    assert wrong.stderr.endswith(f"; got {got}\n")


@pytest.mark.skipif(os.name != "posix", reason="pipes are closed as on POSIX")
@pytest.mark.parametrize("run", [["tools/tasks.py", "help"], ["-c", SPEAKING]])
def test_a_reader_of_the_output_who_leaves_ends_it_without_a_traceback(run):
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [sys.executable, *run], cwd=ROOT, stdout=theirs, stderr=subprocess.PIPE, text=True
    )
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("user", [0, 1000])
def test_jupyterlab_opens_for_root_as_in_the_development_container(monkeypatch, user):
    called = []
    monkeypatch.setattr(os, "geteuid", lambda: user, raising=False)
    done = subprocess.CompletedProcess([], 0)
    monkeypatch.setattr(subprocess, "run", lambda command: called.append(command) or done)
    assert commands.lab(["--no-browser"]) == 0
    assert ("--allow-root" in called[0]) == (user == 0)
