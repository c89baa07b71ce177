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
SLOWEST = 5
EVERY = 15.0
"""Seconds between two lines of progress."""


class Case(NamedTuple):
    """A test that is done; `kind` is passed, skipped or failed, `why` it was skipped."""

    file: str
    name: str
    kind: str
    seconds: float
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
    code, output = _watched(
        [*command, f"--junitxml={report}", "-o", "junit_family=xunit1"],
        root,
        {**os.environ, "PYTHONPATH": path, **(variables or {})},
        report.with_suffix(".log"),
    )
    if code == _NO_TESTS:
        return Result(True, output, "no tests of this kind", tests=0, parts={})
    tests = list(_tests(report))
    kinds = Counter(test.kind for test in tests)
    told = code in _TOLD
    return Result(
        code == 0,
        output,
        _summary(output) or f"ended without a summary, exit code {code}",
        skips=tuple(sorted({test.why for test in tests if test.why})),
        tests=max(len(tests), 1),
        failures=kinds["failed"] if code == 0 else max(kinds["failed"], 1),
        skipped=kinds["skipped"],
        parts=None if parts is None else _passed(tests, parts_of, parts) if told else {},
        slow=tuple(sorted((t.seconds, f"{t.file}::{t.name}") for t in tests)[-SLOWEST:]),
    )


def _watched(
    command: Sequence[str], root: Path, variables: dict[str, str], log: Path
) -> tuple[int, str]:
    """Exit code and output. The log has it from the start; the screen says how far it is."""
    start = time.monotonic()
    with (
        log.open("wb") as file,
        subprocess.Popen(
            command, cwd=root, env=variables, stdout=file, stderr=subprocess.STDOUT
        ) as process,
    ):
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
    cases = ElementTree.parse(report).getroot().iter("testcase") if report.exists() else ()
    for case in cases:
        kinds = {child.tag: child.get("message", "") for child in case}
        failed = {"failure", "error"} & kinds.keys()
        kind = "failed" if failed else "skipped" if "skipped" in kinds else "passed"
        inside = case.get("classname", "").rpartition(".")[2]
        name = f"{inside}::{case.get('name')}" if inside.startswith("Test") else case.get("name")
        yield Case(
            Path(case.get("file", "")).as_posix(),
            name,
            kind,
            float(case.get("time", 0)),
            kinds.get("skipped", ""),
        )


def _passed(
    tests: Sequence[Case], parts_of: Callable[[Case], Collection[str]], parts: Collection[str]
) -> dict[str, int]:
    """Parts with tests, of which none failed, with their number of tests."""
    counts: Counter[str] = Counter()
    failed = set()
    for test in tests:
        counts.update(parts_of(test))
        if test.kind == "failed":
            failed.update(parts_of(test))
    return {part: counts[part] for part in parts if counts[part] and part not in failed}


def _summary(output: str) -> str:
    """pytest's own last line: counts and seconds."""
    pattern = r"^=* *(.*\b(?:passed|failed|errors?|skipped)\b.* in [\d.]+s.*?) *=*$"
    return (re.findall(pattern, output, re.MULTILINE) or [""])[-1]
