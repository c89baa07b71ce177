"""The student's side of a homework: `grader` checks the questions and packs the notebook.

The tests are otter-grader's. Around them, this module handles what happens to notebooks on their
way: they are renamed, opened on Colab, not saved, or separated from their `tests`; and a loop in
them may have no end.
"""

import _thread
import datetime
import dis
import functools
import inspect
import json
import linecache
import re
import signal
import sys
import threading
import traceback
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any

from course_lib.data.tokens.words import SPECIALS
from course_lib.errors import CourseError

TEST_SECONDS = 10
"""The time limit of one test."""
HIDDEN = (
    "These are the public tests. Hidden tests also run when your homework is graded; the first "
    "text of the notebook says what they look at."
)
FRESH = (
    "A grader runs it from its first cell to its last. Restart Kernel and Run All Cells shows "
    "whether that works. The public tests say of your answers as they are now:\n"
)

_NAME = "# homework: "


class HomeworkError(CourseError):
    """An error for students; a notebook shows its message alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def require_written(*functions: FunctionType) -> None:
    """Check that the body of none of these functions is `...`; raise HomeworkError otherwise."""
    for function in functions:
        if _is_unwritten(function):
            raise HomeworkError(
                f"want your answer in {function.__name__}; got `...`. Answer its question above "
                "and run its cell, then run this cell again"
            )


def known_words(sentence: str, vocabulary: Any, gap: str = "") -> list[str]:
    """Split a sentence into words; raise HomeworkError if the `WordVocabulary` lacks one.

    With a `gap`, a mark such as "___", it must stand in the sentence exactly once.
    """
    words = sentence.split()
    if gap and words.count(gap) != 1:
        raise HomeworkError(f"want one {gap} in the sentence; got {words.count(gap)}")
    tokens = vocabulary.encode(words).tokens
    unknown = [w for w, token in zip(words, tokens, strict=True) if token != w != gap]
    if unknown:
        known = sorted(vocabulary.decode([i]) for i in range(len(SPECIALS), len(vocabulary)))
        raise HomeworkError(
            f"want words that the network has learned; got {', '.join(unknown)}. It has learned "
            f"these: {' '.join(known)}"
        )
    return words


class Homework:
    """The `grader` of a homework's notebook; its tests are in `tests` beside the notebook."""

    def __init__(self, name: str) -> None:
        self.name, self.seconds = name, TEST_SECONDS
        self.folder, self.tests = Path.cwd(), Path("tests").absolute()
        try:
            self._test_files()
        except HomeworkError as error:
            print(error)

    def check(self, question: str) -> Any:
        """Run a question's public tests; return otter's result, which a notebook displays."""
        result = self._run(question)
        if result.passed_all:
            print(HIDDEN)
        return result

    def check_all(self) -> None:
        """Run the public tests of all questions, and print each result as soon as it is there."""
        for question in self._test_files():
            print(self._run(question).summary(), flush=True)
        print(HIDDEN)

    def export(self, *, run_tests: bool = True, **_: bool) -> None:
        """Pack the notebook that holds the answers, and run the public tests once more.

        HomeworkError if no saved notebook has the answers as they were last run. The other
        arguments of otter's call mean nothing here.
        """
        file, content = self._notebook()
        now = datetime.datetime.now().strftime("%Y_%m_%dT%H_%M_%S")
        archive = self.folder / f"{self.name}_{now}.zip"
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr(f"{self.name}.ipynb", content)
            packed.writestr("__zip_filename__", archive.name)
        names, questions = _shell().user_ns, self._test_files().values()
        answered = sum(not _missing(_arguments(path), names) for path in questions)
        print(f"{answered} of {len(questions)} questions answered.")
        print(f"{archive.name} holds your notebook {file}. Hand in this file.")
        if "google.colab" in sys.modules:
            from google.colab import files

            files.download(str(archive))
        else:
            from IPython.display import HTML, display

            display(HTML(f'<a href="{archive.name}" download>{archive.name}</a>'))
        if run_tests:
            print(FRESH)
            self.check_all()

    def _run(self, question: str) -> Any:
        file = load_tests(self._test_files()[question])
        file.test_case_results = list(run_tests(file, _shell().user_ns, self.seconds))
        return file

    def _test_files(self) -> dict[str, Path]:
        """The test file of each question."""
        files = {path.stem: path for path in sorted(self.tests.glob("q*.py"))}
        if not files:
            raise HomeworkError(
                f"There is no folder {self.tests}, so nothing can be checked. Take it from the "
                f"archive {self.name}.zip, on the page Homework of the book, and put it beside "
                "this notebook (on Colab: into the files on the left). Then run this cell again"
            )
        first = next(iter(files.values())).read_text(encoding="utf-8").split("\n")[0]
        if first.startswith(_NAME) and first != f"{_NAME}{self.name}":
            raise HomeworkError(
                f"the folder {self.tests} beside this notebook has the tests of "
                f"{first.removeprefix(_NAME)}; want those of {self.name}. "
                "Keep each homework in a folder of its own"
            )
        return files

    def _notebook(self) -> tuple[str, str]:
        """Name and content of the notebook saved last that holds the answers as last run."""
        files, first = _notebooks(self.folder).items(), f'Homework("{self.name}")'
        own = {file: content for file, content in files if first in "".join(_code_cells(content))}
        if not own:
            raise HomeworkError(
                f"there is no notebook of {self.name} in {self.folder}; save yours there, and run "
                "this cell again"
            )
        asked = set().union(*map(_arguments, self._test_files().values()))
        answers = {}
        for cell in _shell().history_manager.input_hist_raw:
            for name in asked.intersection(re.findall(r"^def (\w+)", cell, re.MULTILINE)):
                answers[name] = _stripped(cell)
        stale = {}
        for file, content in own.items():
            cells = _code_cells(content)
            stale[file] = [name for name, cell in answers.items() if cell not in cells]
            if not stale[file]:
                return file, content
        best = min(own, key=lambda file: len(stale[file]))
        raise HomeworkError(
            f"{best} as it is saved does not hold {', '.join(stale[best])} as you ran it last: if "
            "you changed its cell, run it; then save the notebook (Ctrl+S), and run this cell again"
        )


def load_tests(path: Path) -> Any:
    """A question's tests, an otter `ExceptionTestFile`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # from otter's dependencies
        from otter.test_files.exception_test import ExceptionTestFile

    return ExceptionTestFile.from_string(path.read_text(encoding="utf-8"), path=str(path))


def run_tests(file: Any, names: dict[str, Any], seconds: float = TEST_SECONDS) -> Iterator[Any]:
    """Run the test cases of a question on what a notebook defines; yield otter's results.

    A function that is missing is reported once. After a test that exceeds the time limit the
    others are left out.
    """
    from otter.test_files import TestCaseResult

    names = {name: _with_own_line(value, names) for name, value in names.items()}
    cases, reported = file.test_cases, set()
    for case in cases:
        if missing := _missing(inspect.signature(case.body.test_func).parameters, names):
            if not missing.keys() <= reported:
                message = "❌ " + "; ".join(missing.values())
                yield TestCaseResult(test_case=case, message=message, passed=False)
            reported |= missing.keys()
            continue
        file.test_cases = [case]
        try:
            with _time_limit(seconds):
                file.run(names)
        except TimeoutError as error:
            message = f"❌ Test case failed\n{error}"
            yield TestCaseResult(test_case=case, message=message, passed=False)
            break
        finally:
            file.test_cases = cases
        yield from file.test_case_results


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Interrupt this block, as Ctrl-C does, and raise TimeoutError if it takes longer."""
    expired = threading.Event()
    timer = threading.Timer(seconds, lambda: (expired.set(), _thread.interrupt_main()))
    timer.daemon = True
    # A process that a shell started in the background ignores SIGINT.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if not expired.is_set():  # the student's own
            raise
        raise TimeoutError(
            f"stopped after {seconds:g} seconds: is there a loop that does not end? A `while` "
            "needs something in it that makes its condition false. The other tests of this "
            "question were not run"
        ) from None
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, handler)


def _with_own_line(function: Any, notebook: dict[str, Any]) -> Any:
    """A notebook's function whose exceptions name its line; otter shows the test's alone."""
    if not isinstance(function, FunctionType) or function.__globals__ is not notebook:
        return function

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            # The innermost frame of the notebook: below it are torch and the library.
            steps = traceback.walk_tb(error.__traceback__)
            own = [(f.f_code.co_filename, line) for f, line in steps if f.f_globals is notebook]
            if own:
                where = f"line {own[-1][1]} of its cell: `{linecache.getline(*own[-1]).strip()}`"
                error.args = (f"{error} (your code stopped at {where})",)
            raise

    return call


def _missing(asked: Iterable[str], names: dict[str, Any]) -> dict[str, str]:
    """For each of these names that has no answer yet, a sentence that says so."""
    missing = {}
    for name in asked:
        if name not in names:
            missing[name] = f"{name} is not defined: run the cell that defines it, then this one"
        elif _is_unwritten(names[name]):
            missing[name] = f"{name} is not written yet: replace its `...` and run its cell"
    return missing


def _is_unwritten(value: Any) -> bool:
    """True for a function whose body is `...`."""
    return isinstance(value, FunctionType) and _steps(value) == _steps(lambda: None)


def _steps(function: FunctionType) -> list[tuple[str, Any]]:
    steps = dis.get_instructions(inspect.unwrap(function))
    return [(step.opname, step.argval) for step in steps if step.opname != "NOP"]


def _code_cells(content: str) -> list[str]:
    """The code cells of a notebook's file; none if it is no notebook."""
    try:
        cells = json.loads(content)["cells"]
        return [_stripped("".join(c["source"])) for c in cells if c["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        return []


def _stripped(cell: str) -> str:
    return cell.replace("\r\n", "\n").strip()


def _arguments(path: Path) -> set[str]:
    """The names that the tests of a question take."""
    cases = load_tests(path).test_cases
    return {name for case in cases for name in inspect.signature(case.body.test_func).parameters}


def _shell() -> Any:
    from IPython import get_ipython

    return get_ipython()


def _notebooks(folder: Path) -> dict[str, str]:
    """The notebooks in a folder by name, the newest first; on Colab, the one shown."""
    if "google.colab" in sys.modules:
        from google.colab import _message

        answer = _message.blocking_request("get_ipynb", timeout_sec=60)
        return {"on Colab": json.dumps(answer["ipynb"], ensure_ascii=False)}
    files = [path for path in folder.glob("*.ipynb") if path.is_file()]
    files.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    return {path.name: path.read_text(encoding="utf-8-sig", errors="replace") for path in files}
