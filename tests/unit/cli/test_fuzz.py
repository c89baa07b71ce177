"""The first of the fuzzed cases, and that the command which runs them sees what is wrong."""

import sys
from random import Random

import pytest

from course_lib.cli import classify, commands
from course_lib.data.corpora import hansards, reviews, sick, snli
from tools.fuzz.run import Fuzz
from tools.fuzz.spoil import spoiled

FIRST = 120


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


@pytest.mark.parametrize(
    ("corpus", "parser"),
    [(hansards, "parse_pair"), (reviews, "read_folds"), (sick, "read_pairs"), (snli, "read_pairs")],
)
def test_a_slip_in_a_parser_of_a_corpus_is_seen(corpus, parser, fuzz, monkeypatch):
    monkeypatch.setattr(corpus, parser, lambda *_: {}["data"])
    assert any("KeyError" in (fuzz.failure_of(number) or "") for number in range(FIRST))


@pytest.mark.parametrize("flag", ["contrast", "no_premise"])
def test_the_options_of_classifiers_are_drawn(flag, fuzz, monkeypatch):
    seen = set()
    monkeypatch.setattr(classify, "train", lambda options: seen.add(getattr(options, flag)))
    for number in range(FIRST):
        fuzz.failure_of(number)
    assert {True, False} <= seen


def test_the_same_seed_spoils_in_the_same_way():
    content = b'{"steps": 3, "records": [{"step": 1}]}'
    one, other = ([spoiled(content, Random(seed)) for seed in range(50)] for _ in range(2))
    assert one == other
    assert len(set(one)) > 25
