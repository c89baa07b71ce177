"""The one command of the experiments: which runs, which file, which records stay."""

import json

import pytest

from course_lab.experiments.lab import experiment, records
from course_lab.experiments.lab.experiment import Artifact, Experiment, main
from course_lab.experiments.lab.rates import Trial

RUNS = [Trial(variant, seed, 0.1) for variant in ("long", "short") for seed in (0, 1)]


def made(run, yes=True):
    return run._asdict() | {"made": yes}


@pytest.fixture
def file(monkeypatch, tmp_path):
    """A stored file, declared, of which nothing is there yet."""
    stored = tmp_path / "room" / "made.json"
    declared = Experiment("A test.", stored, lambda: RUNS, made)
    whole = Artifact("A net.", tmp_path / "room" / "net", lambda f, seed: f.write_text(str(seed)))
    monkeypatch.setattr(
        experiment, "collected", lambda name: {d.name: d for d in (declared, whole)}
    )
    monkeypatch.setattr(records, "side_by_side", map)
    stored.parent.mkdir()
    return stored


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def test_all_runs_go_where_they_are_stored_or_elsewhere(file, tmp_path):
    main(["room/made", "--file", str(tmp_path / "other")])
    assert not file.exists()
    main(["room/made"])
    assert read(file) == read(tmp_path / "other") == [made(run) for run in RUNS]


def test_a_run_asked_for_takes_the_place_of_its_record_and_the_others_stay(file):
    file.write_text(json.dumps([made(run, yes=False) for run in RUNS]))
    main(["room/made", "--only", "variant=short", "seed=0"])
    assert [entry["made"] for entry in read(file)] == [False, False, True, False]


def test_resumed_it_makes_what_is_missing(file):
    file.write_text(json.dumps([made(RUNS[0], yes=False)]))
    main(["room/made", "--resume"])
    assert [entry["made"] for entry in read(file)] == [False, True, True, True]


def test_a_network_is_made_as_a_whole_from_a_seed(file):
    main(["room/net", "--seed", "3"])
    assert file.with_name("net").read_text() == "3"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["room/made", "--only", "width=3"], "want FIELD=VALUE with a field of variant"),
        (["room/made", "--only", "seed=9"], "no run is seed=9"),
        (["room/made", "--only", "seed="], "got 'seed='"),
        (["room/made", "--fil", "x"], "unrecognized"),
        (["room/net", "--only", "seed=9"], "made as a whole"),
        (["room/other"], "want one of room/made, room/net; got 'room/other'"),
    ],
)
def test_what_it_cannot_do_is_one_line_and_no_file(file, capsys, wrong, message):
    with pytest.raises(SystemExit, match="2"):
        main(wrong)
    assert message in capsys.readouterr().err
    assert not list(file.parent.iterdir())
