"""The page Results gives what its stored files hold."""

import json
from pathlib import Path

import pytest
from course_book import charts

from course_lab.experiments.real.rungs import RUNGS
from tools import results

ROOT = Path(__file__).parents[2]


def test_the_page_in_the_book_is_what_its_files_give():
    records = json.loads(results.STORED.read_text(encoding="utf-8"))
    text = results.PAGE.read_text(encoding="utf-8")
    assert text == results.page(text)
    assert {record["rung"] for record in records} == set(RUNGS)


def test_a_row_of_the_ladder_is_the_mean_over_seeds_with_the_lowest_and_the_highest():
    records = json.loads(results.STORED.read_text(encoding="utf-8"))
    runs = [record for record in records if record["rung"] == "bahdanau"]
    test = "test_2016_flickr"
    bleu = [run["scores"]["de-en"][test]["greedy"]["bleu_lowercase"] for run in runs]
    mean = sum(bleu) / len(bleu)
    row = next(
        line
        for line in results.PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| Bahdanau et al. 2015")
    )
    assert row.split(" | ")[2] == f"{mean:.1f} ({min(bleu):.1f}–{max(bleu):.1f})"


def test_rows_of_other_corpora_are_means_and_the_worst_comes_first():
    records = [
        {"variant": "bag", "seed": 0, "parameters": 1200, "accuracy": 0.8},
        {"variant": "bag", "seed": 1, "parameters": 1200, "accuracy": 0.7},
        {"variant": "floor", "seed": 0, "parameters": 0, "accuracy": 0.5},
    ]
    _, _, *rows = results.corpus(records, "variant", "accuracy", "accuracy, %").splitlines()
    assert rows == ["| floor |  | 50.0 |", "| bag | 1,200 | 75.0 (70.0–80.0) |"]


@pytest.mark.parametrize("way", ["de-en", "en-de"])
def test_figures_draw_the_mean_of_the_stored_seeds(way):
    runs = charts.runs(ROOT, way)
    name, records = next(iter(runs.items()))
    bins = [r["scores"][way]["test_2016_flickr"]["greedy"]["by_length"] for r in records]
    first = {
        "curves": [record["curve"][0][3] for record in records],
        "lengths": [one[0]["bleu"] for one in bins],
    }
    for kind, values in first.items():
        (axes,) = charts.CHARTS[kind](ROOT, way).axes
        lines = {line.get_label(): line.get_ydata() for line in axes.get_lines()}
        assert list(lines) == list(runs)
        assert lines[name][0] == pytest.approx(sum(values) / len(values))
