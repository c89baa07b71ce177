"""A homework as its source says it: its tests, and its cells with and without solutions.

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

SOURCES = Path(__file__).parents[1] / "homework"  # in a checkout

_CELL = re.compile(r"^# %%(?: \[(\w+)\])?.*\n", re.MULTILINE)
_CONFIG = re.compile(r'\A""" # BEGIN TEST CONFIG\n(.*?)"""  # END TEST CONFIG\n', re.DOTALL)
_SOLUTION = re.compile(
    r"^( *)# BEGIN SOLUTION( NO PROMPT)?\n(.*?)^ *# END SOLUTION\n?", re.DOTALL | re.MULTILINE
)


class Case(NamedTuple):
    """One test: a function, in `code`, whose arguments are the student's functions `names`.

    A hidden one is not in the students' files; its `title` says what it looks at.
    """

    question: str
    name: str
    hidden: bool
    title: str
    points: float
    names: tuple[str, ...]
    code: str


class Cell(NamedTuple):
    """A cell as students get it (`start`), and with the right answer in it (`solution`).

    Its kind is "text"; "code"; or "tried", code that shows what an answer does.
    """

    kind: str
    start: str
    solution: str


class Assignment(NamedTuple):
    """A homework; `digest` is of its source."""

    name: str
    cells: tuple[Cell, ...]
    cases: tuple[Case, ...]
    digest: str

    def notebook(self, *, solved: bool) -> dict:
        """Return the notebook from which students start, or the one with all right answers."""
        cells = []
        for cell in self.cells:
            kind = "markdown" if cell.kind == "text" else "code"
            source = cell.solution if solved else cell.start
            cells.append({"cell_type": kind, "source": source, "metadata": {}})
        metadata = {"otter": {"assignment_name": self.name}}
        return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 4}


def load(name: str, sources: Path = SOURCES, variant: str = PUBLIC) -> Assignment:
    """Return the homework of this name, or of this number as in "hw04"."""
    known = {path.stem: path for path in sorted(Path(sources).glob("hw*/hw*.py"))}
    stems = [stem for stem in known if stem == name or stem.startswith(f"{name}_")]
    if len(stems) != 1:
        names = ", ".join(known) or "none (name the folder with --sources)"
        raise GraderError(f"want a homework of {sources}, that is {names}; got {name!r}")
    return parse(stems[0], varied(known[stems[0]], variant))


def parse(name: str, source: str) -> Assignment:
    """Return the homework that a source describes."""
    cells: list[Cell] = []
    cases: list[Case] = []
    question, tests, tried = "", False, False
    for kind, text in _cells(source):
        if kind == "raw":
            mark = text.splitlines()[0]
            tests = mark == "# BEGIN TESTS" or (tests and mark != "# END TESTS")
            question = _settings(text)["name"] if mark == "# BEGIN QUESTION" else question
        elif tests:
            cases.append(_case(question, text))
        elif kind == "markdown":
            tried = text.startswith("**Try it")
            cells.append(Cell("text", text, text))
        else:
            start = _SOLUTION.sub(lambda m: "" if m[2] else f"{m[1]}...\n", text)
            cells.append(Cell("tried" if tried else "code", start, _SOLUTION.sub(r"\3", text)))
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
    lines = (line.partition(":") for line in text.splitlines())
    return {key.strip(): value.strip().strip("\"'") for key, _, value in lines}


def _case(question: str, text: str) -> Case:
    config = _CONFIG.match(text)
    settings, code = _settings(config[1]) if config else {}, _CONFIG.sub("", text).strip("\n")
    (function,) = (node for node in ast.parse(code).body if isinstance(node, ast.FunctionDef))
    title = settings.get("failure_message") or ast.get_docstring(function) or function.name
    names = tuple(argument.arg for argument in function.args.args)
    hidden, points = settings.get("hidden") == "true", float(settings.get("points", 0))
    return Case(question, function.name, hidden, title, points, names, code)
