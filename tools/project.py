"""Where things stand in this project. Standard library only."""

import os
import sys
from pathlib import Path

from tools import light  # noqa: F401 - before anything imports nbformat

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
BUILD = ROOT / "_build"
NOTEBOOKS = ROOT / "notebooks"
CHAPTERS = ROOT / "book" / "chapters"
DRAWN = NOTEBOOKS / "drawings"
CONFIG = ROOT / "_config.yml"
LIBRARY = ROOT / "course_lib"
LABORATORY = ROOT / "course_lab"
HOMEWORK = ROOT / "homework"
# A guard against a cell that hangs, no budget: training takes 140 s, and more on a busy machine.
CELL_SECONDS = 600


class TaskError(Exception):
    """A task cannot go on; the message is the one line that the user sees."""


def homework_sources(root: Path = ROOT) -> list[Path]:
    """Every homework's source, in the order of the chapters."""
    folder = root / HOMEWORK.relative_to(ROOT)
    return sorted(folder / p.name / f"{p.name}.py" for p in folder.glob("hw*") if p.is_dir())


def venv_python(venv: Path = VENV) -> Path:
    """The interpreter inside a virtual environment."""
    if os.name == "nt":
        return venv / "Scripts" / "python.exe"
    return venv / "bin" / "python"


def program(name: str) -> str:
    """A program that was installed beside this Python."""
    folder = Path(sys.executable).parent
    return str(folder / (f"{name}.exe" if os.name == "nt" else name))


def say(line: str = "") -> None:
    """Print a line at once, so that it stands in order with the output of child processes."""
    print(line, flush=True)


def shown(path: Path, root: Path = ROOT) -> str:
    """A path as the user types it: relative to the project where it lies inside."""
    try:
        return path.resolve().relative_to(root).as_posix()
    except ValueError:
        return str(path)


def write_if_changed(path: Path, text: str) -> bool:
    """Write a generated page; whether it changed."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return False
    path.write_text(text, encoding="utf-8")
    return True


def unheard() -> int:
    """The reader of our output (head, less) has left: end as quietly as SIGPIPE ends a program.

    Returns:
        The exit code for that: what was asked for is not done, so it is no success.
    """
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return 128 + 13


def warn(line: str) -> None:
    """Print a line for the user that is not a result."""
    print(line, file=sys.stderr, flush=True)
