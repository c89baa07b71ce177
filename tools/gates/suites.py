"""The gates that pytest runs: tests, homework, notebooks under nbval, browser, real data."""

import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from tools.gates.result import Result, run
from tools.notebooks.execute import CELL_SECONDS
from tools.project import BUILD, ROOT

GPU_TOLERANCE = "5e-3"
_NO_TESTS = 5  # pytest's exit code where nothing was collected
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def library(root: Path = ROOT) -> Result:
    """Unit, property, parity and gate tests, on all cores, one thread each."""
    arguments = [
        "tests",
        "-n",
        str(min(os.cpu_count() or 2, 8)),
        "-m",
        "not browser and not real_data",
        "--ignore=tests/homework",
    ]
    return pytest("tests", arguments, root, _ONE_THREAD)


def homework(root: Path = ROOT) -> Result:
    """Each homework made anew, its right answers and known-wrong ones put to its tests."""
    # The tests of one homework stay with one worker: otter takes a while to make it.
    arguments = ["tests/homework", "-n2", "--dist=loadscope"]
    return pytest("homework", arguments, root, {**_ONE_THREAD, "MPLBACKEND": "agg"})


def real_data(root: Path = ROOT) -> Result:
    """The tests marked `real_data`; each says itself what it misses where the files are absent."""
    return pytest("real-data", ["tests", "-m", "real_data"], root)


def browser(root: Path = ROOT) -> Result:
    """The tests marked `browser`, on the finished book."""
    return pytest("browser", ["tests/book", "-m", "browser"], root)


def validate(root: Path = ROOT) -> Result:
    """Every notebook executed again, every output compared."""
    return _nbval(root, ["--nbval"], {"COURSE_DEVICE": "cpu"})


def validate_gpu(root: Path = ROOT) -> Result:
    """Every notebook executed on a GPU, cells tagged `nbval-check-output` compared."""
    return _nbval(root, ["--nbval-lax"], {"COURSE_DEVICE": "cuda", "COURSE_RTOL": GPU_TOLERANCE})


def _nbval(root: Path, mode: list[str], variables: dict[str, str]) -> Result:
    count = len(list((root / "notebooks").glob("*.ipynb")))
    if not count:
        return Result(True, note="no notebooks yet", tests=0)
    arguments = [
        "notebooks",
        *mode,
        "--nbval-current-env",
        "--nbval-sanitize-with=tools/nbval_sanitize.cfg",
        f"--nbval-cell-timeout={CELL_SECONDS}",
        # A notebook stays with one worker; cells of one notebook need one kernel.
        f"-n{min(2, count)}",
        "--dist=loadscope",
    ]
    return pytest("notebooks", arguments, root, variables)


def pytest(
    name: str, arguments: list[str], root: Path, variables: dict[str, str] | None = None
) -> Result:
    """Run pytest with its report in _build/test; a result with its counts and skips."""
    report = root / BUILD.name / "test" / f"{name}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", *arguments, "--color=no", f"--junitxml={report}"]
    code, output = run(command, root, variables)
    if code == _NO_TESTS:
        return Result(True, output, "no tests of this kind", tests=0)
    tests, failures, skips = _counts(report)
    passed = code == 0
    return Result(
        passed,
        output,
        _summary(output) or f"ended without a summary, exit code {code}",
        skips=tuple(sorted(set(skips))),
        tests=tests,
        failures=failures if passed else max(failures, 1),
        skipped=len(skips),
    )


def _counts(report: Path) -> tuple[int, int, list[str]]:
    """Tests, failures with errors, and the reason of each skip, from pytest's own report."""
    if not report.exists():
        return 1, 1, []
    tests = failures = 0
    skips = []
    for suite in ElementTree.parse(report).getroot().iter("testsuite"):
        tests += int(suite.get("tests", 0))
        failures += int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skips += [element.get("message", "") for element in suite.iter("skipped")]
    return tests, failures, skips


def _summary(output: str) -> str:
    """pytest's own last line: counts and seconds."""
    for line in reversed(output.splitlines()):
        if re.search(r"\b(passed|failed|error|errors|skipped)\b.* in [\d.]+s", line):
            return line.strip("= ")
    return ""
