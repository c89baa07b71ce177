"""Runs a case in this process and says what is wrong with how it ended."""

import io
import os
import shutil
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

from course_lib.cli import classify, commands, parser
from course_lib.cli.task import NAMED
from course_lib.data.corpora import download
from course_lib.errors import CourseError
from tools.fuzz.cases import TINY, Case, draw

LONGEST = 120
"""Seconds after which a case counts as hanging."""


class Hangs(BaseException):
    """A case that does not come to an end. No Exception, so that nobody catches it."""


class Fuzz:
    """Cases of one seed.

    Attributes:
        ends: how many cases ended with which exit code.
    """

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder, self.seed = folder, seed
        self.ends: Counter[int] = Counter()
        self.runs = {}
        for model in ("bahdanau", "cho", "transformer", "decomposable"):
            self.runs[model] = folder / model
            code, error = _call(
                Case(["train", model, *TINY, "--run", str(self.runs[model])]), folder
            )
            if code != 0:
                raise RuntimeError(f"the run to be spoiled could not be trained: {error}")

    def failure_of(self, number: int) -> str | None:
        """What is wrong with a case; None where it ended as it should."""
        random = Random(f"{self.seed} {number}")
        place = self.folder / "case"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        case = draw(random, self.runs, place)
        shown = f"{[argument[:60] for argument in case.arguments]} {case.notes}"
        try:
            code, error = _call(case, place)
        except (Exception, SystemExit, Hangs):
            return f"{shown}\n{traceback.format_exc()}"
        self.ends[code] += 1
        complaints = [line for line in error.splitlines() if line.startswith("error: ")]
        if code == 0 and not complaints and "Traceback" not in error:
            return None
        if code == 2 and len(complaints) == 1 and error.endswith(f"{complaints[0]}\n"):
            return None
        return f"{shown}\nended with {code} and said\n{error}"


def _call(case: Case, place: Path) -> tuple[int, str]:
    """Exit code and standard error of a case."""
    given = case.standard_input
    streams = {
        "stdin": None if given is None else io.TextIOWrapper(io.BytesIO(given), "utf-8"),
        "stdout": io.TextIOWrapper(io.BytesIO(), case.output),
        "stderr": io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace"),
    }
    environment = {"XDG_CACHE_HOME": str(place / "cache")}
    if case.data is not None:
        environment["COURSE_DATA"] = case.data
    before = os.getcwd()
    os.chdir(place)
    try:
        with (
            mock.patch.multiple(sys, **streams),
            mock.patch.dict(os.environ, environment),
            _small(trusted=case.trusted),
            _limited(),
        ):
            if case.data is None:
                os.environ.pop("COURSE_DATA", None)
            try:
                code = parser.main(case.arguments) if case.read is None else _read(case.read)
            except SystemExit as left:  # --help
                if left.code not in (0, None):
                    raise
                code = 0
    finally:
        os.chdir(before)
    streams["stderr"].flush()
    return code, streams["stderr"].buffer.getvalue().decode()


def _read(read: Callable[[], object]) -> int:
    """Reads a corpus as a command would."""
    try:
        read()
    except CourseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


_pairs = cache(commands.sentence_pairs)
_labelled = cache(classify.ClassifierTask.load)


def _few_pairs(task: Any, split: str) -> Any:
    # A file of own pairs may be another in the next case.
    load = _pairs if task.name in NAMED else _pairs.__wrapped__
    return load(_few(task), split)


def _few_labelled(task: Any, split: str) -> Any:
    # Those of a file may be others in the next case.
    load = _labelled if task.name == "mini" else _labelled.__wrapped__
    return load(_few(task), split)


def _few(task: Any) -> Any:
    few = {"pairs": min(task.pairs or 20, 20), "held_out": min(task.held_out or 5, 5)}
    return replace(task, **few)


def _as_it_is(path: Path, file: Any) -> Path:
    return path


@contextmanager
def _small(*, trusted: bool) -> Iterator[None]:
    """Keeps what was asked for and is in order so small that thousands of cases come to an end.

    Nothing is fetched, either: every address is one that nobody answers. Trusted data is taken with
    any checksum.
    """
    fit, translate = commands.fit, commands._translate

    def few_steps(model: Any, batches: Any, held_out: Any, config: Any, **options: Any) -> Any:
        if (config.steps or 1000) > 4:
            config = replace(config, steps=1, epochs=None)
        return fit(model, batches, held_out, config, **options)

    def few_tokens(run: Any, task: Any, sentences: list[str], **wanted: Any) -> Any:
        few = replace(task, max_tokens=min(task.max_tokens, 20))
        return translate(run, few, sentences, **{**wanted, "progress": False})

    nowhere = {
        name: replace(
            dataset,
            files=tuple(replace(f, addresses=("http://127.0.0.1:9/x",)) for f in dataset.files),
        )
        for name, dataset in download.DATASETS.items()
    }
    with (
        mock.patch.multiple(
            commands, sentence_pairs=_few_pairs, fit=few_steps, _translate=few_tokens
        ),
        mock.patch.object(classify, "fit", few_steps),
        mock.patch.object(classify.ClassifierTask, "load", _few_labelled),
        mock.patch.object(download, "DATASETS", nowhere),
        mock.patch.object(download, "_checked", _as_it_is if trusted else download._checked),
    ):
        yield


@contextmanager
def _limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Hangs(f"no end within {LONGEST} s")

    if not hasattr(signal, "setitimer"):  # Windows
        yield
        return
    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
