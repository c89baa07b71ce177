"""What the grader adds to a student's kernel. It runs beside the student's code, in the jail.

The student's code can change all of this; the judge trusts nothing that comes from here.
"""

import linecache
import traceback
from typing import Any
from unittest.mock import MagicMock

import torch
from IPython import get_ipython

import course_lib.homework
from course_grader.peer import Peer


def prepare() -> None:
    """Make the kernel ready for the notebook's cells, whose own checks are not run here."""
    course_lib.homework.Homework = MagicMock()
    get_ipython().user_ns["grader"] = MagicMock()


def serve() -> None:
    """Answer the judge until it says that the test has ended."""
    student = Student(get_ipython().kernel.raw_input)
    message = student.exchange({"op": "ready"})
    while message["op"] != "end":
        message = student.exchange(student.answer(message))


class Student(Peer):
    """The kernel's side: it knows the names that the notebook has defined."""

    caught = BaseException  # a SystemExit of the student's must not end the conversation

    def answer_other(self, message: dict) -> dict:
        """Return the object of a name; set the random state before."""
        torch.manual_seed(message["seed"])
        names = get_ipython().user_ns
        if message["name"] not in names:
            raise NameError(f"name {message['name']!r} is not defined")
        return {"op": "value", "value": names[message["name"]]}

    def describe(self, error: BaseException) -> dict[str, Any]:
        """Add the last line of the student's own code that the exception passed."""
        names = get_ipython().user_ns
        lines = [
            (frame.f_code.co_filename, number)
            for frame, number in traceback.walk_tb(error.__traceback__)
            if frame.f_globals is names
        ]
        line = ""
        if lines:
            text = linecache.getline(*lines[-1]).strip()
            line = f"line {lines[-1][1]} of its cell: `{text}`"
        return {**super().describe(error), "line": line}
