"""What a wrong answer to a homework question is, and running a question's tests on an answer."""

import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch

from tools.homework import load


class Wrong(NamedTuple):
    """A known slip: code that takes the place of the right answer, and what the student is told.

    Attributes:
        question: such as "q1".
        slip: what is wrong, in a few words.
        code: defines the question's functions anew.
        says: stands in the message of the first test case that fails.
        hidden: the public tests let it pass, and a hidden one finds it.
    """

    question: str
    slip: str
    code: str
    says: str
    hidden: bool = False


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


def wrong_answers(name: str) -> list[Wrong]:
    """The known slips of a homework."""
    return importlib.import_module(f"tests.homework.wrong.{name}").WRONG
