"""Classifiers of sentence pairs on the command line, on data that the tests make themselves."""

import json
import re
import zipfile
from dataclasses import replace

import pytest

from course_lib.cli.tasks import ClassifierTask
from course_lib.data.corpora import download
from course_lib.data.corpora.registry import DATASETS
from tests.unit.cli.conftest import run

SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A folder with a small SICK and a small archive of SNLI, as the registry knows them here."""
    folder = tmp_path / "data"
    (folder / "sick").mkdir(parents=True)
    (folder / "snli").mkdir()
    labels = ("ENTAILMENT", "NEUTRAL", "CONTRADICTION")
    for file in DATASETS["sick"].files:
        rows = [
            f"{n}\tA dog is running {n}\tAn animal runs\t4.5\t{labels[n % 3]}\n" for n in range(12)
        ]
        (folder / file.path).write_text(SICK + "".join(rows))
    with zipfile.ZipFile(folder / "snli/snli_1.0.zip", "w") as archive:
        for split in ("train", "dev", "test"):
            lines = [
                json.dumps(
                    {
                        "gold_label": (*labels, "-")[n % 4].lower(),
                        "sentence1": f"Two dogs play with ball {n}.",
                        "sentence2": "Animals are outside.",
                    }
                )
                for n in range(16)
            ]
            archive.writestr(f"snli_1.0/snli_1.0_{split}.jsonl", "\n".join(lines) + "\n")
    known = {
        name: replace(
            DATASETS[name],
            files=tuple(
                replace(file, sha256=download.pooch.file_hash(str(folder / file.path)))
                for file in DATASETS[name].files
            ),
        )
        for name in ("sick", "snli")
    }
    monkeypatch.setattr(download, "DATASETS", {**DATASETS, **known})
    monkeypatch.setenv("COURSE_DATA", str(folder))
    return folder


def test_a_run_is_trained_and_scored(data, tmp_path, capsys):
    folder, stored = tmp_path / "run", tmp_path / "scores.json"
    options = ["--epochs", "1", "--hidden", "4", "--run", folder]
    assert run("train", "decomposable", *options) == 0
    assert run("evaluate", folder, "--json", stored) == 0
    printed = capsys.readouterr().out
    scores = json.loads(stored.read_text())
    assert f"accuracy {scores['accuracy']:.3f} of 12 pairs" in printed
    assert set(scores["by_label"]) == {"entailment", "neutral", "contradiction"}
    assert scores["model"] == "decomposable"
    assert scores["split"] == "test"
    assert 0 <= scores["validation_accuracy"] <= 1


@pytest.mark.parametrize(
    ("model", "name"), [("bag", "snli"), ("lstm", "sick"), ("decomposable", "snli")]
)
def test_every_classifier_learns_from_every_corpus(model, name, data, tmp_path, capsys):
    options = ["--data", name, "--epochs", "1", "--hidden", "4", "--run", tmp_path / "run"]
    assert run("train", model, *options) == 0
    assert run("evaluate", tmp_path / "run") == 0
    assert "of 12 pairs" in capsys.readouterr().out
    assert json.loads((tmp_path / "run/config.json").read_text())["data"]["name"] == name


@pytest.mark.parametrize("model", ["bag", "decomposable"])
def test_contrast_is_left_out_on_request(model, data, tmp_path):
    sizes = {}
    for word in ("--contrast", "--no-contrast"):
        folder = tmp_path / word
        options = ["--data", "sick", "--epochs", "1", "--hidden", "4", "--run", folder, word]
        assert run("train", model, *options) == 0
        assert run("evaluate", folder, "--json", folder / "scores.json") == 0
        sizes[word] = json.loads((folder / "scores.json").read_text())["parameters"]
    # The first layer of G or H is half as wide: two vectors of 4 in place of four, by 4.
    assert sizes["--contrast"] - sizes["--no-contrast"] == 2 * 4 * 4


def test_without_a_premise_the_pairs_differ_by_their_hypotheses_alone(data, tmp_path, capsys):
    task = ClassifierTask("sick", pairs=5, premise=False)
    assert [pair.premise for pair in task.load("train")] == ["."] * 5
    assert task.load("train")[0].hypothesis == "An animal runs"
    options = ["--data", "sick", "--epochs", "1", "--hidden", "4", "--run", tmp_path / "run"]
    assert run("train", "bag", *options, "--no-premise") == 0
    assert json.loads((tmp_path / "run/config.json").read_text())["data"]["premise"] is False
    # Every hypothesis of these data is the same: whoever sees no premise gives one answer.
    capsys.readouterr()
    assert run("evaluate", tmp_path / "run") == 0
    shares = re.findall(r": (\d\.\d{3}) of 4", capsys.readouterr().out)
    assert sorted(shares) == ["0.000", "0.000", "1.000"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train", "bag", "--source", "de"], "source is no setting of the data that bag"),
        (
            ["train", "lstm", "--vocabulary", "100"],
            "vocabulary is no setting of the data",
        ),
        (["train", "lstm", "--no-contrast"], "--contrast is for the models bag and"),
        (["train", "cho", "--contrast"], "--contrast is for the models bag and"),
        (["train", "cho", "--no-premise"], "premise is no setting of the data that cho"),
        (
            ["train", "bag", "--data", "multi30k"],
            "unknown data 'multi30k'; choose one",
        ),
        (
            ["train", "bagg"],
            "want a model out of bahdanau, cho, dot, lstmn, luong, sutskever, transformer, bag",
        ),
        (["train", "bahdanau", "--data", "sick"], "unknown data 'sick'; choose one of mini"),
    ],
)
def test_a_mistake_is_one_line(arguments, words, complaint):
    assert words in complaint(*arguments)
