"""What is run, in which order, how far, and what is kept of it; no network is trained here."""

import json
import os
import tarfile
import time
from typing import NamedTuple

import pytest

from course_lab.experiments.real import ladder
from course_lab.experiments.real.rungs import RUNGS, RUNS, SEEDS, SHIPPED, VARIANTS, Run
from course_lab.experiments.real.side_by_side import shared_gpu, side_by_side
from course_lib.models.registry import build


class Job(NamedTuple):
    name: str
    seconds: float = 0.0


def work(job):
    time.sleep(job.seconds)
    if job.name == "fails":
        raise ValueError("on purpose")
    print("done by", os.getpid())


def outcome(jobs, logs, **options):
    return {job.name: well for job, well in side_by_side(work, jobs, logs, **options)}


def test_each_job_has_a_process_and_a_log_and_a_failure_is_its_own(tmp_path):
    found = outcome([Job("one"), Job("fails"), Job("two")], tmp_path, processes=2)
    assert found == {"one": True, "fails": False, "two": True}
    assert "ValueError: on purpose" in (tmp_path / "fails.log").read_text()
    processes = {(tmp_path / f"{name}.log").read_text() for name in ("one", "two")}
    assert len(processes) == 2
    assert f"done by {os.getpid()}\n" not in processes


def test_when_the_time_is_up_nothing_goes_on(tmp_path):
    begun = time.time()
    jobs = [Job("long", 60), Job("short"), Job("never")]
    options = {"processes": 2, "until": begun + 3, "begin": lambda job, left: job.name != "never"}
    assert outcome(jobs, tmp_path, **options) == {"short": True, "long": False}
    assert time.time() - begun < 30
    assert not (tmp_path / "never.log").exists()


def test_without_a_wish_for_a_gpu_none_is_shared():
    with shared_gpu(False) as shared:
        assert not shared


def test_every_rung_has_its_seeds_and_one_of_each_comes_before_the_second():
    assert len(RUNS) == len(set(RUNS)) == len(SEEDS) * len(RUNGS) - 1
    for rung in RUNGS:
        seeds = [run.seed for run in RUNS if run.rung == rung]
        assert seeds == list(SEEDS[: 2 if rung == "transformer-both" else None])
    assert set(SHIPPED) <= set(RUNGS)


@pytest.mark.parametrize(
    ("rung", "most"),
    [
        ("bahdanau", 7.0),
        ("bahdanau-en-de", 7.0),
        ("transformer", 9.0),
        ("transformer-en-de", 3.0),
        # Packed in 8 bits it must load within 5 MB.
        ("transformer-both", 5.0),
    ],
)
def test_a_rung_is_as_small_as_it_promises(rung, most):
    row = RUNGS[rung]
    sizes = {"source_vocabulary": row.vocabulary, "target_vocabulary": row.vocabulary}
    model = build(row.model, row.settings | sizes)
    assert sum(p.numel() for p in model.parameters()) <= most * 1e6


def test_what_was_compared_can_be_built():
    for row in VARIANTS.values():
        build(row.model, row.settings | {"source_vocabulary": 9, "target_vocabulary": 9})


def record(run, **other):
    about = {"rung": run.rung, "seed": run.seed, "parameters": 1, "training_seconds": 100.0}
    return about | {"valid_bleu": 30.0 + run.seed} | other


def test_a_run_that_would_not_come_near_its_end_is_not_begun():
    done = {Run("cho", 0): record(Run("cho", 0))}
    assert ladder.worth_while(Run("cho", 1), 95.0, done)
    assert not ladder.worth_while(Run("cho", 1), 85.0, done)
    assert ladder.worth_while(Run("luong", 0), 35.0, done)
    assert not ladder.worth_while(Run("luong", 0), 25.0, done)


def test_results_stand_in_the_order_of_the_ladder_and_others_stay(tmp_path):
    file = tmp_path / "new" / "ladder.json"
    runs = [Run("cho", 1), Run("transformer", 0), Run("of old", 0), Run("cho", 0)]
    ladder.write_results(file, {run: record(run) for run in runs})
    found = ladder.read_results(file)
    assert list(found) == [runs[1], runs[3], runs[0], runs[2]]
    assert found[runs[0]] == record(runs[0])


def test_the_best_on_the_validation_split_is_kept_or_every_seed(tmp_path):
    folder, target = tmp_path / "runs", tmp_path / "kept"
    folder.mkdir()
    runs = [Run(rung, seed) for rung in ("transformer", "transformer-both") for seed in (0, 1)]
    records = {run: record(run) for run in [*runs, Run("cho", 0)]}
    for run in records:
        (folder / f"{run.name}.safetensors").write_text(run.name)
        (folder / f"{run.name}.tokenizer.json").write_text(run.name)
        (folder / f"{run.name}.texts.json.gz").write_text(run.name)
        (folder / f"{run.name}.log").write_text(run.name)
    ladder.ship(records, folder, target)
    kept = {path.name: path.read_text() for path in target.glob("*.safetensors")}
    assert kept == {
        "transformer.safetensors": "transformer-1",
        "transformer-both-0.safetensors": "transformer-both-0",
        "transformer-both-1.safetensors": "transformer-both-1",
    }
    with tarfile.open(target / "rest.tar.gz") as archive:
        names = archive.getnames()
    assert "transformer-1.tokenizer.json" in names
    assert "transformer-0.tokenizer.json" not in names
    assert "cho-0.texts.json.gz" in names
    assert "transformer-1.texts.json.gz" not in names


def test_what_is_stored_is_not_made_again_and_the_rest_is(tmp_path, monkeypatch, capsys):
    file, folder = tmp_path / "ladder.json", tmp_path / "runs"
    done = Run("cho", 0)
    ladder.write_results(file, {done: record(done)})
    begun = []

    def pretend(function, jobs, logs, **options):
        for run in jobs:
            begun.append(run)
            well = run.seed == 1
            if well:
                (logs / f"{run.name}.json").write_text(json.dumps(record(run)))
            yield run, well

    monkeypatch.setattr(ladder, "side_by_side", pretend)
    monkeypatch.setattr(ladder, "line", lambda record: record["rung"])
    ladder.main(["--file", str(file), "--folder", str(folder), "--only", "rung=cho"])
    assert begun == [Run("cho", 1), Run("cho", 2)]
    assert list(ladder.read_results(file)) == [Run("cho", 0), Run("cho", 1)]
    assert "cho-2 failed; see cho-2.log" in capsys.readouterr().out
