"""A homework as its source says it: questions, tests with their points, solutions, given cells.

The source is a script in otter's format (docs/maintain/homework.md). It is read as text: nothing of
it is run here.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from course_lib.errors import CourseError
from course_lib.grading.variants import PUBLIC, varied

HOMEWORK = Path(__file__).parents[2] / "homework"
"""Where the sources lie in a checkout."""

POINTS = 20
"""What each homework is worth."""

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
        asked: the student's functions that it takes.
        code: the function, as written.
    """

    name: str
    question: str
    points: float
    hidden: bool
    title: str
    asked: tuple[str, ...]
    code: str


class Question(NamedTuple):
    """One question: its tests, its right answer, and the code from which students start."""

    name: str
    title: str
    points: float
    cases: tuple[Case, ...]
    solution: str
    start: str


class Cell(NamedTuple):
    """A cell of the students' notebook.

    Attributes:
        kind: "text"; "code", given to all; "answer", where students write; "tried", a code cell
            that shows what an answer does, which no test needs.
        question: the one to which the cell belongs; "" outside all.
        start: what students get.
        solution: the same with the right answer in it.
    """

    kind: str
    question: str
    start: str
    solution: str


class Assignment(NamedTuple):
    """A homework; `questions` by name, `cells` in their order."""

    name: str
    cells: tuple[Cell, ...]
    questions: dict[str, Question]

    def solution(self) -> dict:
        """A notebook of right answers, as a student would hand it in."""
        return self._notebook([cell.solution for cell in self.cells])

    def start(self) -> dict:
        """The notebook from which students start."""
        return self._notebook([cell.start for cell in self.cells])

    def _notebook(self, sources: list[str]) -> dict:
        cells = [
            {"cell_type": "markdown" if cell.kind == "text" else "code", "source": source}
            for cell, source in zip(self.cells, sources, strict=True)
        ]
        return {"cells": cells, "metadata": {"otter": {"assignment_name": self.name}}}


def load(name: str, folder: Path = HOMEWORK, variant: str = PUBLIC) -> Assignment:
    """The homework of this name, or of this number as in "hw04".

    Raises:
        CourseError: there is no such source in the folder, no such variant of it, or its points do
            not add up.
    """
    known = sorted(Path(folder).glob("hw*/hw*.py"))
    found = [p for p in known if p.stem == name or p.stem.startswith(f"{name}_")]
    if not known:
        raise CourseError(f"{folder} holds no homework's source; name the folder with --homework")
    if len(found) != 1:
        names = ", ".join(p.stem for p in known) or "none"
        raise CourseError(f"want a homework of {folder}, that is {names}; got {name!r}")
    return parse(found[0].stem, varied(found[0], variant))


def parse(name: str, source: str) -> Assignment:
    """The homework that this source describes.

    Raises:
        CourseError: the points of the tests do not add up.
    """
    cells: list[Cell] = []
    questions: dict[str, Question] = {}
    at, title, config, cases, tests, tried = "", "", {}, [], False, False
    for kind, text in _cells(source):
        if kind == "raw":
            mark = text.splitlines()[0]
            tests = mark == "# BEGIN TESTS" or (tests and mark != "# END TESTS")
            if mark == "# BEGIN QUESTION":
                config = _settings(text.partition("\n")[2])
                at, title, cases = config["name"], "", []
            elif mark == "# END QUESTION":
                questions[at] = _question(name, config, title, cases, cells)
                at = ""
        elif tests:
            cases.append(_case(at, text))
        elif kind == "markdown":
            title = title or text.splitlines()[0].lstrip("# ")
            tried = text.startswith("**Try it")
            cells.append(Cell("text", at, text, text))
        else:
            start, solution = _SOLUTION.sub(_prompt, text), _SOLUTION.sub(r"\3", text)
            kind = "tried" if tried else "answer" if start != solution else "code"
            cells.append(Cell(kind, at, start, solution))
    total = sum(question.points for question in questions.values())
    if total != POINTS:
        raise CourseError(f"{name}: want {POINTS} points in all; got {total:g}")
    return Assignment(name, tuple(cells), questions)


def _cells(source: str) -> Iterator[tuple[str, str]]:
    """The kind and the text of each cell of a percent script."""
    parts = _CELL.split(source)[1:]
    for kind, text in zip(parts[::2], parts[1::2], strict=True):
        text = text.strip("\n")
        if kind in ("raw", "markdown"):
            text = re.sub(r"^# ?", "", text, flags=re.MULTILINE)
        if text:
            yield kind or "code", text


def _settings(text: str) -> dict[str, str]:
    """The few lines `name: value` of a configuration; lists are written as `[a, b]`."""
    lines = (line.partition(":") for line in text.splitlines() if line.strip())
    return {key.strip(): value.strip().strip("\"'") for key, _, value in lines}


def _prompt(found: re.Match[str]) -> str:
    return "" if found[2] else f"{found[1]}...\n"


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


def _question(
    homework: str, config: dict[str, str], title: str, cases: list[Case], cells: list[Cell]
) -> Question:
    name, points = config["name"], float(config["points"])
    given = sum(case.points for case in cases)
    if given != points:
        raise CourseError(
            f"{homework}, {name}: want tests that give {points:g} points; got {given:g}"
        )
    answers = [cell for cell in cells if cell.kind == "answer" and cell.question == name]
    return Question(
        name,
        title,
        points,
        tuple(cases),
        "\n\n".join(cell.solution for cell in answers),
        "\n\n".join(cell.start for cell in answers),
    )
