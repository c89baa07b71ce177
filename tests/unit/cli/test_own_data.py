"""A file of one's own pairs on the command line, from training to the map."""

import json
import re
import shutil
from pathlib import Path

import pytest

from course_lib.cli.recipes import FEWEST_UPDATES, adapted, recipe
from course_lib.cli.tasks import own_task
from course_lib.models.registry import MODELS
from tests.unit.cli.conftest import run

TINY = ["--steps", "2", "--hidden", "8"]
LINES = [f"Le chat {n} dort.\tThe cat {n} sleeps." for n in range(40)]


@pytest.fixture(scope="module")
def own(tmp_path_factory) -> tuple[Path, Path]:
    """A file, written as Notepad does, and a run trained on it; neither is to be changed."""
    folder = tmp_path_factory.mktemp("own")
    file = folder / "pairs.tsv"
    file.write_text("\ufefffr\ten\r\n" + "\r\n".join(LINES) + "\r\n", encoding="utf-8")
    assert run("train", "bahdanau", "--data", file, "--run", folder / "run", *TINY) == 0
    return file, folder / "run"


def test_it_is_scored_on_the_part_that_was_held_out(own, capsys, tmp_path):
    scores = tmp_path / "scores.json"
    assert run("evaluate", own[1], "--json", scores) == 0
    assert "pairs.tsv test: BLEU" in capsys.readouterr().out
    found = json.loads(scores.read_text())
    assert 1 <= found["sentences"] < 10
    assert (found["data"], found["direction"]) == ("pairs.tsv", "fr-en")
    assert "case:mixed|eff:no|tok:13a" in found["signature"]
    assert run("evaluate", own[1], "--split", "all", "--json", scores) == 0
    assert json.loads(scores.read_text())["sentences"] == len(LINES)


def test_it_translates_and_draws(own, capsys, tmp_path):
    assert run("translate", own[1], "Le chat dort.", "\ufeffLe chat dort.") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second
    assert run("align", own[1], "Le chat dort.", "--figure", tmp_path / "map.svg") == 0
    assert (tmp_path / "map.svg").stat().st_size > 1000


def test_a_file_that_changed_is_noticed(own, complaint, capsys, tmp_path):
    folder = own[1]
    other = tmp_path / "other.tsv"
    other.write_text("\n".join(LINES[:30]))
    said = complaint("evaluate", folder, "--data", other)
    assert "other.tsv is not the file that this run was trained on" in said
    assert "--split all" in said
    assert run("evaluate", folder, "--data", other, "--split", "all") == 0
    assert "other.tsv all: BLEU" in capsys.readouterr().out
    resume = ["train", "--data", other, "--run", folder, "--resume"]
    assert "other.tsv is not the file that this run was trained on" in complaint(*resume)


def test_a_file_that_moved_is_asked_for(own, complaint, tmp_path):
    copy = Path(shutil.copytree(own[1], tmp_path / "run"))
    config = json.loads((copy / "config.json").read_text())
    config["data"]["file"] = str(tmp_path / "gone.tsv")
    (copy / "config.json").write_text(json.dumps(config))
    assert "No such file or directory: " in complaint("evaluate", copy)
    assert run("evaluate", copy, "--data", own[0]) == 0


def test_names_in_the_other_order_are_no_silent_turn(own, complaint, tmp_path):
    task = own_task(str(own[0]))
    assert (task.source, task.target) == ("fr", "en")
    for options in (["--source", "en", "--target", "fr"], ["--source", "EN"], ["--target", "fr"]):
        said = complaint("train", "cho", "--data", own[0], *options, "--run", tmp_path / "run")
        assert "has fr in its first column; exchange the columns" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a\tb\nonly one\n", "pairs.tsv, line 2: want two columns with a tab between them"),
        ("a\tb\n\tc\n", "pairs.tsv, line 2: want two columns"),
        (b"a\tb\nf\xfcr\tfor\n", "pairs.tsv, line 2: want UTF-8; got the byte 0xfc"),
        ("a\tb\nc\td\n", "want at least 3 different source sentences"),
    ],
)
def test_a_fault_in_the_file_is_one_line(content, said, complaint, tmp_path):
    file = tmp_path / "pairs.tsv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert said in complaint("train", "cho", "--data", file, "--run", tmp_path / "run", *TINY)
    assert not (tmp_path / "run").exists()


def test_a_script_without_spaces_works(tmp_path, capsys):
    file = tmp_path / "pairs.tsv"
    lines = [f"I have {n} cats.\t我有{n}只猫。" for n in range(9)]
    file.write_text("\n".join(lines), encoding="utf-8")
    assert run("train", "dot", "--data", file, "--run", tmp_path / "run", *TINY) == 0
    assert run("evaluate", tmp_path / "run") == 0
    assert "tok:zh" in capsys.readouterr().out


class Updates:
    """So many batches in every epoch."""

    def __init__(self, batches: int) -> None:
        self.batches = batches

    def len_epoch(self, n: int) -> int:
        return self.batches


def test_a_run_is_as_long_as_a_small_file_needs_unless_it_was_asked_for():
    for name in MODELS:
        fit = recipe("own", name).fit
        assert adapted(fit, {}, Updates(2), own=True).steps == FEWEST_UPDATES
        assert adapted(fit, {}, Updates(2), own=True).validate_every == 100
        assert adapted(fit, {}, Updates(1000), own=True).steps == 1000 * fit.epochs
        assert adapted(fit, {}, Updates(1000), own=True).validate_every == 1000
        assert adapted(fit, {"steps": 5}, Updates(2), own=True).steps == 5
        assert adapted(fit, {"steps": 5}, Updates(2), own=True).validate_every == 5


def test_pairs_are_counted_as_they_are_trained_on(tmp_path, capsys):
    file = tmp_path / "pairs.tsv"
    lines = [f"Satz {n}.\tSentence {n}." for n in range(60)]
    file.write_text("\n".join([*lines, "viel " * 300 + "\tmuch", *[lines[0]] * 40]))
    assert run("train", "cho", "--data", file, "--run", tmp_path / "run", *TINY) == 0
    said, warned = capsys.readouterr()
    total = int(re.search(r"left out 1 of (\d+) pairs", warned)[1])
    assert f"parameters, {total - 1} pairs" in said
