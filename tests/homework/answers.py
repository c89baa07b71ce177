"""What a wrong answer to a homework question is, and running a question's tests on an answer.

A homework's known slips are in `slips/hwNN_name.txt`, each a small patch of the right answer:

    q1: no scale
    - / d_k**0.5
    + / d_k
    > The scale is missing

The first line names the question and the slip. The text after `-` is replaced by the text after
`+`, wherever the question's answer has it; several lines are one text, and no `+` deletes. Lines
after `+` alone come after the answer. The last line is part of what the first failing test tells
the student; `>>` says that the public tests let the slip pass, and a hidden one finds it.

Right answers that are written in other ways are in `right/hwNN_name.txt`: a line such as
`q1: einsum` names the question and the way, and the code follows.
"""

import functools
import inspect
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch

from tools.homework import load

SLIPS = Path(__file__).parent / "slips"
RIGHT = Path(__file__).parent / "right"


class Slip(NamedTuple):
    """A known slip: a patch of the right answer, and what the student is told.

    Attributes:
        question: such as "q1".
        name: what is wrong, in a few words.
        patches: pairs of old and new text; with no old text the new one comes after the answer.
        says: part of the message of the first test case that fails.
        hidden: the public tests let it pass, and a hidden one finds it.
    """

    question: str
    name: str
    patches: list[tuple[str, str]]
    says: str
    hidden: bool

    def made_in(self, answer: str) -> str:
        """The answer with the slip in it.

        Raises:
            ValueError: the answer does not have a text that is to be replaced.
        """
        for old, new in self.patches:
            if old not in answer:
                raise ValueError(f"{self.question}: {self.name}: want {old!r} in the right answer")
            answer = answer.replace(old, new) if old else f"{answer}\n\n{new}"
        return answer


class Outcome(NamedTuple):
    """One test case on one answer."""

    hidden: bool
    passed: bool
    message: str
    points: float


def outcomes(test_file: Path, names: dict[str, Any]) -> Iterator[Outcome]:
    """Runs the tests of a question on a namespace, as otter does, each when it is asked for.

    A slip is judged by the first test that it fails, so those after it need not be run.
    """
    file = load(test_file)
    for case in file.test_cases:
        file.test_cases = [case]
        file.run(names)
        (result,) = file.test_case_results
        yield Outcome(case.hidden, result.passed, result.message, case.points)


def asked_for(test_files: Iterable[Path]) -> set[str]:
    """The functions that a student has to write: the arguments of the tests."""
    cases = [case for path in test_files for case in load(path).test_cases]
    return {name for case in cases for name in inspect.signature(case.body.test_func).parameters}


def ignorant(function: Callable[..., Any], fill: float, lists: bool) -> Callable[..., Any]:
    """What returns something of the right kind and shape, and the same numbers whatever it gets.

    Args:
        function: a right answer, from which kind and shape are taken.
        fill: every number.
        lists: whether lists are as long as they should be; else those within others are empty.
    """

    def blank(value: Any, outer: bool = True) -> Any:
        if isinstance(value, torch.Tensor):
            return torch.full_like(value, fill)
        if isinstance(value, dict):
            return {key: blank(part) for key, part in value.items()}
        if isinstance(value, list | tuple | set):
            short = isinstance(value, list) and not (lists or outer)
            return type(value)([] if short else [blank(part, False) for part in value])
        return type(value)(fill) if isinstance(value, bool | int | float) else value

    @functools.wraps(function)
    def call(*given: Any, **named: Any) -> Any:
        return blank(function(*given, **named))

    return call


def known_slips(homework: str) -> list[Slip]:
    """The known slips of a homework, in the order of its file."""
    slips, patches, before = [], [], ""
    for line in (SLIPS / f"{homework}.txt").read_text(encoding="utf-8").splitlines():
        mark, _, text = line.partition(" ")
        if mark.startswith("q"):
            question, name = mark.removesuffix(":"), text
        elif mark == "-":
            if before == "-":
                patches[-1][0] += f"\n{text}"
            else:
                patches.append([text, ""])
        elif mark == "+":
            if before == "+":
                patches[-1][1] += f"\n{text}"
            elif before == "-":
                patches[-1][1] = text
            else:
                patches.append(["", text])
        elif mark in (">", ">>"):
            made = [(old, new) for old, new in patches]
            slips.append(Slip(question, name, made, text, mark == ">>"))
            patches = []
        before = mark
    return slips


def right_answers(homework: str) -> list[tuple[str, str, str]]:
    """Each right answer to a homework that is written differently: question, way, code."""
    path = RIGHT / f"{homework}.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    parts = re.split(r"^(q\d): (.*)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))
