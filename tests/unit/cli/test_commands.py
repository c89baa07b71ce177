"""The command line: it works end to end, and a user's mistake is one line and exit code 2."""

import io
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from course_lib.cli import commands
from course_lib.data.corpora import download
from tests.unit.cli.conftest import run


def copied(folder: Path, to: Path) -> Path:
    return Path(shutil.copytree(folder, to))


def standard_input(monkeypatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))


@pytest.fixture
def offline(monkeypatch, tmp_path):
    """No data folder, an empty cache, and addresses that nobody answers."""
    monkeypatch.delenv("COURSE_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    nowhere = {
        name: replace(
            dataset,
            files=tuple(
                replace(file, addresses=(f"http://127.0.0.1:9/{file.name}",))
                for file in dataset.files
            ),
        )
        for name, dataset in download.DATASETS.items()
    }
    monkeypatch.setattr(download, "DATASETS", nowhere)
    return tmp_path / "cache"


def test_a_blank_line_stays_a_blank_line(trained, capsys, monkeypatch):
    sentences = ["der Hund schläft .", "die Katze sieht den Hund ."]
    assert run("translate", trained["cho"], *sentences) == 0
    first, second = capsys.readouterr().out.splitlines()
    standard_input(monkeypatch, f"\n{sentences[0]}\n  \n\n{sentences[1]}\n\n")
    assert run("translate", trained["cho"]) == 0
    assert capsys.readouterr().out.split("\n") == ["", first, "", "", second, "", ""]


def test_evaluate_prints_and_stores_the_scores(trained, tmp_path, capsys):
    stored = tmp_path / "scores.json"
    assert run("evaluate", trained["cho"], "--split", "valid", "--json", stored) == 0
    printed = capsys.readouterr().out
    scores = json.loads(stored.read_text())
    assert f"BLEU {scores['bleu']:.1f}" in printed
    assert "version:" in scores["signature"]
    assert scores["sentences"] == 20
    assert scores["perplexity"] > 1
    assert set(scores["exact_match"].values()) == {0.0}  # four updates teach nothing


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["train", "transfomer"], "want a model out of bahdanau"),
        (["train", "autoencoder"], "autoencoder is not trained as a translator"),
        (["train", "cho", "--data", "wmt"], "unknown data 'wmt'; choose one of mini, multi30k"),
        (["train", "cho", "--source", "fr"], "unknown language 'fr'"),
        (["train", "cho", "--target", "de"], "source and target are both 'de'"),
        (["train", "cho", "--steps", "0"], "wanted a whole number from 1 to 100000000, got '0'"),
        (["train", "cho", "--minutes", "nan"], "wanted a number above 0, got 'nan'"),
        (["train", "dot", "--hidden", "193"], "cannot make this dot: want an even hidden"),
        (["train", "cho", "--hidden", str(2**70)], "wanted a whole number from 1 to 8192, got"),
        (["train", "cho", "--pairs", str(10**12)], "wanted a whole number from 1 to 1000000"),
        (["train", "cho", "--seed", "-1"], "wanted a whole number from 0 to 9223372036854775807"),
        (["train", "cho", "--seed", str(2**70)], "wanted a whole number from 0 to"),
        (["train", "cho", "--epochs", str(10**9)], "wanted a whole number from 1 to 1000, got"),
        (["train", "cho", "--res"], "unrecognized arguments: --res"),
        (["train", "cho", "--run", "/"], "/ holds other things"),
        (["translate", "a\nb", "x"], r"a\nb holds no run"),
        (["translate", "x" * 5000, "x"], "cannot read xxx"),
        (["translate", "no/such/run", "x"], "no/such/run"),
        (["data", "fetch", "wmt14"], "wmt14"),
        (["fly"], "invalid choice: 'fly'"),
        ([], "COMMAND"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_wrong_names_and_numbers(arguments, said, complaint, tiny, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if arguments[:1] == ["train"]:
        arguments = [*arguments[:2], "--pairs", "60", "--held-out", "20", *arguments[2:]]
    if "--run" in arguments:
        arguments = [*arguments[:2], *tiny, *arguments[2:]]
    assert said in complaint(*arguments)
    assert not list(tmp_path.iterdir())


def test_no_network_and_no_file(offline, complaint, tmp_path):
    said = complaint("train", "cho", "--data", "multi30k", "--run", tmp_path / "run")
    assert "train.de.gz" in said
    assert "http" in said
    assert "COURSE_DATA" in said
    assert not (tmp_path / "run").exists()
    assert not [path for path in offline.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"max_tokens": None}, "want a whole number as max_tokens; got 'None'"),
        ({"max_tokens": 0}, "max_tokens must be a whole number from 1 to 10000, got 0"),
        ({"pairs": 10**12}, "pairs must be a whole number from 0 to 1000000"),
        ({"held_out": -1}, "held_out must be a whole number from 0"),
        ({"vocabulary": 0}, "vocabulary must be a whole number from 1 to 1000000"),
        ({"min_words": 0}, "min_words must be a whole number from 3"),
        ({"max_words": 10**9}, "max_words must be a whole number from 3"),
        ({"min_words": 31}, "min_words is 31, more than max_words"),
        ({"world": "wide"}, "unknown world 'wide'"),
        ({"source": []}, "want a text as source"),
        ({"colour": 1}, "unknown 'colour'"),
    ],
    ids=str,
)
def test_a_changed_data_section(changes, said, trained, complaint, tmp_path):
    copy = copied(trained["cho"], tmp_path / "copy")
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | {"data": config["data"] | changes}))
    for command in (["translate", copy, "der Hund ."], ["evaluate", copy]):
        found = complaint(*command)
        assert said in found
        assert "config.json, data: " in found


@pytest.mark.parametrize("data", [{}, {"name": "x\ny"}, {"name": 3, "source": "a/b", "pairs": []}])
def test_a_run_that_names_other_data_translates_and_is_scored_on_a_file(
    data, trained, complaint, tmp_path
):
    copy = copied(trained["cho"], tmp_path / "copy")
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | {"data": data}))
    assert run("translate", copy, "der Hund .") == 0
    assert "this run does not say which file it was trained on" in complaint("evaluate", copy)


def test_ctrl_c_is_no_traceback(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "train", interrupted)
    assert run("train", "cho") == 130
    assert capsys.readouterr().err == "stopped\n"
