"""A homework's notebook: its questions are checked, and the notebook in use is packed to hand in.

The tests are otter-grader's. What is around them here is made for notebooks that leave the folder
that they came in: they are copied, renamed, opened on Colab, not yet saved; their `tests` stay
behind; and a loop in them may have no end.
"""

import ast
import datetime
import dis
import json
import os
import signal
import sys
import tempfile
import threading
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FunctionType
from typing import Any

from course_lib.data.tokens.words import SPECIALS
from course_lib.errors import CourseError

SECONDS = 60
"""How long a test may take."""
CELL = 10
"""How many times as long a cell may take when the packed notebook is run: it may train a model."""

_NAME = "# homework: "


class HomeworkError(CourseError):
    """A sentence for a student; a notebook shows it alone, without the lines that led to it."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


class TooLong(Exception):
    """A test took too long."""


def require_written(*functions: FunctionType) -> None:
    """Stops a cell that runs a student's functions while one of them is as it came.

    Raises:
        HomeworkError: the body of a function is still `...`.
    """
    unanswered = [f.__name__ for f in functions if _steps(f) == _steps(lambda: None)]
    if unanswered:
        raise HomeworkError(
            f"want your answer in {unanswered[0]}; got `...`. Answer its question above and run "
            "its cell, then run this cell again"
        )


def _steps(function: FunctionType) -> list[tuple[str, Any]]:
    return [(i.opname, i.argval) for i in dis.get_instructions(function) if i.opname != "NOP"]


def known_words(sentence: str, vocabulary: Any, gap: str = "") -> list[str]:
    """The words of a student's sentence, all of which a network has learned.

    Args:
        sentence: words and full stops with spaces between them.
        vocabulary: the network's, a `WordVocabulary`.
        gap: what stands in the sentence, once, in place of a word; no gap by default.

    Raises:
        HomeworkError: a word is unknown (the message lists those that are known), or there is not
            one gap.
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
    """What a homework's notebook calls `grader`.

    Args:
        name: of the homework, such as "hw04_bahdanau".
        tests: the folder of its test files.
        seconds: how long a test may take.
    """

    def __init__(
        self, name: str, tests: Path | str = "tests", seconds: int | float = SECONDS
    ) -> None:
        with warnings.catch_warnings():
            # Packages that otter brings in complain about each other.
            warnings.simplefilter("ignore")
            import otter
            import otter.execute

        self.name, self.seconds = name.removesuffix(".ipynb"), seconds
        # Where otter itself grades, it says where the tests are, and nothing is packed.
        self.tests = Path(otter.Notebook._tests_dir_override or tests).absolute()
        self.folder = Path.cwd()
        self.graded = otter.Notebook._grading_mode
        try:
            self._questions()
        except HomeworkError as error:
            print(error)

    def check(self, question: str, names: dict[str, Any] | None = None) -> Any:
        """The result of a question's public tests, each of which may take `seconds`.

        Args:
            question: such as "q1".
            names: what the notebook has defined; None takes what it has now.

        Raises:
            HomeworkError: there are no tests of this question, or they are another homework's.
        """
        from otter.execute import Checker

        questions = self._questions()
        if question not in questions:
            raise HomeworkError(
                f"want one of the questions {', '.join(questions)} of {self.name}; got {question!r}"
            )
        result = _timed(questions[question], self.seconds)
        if names is None:
            names = _defined_here()
            # The tests get None in their place, and would complain of that.
            if missing := sorted(_asked(questions[question]) - {"env"} - set(names)):
                print(f"Run the cell that defines {', '.join(missing)}, then this cell again.")
        result.run(names)
        if Checker._track_results:
            Checker.get_results().append(result)
        return result

    def check_all(self) -> Any:
        """The results of all questions.

        Raises:
            HomeworkError: there are no tests, or they are another homework's.
        """
        from otter.test_files import GradingResults

        if self.graded:  # they are counted already
            return None
        return GradingResults([self.check(question) for question in self._questions()])

    def export(self, *, run_tests: bool = True, pdf: bool = False, ignore_log: bool = True) -> None:
        """Packs the notebook in which the answers are, and says what the tests make of it.

        It is packed under the homework's own name, whatever the file is called, and nothing else is
        packed with it.

        Args:
            run_tests: run the packed notebook in a kernel of its own, as a grader would, and print
                its results. A cell that takes longer than ten times `seconds` is stopped.
            pdf: as otter writes the call; there is none.
            ignore_log: likewise.

        Raises:
            HomeworkError: no notebook here has the answers as they were run last, or several that
                differ might be meant; or the archive cannot be written.
        """
        if self.graded:
            return
        found, content = self._notebook()
        now = datetime.datetime.now().strftime("%Y_%m_%dT%H_%M_%S")
        archive = self.folder / f"{self.name}_{now}.zip"
        try:
            with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
                packed.writestr(f"{self.name}.ipynb", content)
                packed.writestr("__zip_filename__", archive.name)
        except OSError as error:
            raise HomeworkError(f"cannot write {archive}: {error.strerror}") from error
        print(f"{archive.name} holds your notebook {found}. Hand in this file.")
        if run_tests:
            print("It is run from its first to its last cell now, as a grader would.\n")
            print(self._results_of(content))
        _offer(archive)

    def _questions(self) -> dict[str, Path]:
        """The test file of each question."""
        found = {path.stem: path for path in sorted(self.tests.glob("q*.py"))}
        if not found:
            raise HomeworkError(self._without_tests())
        with next(iter(found.values())).open(encoding="utf-8") as file:
            first = file.readline()
        if first.startswith(_NAME) and first != f"{_NAME}{self.name}\n":
            raise HomeworkError(
                f"the folder {self.tests} beside this notebook has the tests of "
                f"{first.removeprefix(_NAME).strip()}; want those of {self.name}. "
                "Keep each homework in a folder of its own"
            )
        return found

    def _without_tests(self) -> str:
        return (
            f"There is no folder {self.tests}, so nothing can be checked. Take it "
            f"from the archive of {self.name}, on the page Homework of the book, and put it beside "
            "this notebook (on Colab: into the files on the left). Then run this cell again."
        )

    def _notebook(self) -> tuple[str, str]:
        """The notebook that holds the answers as they were run last: its file and its content."""
        answers = self._answers()
        here = _on_colab() or _notebooks_in(self.folder)
        own = {file: content for file, content in here.items() if self._is_own(content)}
        if not own:
            raise HomeworkError(
                f"there is no notebook of {self.name} in {self.folder}; save yours there, and run "
                "this cell again"
            )
        missing = {
            file: [name for name, cell in answers.items() if cell not in _cells(content)]
            for file, content in own.items()
        }
        whole = [file for file in own if not missing[file]]
        if not whole:
            best = min(own, key=lambda file: len(missing[file]))
            raise HomeworkError(
                f"{best} as it is saved does not hold {', '.join(missing[best])} as you ran it "
                "last: if you changed its cell, run it; then save the notebook (Ctrl+S), and run "
                "this cell again"
            )
        # Files with the same code are one and the same work.
        if _session() in whole:
            whole = [_session()]
        if len({tuple(_cells(own[file])) for file in whole}) > 1:
            raise HomeworkError(
                f"{', '.join(sorted(whole))} differ, and each may be the one that you mean; "
                "move the others out of this folder, and run this cell again"
            )
        return whole[0], own[whole[0]]

    def _is_own(self, content: str) -> bool:
        return any(f'"{self.name}' in cell and "grader =" in cell for cell in _cells(content))

    def _answers(self) -> dict[str, str]:
        """By each name that the tests ask for, the cell that defined it last in this kernel."""
        asked = {name for path in self._questions().values() for name in _asked(path)}
        answers: dict[str, str] = {}
        for cell in _executed():
            for name in _defined(cell) & asked:
                answers[name] = _plain(cell)
        return answers

    def _results_of(self, content: str) -> str:
        """What the tests say where the notebook is run from its first cell to its last."""
        import nbformat
        from jupyter_client.kernelspec import NATIVE_KERNEL_NAME
        from nbclient import NotebookClient
        from nbclient.exceptions import DeadKernelError

        notebook = nbformat.reads(content, as_version=4)
        # All is checked at the end, once; and the cell that packs would pack again.
        kept = [cell for cell in notebook.cells if "grader." not in cell.source]
        asking = nbformat.v4.new_code_cell(
            f"grader.seconds = {self.seconds}\nprint(grader.check_all().summary())"
        )
        notebook.cells, limit = [*kept, asking], CELL * self.seconds
        with tempfile.TemporaryDirectory() as folder:
            tests = Path(folder, "tests")
            tests.mkdir()
            for path in self._questions().values():
                (tests / path.name).write_bytes(path.read_bytes())
            client = NotebookClient(
                notebook,
                # This Python: a notebook may name a kernel of the machine that it came from.
                kernel_name=NATIVE_KERNEL_NAME,
                # The first cell imports or installs, and the tests stop themselves.
                timeout_func=lambda cell: None if "grader" in cell.source else limit,
                interrupt_on_timeout=True,
                allow_errors=True,
                resources={"metadata": {"path": folder}},
            )
            try:
                client.execute()
            except DeadKernelError:
                return (
                    "The kernel ended while your notebook was run: does a cell end it, or take all "
                    "memory? Restart the kernel, run all cells, and mend the one at which it stops."
                )
        stopped = [
            cell.source.strip().splitlines()[0]
            for cell in kept
            for output in cell.get("outputs", [])
            if output.get("ename") == "KeyboardInterrupt"
        ]
        told = [f"Stopped after {limit:g} seconds: the cell `{line}`." for line in stopped]
        said = [output.get("text") or output.get("evalue", "") for output in asking.outputs]
        return "\n".join([*told, *said]) or "The notebook stopped before its tests could be run."


def _timed(path: Path, seconds: int | float) -> Any:
    """A question's test file, in which each test is stopped after some seconds and has failed."""
    from otter.test_files import TestCaseResult
    from otter.test_files.exception_test import ExceptionTestFile

    class Timed(ExceptionTestFile):
        def run(self, global_environment: dict[str, Any]) -> None:
            cases, results = self.test_cases, []
            for case in cases:
                self.test_cases = [case]
                try:
                    with limited(seconds):
                        super().run(global_environment)
                    results += self.test_case_results
                except TooLong as error:
                    told = f"❌ Test case failed\n{error}"
                    results.append(TestCaseResult(test_case=case, message=told, passed=False))
            self.test_cases, self.test_case_results = cases, results

    return Timed.from_file(str(path))


@contextmanager
def limited(seconds: int | float) -> Iterator[None]:
    """TooLong is raised in this block if it takes longer, again and again until it ends.

    Where the system has no alarm (Windows) it is interrupted as by Ctrl-C. In a thread other than
    the main one, which nothing can interrupt, there is no limit.

    Raises:
        TooLong: it took longer.
    """
    message = (
        f"stopped after {seconds:g} seconds: is there a loop that does not end? A `while` needs "
        "something in it that makes its condition false"
    )
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    over = False

    def stop(*_: object) -> None:
        nonlocal over
        # Code that catches every Exception goes on; a KeyboardInterrupt it usually lets pass.
        over, again = True, over
        raise KeyboardInterrupt(message) if again else TooLong(message)

    if hasattr(signal, "setitimer"):
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds, 2.0)

        def end() -> None:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)
    else:

        def interrupt() -> None:
            nonlocal over
            over = True
            signal.raise_signal(signal.SIGINT)

        timer = threading.Timer(seconds, interrupt)
        timer.daemon = True
        timer.start()
        end = timer.cancel
    try:
        yield
    except KeyboardInterrupt as error:
        if not over:  # the student's own
            raise
        raise TooLong(message) from error
    finally:
        end()


def _cells(content: str) -> list[str]:
    """The code cells of a notebook's file; none where it is no notebook."""
    try:
        cells = json.loads(content)["cells"]
        return [_plain("".join(c["source"])) for c in cells if c["cell_type"] == "code"]
    except (ValueError, KeyError, TypeError):
        return []


def _plain(cell: str) -> str:
    return cell.replace("\r\n", "\n").strip()


def _asked(path: Path) -> set[str]:
    """The names that the tests of a question take."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    cases = [node for node in body if isinstance(node, ast.FunctionDef) and node.decorator_list]
    return {argument.arg for case in cases for argument in case.args.args}


def _executed() -> list[str]:
    """The cells that this kernel has run, the oldest first, as they were written."""
    shell = _shell()
    return [] if shell is None else list(shell.history_manager.input_hist_raw)


def _defined(cell: str) -> set[str]:
    """The names that a cell defines or assigns."""
    if cell.lstrip().startswith("%%"):  # such as %%time, before code
        cell = cell.lstrip().partition("\n")[2]
    try:
        body = ast.parse(_shell().transform_cell(cell)).body
    except (SyntaxError, ValueError):
        return set()
    names = set()
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        else:
            names |= {
                n.id
                for n in ast.walk(node)
                if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
            }
    return names


def _defined_here() -> dict[str, Any]:
    """All names of the notebook, or of the program that runs where there is none."""
    shell = _shell()
    return vars(sys.modules["__main__"]) if shell is None else shell.user_ns


def _shell() -> Any:
    from IPython import get_ipython

    return get_ipython()


def _session() -> str | None:
    """The notebook's file, where the program that runs it says which: VS Code, Jupyter."""
    path = _shell().user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME")
    return Path(path).name if path else None


def _on_colab() -> dict[str, str] | None:
    """The notebook as it is on the screen, which on Colab lies in no folder here."""
    if "google.colab" not in sys.modules:
        return None
    from google.colab import _message

    answer = _message.blocking_request("get_ipynb", timeout_sec=60)
    return {"on Colab": json.dumps(answer["ipynb"], ensure_ascii=False)}


def _notebooks_in(folder: Path) -> dict[str, str]:
    """The notebooks that can be read there by their names, the newest first."""
    found = []
    for path in folder.glob("*.ipynb"):
        with suppress(OSError):  # a folder of that name, a broken link, another's file
            content = path.read_text(encoding="utf-8-sig", errors="replace")
            found.append((path.stat().st_mtime, path.name, content))
    return {name: content for _, name, content in sorted(found, reverse=True)}


def _offer(archive: Path) -> None:
    """A link to the archive; on Colab the download itself."""
    if "google.colab" in sys.modules:
        from google.colab import files

        files.download(str(archive))
        return
    from IPython.display import FileLink, display

    display(FileLink(str(archive)))
