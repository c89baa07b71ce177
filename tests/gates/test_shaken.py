"""What the gate `shaken` refuses, each rule shown on a small course."""

import json

import pytest

from course_lab.experiments.lab.experiment import Artifact, Experiment
from tools.gates import shaken as gate
from tools.notebooks.stamp import stamp
from tools.shake.records import Made, load, path_of, save, save_made

STORED = {"model": "cho", "seed": 0, "parameters": 10, "curve": [0.5, 0.7], "minutes": 3}
NAME = "01_chapter"
FIRST = "from course_lib.arithmetic import double"


@pytest.fixture
def course(project):
    """A course with one toleranced cell, one verdict and one stored file, all as was measured."""
    text = project.text.read_text(encoding="utf-8")
    text = text.replace(
        f"```{{code-cell}} ipython3\n{FIRST}",
        f"```{{code-cell}} ipython3\n---\ntolerance: {{atol: 0.1}}\n---\n{FIRST}",
    ).replace("double(2)", "double(2)  # a claim")
    project.text.write_text(text, encoding="utf-8")
    notebook = project.executed()
    notebook.cells[-2].outputs[0].data["text/plain"] = "[C08] holds: 4"
    project.store(notebook)
    head = {"torch": "2.13.0", "conditions": [], "stamp": stamp(notebook, project.root)}
    record = {**head, "verdicts": {"C08": ["holds"]}, **moved(["0.45", "0.52"])}
    save(path_of(NAME, project.root), record)
    project.write("course_lab/experiments/room/made.json", json.dumps([STORED]))
    project.write("course_lab/experiments/room/net.safetensors", "")
    save_made(path_of("room/made", project.root), [Made("AVX2", STORED)], "2.13.0")
    return project


def decide(course):
    """The gate's answer."""
    folder = course.root / "course_lab" / "experiments" / "room"
    declared = (
        Experiment("", folder / "made.json", list, dict, again=("seed=0",), **APART),
        Artifact("", folder / "net.safetensors", lambda file, seed: None),
    )
    return gate.shaken(course.root, {one.name: one for one in declared})


APART = {"key": ("model", "seed"), "apart": {"parameters": 0, "curve": 0.06}}


def change(course, **changed):
    path = path_of(NAME, course.root)
    save(path, {**load(path), **changed})


def moved(*numbers, **differs):
    return {"cells": [{"cell": FIRST, "numbers": list(numbers), "differs": differs}]}


def test_all_as_it_was_measured_passes(course):
    result = decide(course)
    assert result.passed, result.output
    assert result.note == "1 notebooks, 2 stored files"


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        (
            moved(["0.40", "0.55"]),
            "from 0.40 to 0.55, and the tolerance is 0.1: want at least 0.15",
        ),
        (moved("0.61"), "moves from 0.5 to 0.61"),  # the stored value counts
        (moved(["0.5", "nan"]), "moves from 0.5 to nan"),
        (moved("0.5", ["7", "8"]), "prints 1 numbers, and 2 were shaken"),
        (moved(AVX2="AssertionError: C08"), "something else under AVX2: 'AssertionError: C08'"),
        ({"cells": []}, f"{FIRST}: carries a tolerance and was never shaken"),
        ({"verdicts": {"C08": ["does not hold", "holds"]}}, "C08 holds, and came out as: does not"),
        ({"verdicts": {}}, "C08 was never shaken"),
    ],
)
def test_a_narrow_tolerance_and_another_verdict_fail(course, changed, problem):
    change(course, **changed)
    result = decide(course)
    assert not result.passed
    assert problem in result.output


def test_a_count_that_moves_fails_whatever_the_tolerance(course):
    notebook = course.executed()
    notebook.cells[2].outputs[0].text = "284 of 600\n"
    course.store(notebook)
    change(course, **moved(["284", "297"], "600"))
    assert "moves from 284 to 297, and counts are compared exactly" in decide(course).output


@pytest.mark.parametrize(
    ("again", "problem"),
    [
        ({"curve": [0.5, 0.64], "minutes": 9}, ""),
        ({"curve": [0.5, 0.6]}, "curve 1 is 0.7 and came out as 0.6 under AVX2; 0.06 apart is"),
        ({"curve": [0.5]}, "came out as nan"),
        ({"parameters": 11}, "parameters is 10 and came out as 11"),
        ({"seed": 7}, "has no record ('cho', 7)"),
    ],
)
def test_a_record_that_came_out_otherwise_fails(course, again, problem):
    save_made(path_of("room/made", course.root), [Made("AVX2", {**STORED, **again})], "")
    result = decide(course)
    assert result.passed == (not problem)
    assert problem in result.output


def test_a_stored_number_that_was_edited_fails(course):
    course.write("course_lab/experiments/room/made.json", json.dumps([{**STORED, "curve": [1, 1]}]))
    assert "curve 0 is 1 and came out as 0.5" in decide(course).output


def test_what_is_not_declared_or_never_made_again_fails(course):
    course.write("course_lab/experiments/room/stray.json", "[]")
    course.write("tests/shaken/02_gone.json", "{}")
    path_of("room/made", course.root).unlink()
    output = decide(course).output
    assert "room/stray.json: no module declares it in EXPERIMENTS" in output
    assert "02_gone.json: a record of nothing that there is" in output
    assert "room/made: was never made again" in output
