"""What is run, in which order, how far, and what is kept of it; no network is trained here."""

import json
import tarfile

from course_lab.experiments.real import ladder
from course_lab.experiments.real.rungs import Run


def record(run, **other):
    about = {"rung": run.rung, "seed": run.seed, "parameters": 1, "training_seconds": 100.0}
    return about | {"valid_bleu": 30.0 + run.seed} | other


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
