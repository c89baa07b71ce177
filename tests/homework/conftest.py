"""What otter makes of each homework, made once in a worker, and answers put to its tests."""

import linecache
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import pytest

from course_lab.experiments.alignment import links
from tests.homework.answers import Outcome, outcomes, wrong_answers
from tests.remembered import remembered
from tools.homework import Assigned, assigned
from tools.project import TaskError, homework_sources


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test of a homework that takes `wrong` is called once for each of its known slips."""
    if "wrong" in metafunc.fixturenames:
        known = wrong_answers(metafunc.cls.name)
        names = [f"{wrong.question}-{wrong.slip}".replace(" ", "-") for wrong in known]
        metafunc.parametrize("wrong", known, ids=names)


class Homework(NamedTuple):
    """Otter's two folders, and the cells that answer each question."""

    source: Path
    assigned: Assigned
    right: list[str]
    template: dict[str, str]

    @property
    def tests(self) -> dict[str, Path]:
        """The test file of each question."""
        return {path.stem: path for path in self.assigned.tests()}

    def ask(self, question: str, answer: str = "") -> Iterator[Outcome]:
        """The tests of a question one by one, on the right answers with this code after them."""
        return outcomes(self.tests[question], self.names(answer))

    def names(self, answer: str = "") -> dict[str, Any]:
        """What is defined after the right answers and this code; the cells are known by line."""
        names: dict[str, Any] = {"__name__": "homework"}
        for number, source in enumerate([*self.right, answer]):
            cell = f"<{self.assigned.name} {number}>"
            linecache.cache[cell] = (len(source), None, source.splitlines(keepends=True), cell)
            exec(compile(source, cell, "exec"), names)
        return names

    def lost(self, names: dict[str, Any]) -> dict[str, float]:
        """The points that these answers lose, by question."""
        return {
            question: sum(o.points for o in outcomes(path, names) if not o.passed)
            for question, path in self.tests.items()
        }


@pytest.fixture(scope="session", autouse=True)
def references() -> Iterator[None]:
    """What the library gives for comparison is the same for every slip: computed once a worker."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("mini_world", "both_directions"):
            patch.setattr(links, name, remembered(getattr(links, name)))
        yield


@pytest.fixture(scope="session")
def homework() -> Iterator[Callable[[str], Homework]]:
    """Called with a name; otter works on it once in a worker."""
    done: dict[str, Homework | TaskError] = {}
    known = {source.stem: source for source in homework_sources()}
    with ExitStack() as stack:

        def make(name: str) -> Homework:
            if name not in done:
                try:
                    made = stack.enter_context(assigned(known[name]))
                    done[name] = Homework(known[name], made, _right(made), _templates(made))
                except TaskError as error:
                    done[name] = error  # not again for every test
            if isinstance(done[name], TaskError):
                raise done[name]
            return done[name]

        yield make


def _cells(path: Path) -> list[nbformat.NotebookNode]:
    """The code cells, but for those under a "Try it": no answer and no test needs them.

    otter has run these, too; they draw and train, and would be run again for every slip.
    """
    found, tried = [], False
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            tried = cell.source.startswith("**Try it")
        elif not tried:
            found.append(cell)
    return found


def _right(made: Assigned) -> list[str]:
    """The solution notebook's code, without the cells that belong to otter."""
    cells = _cells(made.autograder / f"{made.name}.ipynb")
    return [cell.source for cell in cells if "grader" not in cell.source]


def _templates(made: Assigned) -> dict[str, str]:
    """What a student finds in the answer cells, by question: those before its check."""
    found, waiting = {}, []
    for cell in _cells(made.student / f"{made.name}.ipynb"):
        if "otter_answer_cell" in cell.metadata.get("tags", []):
            waiting.append(cell.source)
        elif cell.source.startswith("grader.check(") and waiting:
            found[cell.source.split('"')[1]] = "\n\n".join(waiting)
            waiting = []
    return found
