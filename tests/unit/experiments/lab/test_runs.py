"""The one command of experiments without tuning: which runs, which file, which records stay."""

import json
from typing import Any

import pytest

from course_lab.experiments.lab import records
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.runs import make_runs

RUNS = [Trial(variant, seed, 0.1) for variant in ("long", "short") for seed in (0, 1)]


def judged(run: Trial) -> dict[str, Any]:
    return run._asdict() | {"made": True}


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch):
    monkeypatch.setattr(records, "side_by_side", lambda function, runs: map(function, runs))


def read(file) -> list[dict[str, Any]]:
    return json.loads(file.read_text(encoding="utf-8"))


def test_all_runs_go_where_they_are_stored(tmp_path):
    make_runs("A test.", RUNS, judged, tmp_path / "stored.json", [])
    assert read(tmp_path / "stored.json") == [judged(run) for run in RUNS]


def test_a_run_asked_for_takes_the_place_of_its_record_and_the_others_stay(tmp_path):
    file = tmp_path / "stored.json"
    old = [run._asdict() | {"made": False} for run in RUNS]
    file.write_text(json.dumps(old), encoding="utf-8")
    make_runs("A test.", RUNS, judged, file, ["--only", "variant=short", "seed=0"])
    assert [entry["made"] for entry in read(file)] == [False, False, True, False]


def test_another_file_leaves_the_stored_one_alone(tmp_path):
    stored, other = tmp_path / "stored.json", tmp_path / "other.json"
    make_runs("A test.", RUNS[:1], judged, stored, ["--file", str(other)])
    assert not stored.exists()
    assert len(read(other)) == 1


def test_the_key_says_what_tells_one_record_from_another(tmp_path):
    file = tmp_path / "stored.json"
    make_runs("A test.", RUNS, judged, file, [], key=("seed",))
    assert [entry["seed"] for entry in read(file)] == [0, 1]


@pytest.mark.parametrize("wrong", [["--only", "width=3"], ["--only", "seed=9"], ["--fil", "x"]])
def test_what_it_cannot_do_is_one_line_and_no_file(tmp_path, capsys, wrong):
    with pytest.raises(SystemExit, match="2"):
        make_runs("A test.", RUNS, judged, tmp_path / "stored.json", wrong)
    assert "Traceback" not in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
