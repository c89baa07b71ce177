"""The gates that pytest runs: tests, homework, notebooks under nbval, browser, real data."""

import os
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from tools.gates.pairs import agreement
from tools.gates.pytest_run import Case, pytest
from tools.gates.result import Result
from tools.gates.web_pages import BY_PAGE, EVERY_PAGE, FIGURES, visitors
from tools.project import CELL_SECONDS, ROOT

GPU_TOLERANCE = "5e-3"
OF_OTHER_GATES = ("book", "chapters", "homework", "outside", "real")
"""Folders of `tests` whose tests belong to a gate of their own."""
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
# Files with worlds or worked examples of their own stay with one worker, which makes them once.
_BY_FILE = ("--dist=loadfile", "--no-loadscope-reorder")


def library(root: Path = ROOT) -> Result:
    """Unit, property, parity and gate tests, on all cores, one thread each."""
    elsewhere = (f"--ignore=tests/{folder}" for folder in OF_OTHER_GATES)
    return pytest("tests", ["tests", *elsewhere, _workers(8), *_BY_FILE], root, _ONE_THREAD)


def _workers(most: int) -> str:
    """One a core, and not too many: a kernel or a browser takes a gigabyte."""
    return f"-n{min(max(os.cpu_count() or 2, 2), most)}"


def text(root: Path = ROOT) -> Result:
    """Text, notebook and contents agree; then the tests that look at the chapters."""
    pairs = agreement(root)
    tests = pytest("text", ["tests/chapters", "-n2", *_BY_FILE], root, _ONE_THREAD)
    if not pairs.passed:
        both = f"{pairs.output}\n{tests.output if not tests.passed else ''}"
        return pairs._replace(output=both, failures=1 + tests.failures)
    return tests._replace(note=f"{pairs.note}; {tests.note}")


def homework(root: Path = ROOT) -> Result:
    """Each homework made anew, its right answers and known-wrong ones put to its tests."""
    # The tests of one homework stay with one worker: otter takes a while to make it.
    arguments = ["tests/homework", _workers(4), "--dist=loadscope"]
    # As a student has it: shapes are not checked there.
    variables = {**_ONE_THREAD, "MPLBACKEND": "agg", "JAXTYPING_DISABLE": "1"}
    return pytest("homework", arguments, root, variables)


def outside(root: Path = ROOT) -> Result:
    """The wheel in an environment of its own, with no checkout in sight."""
    return pytest("outside", ["tests/outside", _workers(4), "--dist=worksteal"], root, _ONE_THREAD)


def real_data(root: Path = ROOT) -> Result:
    """The same path on real sentences; each test says what it misses where files are absent."""
    # One thread: on a busy machine two of them wait for each other at every step.
    return pytest("real-data", ["tests/real", "-m", "real_data"], root, _ONE_THREAD)


def browser(root: Path = ROOT, parts: Sequence[str] | None = None) -> Result:
    """The tests marked `browser`, on the finished book: pages side by side."""
    visits = visitors(root)

    def parts_of(test: Case) -> Collection[str]:
        if test.file.startswith(BY_PAGE):
            held = [part for part in parts or () if part in test.name]
            return [max(held, key=len)] if held else []
        return parts_of_file(visits.get(test.file))

    chosen: Iterable[str] = ["tests/book"]
    if parts is not None:
        pages = [part for part in parts if part not in (EVERY_PAGE, FIGURES)]
        files = [name for name, named in visits.items() if {*parts_of_file(named)} & {*parts}]
        files = [name for name in files if not name.startswith(BY_PAGE)]
        chosen = [*files, *([BY_PAGE] if pages else []), *(f"--page={page}" for page in pages)]
    arguments = [*chosen, "-m", "browser", _workers(4), "--dist=worksteal"]
    return pytest("browser", arguments, root, parts_of=parts_of, parts=parts)


def parts_of_file(named: Collection[str] | None) -> Collection[str]:
    """The parts of the gate `browser` that a test file belongs to, by the pages that it names."""
    return (EVERY_PAGE,) if named is None else named or (FIGURES,)


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
    chosen = [path for path in paths if parts is None or _part(path.name) in parts]
    if not chosen:
        return Result(True, note="no notebooks yet", tests=0)
    copied = alone(root, chosen)
    arguments = [
        *(path.relative_to(root).as_posix() for path in copied.copies),
        "--nbval",  # not --nbval-lax, which compares tagged cells alone
        "--nbval-sanitize-with=tools/nbval_sanitize.cfg",
        f"--nbval-cell-timeout={CELL_SECONDS}",
        # A notebook stays with one worker; cells of one notebook need one kernel.
        _workers(min(int(os.environ.get("COURSE_WORKERS", 4)), len(chosen))),
        "--dist=loadscope",
    ]
    variables = {**variables, "JUPYTER_PATH": str(copied.kernels)}
    done = pytest(
        "notebooks",
        arguments,
        root,
        variables,
        parts_of=lambda test: [_part(Path(test.file).name)],
        parts=parts,
    )
    return done._replace(skips=(*done.skips, *copied.missing))


def _part(notebook: str) -> str:
    return f"notebooks/{notebook}"
