"""`train --run R --resume`: the folder decides everything, whenever the run was killed."""

import json
import re
import shutil
from dataclasses import replace

import pytest

from course_lib.cli import recipes
from course_lib.models.registry import CLASSIFIERS
from course_lib.training import fit as training
from course_lib.training.checkpoint import read_tensors
from tests.unit.cli.conftest import run

MINI = ["--pairs", "40", "--held-out", "8"]
SMALL = ["--steps", "4", "--hidden", "8", "--seed", "3"]
TRANSLATORS = sorted({model for _, model in recipes.RECIPES} - CLASSIFIERS.keys())
# Every model once; the two kinds of data in turn.
COMBINATIONS = [
    *[(name, ("mini", "own")[number % 2]) for number, name in enumerate(TRANSLATORS)],
    *[(name, "sick") for name in sorted(CLASSIFIERS)],
]


class Killed(BaseException):
    """In place of SIGKILL, which tests/unit/training/test_resume.py sends."""


@pytest.fixture(autouse=True)
def often_saved(monkeypatch):
    """Every run is saved at its second step, or earlier, and at its last one."""
    changed = {
        key: replace(old, fit=replace(old.fit, checkpoint_every=2))
        for key, old in recipes.RECIPES.items()
    }
    monkeypatch.setattr(recipes, "RECIPES", changed)


@pytest.fixture
def killed_at(monkeypatch):
    """Runs a command that is killed before it writes its nth checkpoint."""
    save = training.checkpoint.save_checkpoint

    def kill(number: int, *arguments: object) -> None:
        calls = []

        def save_or_die(*given, **named):
            calls.append(1)
            if len(calls) == number:
                raise Killed
            save(*given, **named)

        with monkeypatch.context() as patch:
            patch.setattr(training.checkpoint, "save_checkpoint", save_or_die)
            with pytest.raises(Killed):
                run(*arguments)

    return kill


@pytest.fixture(scope="module")
def pairs(tmp_path_factory):
    file = tmp_path_factory.mktemp("own") / "pairs.tsv"
    file.write_text("\n".join(f"Le chat {n} dort.\tThe cat {n} sleeps." for n in range(40)))
    return file


def content(folder) -> tuple:
    """All that a run leaves behind, apart from the time it took."""
    tensors, record = read_tensors(folder / "last.safetensors")
    progress = record["progress"]
    for line in (progress, *progress["records"]):
        line["seconds"] = None
    texts = [path.read_bytes() for path in sorted(folder.glob("*er.json"))]
    arrays = {name: tensor.numpy().tobytes() for name, tensor in tensors.items()}
    return (folder / "config.json").read_bytes(), texts, arrays, record


@pytest.mark.parametrize(("model", "data"), COMBINATIONS)
def test_a_run_that_is_killed_again_and_again_ends_as_the_unbroken_one(
    model, data, pairs, small_corpora, killed_at, tmp_path
):
    options = [*SMALL, *(["--data", pairs] if data == "own" else MINI)]
    if data == "own":
        options += ["--source", "fr", "--target", "en"]
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert run("train", model, *options, "--run", whole) == 0
    resume = ("train", "--run", broken, "--resume")
    killed_at(1, "train", model, *options, "--run", broken)
    assert not (broken / "last.safetensors").exists()
    killed_at(2, *resume)
    assert read_tensors(broken / "last.safetensors")[1]["progress"]["step"] < 4
    assert run(*resume) == 0
    assert content(broken) == content(whole)
    assert (broken / "best.safetensors").read_bytes() == (whole / "best.safetensors").read_bytes()


@pytest.fixture(scope="module")
def begun(tmp_path_factory, pairs):
    """A finished run on own pairs; not to be written to."""
    folder = tmp_path_factory.mktemp("begun") / "run"
    options = ["--data", pairs, "--source", "fr", "--target", "en", "--run", folder]
    assert run("train", "bahdanau", *options, *SMALL) == 0
    return folder


def files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_after_the_end_there_is_nothing_to_do(begun, tmp_path):
    folder = shutil.copytree(begun, tmp_path / "run")
    assert run("train", "--run", folder, "--resume") == 0
    assert content(folder) == content(begun)


@pytest.mark.parametrize(
    "options",
    [["transformer"], ["--source", "fr"], ["--steps", "4"], ["--seed", "0"], ["--no-premise"]],
    ids=" ".join,
)
def test_an_option_beside_the_folder_is_refused(options, begun, complaint):
    before = files(begun)
    message = complaint("train", *options, "--run", begun, "--resume")
    assert re.search(r"leave out \w+, or choose another folder", message), message
    assert files(begun) == before


def test_the_time_and_the_path_of_own_pairs_may_be_given(begun, pairs, tmp_path):
    folder, moved = shutil.copytree(begun, tmp_path / "run"), tmp_path / "moved.tsv"
    shutil.copy(pairs, moved)
    options = ["--run", folder, "--resume", "--minutes", "5"]
    assert run("train", *options, "--data", moved) == 0


def test_without_resume_nothing_is_overwritten(begun, complaint, tmp_path):
    only_config = tmp_path / "run"
    shutil.copytree(begun, only_config)
    for path in only_config.glob("*.safetensors"):
        path.unlink()
    (only_config / "history.json").unlink()
    for folder in (begun, only_config):
        before = files(folder)
        said = complaint("train", "cho", *MINI, *SMALL, "--run", folder)
        assert "already holds a run; go on by --resume" in said
        assert files(folder) == before


def test_what_cannot_be_resumed_is_one_line(begun, complaint, tmp_path):
    assert "--resume needs --run" in complaint("train", "cho", "--resume")
    assert "want a model out of" in complaint("train", "--run", tmp_path / "no", "--resume")
    folder = shutil.copytree(begun, tmp_path / "run")
    config = json.loads((folder / "config.json").read_text())
    del config["training"]["tokens_per_batch"]
    (folder / "config.json").write_text(json.dumps(config))
    said = complaint("train", "--run", folder, "--resume")
    assert "was begun from Python; go on with it there" in said


def test_resume_begins_a_run_where_there_is_none(tmp_path):
    assert run("train", "cho", *MINI, *SMALL, "--run", tmp_path / "run", "--resume") == 0
