"""Known wrong answers to the homework, other right ones, and answers that compute nothing.

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
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch

SLIPS = Path(__file__).parent / "slips"
RIGHT = Path(__file__).parent / "right"


class Slip(NamedTuple):
    """A known slip: a patch of the right answer, and words of the message that it gets.

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

    def apply(self, answer: str) -> str:
        """Return the answer with the slip; raise ValueError if a patch does not fit."""
        for old, new in self.patches:
            if old not in answer:
                raise ValueError(f"{self.question}: {self.name}: want {old!r} in the right answer")
            answer = answer.replace(old, new) if old else f"{answer}\n\n{new}"
        return answer


def constant(function: Callable[..., Any], fill: float) -> Callable[..., Any]:
    """Return a function whose results have the type and shape of the right ones, and one number."""

    def blank(value: Any) -> Any:
        if isinstance(value, torch.Tensor):
            return torch.full_like(value, fill)
        if isinstance(value, dict):
            return {key: blank(part) for key, part in value.items()}
        if isinstance(value, list | tuple | set):
            return type(value)([blank(part) for part in value])
        return type(value)(fill) if isinstance(value, bool | int | float) else value

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return blank(function(*args, **kwargs))

    return call


def known_slips(homework: str) -> list[Slip]:
    """Return the known slips of a homework, in the order of its file."""
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
            pairs = [(old, new) for old, new in patches]
            slips.append(Slip(question, name, pairs, text, mark == ">>"))
            patches = []
        before = mark
    return slips


def right_answers(homework: str) -> list[tuple[str, str, str]]:
    """Return right answers that are written in other ways: question, way, code."""
    path = RIGHT / f"{homework}.txt"
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    parts = re.split(r"^(q\d): (.*)\n", text, flags=re.MULTILINE)[1:]
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))
