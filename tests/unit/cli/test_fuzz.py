"""The first of the fuzzed cases, and that the command which runs them sees what is wrong."""

import sys

import pytest

from course_lib.cli import commands
from tools.fuzz.run import Fuzz

FIRST = 60


@pytest.fixture(scope="module")
def fuzz(tmp_path_factory):
    return Fuzz(tmp_path_factory.mktemp("fuzz"), seed=0)


def test_no_odd_input_ends_in_a_traceback(fuzz):
    found = {number: fuzz.failure_of(number) for number in range(FIRST)}
    assert not {number: failure for number, failure in found.items() if failure}
    # Cases that end well are among them, or the odd things are not looked at.
    assert fuzz.ends[0] >= FIRST // 15
    assert fuzz.ends[2] >= FIRST // 3


@pytest.mark.parametrize(
    ("slip", "said"),
    [
        (lambda options: {}["data"], "KeyError"),
        (lambda options: print("error: a\nerror: b", file=sys.stderr), "ended with 0"),
    ],
    ids=["traceback", "two lines"],
)
def test_a_slip_is_seen(slip, said, fuzz, monkeypatch):
    for name in ("train", "evaluate", "translate", "align", "data"):
        monkeypatch.setattr(commands, name, slip)
    assert any(said in (fuzz.failure_of(number) or "") for number in range(20))
