"""The page Results says what its stored file says, and nothing else."""

import json

import pytest

from course_lab.experiments.real.rungs import RUNGS
from tools import results
from tools.project import ROOT

SPLITS = ("val", "test_2016_flickr", "test_2017_flickr")


def judged(bleu: float) -> dict:
    search = {
        "bleu": bleu - 1,
        "bleu_lowercase": bleu,
        "chrf": 60.0,
        "by_length": [
            {"from": 1, "sentences": 400, "bleu": bleu + 2},
            {"from": 8, "sentences": 600, "bleu": bleu - 2},
        ],
    }
    beam = {**search, "bleu_lowercase": bleu + 1}
    return {"perplexity": 5.0, "perplexity_per_word": 7.0, "greedy": search, "beam5": beam}


def record(rung: str, seed: int, bleu: float, ways: tuple[str, ...] = ("de-en",), **other) -> dict:
    about = {
        "rung": rung,
        "seed": seed,
        "model": rung.split("-")[0],
        "direction": ways[0] if len(ways) == 1 else "both",
        "parameters": 6_880_000,
        "vocabulary": 6000,
        "epochs": 15.0,
        "training_seconds": 100.0 + seed,
        "side_by_side": 1,
        "stopped": "finished",
        "device": "cpu",
        "torch": "2.13.0",
        "signatures": ["nrefs:1|case:lc"],
        "command": f"python -m course_lab.experiments.real.ladder --only rung={rung} seed={seed}",
        "scores": {way: {split: judged(bleu) for split in SPLITS} for way in ways},
    }
    return about | other


@pytest.fixture
def written(tmp_path):
    """The page of some records, as rows of cells."""

    def write(*records: dict) -> tuple[str, dict[str, list[list[str]]]]:
        file = tmp_path / results.STORED
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(records), encoding="utf-8")
        assert results.write(tmp_path)
        assert not results.write(tmp_path)
        text = (tmp_path / results.PAGE).read_text(encoding="utf-8")
        tables: dict[str, list[list[str]]] = {}
        for line in text.splitlines():
            if line.startswith("## "):
                tables[line[3:]] = []
            elif line.startswith("| "):
                tables[next(reversed(tables))].append(line.strip("| ").split(" | "))
        return text, tables

    return write


def test_a_row_is_the_mean_over_seeds_with_the_lowest_and_the_highest(written):
    _, tables = written(record("bahdanau", 0, 39.0), record("bahdanau", 1, 40.0))
    rows = tables["German to English"]
    name = "Bahdanau et al. 2015"
    assert rows[2] == [name, "6.9 M", *["39.5 (39.0–40.0)", "40.5 (40.0–41.0)"] * 2]
    others = ["60.0 (60.0–60.0)", "5.0 (5.0–5.0)", "7.0 (7.0–7.0)"]
    assert [name, "38.5 (38.0–39.0)", *others] in rows
    assert ["words of the source", "1–7", "8 or more"] in rows
    assert rows[-1] == [name, "41.5 (41.0–42.0)", "37.5 (37.0–38.0)"]


def test_papers_stand_in_their_order_and_a_network_for_both_under_both(written):
    _, tables = written(
        record("transformer", 0, 42.0),
        record("transformer-both", 0, 41.0, ("de-en", "en-de")),
        record("cho", 0, 28.0),
    )
    names = [row[0] for row in tables["German to English"][2:5]]
    assert names[0].startswith("Cho")
    assert names[1].startswith("Transformer")
    assert names[2].endswith("both directions in one network")
    assert tables["English to German"][2][2] == "41.0"


def test_each_row_has_its_command_and_what_cut_it_short(written):
    text, tables = written(
        record("cho", 0, 28.0),
        record("cho", 1, 28.5, side_by_side=16, device="A card", stopped="time"),
    )
    row = tables["How each row was made"][2]
    command = "python -m course_lab.experiments.real.ladder --only rung=cho"
    assert row[0] == f"Cho et al. 2014<br>`{command}`"
    assert row[1] == "0, 1"
    stopped = "seed 1 stopped early by the clock"
    assert row[4] == f"100 on a CPU; 101 on A card, 16 runs at a time; {stopped}"
    assert "`nrefs:1|case:lc`" in text


def test_the_page_in_the_book_is_what_its_file_says():
    records = json.loads((ROOT / results.STORED).read_text(encoding="utf-8"))
    assert (ROOT / results.PAGE).read_text(encoding="utf-8") == results.page(ROOT)
    assert {record["rung"] for record in records} == set(RUNGS)
