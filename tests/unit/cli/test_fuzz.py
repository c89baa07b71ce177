"""Odd input to the command line, and that the tool which judges it sees what is wrong."""

import shutil
import sys
from random import Random

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from course_lib.cli import commands
from course_lib.data.corpora import snli
from tools.fuzz.cases import Case, draw
from tools.fuzz.corpora import a_reading
from tools.fuzz.run import failure_of, trained
from tools.fuzz.spoil import spoiled

EXAMPLES = max(120, settings.default.max_examples)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(scope="module")
def runs(folder):
    return trained(folder)


@settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
@given(random=st.randoms(use_true_random=False))
def test_no_odd_input_ends_in_a_traceback(runs, folder, random):
    place = folder / "case"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    case = draw(random, runs, place)
    note(f"{[argument[:60] for argument in case.arguments]} {case.notes}")
    assert failure_of(case, place) is None


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        (lambda options: {}["data"], "KeyError"),
        (lambda options: print("error: a\nerror: b", file=sys.stderr), "ended with 0"),
    ],
    ids=["traceback", "two lines"],
)
def test_a_slip_is_seen(slip, said, tmp_path, monkeypatch):
    monkeypatch.setattr(commands, "data", slip)
    assert said in failure_of(Case(["data", "list"]), tmp_path)


def test_a_slip_in_a_parser_of_a_corpus_is_seen(tmp_path, monkeypatch):
    monkeypatch.setattr(snli, "parse", lambda *_: {}["data"])
    readings = (a_reading(Random(seed), tmp_path) for seed in range(40))
    read = next(read for name, read in readings if name == "snli")
    assert "KeyError" in failure_of(Case([], read=read), tmp_path)


def test_most_of_what_is_spoiled_is_spoiled_in_another_way():
    content = b'{"steps": 3, "records": [{"step": 1}]}'
    assert len({spoiled(content, Random(seed)) for seed in range(50)}) > 25
