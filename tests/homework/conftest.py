"""What otter makes of each homework, and the right answers put to its tests."""

import ast
import inspect
import linecache
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch

from course_lab.experiments.alignment import links
from course_lab.experiments.real import networks
from course_lib.data.mini_world import grammar
from course_lib.homework import load_tests, run_tests
from tests.remembered import remembered
from tools.homework import assign, find_sources

# Otter's tags for the students' and the graders' notebook.
ANSWER = {"otter_answer_cell", "otter_assign_solution_cell"}


class Homework:
    """A homework as otter writes it.

    Attributes:
        student, autograder: otter's folders.
        tests: the test file of each question, with public and hidden tests.
        answers: the right answer to each question.
        template: what a student finds in their place.
        names: what the graders' notebook defines, run without its "Try it" cells.
    """

    def __init__(self, source: Path, folder: Path):
        assign(source, folder)
        self.name = source.stem
        self.student, self.autograder = folder / "student", folder / "autograder"
        self.tests = {path.stem: path for path in sorted((self.autograder / "tests").glob("*.py"))}
        cells = nbformat.read(self.autograder / f"{self.name}.ipynb", as_version=4).cells
        template = nbformat.read(self.student / f"{self.name}.ipynb", as_version=4).cells
        self.answers, self.template = answers(cells), answers(template)
        self.required, self.optional = code(cells)

    @property
    def points(self) -> dict[str, float]:
        """What each question is worth: `points = 4` in its test file."""
        points = {}
        for question, path in self.tests.items():
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.Assign) and node.targets[0].id == "points":
                    points[question] = ast.literal_eval(node.value)
        return points

    def names(self, answer: str = "", *, optional: bool = False) -> dict[str, Any]:
        """Run the right answers and then this code; return what is defined.

        Args:
            answer: replaces right answers by defining the same functions.
            optional: run the cells under "Try it", too, which draw and train.
        """
        names: dict[str, Any] = {"__name__": "homework"}
        cells = [*self.required, *(self.optional if optional else []), answer]
        for number, source in enumerate(cells):
            file = f"<{self.name} {number}>"
            linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
            exec(compile(source, file, "exec"), names)
        return names

    def results(self, question: str, names: dict[str, Any]) -> Iterator[Any]:
        """Run a question's tests one by one, as the student's notebook does."""
        yield from run_tests(load_tests(self.tests[question]), names, seconds=60)

    def failures(self, question: str, names: dict[str, Any]) -> list[str]:
        """Return the messages of the tests that fail."""
        return [r.message for r in self.results(question, names) if not r.passed]

    def asked(self) -> set[str]:
        """Return the functions that the tests take."""
        cases = [case for path in self.tests.values() for case in load_tests(path).test_cases]
        signatures = [inspect.signature(case.body.test_func) for case in cases]
        return {name for signature in signatures for name in signature.parameters}


def code(cells: list[nbformat.NotebookNode]) -> tuple[list[str], list[str]]:
    """Return the code that answers and tests need, and the code of the "Try it" cells."""
    required, optional, trying = [], [], False
    for cell in cells:
        if cell.cell_type == "markdown":
            trying = cell.source.startswith("**Try it")
        elif "grader" not in cell.source:
            (optional if trying else required).append(cell.source)
    return required, optional


def answers(cells: list[nbformat.NotebookNode]) -> dict[str, str]:
    """Return the answer to each question: the answer cells before its check."""
    answers, waiting = {}, []
    for cell in cells:
        if ANSWER & set(cell.metadata.get("tags", [])):
            waiting.append(cell.source)
        elif cell.source.startswith("grader.check(") and waiting:
            answers[cell.source.split('"')[1]] = "\n\n".join(waiting)
            waiting = []
    return answers


@pytest.fixture(scope="session")
def homework(tmp_path_factory) -> Callable[[str], Homework]:
    """A function from a name to a `Homework`, which is made once in a worker."""
    sources = {source.stem: source for source in find_sources()}
    return cache(lambda name: Homework(sources[name], tmp_path_factory.mktemp(name)))


@pytest.fixture(scope="session", autouse=True)
def references() -> Iterator[None]:
    """Compute only once a worker what the tests take from the library for comparison."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in ((grammar, "sample"), (links, "both_directions")):
            patch.setattr(module, name, remembered(getattr(module, name)))
        load = networks.load

        @cache
        def quick(name: str) -> networks.Network:
            network = load(name)
            network.model.forward = remembered_forward(network.model)
            return network

        patch.setattr(networks, "load", quick)
        yield


def remembered_forward(model: torch.nn.Module) -> Callable[..., Any]:
    """Return the model's forward with a memory: each slip asks for the same sentences again."""
    known, forward = {}, model.forward

    def call(*args: torch.Tensor, **kwargs: Any) -> Any:
        key = repr(([tensor.tolist() for tensor in args], kwargs))
        if key not in known:
            known[key] = forward(*args, **kwargs)
        return known[key]

    return call
