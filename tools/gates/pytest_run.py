"""One run of pytest for a gate: its report, its counts, what was skipped, what passed."""

import os
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path

from tools.gates import watch
from tools.gates.result import Result, run
from tools.project import BUILD, ROOT, say

_NO_TESTS = 5  # pytest's exit code where nothing was collected
_TOLD = (0, 1)  # its exit codes where every test was run and told: all passed, some failed
SLOWEST = 5


def by_file(node: str) -> str:
    """The part that a test belongs to where each file is a part."""
    return node.split("::")[0]


def pytest(
    name: str,
    arguments: Sequence[str],
    root: Path,
    variables: dict[str, str] | None = None,
    part_of: Callable[[str], str] = by_file,
    parts: Collection[str] | None = None,
) -> Result:
    """Run pytest with its report in _build/test.

    Args:
        name: of the gate, and of its report.
        arguments: what to run, and how.
        root: the project.
        variables: of the environment, beside those that are there.
        part_of: which part of the gate a test belongs to, by its node id.
        parts: the parts that were asked for; one without a test has not passed.
    """
    folder = root / BUILD.name / "test"
    folder.mkdir(parents=True, exist_ok=True)
    report, notes = folder / f"{name}.xml", folder / f"{name}.notes"
    report.unlink(missing_ok=True)
    notes.unlink(missing_ok=True)
    # nbval, a plugin that is installed, imports nbformat; so what makes that quick comes first.
    plugin = ["-p", "tools.light", "-p", "tools.gates.watch"]
    command = [sys.executable, "-m", "pytest", *plugin, *arguments, "--color=no"]
    code, output = run(
        [*command, f"--junitxml={report}"],
        root,
        # The plugin is this one, whichever project is tested.
        {"PYTHONPATH": _path(), **(variables or {}), watch.VARIABLE: str(notes)},
        watch.Progress(name, notes, say),
    )
    _, done = watch.read(notes)
    if code == _NO_TESTS:
        return Result(True, output, "no tests of this kind", tests=0, parts={})
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
        parts=_passed_parts(done, part_of, parts) if code in _TOLD else {},
        slow=tuple(sorted(((t.seconds, t.node) for t in done), reverse=True)[:SLOWEST]),
    )


def _path() -> str:
    return os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(ROOT)]))


def _passed_parts(
    done: Iterable[watch.Test], part_of: Callable[[str], str], parts: Collection[str] | None
) -> dict[str, int]:
    """Parts with tests, of which none failed and none was skipped, with their number of tests."""
    counts: dict[str, int] = {}
    spoiled = set()
    for test in done:
        part = part_of(test.node)
        counts[part] = counts.get(part, 0) + 1
        if test.outcome != "passed":
            spoiled.add(part)
    asked = counts if parts is None else parts
    return {part: counts[part] for part in asked if part in counts and part not in spoiled}


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
