"""One run of pytest for a gate, and what its JUnit report says of it."""

import os
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tools.gates.result import Result
from tools.project import BUILD, ROOT, say

_NO_TESTS = 5  # pytest's exit code where nothing was collected
_TOLD = (0, 1)  # its exit codes where every test was run and told: all passed, some failed
EVERY = 15.0
"""Seconds between two lines of progress."""


class Case(NamedTuple):
    """A test that is done; `kind` is passed, skipped or failed, `why` it was skipped."""

    file: str
    name: str
    kind: str
    why: str


def pytest(
    name: str,
    arguments: Sequence[str],
    root: Path,
    variables: dict[str, str] | None = None,
    parts_of: Callable[[Case], Collection[str]] = lambda test: (),
    parts: Collection[str] | None = None,
) -> Result:
    """Run pytest, with its report and its output in `_build/test`.

    Args:
        name: of the gate, and of its report.
        arguments: what to run, and how.
        root: the project.
        variables: of the environment, beside those that are there.
        parts_of: the parts of the gate that a test belongs to.
        parts: those that were asked for, of a gate that has parts; one without a test has not
            passed.
    """
    report = root / BUILD.name / "test" / f"{name}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    # nbval, a plugin that is installed, imports nbformat; so what makes that quick comes first.
    command = [sys.executable, "-m", "pytest", "-p", "tools.light", *arguments, "--color=no"]
    path = os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))
    # Hundreds of processes import the library: compiled once, away from what is tested.
    compiled = {"PYTHONPYCACHEPREFIX": str(root / BUILD.name / "compiled")}
    inherited = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    code, output = _watched(
        [*command, f"--junitxml={report}", "-o", "junit_family=xunit1", "--durations=8"],
        root,
        {**inherited, **compiled, "PYTHONPATH": path, **(variables or {})},
        report.with_suffix(".log"),
    )
    if code == _NO_TESTS:
        return Result(True, output, "no tests of this kind", tests=0, parts={})
    tests = list(_tests(report))
    kinds = Counter(test.kind for test in tests)
    done = None if parts is None else {}
    if parts is not None and code in _TOLD:
        counts = Counter(part for test in tests for part in parts_of(test))
        wrong = {part for test in tests if test.kind == "failed" for part in parts_of(test)}
        done = {part: counts[part] for part in parts if counts[part] and part not in wrong}
    # pytest's own last line: counts and seconds.
    pattern = r"^=* *(.*\b(?:passed|failed|errors?|skipped)\b.* in [\d.]+s.*?) *=*$"
    summary = re.findall(pattern, output, re.MULTILINE)
    return Result(
        code == 0,
        output,
        summary[-1] if summary else f"ended without a summary, exit code {code}",
        skips=tuple(sorted({test.why for test in tests if test.why})),
        tests=max(len(tests), 1),
        failures=kinds["failed"] if code == 0 else max(kinds["failed"], 1),
        skipped=kinds["skipped"],
        parts=done,
    )


def _watched(
    command: Sequence[str], root: Path, variables: dict[str, str], log: Path
) -> tuple[int, str]:
    """Exit code and output. The log has it from the start; the screen says how far it is."""
    start = time.monotonic()
    with log.open("wb") as file:
        streams = {"stdout": file, "stderr": subprocess.STDOUT}
        process = subprocess.Popen(command, cwd=root, env=variables, **streams)
        while process.poll() is None:
            try:
                process.wait(EVERY)
            except subprocess.TimeoutExpired:
                done = re.findall(r"\[ *\d+%\]", log.read_text(errors="replace"))
                said = f"{done[-1]}, " if done else ""
                say(f"{log.stem:10} ... {said}{time.monotonic() - start:.0f} s")
    return process.returncode, log.read_text(encoding="utf-8", errors="replace")


def _tests(report: Path) -> Iterator[Case]:
    """What pytest's own report says of each test."""
    for case in ElementTree.parse(report).iter("testcase") if report.exists() else ():
        kinds = {child.tag: child.get("message", "") for child in case}
        failed = {"failure", "error"} & kinds.keys()
        kind = "failed" if failed else "skipped" if "skipped" in kinds else "passed"
        file = Path(case.get("file", "")).as_posix()
        yield Case(file, case.get("name", ""), kind, kinds.get("skipped", ""))
