"""The library as a user has it: the wheel, with no checkout in sight."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = (
    "course_lib",
    "course_lab",
    "course_grader",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "LICENSE-TEXT",
)
TINY = ("--pairs", "60", "--held-out", "20", "--hidden", "8", "--steps", "20")
EVERY_MODULE = """
import importlib, pkgutil, course_lib
assert "installed" in course_lib.__file__
for module in pkgutil.walk_packages(course_lib.__path__, "course_lib."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from a copy of the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    for part in PARTS:
        if (ROOT / part).is_dir():
            junk = shutil.ignore_patterns("__pycache__", ".*")
            shutil.copytree(ROOT / part, folder / "source" / part, ignore=junk)
        else:
            shutil.copy(ROOT / part, folder / "source" / part)
    pip = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "-w", str(folder), str(folder / "source")], check=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def run(wheel, tmp_path_factory):
    """Call Python with the installed wheel in an empty folder; return what it printed."""
    folder = tmp_path_factory.mktemp("läuft hier")
    installed = folder / "installed"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(installed)
    # The same packages as here, and this wheel before any other copy of the library.
    environment = {**os.environ, "PYTHONPATH": str(installed), "LC_ALL": "C", "COURSE_DATA": ""}
    (folder / "here").mkdir()

    def call(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, *words],
            cwd=folder / "here",
            env=environment,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


def test_the_wheel_holds_every_file_of_its_packages_and_no_other(wheel):
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    packages = [part for part in PARTS if (ROOT / part).is_dir()]
    listed = subprocess.check_output([*command, *packages], cwd=ROOT, text=True).split()
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert packed == {name for name in listed if (ROOT / name).is_file()}


def test_every_module_is_imported(run):
    assert run("-W", "error", "-c", EVERY_MODULE) == ""


def test_the_command_line_trains_and_translates(run):
    run("-m", "course_lib", "train", "bahdanau", *TINY, "--run", "words")
    assert run("-m", "course_lib", "translate", "words", "der Hund schläft")
