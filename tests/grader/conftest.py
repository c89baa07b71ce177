"""Judges for the grader's tests, which are skipped where there is no jail."""

import json

import pytest

from course_grader import GraderError
from course_grader.assignment import Assignment, Case
from course_grader.jail import Limits, choose
from course_grader.judge import Judge

TWICE = """
def test_twice(double):
    import torch
    got = double(torch.tensor([3.0, 1.0]))
    assert isinstance(got, torch.Tensor), f"want a tensor; got a {type(got).__name__}"
    assert torch.equal(got, torch.tensor([6.0, 2.0])), f"want [6, 2]; got {got.tolist()}"
"""


def question(name, code=TWICE, points=1.0, hidden=False):
    """A question `name` with one test, of a function with the name of the question."""
    code = code.strip().replace("double", name)
    return Case(name, "test_twice", hidden, "Twice a number.", points, (name,), code)


def assignment(*names):
    return Assignment("hw99_small", (), tuple(map(question, names)), "0")


def notebook(*cells):
    return {"cells": [{"cell_type": "code", "source": each} for each in ("import torch", *cells)]}


@pytest.fixture(scope="session")
def jail():
    try:
        return choose()
    except GraderError as error:
        pytest.skip(str(error))


@pytest.fixture
def judge(jail):
    """Called with the names of questions, or an assignment, and limits; a judge."""

    def make(*names, **limits):
        known = names[0] if isinstance(names[0], Assignment) else assignment(*names)
        return Judge(known, jail, limits=Limits(**limits))

    return make


@pytest.fixture
def written(tmp_path):
    """Called with names of files and the code in each; a folder of notebooks of homework 1."""

    def make(**files):
        folder = tmp_path / "submissions"
        folder.mkdir(exist_ok=True)
        for name, code in files.items():
            content = notebook('grader = Homework("hw01_recurrence")', code)
            (folder / f"{name}.ipynb").write_text(json.dumps(content))
        return folder

    return make
