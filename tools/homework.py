"""`make homework`: from one source by otter-grader to what students get and what graders use.

A source is a jupytext script in otter's format, `homework/hwNN_name/hwNN_name.py`: questions,
solutions, public and hidden tests. `otter assign` makes two folders of it, `student` (solutions and
hidden tests taken out) and `autograder`. What otter leaves to chance (cell ids, times in file
names) is put in order here, so that the same source always gives the same bytes.
"""

import ast
import hashlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple, TextIO

import jupytext
import nbformat
from nbformat import NotebookNode

from course_grader import GraderError
from course_grader.variants import varied
from tools.notebooks.text import with_address
from tools.own_line import shows_own_lines
from tools.project import ROOT, TaskError, homework_sources, say, shown

FIRST_CELL = """\
# Initialize Otter
# Where course_lib or otter-grader is missing, as on Colab, this cell installs it.
import importlib.util

repository = "@REPOSITORY@"
if not all(map(importlib.util.find_spec, ["course_lib", "otter"])):
    if repository:
        %pip install -q git+{repository}@@BRANCH@ @OTTER@
    else:
        raise SystemExit(
            "course_lib or otter-grader is missing: run this notebook by make lab,"
            " as README.md of the course says."
        )

from course_lib.homework import Homework

grader = Homework("@NAME@")"""

POINTS = 20
"""What each homework is worth, so that a course can add them up."""


class Assigned(NamedTuple):
    """What `otter assign` made: two folders, each with a notebook and its `tests`."""

    name: str
    student: Path
    autograder: Path

    def tests(self) -> list[Path]:
        """The test file of each question, public and hidden tests together, in order."""
        return sorted((self.autograder / "tests").glob("*.py"))


def write_all(names: Sequence[str] = (), *, root: Path = ROOT) -> None:
    """Write the students' folder of every homework, or of those named by stem or number.

    Raises:
        TaskError: a name that does not exist, a source that otter refuses, or points that do not
            add up. The folder that is there stays as it was then.
    """
    for source in _chosen(names, homework_sources(root)):
        with assigned(source) as made:
            changed = _replace(made.student, source.parent / "student")
        where = shown(source.parent / "student", root)
        say(f"{source.stem}: {'written' if changed else 'unchanged'}: {where}")


def release(name: str, variant: str, homework: Path | None = None, *, root: Path = ROOT) -> Path:
    """Write a private variant of a homework, which its own solutions solve; the folder.

    Args:
        name: of the homework, by stem or number.
        variant: such as "v3".
        homework: a private folder of sources; None for the project's.
        root: of the project.

    Raises:
        TaskError: there is no such homework or variant, or its solutions fail in it.
    """
    sources = sorted(homework.glob("hw*/hw*.py")) if homework else homework_sources(root)
    (source,) = _chosen([name], sources)
    folder = root / "_build" / "release" / f"{source.stem}-{variant}"
    with tempfile.TemporaryDirectory() as place:
        private = Path(place) / source.name
        try:
            private.write_text(varied(source, variant), encoding="utf-8")
        except GraderError as error:
            raise TaskError(str(error)) from error
        with assigned(private) as made:
            folder.mkdir(parents=True, exist_ok=True)
            _replace(made.student, folder / "student")
            shutil.copy(made.autograder / f"{source.stem}.ipynb", folder / "solution.ipynb")
    return folder


def _chosen(names: Sequence[str], known: list[Path]) -> list[Path]:
    """The sources of these names; of none, all."""
    chosen = [source for source in known if not names or _is_named(source.stem, names)]
    if not chosen:
        there = ", ".join(source.stem for source in known) or "none yet"
        raise TaskError(f"there is no homework {' '.join(names)!r}; there are: {there}")
    return chosen


def differences(made: Assigned, student: Path) -> list[str]:
    """The files in which a stored students' folder is not what its source gives."""
    fresh, stored = _content(made.student), _content(student)
    return sorted(name for name in fresh.keys() | stored if fresh.get(name) != stored.get(name))


@contextmanager
def assigned(source: Path, *, run: bool = True) -> Iterator[Assigned]:
    """Run `otter assign` in a folder that is gone afterwards.

    Args:
        source: the homework's script.
        run: whether otter executes the solutions in a kernel and puts them to all tests; one that
            fails is an error. The gate does both by itself.

    Raises:
        TaskError: what otter had to say, or points that do not add up to `POINTS`.
    """
    if not source.is_file():
        raise TaskError(f"wanted a source at {shown(source)}, found none")
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        notebook = jupytext.read(source)
        _identify(notebook, source.stem)
        nbformat.write(notebook, here / f"{source.stem}.ipynb")
        _assign(here, source, run=run)
        made = Assigned(source.stem, here / "made" / "student", here / "made" / "autograder")
        for archive in made.autograder.glob("*.zip"):
            archive.unlink()
        for part in (made.student, made.autograder):
            _tidy(part / f"{source.stem}.ipynb", source.stem, part.name)
            for path in (part / "tests").glob("*.py"):
                tests = shows_own_lines(path.read_text(encoding="utf-8"))
                # Two homeworks in one folder would share it (course_lib/homework.py).
                tests = f"# homework: {source.stem}\n{tests}"
                path.write_text(tests, encoding="utf-8", newline="\n")
        _check_points(made)
        yield made


def _assign(here: Path, source: Path, *, run: bool) -> None:
    """Everything that otter and its kernel print is kept for the case that it fails.

    In this process: otter takes seconds to import, and all homeworks need it once.
    """
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
        _errors_of_children(said),
        warnings.catch_warnings(),
        redirect_stdout(said),
        redirect_stderr(said),
    ):
        warnings.simplefilter("ignore")
        from otter import assign

        try:
            notebook = here / f"{source.stem}.ipynb"
            assign.main(str(notebook), str(here / "made"), no_run_tests=not run)
        except Exception as error:
            said.seek(0)
            told = f"{said.read()}{type(error).__name__}: {error}"
            raise TaskError(f"otter assign refuses {shown(source)}:\n{told}") from error


@contextmanager
def _errors_of_children(file: TextIO) -> Iterator[None]:
    """What processes that are started meanwhile write to their standard error goes into a file."""
    kept = os.dup(2)
    os.dup2(file.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _identify(notebook: NotebookNode, seed: str) -> None:
    """Ids from the place of a cell, not from chance."""
    for number, cell in enumerate(notebook.cells):
        cell["id"] = hashlib.sha256(f"{seed} {number}".encode()).hexdigest()[:8]


def _tidy(path: Path, name: str, part: str) -> None:
    """Take out of a notebook what says nothing: empty cells, jupytext's notes, kernel versions.

    Its first cell becomes one that also works away from the course.
    """
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.source.strip()]
    for cell in notebook.cells:
        cell.metadata.pop("lines_to_next_cell", None)
        if cell.source.startswith("# Initialize Otter\n"):
            cell.source = with_address(FIRST_CELL).replace("@NAME@", name)
            cell.source = cell.source.replace("@OTTER@", _pin("otter-grader"))
    _identify(notebook, f"{name} {part}")
    notebook.metadata.pop("jupytext", None)
    notebook.metadata.pop("language_info", None)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    path.write_text(nbformat.writes(notebook, indent=1) + "\n", encoding="utf-8", newline="\n")


def _pin(package: str) -> str:
    """A package with the version that the course is proved with."""
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    return next(line.split()[0] for line in lines if line.startswith(f"{package}=="))


def _check_points(made: Assigned) -> None:
    """otter takes what each question says; that its test cases give as much is for us to see."""
    total = 0.0
    for path in made.tests():
        file = load(path)
        given = sum(case.points or 0 for case in file.test_cases)
        wanted = _points(path)
        if abs(given - wanted) > 1e-9:
            raise TaskError(
                f"{made.name}, {path.stem}: wanted test cases that give the question's "
                f"{wanted:g} points, got {given:g}"
            )
        total += given
    if abs(total - POINTS) > 1e-9:
        raise TaskError(f"{made.name}: wanted {POINTS} points in all, got {total:g}")


def _points(path: Path) -> float:
    """What the question is worth: `points = 4` in its test file, of which otter keeps no note."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "points":
            return float(ast.literal_eval(node.value) or 0)
    return 0.0


def load(path: Path):
    """One question's test file, as otter reads it."""
    with warnings.catch_warnings():
        # Packages that otter brings in complain about each other.
        warnings.simplefilter("ignore")
        # Takes seconds to import, and most targets do without.
        from otter.test_files.exception_test import ExceptionTestFile

        return ExceptionTestFile.from_file(str(path))


def _replace(fresh: Path, stored: Path) -> bool:
    """Put a folder in the place of another, whole or not at all; False if they say the same."""
    if stored.is_dir() and _content(fresh) == _content(stored):
        return False
    beside = stored.with_name(f".{stored.name}.part")
    shutil.rmtree(beside, ignore_errors=True)
    shutil.copytree(fresh, beside)
    shutil.rmtree(stored, ignore_errors=True)
    beside.rename(stored)
    return True


def _content(folder: Path) -> dict[str, bytes]:
    """Every file by its path; what JupyterLab and Python leave behind does not count."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {"__pycache__", ".ipynb_checkpoints"} & set(path.parts)
    }


def _is_named(stem: str, names: Sequence[str]) -> bool:
    given = [name.removeprefix("hw") for name in names]
    return any(stem == f"hw{name}" or stem.startswith(f"hw{name}_") for name in given)
