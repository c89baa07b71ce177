"""The page Results beside the ladder: other corpora, published numbers, figures, what resumes."""

import json

import pytest
from course_book import results_figures

from tools import other_results, results
from tools.project import ROOT


@pytest.fixture
def stored(tmp_path):
    """Writes the records of a corpus where they belong in a small project."""

    def write(experiment: str, records: list[dict]) -> str:
        path = tmp_path / other_results.ROOM / f"{experiment}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(records), encoding="utf-8")
        return other_results.section(tmp_path)

    return write


def test_a_row_is_the_mean_of_its_runs_and_the_worst_comes_first(stored):
    text = stored(
        "decomposable/sick",
        [
            {"variant": "bag", "seed": 0, "parameters": 1200, "accuracy": 0.8},
            {"variant": "bag", "seed": 1, "parameters": 1200, "accuracy": 0.7},
            {"variant": "floor", "seed": 0, "parameters": 0, "accuracy": 0.5},
        ],
    )
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    assert rows[2:4] == ["| floor |  | 50.0 |", "| bag | 1,200 | 75.0 (70.0–80.0) |"]


def test_what_is_not_stored_is_not_measured_yet(tmp_path):
    text = other_results.section(tmp_path)
    assert text.count("Not measured yet.") == len(other_results.CORPORA) + 1
    for corpus in other_results.CORPORA:
        assert f"`python -m course_lab.experiments {corpus.experiment}`" in text


def test_make_results_goes_over_the_ladder_and_then_what_other_files_lack():
    ladder, *others = results.commands([])
    assert ladder == [results.LADDER]
    assert {command[1] for command in others} == {c.experiment for c in other_results.CORPORA}
    assert all(command[-1] == "--resume" for command in others)
    assert results.commands(["--only", "rung=cho"]) == [[results.LADDER, "--only", "rung=cho"]]


@pytest.mark.parametrize("way", ["de-en", "en-de"])
def test_figures_draw_the_mean_of_the_stored_seeds(way):
    runs = results_figures.runs(ROOT, way)
    assert all(record["direction"] == way for records in runs.values() for record in records)
    for kind, draw in results_figures.KINDS.items():
        (axes,) = draw(ROOT, way).axes
        lines = {line.get_label(): line for line in axes.get_lines()}
        assert list(lines) == list(runs)
        name, records = next(iter(runs.items()))
        if kind == "curves":
            wanted = sum(record["curve"][0][3] for record in records) / len(records)
        else:
            bins = [r["scores"][way]["test_2016_flickr"]["greedy"]["by_length"] for r in records]
            wanted = sum(one[0]["bleu"] for one in bins) / len(bins)
        assert lines[name].get_ydata()[0] == pytest.approx(wanted)
