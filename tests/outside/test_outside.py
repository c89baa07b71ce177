"""The course away from its checkout: what is packed, and what a user of the wheel can do."""

import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

from tools.installed import C_LOCALE, HOMELESS, PLAIN, STRANGER, install, missing, shipped
from tools.outside import write_kernels
from tools.project import HOMEWORK, ROOT

TINY = ("--pairs", "60", "--held-out", "20", "--hidden", "8", "--steps", "20")

EVERY_MODULE = """
import importlib, pkgutil, course_lib
for found in pkgutil.walk_packages(course_lib.__path__, "course_lib."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
"""


@pytest.fixture(scope="session")
def place():
    return install()


@pytest.fixture(scope="session")
def run(place):
    """Runs the installed Python in a folder, under a condition; what it printed, and its code."""

    def start(folder, condition, *words, needs=0):
        if why := missing(condition):
            pytest.skip(why)
        done = subprocess.run(
            place.command(condition, *words),
            cwd=folder,
            env={**os.environ, **place.variables(condition)},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            stdin=subprocess.DEVNULL,
        )
        assert done.returncode == needs, done.stderr
        return done

    return start


@pytest.fixture(scope="session")
def trained(run, tmp_path_factory):
    """A translator and a classifier, each trained in twenty steps in a folder that was empty."""
    folder = tmp_path_factory.mktemp("läuft hier")
    for model, condition in (("bahdanau", PLAIN), ("decomposable", C_LOCALE)):
        run(folder, condition, "-m", "course_lib", "train", model, *TINY, "--run", model)
    return folder


def test_wheel_and_sdist_hold_every_tracked_file(place):
    with zipfile.ZipFile(place.wheel) as wheel:
        names = set(wheel.namelist())
        (top,) = (name for name in names if name.endswith(".dist-info/top_level.txt"))
        packages = wheel.read(top).decode().split()
    with tarfile.open(place.sdist) as sdist:
        unpacked = {name.partition("/")[2] for name in sdist.getnames()}
    tracked = {path.relative_to(ROOT).as_posix() for path in shipped()}
    wanted = {name for name in tracked if name.partition("/")[0] in packages}
    assert wanted
    assert wanted - names == set()
    assert wanted - unpacked == set()
    # Nor anything else: no bytecode, no file that a run left behind.
    assert {name for name in names if ".dist-info/" not in name} == wanted


def test_a_clone_on_windows_has_the_same_bytes(place):
    changed = [
        path.relative_to(ROOT).as_posix()
        for path in shipped()
        if (place.source / path.relative_to(ROOT)).read_bytes() != path.read_bytes()
    ]
    assert changed == []


@pytest.mark.parametrize("condition", [C_LOCALE, HOMELESS], ids=lambda one: one.name)
def test_every_module_is_imported_and_writes_nothing(run, tmp_path, condition):
    done = run(tmp_path, condition, "-W", "error", "-c", EVERY_MODULE)
    assert (done.stdout, done.stderr) == ("", "")
    assert list(tmp_path.iterdir()) == []


def test_the_checkout_is_out_of_sight(run, place, tmp_path):
    done = run(tmp_path, PLAIN, "-c", "import course_lib; print(course_lib.__file__)")
    assert Path(done.stdout.strip()).is_relative_to(place.folder)
    run(tmp_path, PLAIN, "-c", "import tools", needs=1)


def test_nobody_can_write_to_the_installation(run, tmp_path):
    inside = "import course_lib, pathlib; pathlib.Path(course_lib.__path__[0], 'x').touch()"
    assert "PermissionError" in run(tmp_path, STRANGER, "-c", inside, needs=1).stderr


@pytest.mark.parametrize(
    ("condition", "words", "says"),
    [
        (C_LOCALE, ("evaluate", "bahdanau"), "BLEU"),
        (HOMELESS, ("evaluate", "decomposable"), "accuracy"),
        (HOMELESS, ("translate", "bahdanau", "der Hund schläft"), ""),
        (C_LOCALE, ("translate", "bahdanau", "der Hund schläft"), ""),
        (HOMELESS, ("align", "bahdanau", "der Hund schläft"), "the map is in"),
        (C_LOCALE, ("align", "bahdanau", "der Hund schläft"), "the map is in"),
        (HOMELESS, ("train", "cho", *TINY, "--run", "HERE/cho"), ""),
        (HOMELESS, ("data", "list"), "multi30k"),
    ],
    ids=lambda value: value if isinstance(value, str) else getattr(value, "name", value[0]),
)
def test_the_command_line(run, trained, tmp_path, condition, words, says):
    words = [word.replace("HERE", str(tmp_path)) for word in words]
    done = run(trained, condition, "-m", "course_lib", *words)
    assert says in done.stdout
    assert "Traceback" not in done.stderr


def test_a_homework_alone_is_checked_and_exported(place, tmp_path, monkeypatch):
    if why := missing(STRANGER):
        pytest.skip(why)
    name = "hw01_recurrence"
    folder = tmp_path / "Übung 1"
    _copy(HOMEWORK / name / "student", folder)
    notebook = nbformat.read(folder / f"{name}.ipynb", as_version=4)
    answers = [
        cell for cell in notebook.cells if "otter_answer_cell" in cell.metadata.get("tags", ())
    ]
    answers[0].source = _solution(name, "rnn")
    nbformat.write(notebook, folder / f"{name}.ipynb")
    monkeypatch.setenv("JUPYTER_PATH", str(write_kernels(place, [STRANGER])))
    client = NotebookClient(
        notebook,
        kernel_name=STRANGER.name,
        allow_errors=True,
        timeout=600,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    said = {cell.source: str(cell.outputs) for cell in notebook.cells if cell.cell_type == "code"}
    assert "passed" in said['grader.check("q1")']
    assert "failed" in said['grader.check("q2")']
    assert list(folder.glob("*.zip")), next(text for code, text in said.items() if "export" in code)


def _copy(source, target):
    target.mkdir()
    for path in source.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            (target / path.relative_to(source)).parent.mkdir(parents=True, exist_ok=True)
            (target / path.relative_to(source)).write_bytes(path.read_bytes())


def _solution(name, function):
    """The cell of the source that answers a question."""
    source = jupytext.read(HOMEWORK / name / f"{name}.py")
    return next(cell.source for cell in source.cells if f"def {function}(" in cell.source)
