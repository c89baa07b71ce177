"""What otter makes of each homework, made once in a worker, and answers put to its tests."""

import linecache
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch

from course_lab.experiments.alignment import links
from course_lab.experiments.real import networks
from tests.homework.answers import Outcome, Slip, known_slips, outcomes
from tests.remembered import remembered
from tools.homework import Assigned, assigned
from tools.project import TaskError, homework_sources

# Otter's tags for the students' and the graders' notebook.
ANSWER = {"otter_answer_cell", "otter_assign_solution_cell"}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test of a homework that takes `slip` is called once for each of its known slips."""
    if "slip" in metafunc.fixturenames:
        known = known_slips(metafunc.cls.name)
        names = [f"{slip.question}-{slip.name}".replace(" ", "-") for slip in known]
        metafunc.parametrize("slip", known, ids=names)


class Homework:
    """Otter's two folders, and the right answers.

    Attributes:
        source: the homework's script.
        assigned: otter's folders.
        tests: the test file of each question.
        right: the right answer to each question.
        template: what a student finds in its place.
        everything: all code of the graders' notebook, with what students only try.
    """

    def __init__(self, source: Path, made: Assigned):
        self.source, self.assigned = source, made
        self.tests = {path.stem: path for path in made.tests()}
        notebook = made.autograder / f"{made.name}.ipynb"
        cells = _cells(notebook)
        self._code = _sources(cells)
        self.everything = _sources(_cells(notebook, tried=True))
        self.right = _answers(cells)
        self.template = _answers(_cells(made.student / f"{made.name}.ipynb"))

    def ask(self, question: str, answer: str = "") -> Iterator[Outcome]:
        """The tests of a question one by one, on the right answers with this code after them."""
        return outcomes(self.tests[question], self.names(answer))

    def with_slip(self, slip: Slip) -> str:
        """The answer that a student with this slip would give to the slip's question."""
        return slip.made_in(self.right[slip.question])

    def names(self, answer: str = "", code: list[str] | None = None) -> dict[str, Any]:
        """What is defined after the right answers and this code; the cells are known by line."""
        names: dict[str, Any] = {"__name__": "homework"}
        for number, source in enumerate([*(code or self._code), answer]):
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
        load = networks.load

        @cache
        def quick(name: str) -> networks.Network:
            network = load(name)
            network.model.forward = remembered_forward(network.model)
            return network

        patch.setattr(networks, "load", quick)
        yield


def remembered_forward(model: torch.nn.Module) -> Callable[..., Any]:
    """What the model gives, computed once: each slip asks for the same sentences again."""
    known, forward = {}, model.forward

    def call(*given: torch.Tensor, **named: Any) -> Any:
        key = repr(([tensor.tolist() for tensor in given], named))
        if key not in known:
            known[key] = forward(*given, **named)
        return known[key]

    return call


@pytest.fixture(scope="session")
def homework() -> Iterator[Callable[[str], Homework]]:
    """Called with a name; otter works on it once in a worker."""
    done: dict[str, Homework | TaskError] = {}
    known = {source.stem: source for source in homework_sources()}
    with ExitStack() as stack:

        def make(name: str) -> Homework:
            if name not in done:
                try:
                    made = stack.enter_context(assigned(known[name], run=False))
                    done[name] = Homework(known[name], made)
                except TaskError as error:
                    done[name] = error  # not again for every test
            if isinstance(done[name], TaskError):
                raise done[name]
            return done[name]

        yield make


def _sources(cells: list[nbformat.NotebookNode]) -> list[str]:
    return [cell.source for cell in cells if "grader" not in cell.source]


def _cells(path: Path, *, tried: bool = False) -> list[nbformat.NotebookNode]:
    """The code cells, mostly without those under a "Try it": no answer and no test needs them.

    They draw and train, and would be run again for every slip; one test runs them once.
    """
    found, left_out = [], False
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "markdown":
            left_out = cell.source.startswith("**Try it") and not tried
        elif not left_out:
            found.append(cell)
    return found


def _answers(cells: list[nbformat.NotebookNode]) -> dict[str, str]:
    """The answer to each question: the answer cells before its check."""
    found, waiting = {}, []
    for cell in cells:
        if ANSWER & set(cell.metadata.get("tags", [])):
            waiting.append(cell.source)
        elif cell.source.startswith("grader.check(") and waiting:
            found[cell.source.split('"')[1]] = "\n\n".join(waiting)
            waiting = []
    return found
