"""A homework as its source says it: questions, tests with their points, solutions, given cells.

The source is a script in otter's format (docs/maintain/homework.md). It is read as text, and
nothing of it is run here.
"""

import ast
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from course_grader import GraderError
from course_grader.variants import PUBLIC, varied

SOURCES = Path(__file__).parents[1] / "homework"
"""Where the sources are in a checkout."""

_CELL = re.compile(r"^# %%(?: \[(\w+)\])?.*\n", re.MULTILINE)
_CONFIG = re.compile(r'\A""" # BEGIN TEST CONFIG\n(.*?)"""  # END TEST CONFIG\n', re.DOTALL)
_SOLUTION = re.compile(
    r"^( *)# BEGIN SOLUTION( NO PROMPT)?\n(.*?)^ *# END SOLUTION\n?", re.DOTALL | re.MULTILINE
)


class Case(NamedTuple):
    """One test: a function whose arguments are the student's functions.

    Attributes:
        name: of the test's function.
        question: such as "q1".
        points: what it gives.
        hidden: students do not have it.
        title: what it looks at, in words that a student may read.
        names: the student's functions that it takes.
        code: the function, as written.
    """

    name: str
    question: str
    points: float
    hidden: bool
    title: str
    names: tuple[str, ...]
    code: str


class Cell(NamedTuple):
    """A cell of the students' notebook.

    Attributes:
        kind: "text"; "code", given to all; "answer", where students write; "tried", a given cell
            that shows what an answer does, which no test needs.
        start: what students get.
        solution: the same with the right answer in it.
    """

    kind: str
    start: str
    solution: str


class Assignment(NamedTuple):
    """A homework; `cases` and `cells` are in their order, `digest` is of its source."""

    name: str
    cells: tuple[Cell, ...]
    cases: tuple[Case, ...]
    digest: str

    @property
    def points(self) -> float:
        """All points that the tests give."""
        return sum(case.points for case in self.cases)

    def notebook(self, *, solved: bool) -> dict:
        """Return the notebook from which students start, or the one with all right answers."""
        kinds = ["markdown" if cell.kind == "text" else "code" for cell in self.cells]
        sources = [cell.solution if solved else cell.start for cell in self.cells]
        cells = [
            {"cell_type": kind, "source": source, "metadata": {}}
            for kind, source in zip(kinds, sources, strict=True)
        ]
        metadata = {"otter": {"assignment_name": self.name}}
        return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}


def load(name: str, sources: Path = SOURCES, variant: str = PUBLIC) -> Assignment:
    """Return the homework of this name, or of this number as in "hw04".

    Raises:
        GraderError: there is no such source or variant, or its points do not add up.
    """
    known = {path.stem: path for path in sorted(Path(sources).glob("hw*/hw*.py"))}
    found = [stem for stem in known if stem == name or stem.startswith(f"{name}_")]
    if len(found) != 1:
        names = ", ".join(known) or "none (name the folder with --sources)"
        raise GraderError(f"want a homework of {sources}, that is {names}; got {name!r}")
    return parse(found[0], varied(known[found[0]], variant))


def parse(name: str, source: str) -> Assignment:
    """Return the homework that a source describes.

    Raises:
        GraderError: the tests of a question do not give its points.
    """
    cells: list[Cell] = []
    cases: list[Case] = []
    question, points, tests, tried = "", 0.0, False, False
    for kind, text in _cells(source):
        mark = text.splitlines()[0]
        if kind == "raw" and mark == "# BEGIN QUESTION":
            settings = _settings(text)
            question, points = settings["name"], float(settings["points"])
        elif kind == "raw" and mark == "# END QUESTION":
            total = sum(case.points for case in cases if case.question == question)
            if total != points:
                raise GraderError(f"{name}, {question}: want {points:g} points; got {total:g}")
        elif kind == "raw":
            tests = mark == "# BEGIN TESTS" or (tests and mark != "# END TESTS")
        elif tests:
            cases.append(_case(question, text))
        elif kind == "markdown":
            tried = text.startswith("**Try it")
            cells.append(Cell("text", text, text))
        else:
            start, solution = _SOLUTION.sub(_prompt, text), _SOLUTION.sub(r"\3", text)
            kind = "tried" if tried else "answer" if start != solution else "code"
            cells.append(Cell(kind, start, solution))
    return Assignment(name, tuple(cells), tuple(cases), hashlib.sha256(source.encode()).hexdigest())


def _cells(source: str) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each cell of a percent script."""
    parts = _CELL.split(source)[1:]
    for kind, text in zip(parts[::2], parts[1::2], strict=True):
        text = text.strip("\n")
        if kind in ("raw", "markdown"):
            text = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
        if text:
            yield kind or "code", text


def _settings(text: str) -> dict[str, str]:
    """Return the lines `name: value` of a configuration."""
    lines = (line.partition(":") for line in text.splitlines() if ":" in line)
    return {key.strip(): value.strip().strip("\"'") for key, _, value in lines}


def _prompt(match: re.Match[str]) -> str:
    return "" if match[2] else f"{match[1]}...\n"


def _case(question: str, text: str) -> Case:
    config = _CONFIG.match(text)
    settings = _settings(config[1]) if config else {}
    code = text[config.end() :].strip("\n") if config else text
    (function,) = (node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef))
    return Case(
        function.name,
        question,
        float(settings.get("points", 0)),
        settings.get("hidden") == "true",
        settings.get("failure_message") or ast.get_docstring(function) or function.name,
        tuple(argument.arg for argument in function.args.args),
        code,
    )
