"""The command line: it works end to end, and a user's mistake is one line and exit code 2."""

import io
import json
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from course_lib.cli import train as train_command
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


def test_each_line_of_standard_input_is_a_sentence(trained, capsys, complaint, monkeypatch):
    sentences = ["der Hund schläft .", "die Katze sieht den Hund ."]
    assert run("translate", trained["cho"], *sentences) == 0
    written = capsys.readouterr().out
    standard_input(monkeypatch, "\n".join(sentences) + "\n")
    assert run("translate", trained["cho"]) == 0
    assert capsys.readouterr().out == written
    standard_input(monkeypatch, f"{sentences[0]}\n \n{sentences[1]}\n")
    assert "sentence 2: empty sentence" in complaint("translate", trained["cho"])


def test_evaluate_prints_and_stores_the_scores(trained, tmp_path, capsys):
    stored = tmp_path / "scores.json"
    assert run("evaluate", trained["cho"], "--split", "valid", "--json", stored) == 0
    printed = capsys.readouterr().out
    scores = json.loads(stored.read_text())
    assert f"BLEU {scores['bleu']:.1f}" in printed
    assert "version:" in scores["signature"]
    assert scores["sentences"] == 20
    assert scores["perplexity"] > 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["train", "transfomer"], "want a model out of bag, bahdanau"),
        (["train"], "want a model out of bag, bahdanau"),
        (["train", "cho", "--data", "wmt"], "unknown data 'wmt'; choose one of mini, multi30k"),
        (["train", "cho", "--source", "fr"], "mini has the languages de and en; got 'fr'"),
        (["train", "cho", "--target", "de"], "mini has the languages de and en; got 'de' and 'de'"),
        (["train", "cho", "--steps", "0"], "--steps: '0' is not a whole number from 1 on"),
        (["train", "cho", "--steps", "1", "--epochs", "1"], "not allowed with argument"),
        (["train", "cho", "--minutes", "nan"], "want max_minutes above 0; got nan"),
        (["train", "dot", "--hidden", "193"], "cannot make this dot: want an even hidden"),
        (["train", "cho", "--hidden", str(2**70)], "cannot make this cho"),
        (["train", "cho", "--seed", str(2**70)], "cannot make this cho"),
        (["train", "cho", "--res"], "unrecognized arguments: --res"),
        (["translate", "a\nb", "x"], r"there is no config.json in a\nb"),
        (["translate", "x" * 5000, "x"], "File name too long: 'xxx"),
        (["translate", "no/such/run", "x"], "no/such/run"),
        (["data", "fetch", "wmt14"], "wmt14"),
        (["fly"], "invalid choice: 'fly'"),
        ([], "COMMAND"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_wrong_names_and_numbers(arguments, said, complaint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if arguments[:1] == ["train"]:
        arguments = [*arguments[:2], "--pairs", "60", "--held-out", "20", *arguments[2:]]
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
        ({"colour": 1}, "unexpected keyword argument 'colour'"),
        ({"source": "en"}, "mini has the languages de and en; got 'en'"),
        ({"target": "fr"}, "mini has the languages de and en"),
    ],
    ids=str,
)
def test_a_changed_data_section(changes, said, trained, complaint, tmp_path):
    copy = copied(trained["cho"], tmp_path / "copy")
    config = json.loads((copy / "config.json").read_text())
    (copy / "config.json").write_text(json.dumps(config | {"data": config["data"] | changes}))
    for command in (["translate", copy, "der Hund ."], ["evaluate", copy]):
        assert said in complaint(*command)


def test_a_model_that_config_json_does_not_describe(trained, complaint, tmp_path):
    copy = copied(trained["cho"], tmp_path / "copy")
    config = json.loads((copy / "config.json").read_text())
    for value in (2**70, 16):
        settings = config["model_config"] | {"hidden": value}
        (copy / "config.json").write_text(json.dumps(config | {"model_config": settings}))
        assert re.search("cannot make this cho|does not fit", complaint("translate", copy, "der ."))


@pytest.mark.parametrize("data", [{}, {"file": "pairs.tsv"}, {"name": "x\ny", "source": "fr"}])
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

    monkeypatch.setattr(train_command, "train", interrupted)
    assert run("train", "cho") == 130
    assert capsys.readouterr().err == "stopped\n"


def test_align_draws_where_it_is_asked_to(trained, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("align", trained["bahdanau"], "der Hund schläft .") == 0
    assert " <- " in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    assert run("align", trained["bahdanau"], "der Hund schläft .", "--figure", "map.png") == 0
    assert "the map is in map.png\n" in capsys.readouterr().out
    assert Path("map.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_that_cannot_be_drawn(trained, complaint, tmp_path):
    align = ("align", trained["bahdanau"], "der Hund schläft .", "--figure")
    assert "Format 'txt' is not supported" in complaint(*align, tmp_path / "map.txt")
    assert "no/map.png" in complaint(*align, "no/map.png")
    assert "has no attention to draw" in complaint("align", trained["cho"], "der Hund .")
