"""A pytest plugin: a test fails where it opens a file of the project that is not among its inputs.

The gate `tests` runs a file again when one of its inputs changed (tools/inputs/tests.py). That is
only right if nothing else is opened, so it is watched: by Python's own audit events, while a file
is collected and while each of its tests is set up and called. What another program opens is not
seen. So a file whose tests start this Python, or a program that was installed beside it, must say
in `READS` what that program reads.
"""

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.inputs.code import recall
from tools.inputs.tests import named_by, readable
from tools.project import BUILD, ROOT

_ROOT = str(ROOT) + os.sep
_NO_INPUTS = ("_build", "runs")
_opened: set[str] = set()
_started: set[str] = set()
_listening = False


def _hear(event: str, arguments: tuple) -> None:
    if not _listening:
        return
    if event == "open" and isinstance(arguments[0], str):
        path = os.path.abspath(arguments[0])
        if path.startswith(_ROOT) and not _by_hypothesis():
            _opened.add(path.removeprefix(_ROOT))
    elif event == "subprocess.Popen":
        program, words, *_ = arguments
        first = words if isinstance(words, str) else next(iter(words), "")
        _started.add(os.path.abspath(os.fsdecode(program or first)))


def _by_hypothesis() -> bool:
    """It reads the source of every module that happens to be loaded, for constants to try."""
    frame = sys._getframe(2)
    while frame is not None:
        if frame.f_globals.get("__name__") == "hypothesis.internal.constants_ast":
            return True
        frame = frame.f_back
    return False


sys.addaudithook(_hear)
# What `make test` parsed need not be parsed again by each worker.
recall(ROOT / BUILD.name / "stamps" / "parsed.json")


def _watched(test: Path) -> Iterator[None]:
    """Listen until the caller comes back, then judge what was heard."""
    global _listening
    _opened.clear()
    _started.clear()
    _listening = True
    try:
        result = yield
    finally:
        _listening = False
    if problems := _problems(test):
        pytest.fail("\n".join(problems), pytrace=False)
    return result


def _problems(test: Path) -> list[str]:
    opened = {name for name in map(_source, _opened) if _counts(name)} - {test.as_posix()}
    problems = [
        f"{test.as_posix()} opens {name}, which is none of its inputs: name it in READS"
        for name in sorted(opened)
        if not _may(test, ROOT / name)
    ]
    here = os.path.dirname(sys.executable)
    ours = [path for path in _started if os.path.dirname(path) == here]
    if ours and not named_by(ROOT, test):
        problems.append(
            f"{test.as_posix()} starts {Path(ours[0]).name}: name what that program reads in READS"
        )
    return problems


def _may(test: Path, path: Path) -> bool:
    files, folders = _readable(test)
    return path in files or any(path.is_relative_to(folder) for folder in folders)


@functools.cache
def _readable(test: Path) -> tuple[set[Path], list[Path]]:
    return readable(ROOT, test)


def _source(name: str) -> str:
    """Of a compiled module the module."""
    path = Path(name)
    if path.suffix == ".pyc" or path.parent.name == "__pycache__":
        return (path.parent.parent / f"{path.name.partition('.')[0]}.py").as_posix()
    return name


def _counts(name: str) -> bool:
    parts = Path(name).parts
    hidden = any(part.startswith(".") and part not in (".github", ".ci") for part in parts)
    return not hidden and parts[0] not in _NO_INPUTS and (ROOT / name).is_file()


def _test_file(path: Path) -> Path | None:
    return path.relative_to(ROOT) if path.is_relative_to(ROOT / "tests") else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    """Fixtures may open files, too."""
    test = _test_file(item.path)
    return (yield) if test is None else (yield from _watched(test))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """The test itself."""
    test = _test_file(item.path)
    return (yield) if test is None else (yield from _watched(test))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[None]:
    """What a file opens when it is imported; told with its first test."""
    global _listening
    test = _test_file(collector.path) if isinstance(collector, pytest.Module) else None
    if test is None:
        return (yield)
    _opened.clear()
    _started.clear()
    _listening = True
    try:
        report = yield
    finally:
        _listening = False
    if problems := _problems(test):
        report.outcome, report.longrepr, report.result = "failed", "\n".join(problems), []
    return report
