"""The gates that pytest runs: tests, homework, notebooks under nbval, browser, real data.

Each takes the parts to run (files, homeworks, pages, notebooks); without any it runs all of them.
What the parts are and what each is decided from stands in inputs.py.
"""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from tools.gates.pytest_run import by_file, pytest
from tools.gates.result import Result
from tools.project import CELL_SECONDS, ROOT

GPU_TOLERANCE = "5e-3"
HOMEWORK_TESTS = "tests/homework/test_homework.py"
ALL_HOMEWORKS = "every homework"
BY_PAGE = "tests/book/by_page"
"""Tests that are called for each page, or for each chapter; each file with each page is a part."""
_ELSEWHERE = ("--ignore=tests/homework", "--ignore=tests/outside")
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# Files with worlds or worked examples of their own stay with one worker, which makes them once.
_BY_FILE = ["--dist=loadfile", "--no-loadscope-reorder"]


def library(root: Path = ROOT, parts: Sequence[str] | None = None) -> Result:
    """Unit, property, parity and gate tests, on all cores, one thread each."""
    arguments = [
        *(["tests", *_ELSEWHERE] if parts is None else parts),
        f"-n{min(os.cpu_count() or 2, 8)}",
        *_BY_FILE,
        "-m",
        "not browser and not real_data",
    ]
    return pytest("tests", arguments, root, _ONE_THREAD, parts=parts)


def homework(root: Path = ROOT, parts: Sequence[str] | None = None) -> Result:
    """Each homework made anew, its right answers and known-wrong ones put to its tests."""
    chosen = [HOMEWORK_TESTS] if parts is None else [_homework_node(part) for part in parts]
    # The tests of one homework stay with one worker: otter takes a while to make it.
    arguments = [*chosen, "-n2", "--dist=loadscope"]
    nodes = {_homework_node(part): part for part in parts or ()}
    return pytest(
        "homework",
        arguments,
        root,
        {**_ONE_THREAD, "MPLBACKEND": "agg"},
        part_of=lambda node: nodes.get("::".join(node.split("::")[:2]), node),
        parts=parts,
    )


def outside(root: Path = ROOT, parts: Sequence[str] | None = None) -> Result:
    """The wheel in an environment of its own, with no checkout in sight."""
    arguments = ["tests/outside", "-n2", "--dist=worksteal"]
    return pytest("outside", arguments, root, _ONE_THREAD, parts=parts)


def real_data(root: Path = ROOT, parts: Sequence[str] | None = None) -> Result:
    """The tests marked `real_data`; each says itself what it misses where the files are absent."""
    # One thread: on a busy machine two of them wait for each other at every step.
    return pytest("real-data", ["tests/real", "-m", "real_data"], root, _ONE_THREAD, parts=parts)


def browser(root: Path = ROOT, parts: Sequence[str] | None = None) -> Result:
    """The tests marked `browser`, on the finished book: pages side by side."""
    if parts is None:
        chosen = ["tests/book"]
    else:
        by_page = [part for part in parts if "::" in part]
        files = dict.fromkeys(part.partition("::")[0] for part in parts)
        chosen = [*files, *(f"--page={part}" for part in by_page)]
    arguments = [*chosen, "-m", "browser", "-n2", "--dist=worksteal"]
    return pytest("browser", arguments, root, part_of=page_of(parts or ()), parts=parts)


def page_of(parts: Sequence[str]) -> Callable[[str], str]:
    """A function that tells the part of a test: its file, or that and the page its name holds."""
    pages: dict[str, list[str]] = {}
    for part in parts:
        path, _, page = part.partition("::")
        if page:
            pages.setdefault(path, []).append(page)

    def part_of(node: str) -> str:
        path, _, name = node.partition("::")
        held = [page for page in pages.get(path, ()) if page in name]
        return f"{path}::{max(held, key=len)}" if held else path

    return part_of


def validate(root: Path = ROOT, parts: Sequence[str] | None = None) -> Result:
    """Every notebook executed again, every output compared."""
    return _nbval(root, {"COURSE_DEVICE": "cpu"}, parts)


def validate_gpu(root: Path = ROOT, parts: Sequence[str] | None = None) -> Result:
    """The same on a GPU: there a number that is no integer may be off by `GPU_TOLERANCE`."""
    return _nbval(root, {"COURSE_DEVICE": "cuda", "COURSE_RTOL": GPU_TOLERANCE}, parts)


def _nbval(root: Path, variables: dict[str, str], parts: Sequence[str] | None) -> Result:
    """Each notebook alone in a folder, twice in one kernel, with the library from its wheel."""
    # Takes a while to import, and most gates do without.
    from tools.outside import alone

    paths = sorted((root / "notebooks").glob("*.ipynb"))
    chosen = [path for path in paths if parts is None or _part(path) in parts]
    if not chosen:
        return Result(True, note="no notebooks yet", tests=0)
    copied = alone(root, chosen)
    arguments = [
        *(path.relative_to(root).as_posix() for path in copied.copies),
        "--nbval",  # not --nbval-lax, which compares tagged cells alone
        "--nbval-sanitize-with=tools/nbval_sanitize.cfg",
        f"--nbval-cell-timeout={CELL_SECONDS}",
        # A notebook stays with one worker; cells of one notebook need one kernel.
        f"-n{min(2, len(chosen))}",
        "--dist=loadscope",
    ]
    variables = {**variables, "JUPYTER_PATH": str(copied.kernels)}
    done = pytest(
        "notebooks", arguments, root, variables, lambda node: _part(Path(by_file(node))), parts
    )
    return done._replace(skips=(*done.skips, *copied.missing))


def _part(notebook: Path) -> str:
    """A notebook or its copy: the part of the gate that it is."""
    return f"notebooks/{notebook.name}"


def _homework_node(part: str) -> str:
    """`hw04_bahdanau` is tested by the class TestHw04; what concerns all of them by a function."""
    inside = "test_no_homework_is_left_out" if part == ALL_HOMEWORKS else f"TestHw{part[2:4]}"
    return f"{HOMEWORK_TESTS}::{inside}"
