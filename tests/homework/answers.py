"""What a wrong answer to a homework question is, and running a question's tests on an answer."""

import importlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

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


def outcomes(test_file: Path, names: dict[str, Any]) -> Iterator[Outcome]:
    """Runs the tests of a question on a namespace, as otter does, each when it is asked for.

    A slip is judged by the first test that it fails, so those after it need not be run.
    """
    file = load(test_file)
    for case in file.test_cases:
        file.test_cases = [case]
        file.run(names)
        (result,) = file.test_case_results
        yield Outcome(case.hidden, result.passed, result.message)


def wrong_answers(name: str) -> list[Wrong]:
    """The known slips of a homework."""
    return importlib.import_module(f"tests.homework.wrong.{name}").WRONG
