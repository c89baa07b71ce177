"""Classifiers of sentence pairs on the command line, on data that the tests make themselves."""

import json

import pytest

from course_lib.cli.tasks import ClassifierTask
from tests.unit.cli.conftest import run


def test_a_run_is_trained_and_scored(small_corpora, tmp_path, capsys):
    folder, stored = tmp_path / "run", tmp_path / "scores.json"
    options = ["--epochs", "1", "--hidden", "4", "--run", folder]
    assert run("train", "decomposable", *options) == 0
    assert run("evaluate", folder, "--json", stored) == 0
    printed = capsys.readouterr().out
    scores = json.loads(stored.read_text())
    assert f"accuracy {scores['accuracy']:.3f} of 12 pairs" in printed
    assert scores["model"] == "decomposable"
    assert scores["split"] == "test"
    assert 0 <= scores["validation_accuracy"] <= 1


@pytest.mark.parametrize(
    ("model", "name"), [("bag", "snli"), ("lstm", "sick"), ("decomposable", "snli")]
)
def test_every_classifier_learns_from_every_corpus(model, name, small_corpora, tmp_path, capsys):
    options = ["--data", name, "--epochs", "1", "--hidden", "4", "--run", tmp_path / "run"]
    assert run("train", model, *options) == 0
    assert run("evaluate", tmp_path / "run") == 0
    assert "of 12 pairs" in capsys.readouterr().out
    assert json.loads((tmp_path / "run/config.json").read_text())["data"]["name"] == name


@pytest.mark.parametrize("model", ["bag", "decomposable"])
def test_contrast_is_left_out_on_request(model, small_corpora, tmp_path):
    sizes = {}
    for word in ("--contrast", "--no-contrast"):
        folder = tmp_path / word
        options = ["--data", "sick", "--epochs", "1", "--hidden", "4", "--run", folder, word]
        assert run("train", model, *options) == 0
        assert run("evaluate", folder, "--json", folder / "scores.json") == 0
        sizes[word] = json.loads((folder / "scores.json").read_text())["parameters"]
    # The first layer of G or H is half as wide: two vectors of 4 in place of four, by 4.
    assert sizes["--contrast"] - sizes["--no-contrast"] == 2 * 4 * 4


def test_without_a_premise_the_pairs_differ_by_their_hypotheses_alone(
    small_corpora, tmp_path, capsys
):
    task = ClassifierTask("sick", pairs=5, premise=False)
    assert [pair.premise for pair in task.load("train")] == ["."] * 5
    assert task.load("train")[0].hypothesis == "An animal runs"
    options = ["--data", "sick", "--epochs", "1", "--hidden", "4", "--run", tmp_path / "run"]
    assert run("train", "bag", *options, "--no-premise") == 0
    assert json.loads((tmp_path / "run/config.json").read_text())["data"]["premise"] is False
    # Every hypothesis of these data is the same: whoever sees no premise gives one answer.
    capsys.readouterr()
    assert run("evaluate", tmp_path / "run") == 0
    assert "accuracy 0.333 of 12 pairs" in capsys.readouterr().out


def test_what_is_for_translators_is_one_line(small_corpora, tmp_path, complaint):
    assert run("train", "bag", "--epochs", "1", "--hidden", "4", "--run", tmp_path / "run") == 0
    for options in (["--beam", "2"], ["--data", "pairs.tsv"]):
        said = complaint("evaluate", tmp_path / "run", *options)
        assert "--data and --beam are for translators" in said
    assert "got bag, a classifier" in complaint("translate", tmp_path / "run", "a dog")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["train", "bag", "--source", "de"], "unexpected keyword argument 'source'"),
        (
            ["train", "lstm", "--vocabulary", "100"],
            "unexpected keyword argument 'vocabulary'",
        ),
        (["train", "lstm", "--no-contrast"], "unexpected keyword argument 'contrast'"),
        (["train", "cho", "--pairs", "60", "--contrast"], "unexpected keyword argument 'contrast'"),
        (["train", "cho", "--no-premise"], "unexpected keyword argument 'premise'"),
        (
            ["train", "bag", "--data", "multi30k"],
            "unknown data 'multi30k'; choose one",
        ),
        (
            ["train", "bagg"],
            "want a model out of bag, bahdanau, cho, decomposable, dot, lstm, lstmn, luong, sut",
        ),
        (["train", "bahdanau", "--data", "sick"], "unknown data 'sick'; choose one of mini"),
    ],
)
def test_a_mistake_is_one_line(arguments, words, small_corpora, complaint):
    assert words in complaint(*arguments)
