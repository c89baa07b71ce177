"""Build the homework: `python -m tools.homework [hw05 ...]`.

A source is `homework/hwNN_name/hwNN_name.py`, a jupytext script in the format of otter-grader:
questions, solutions, public and hidden tests. `otter assign` takes out the solutions and the
hidden tests. The result is what students get: the folder `_build/homework/hwNN_name` and the same
files in `_build/homework/hwNN_name.zip`. The same source always gives the same bytes.
Nothing is executed here; tests/homework proves that the solutions pass.
"""

import argparse
import hashlib
import io
import shutil
import sys
import tempfile
import time
import warnings
import zipfile
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import jupytext
import nbformat
from nbformat import NotebookNode

from course_grader import GraderError
from course_grader.variants import varied
from tools import ROOT
from tools.text import install_code

SOURCES = ROOT / "homework"
BUILD = ROOT / "_build" / "homework"
RELEASES = ROOT / "_build" / "release"

FIRST_CELL = """\
# Initialize Otter
{install}

from course_lib.homework import Homework

grader = Homework("{name}")"""

ZIP_DATE = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a zip file can hold."""


def find_sources(names: Sequence[str] = (), folder: Path = SOURCES) -> list[Path]:
    """Return the homework sources in a folder, in order; all of them if no names are given.

    Args:
        names: such as "hw05", "05" or "hw05_query_key_value".
        folder: with one folder a homework.

    Raises:
        ValueError: there is no such homework.
    """
    sources = sorted(folder.glob("hw*/hw*.py"))
    if not names:
        return sources
    chosen = []
    for name in names:
        stem = f"hw{name.removeprefix('hw')}"
        matches = [s for s in sources if s.stem == stem or s.stem.startswith(f"{stem}_")]
        if not matches:
            known = ", ".join(source.stem for source in sources)
            raise ValueError(f"want one of the homeworks {known or '(none)'}; got {name!r}")
        chosen += matches
    return chosen


def assign(source: Path, folder: Path, *, run: bool = False) -> None:
    """Write `student` and `autograder` into a folder: a notebook and `tests` in each.

    Args:
        source: the homework's script.
        folder: an existing folder.
        run: execute the solutions and run all tests on them, which takes a minute or more.

    Raises:
        ValueError: otter refuses the source, or a test fails; the message is otter's output.
    """
    name = source.stem
    notebook = jupytext.read(source)
    set_cell_ids(notebook, name)
    nbformat.write(notebook, folder / f"{name}.ipynb")
    output = io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(output), redirect_stderr(output):
        warnings.simplefilter("ignore")  # from otter's dependencies
        from otter.assign import main as otter_assign

        try:
            otter_assign(str(folder / f"{name}.ipynb"), str(folder), no_run_tests=not run)
        except Exception as error:
            message = f"{output.getvalue()}{type(error).__name__}: {error}"
            raise ValueError(f"otter assign refuses {source}:\n{message}") from error
    for part in ("student", "autograder"):
        clean_notebook(folder / part / f"{name}.ipynb", part)
        for path in (folder / part / "tests").glob("*.py"):
            # course_lib/homework.py reads this line: the tests of another homework are refused.
            tests = f"# homework: {name}\n{path.read_text(encoding='utf-8')}"
            path.write_text(tests, encoding="utf-8", newline="\n")


def clean_notebook(path: Path, part: str) -> None:
    """Remove empty cells and jupytext's metadata, and replace the cell that starts otter.

    The new first cell also works on Colab. The cell ids no longer depend on chance.
    """
    name = path.stem
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = [cell for cell in notebook.cells if cell.source.strip()]
    for cell in notebook.cells:
        cell.metadata.pop("lines_to_next_cell", None)
        if cell.source.startswith("# Initialize Otter\n"):
            cell.source = first_cell(name)
    set_cell_ids(notebook, f"{name} {part}")
    notebook.metadata.pop("jupytext", None)
    notebook.metadata.pop("language_info", None)
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    path.write_text(nbformat.writes(notebook, indent=1) + "\n", encoding="utf-8", newline="\n")


def first_cell(name: str) -> str:
    """Return the first cell's code, with the repository's address and the pinned otter."""
    pins = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    otter = next(line.split()[0] for line in pins if line.startswith("otter-grader=="))
    return FIRST_CELL.format(install=install_code("course_lib", "otter", also=otter), name=name)


def set_cell_ids(notebook: NotebookNode, seed: str) -> None:
    """Give each cell an id that depends on the seed and on its position."""
    for number, cell in enumerate(notebook.cells):
        cell["id"] = hashlib.sha256(f"{seed} {number}".encode()).hexdigest()[:8]


def write_student(student: Path, folder: Path) -> None:
    """Copy a student's folder to its place, and pack it as a zip file beside it.

    A notebook in that place that differs is renamed: somebody may have worked in it.
    """
    files = {path.relative_to(student): path.read_bytes() for path in student.rglob("*.*")}
    for name, content in files.items():
        path = folder / name
        if path.suffix == ".ipynb" and path.exists() and path.read_bytes() != content:
            path.rename(path.with_stem(f"{path.stem}_until_{time.strftime('%Y_%m_%dT%H_%M_%S')}"))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with zipfile.ZipFile(folder.with_suffix(".zip"), "w") as archive:
        for name, content in sorted(files.items()):
            entry = zipfile.ZipInfo(f"{folder.name}/{name.as_posix()}", ZIP_DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)


def build(source: Path, folder: Path = BUILD) -> Path:
    """Write `hwNN_name` and `hwNN_name.zip` into a folder; return the first."""
    with tempfile.TemporaryDirectory() as temporary:
        assign(source, Path(temporary))
        write_student(Path(temporary) / "student", folder / source.stem)
    return folder / source.stem


def release(source: Path, variant: str, folder: Path = RELEASES) -> Path:
    """Write a private variant of a homework, and a notebook with its solutions; return the folder.

    The solutions are executed, and must pass all tests.

    Raises:
        GraderError: there is no such variant.
        ValueError: otter refuses the variant, or a test fails.
    """
    target = folder / f"{source.stem}-{variant}"
    with tempfile.TemporaryDirectory() as temporary:
        script = Path(temporary) / source.name
        script.write_text(varied(source, variant), encoding="utf-8")
        assign(script, Path(temporary), run=True)
        write_student(Path(temporary) / "student", target / source.stem)
        solution = Path(temporary) / "autograder" / f"{source.stem}.ipynb"
        shutil.copy(solution, target / "solution.ipynb")
    return target


def main() -> None:
    """Build the homeworks named on the command line."""
    parser = argparse.ArgumentParser(prog="python -m tools.homework", description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="hw05", help="default: all")
    parser.add_argument("--variant", metavar="v3", help="a private variant, for _build/release")
    parser.add_argument("--source", type=Path, default=SOURCES, metavar="DIR", help="your sources")
    options = parser.parse_args()
    try:
        for source in find_sources(options.names, options.source):
            written = release(source, options.variant) if options.variant else build(source)
            print(written.relative_to(ROOT), flush=True)
    except (GraderError, ValueError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
