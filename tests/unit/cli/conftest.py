"""Tiny trained runs, and what is asked of every mistake."""

import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from course_lib.cli.main import main
from course_lib.data.corpora import download
from course_lib.data.corpora.registry import DATASETS

SICK = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
TINY = ["--pairs", "60", "--held-out", "20", "--steps", "4", "--hidden", "8"]


def run(*arguments: object) -> int:
    """The exit code; argparse leaves by itself."""
    try:
        return main([str(argument) for argument in arguments])
    except SystemExit as left:
        return left.code


@pytest.fixture(scope="session")
def tiny() -> list[str]:
    """Options of a training that takes a moment."""
    return TINY


@pytest.fixture(scope="session")
def trained(tmp_path_factory) -> dict[str, Path]:
    """One tiny run with attention and one without, on the mini-world; not to be written to."""
    folder = tmp_path_factory.mktemp("runs")
    for model in ("bahdanau", "cho"):
        assert run("train", model, *TINY, "--run", folder / model) == 0
    return {model: folder / model for model in ("bahdanau", "cho")}


@pytest.fixture
def complaint(capsys):
    """Runs a command that must fail: exit code 2 and one line, which is returned."""

    def check(*arguments: object) -> str:
        capsys.readouterr()
        assert run(*arguments) == 2
        text = capsys.readouterr().err
        lines = text.splitlines()
        assert sum("error: " in line for line in lines) == 1
        assert "error: " in lines[-1]
        assert "Traceback" not in text
        return lines[-1]

    return check


@pytest.fixture
def small_corpora(tmp_path, monkeypatch):
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
