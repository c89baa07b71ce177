"""A gate that passed is not run again while its inputs hold; all else is run."""

import json
from datetime import datetime

import pytest

from tools.gates import stamps
from tools.gates.result import Result
from tools.gates.run import GATES, Gate, run


class Played:
    """A gate of parts whose inputs and results are set by hand."""

    def __init__(self, root, **inputs):
        self.root, self.inputs, self.asked, self.given = root, dict(inputs), [], None
        self.result = None
        self.meanwhile = lambda: None

    def run(self, **options):
        """True if it passed; what it was asked to decide is in `asked`."""
        self.asked.clear()
        gate = Gate("played", "a gate", self._decide, lambda root: dict(self.inputs))
        return run([gate], self.root, **options)

    def _decide(self, root, parts):
        self.given = parts
        chosen = sorted(self.inputs if parts is None else parts)
        self.asked.append(chosen)
        self.meanwhile()
        return self.result or Result(True, parts=dict.fromkeys(chosen, 2), tests=2 * len(chosen))


@pytest.fixture(autouse=True)
def no_ci(monkeypatch):
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def played(tmp_path):
    return Played(tmp_path, a="1", b="1")


def summary(played):
    return json.loads((played.root / "_build" / "test" / "summary.json").read_text())


def test_a_stamp_keeps_the_time_of_the_run_that_earned_it(tmp_path):
    stamps.record(tmp_path, "played", {"a": "1"}, {"a": 2})
    path = tmp_path / "_build" / "stamps" / "played.json"
    [(inputs, _, tests)] = json.loads(path.read_text()).values()
    path.write_text(json.dumps({"a": [inputs, "2001-02-03 04:05", tests]}))
    stamps.record(tmp_path, "played", {"a": "1", "b": "1"}, {"a": 2, "b": 2})
    kept = stamps.unchanged(tmp_path, "played", {"a": "1", "b": "1"})
    assert kept["a"].since == "2001-02-03 04:05"
    assert kept["b"].since > kept["a"].since


def test_what_passed_is_not_run_again_and_says_since_when(played, capsys):
    assert played.run()
    assert played.asked == [["a", "b"]]
    capsys.readouterr()
    assert played.run()
    assert played.asked == []
    printed = capsys.readouterr().out
    today = datetime.now().strftime("%Y-%m-%d")
    assert f"unchanged since {today}" in printed
    assert "==== 0 passed, 4 unchanged in" in printed
    assert summary(played)[0]["unchanged"].keys() == {"a", "b"}


def test_parts_are_asked_for_by_name_wherever_they_are_to_be_stamped(played, monkeypatch):
    """A run of everything does not know homeworks and pages by the names of their parts."""
    played.run()
    assert played.given == ["a", "b"]
    played.run(again=True)
    assert played.given == ["a", "b"]
    monkeypatch.setenv("CI", "true")
    played.run()
    assert played.given is None


def test_a_part_whose_inputs_changed_is_run_alone(played, capsys):
    played.run()
    played.inputs["b"] = "2"
    played.run()
    assert played.asked == [["b"]]
    assert "1 parts unchanged since" in capsys.readouterr().out
    played.run()
    assert played.asked == []
    played.inputs["b"] = "1"  # only the last inputs are known
    played.run()
    assert played.asked == [["b"]]


def test_a_new_part_is_run_alone(played):
    played.run()
    played.inputs["c"] = "1"
    played.run()
    assert played.asked == [["c"]]


def test_a_failure_is_never_stamped(played):
    played.result = Result(False, "wrong", parts={"a": 1}, failures=1)
    assert not played.run()
    assert not played.run()
    assert played.asked == [["b"]]


def test_what_failed_loses_the_stamp_that_it_had(played):
    played.run()
    played.result = Result(False, "wrong", parts={"a": 1}, failures=1)
    assert not played.run(again=True)
    played.run()
    assert played.asked == [["b"]]


@pytest.mark.parametrize(
    "result",
    [
        Result(True, skips=("no Chromium here",), skipped=1),
        Result(True, skips=("no Chromium here",), skipped=1, parts={}),
        Result(False, "wrong", failures=1),
    ],
)
def test_a_gate_that_skipped_or_failed_as_a_whole_has_no_stamp(played, result):
    played.result = result
    played.run()
    played.run()
    assert played.asked == [["a", "b"]]


def test_a_gate_without_parts_is_stamped_as_a_whole(played):
    played.result = Result(True, tests=1)
    played.run()
    played.run()
    assert played.asked == []


def test_a_file_that_changed_meanwhile_gives_no_stamp(played):
    before = played.inputs["b"]
    played.meanwhile = lambda: played.inputs.update(b="2")
    played.run()
    # Back again: were it stamped for what it was before, it would not be run now.
    played.meanwhile = lambda: None
    played.inputs.update(b=before)
    played.run()
    assert played.asked == [["b"]]


@pytest.mark.parametrize("value", ["true", "1", "yes"])
def test_continuous_integration_neither_reads_nor_writes_stamps(played, monkeypatch, value):
    monkeypatch.setenv("CI", value)
    played.run()
    assert not (played.root / "_build" / "stamps" / "played.json").exists()
    monkeypatch.delenv("CI")
    played.run()
    assert played.asked == [["a", "b"]]
    monkeypatch.setenv("CI", value)
    played.run()
    assert played.asked == [["a", "b"]]


@pytest.mark.parametrize("value", ["", "0", "false"])
def test_a_variable_that_says_no_does_not_count_as_one(monkeypatch, value):
    monkeypatch.setenv("CI", value)
    assert stamps.in_use()


def test_again_runs_everything(played):
    played.run()
    played.run(again=True)
    assert played.asked == [["a", "b"]]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"a": 1}', '{"a": ["1"]}', "null"])
def test_a_spoiled_file_of_stamps_counts_as_none(played, content):
    played.run()
    (played.root / "_build" / "stamps" / "played.json").write_text(content)
    assert played.run()
    assert played.asked == [["a", "b"]]


def test_inputs_that_cannot_be_computed_fail_the_gate_and_no_other(tmp_path, capsys):
    def broken(root):
        raise RuntimeError("no such module")

    gate = Gate("broken", "a gate", lambda root, parts: Result(True), broken)
    other = Gate("other", "a gate", lambda root, parts: Result(True))
    assert not run([gate, other], tmp_path)
    printed = capsys.readouterr().out
    assert "RuntimeError: no such module" in printed
    assert "other      passed" in printed


def test_every_gate_of_the_project_says_what_it_is_decided_from():
    quick = dict.fromkeys(("lint", "imports", "text", "stored", "claims", "shaken"), "everything")
    others = {
        "tests": "of_tests",
        "homework": "of_homework",
        "book": "of_book",
        "browser": "of_browser",
        "notebooks": "of_notebooks",
        "outside": "of_outside",
        "real-data": "of_real_data",
    }
    assert {gate.name: gate.inputs.__name__ for gate in GATES} == quick | others


def test_what_took_longest_is_told_at_the_end(played, capsys):
    played.result = Result(True, slow=((12.5, "tests/a.py::test_slow"), (0.5, "tests/a.py::b")))
    played.run()
    printed = capsys.readouterr().out
    assert (
        "What took longest:\n    12.5 s  tests/a.py::test_slow\n     0.5 s  tests/a.py::b"
        in printed
    )


def test_a_gate_whose_work_is_gone_is_run_again(tmp_path):
    asked = []

    def decide(root, parts):
        asked.append(parts)
        (root / "made").write_text("")
        return Result(True)

    gate = Gate(
        "maker", "a gate", decide, lambda root: {"all": "1"}, lambda r: (r / "made").exists()
    )
    run([gate], tmp_path)
    run([gate], tmp_path)
    assert len(asked) == 1
    (tmp_path / "made").unlink()
    run([gate], tmp_path)
    assert len(asked) == 2
