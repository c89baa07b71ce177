"""Folders of submissions for a judge that runs nothing (stand_in.py)."""

import json
import multiprocessing

import pytest

from course_lib.grading import processes


@pytest.fixture
def quick(monkeypatch):
    """Judges are forked from a server that has imported all; one that is spawned takes seconds."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.unit.grading.stand_in", "course_lib.grading.processes"])
    monkeypatch.setattr(processes, "CONTEXT", context)


@pytest.fixture
def submissions(tmp_path):
    """Called with the code of each student; the folder."""
    folder = tmp_path / "submissions"

    def make(**students):
        folder.mkdir(exist_ok=True)
        for student, code in students.items():
            cells = ['grader = Homework("hw01_recurrence")', code]
            content = {"cells": [{"cell_type": "code", "source": cell} for cell in cells]}
            (folder / f"{student}.ipynb").write_text(json.dumps(content))
        return folder

    return make
