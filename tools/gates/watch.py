"""Progress within a gate: a pytest plugin that notes each test, and lines made from its notes.

`python -m pytest -p tools.gates.watch` writes a line of JSON for each test that is done into the
file that the variable GATE_NOTES names. Under pytest-xdist the controller sees all reports.
"""

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

VARIABLE = "GATE_NOTES"
EVERY = 15.0
"""Seconds between two lines of progress."""


class Test(NamedTuple):
    """A test that is done: its name, passed, failed or skipped, and the seconds of all phases."""

    node: str
    outcome: str
    seconds: float


class _Notes:
    """The plugin itself."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._open: dict[str, Test] = {}

    def _note(self, **entry: object) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry) + "\n")

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        self._note(total=len(items))

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node: object, ids: list[str]) -> None:
        self._note(total=len(ids))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.outcome != "passed":
            self._note(node=report.nodeid, outcome=report.outcome, seconds=0.0)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        node, outcome, seconds = self._open.get(report.nodeid, Test(report.nodeid, "passed", 0.0))
        if report.outcome != "passed" or getattr(report, "wasxfail", None) is not None:
            # One phase that was skipped or expected to fail is enough for no stamp.
            outcome = "failed" if "failed" in (outcome, report.outcome) else "skipped"
        self._open[node] = Test(node, outcome, seconds + report.duration)
        if report.when == "teardown":
            self._note(**self._open.pop(node)._asdict())


def pytest_configure(config: pytest.Config) -> None:
    """On the controller alone, and where somebody asked for notes."""
    path = os.environ.get(VARIABLE)
    if path and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Notes(path), "gate-notes")


def read(path: Path) -> tuple[int, list[Test]]:
    """How many tests there are, and those that are done."""
    total, done = 0, []
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for line in text.splitlines(keepends=True):
        if not line.endswith("\n"):
            break  # still being written
        entry = json.loads(line)
        if "total" in entry:
            total = max(total, entry["total"])
        else:
            done.append(Test(**entry))
    return total, done


class Progress:
    """Says every few seconds how far a gate is, and at which files."""

    def __init__(
        self, gate: str, notes: Path, say: Callable[[str], None], every: float = EVERY
    ) -> None:
        self._gate, self._notes, self._say, self._every = gate, notes, say, every
        self._start = self._last = time.monotonic()

    def __call__(self) -> None:
        """Say a line if it is time."""
        now = time.monotonic()
        if now - self._last < self._every:
            return
        self._last = now
        total, done = read(self._notes)
        if not total:
            return
        failed = sum(test.outcome == "failed" for test in done)
        so_far = f"{len(done)} of {total}" + (f", {failed} failed" if failed else "")
        # Two workers are at two places.
        places = dict.fromkeys(_place(test.node) for test in done[-6:])
        at = f", at {' and '.join(list(places)[-2:])}" if done else ""
        self._say(f"{self._gate:10} ... {so_far}, {now - self._start:.0f} s{at}")


def _place(node: str) -> str:
    """The file of a test, and its class where one file holds many parts."""
    path, *inside = node.split("::")
    return " ".join([Path(path).stem, *inside[:-1]])
