"""The few numbers that a chapter draws are those of the ladder's record."""

import json
from statistics import mean

from course_lab.experiments.real import scores
from course_lab.experiments.real.rungs import RUNGS

READS = ("course_lab/experiments/real/scores.json", "book/results")


def record(rung, *ways, greedy=20.0):
    split = {"greedy": {"bleu_lowercase": greedy}, "beam5": {"bleu_lowercase": greedy + 1}}
    judged = {way: {"test_2016_flickr": split} for way in ways}
    return {"rung": rung, "parameters": 5, "scores": judged}


def test_seeds_share_a_row_and_directions_do_not():
    rows = scores.rows([record("a", "de-en", "en-de"), record("a", "de-en", greedy=22.0)])
    assert rows == [
        {
            "rung": "a",
            "direction": "de-en",
            "parameters": 5,
            "greedy": [20.0, 22.0],
            "beam5": [21.0, 23.0],
        },
        {"rung": "a", "direction": "en-de", "parameters": 5, "greedy": [20.0], "beam5": [21.0]},
    ]


def test_what_is_stored_is_what_the_ladder_says():
    with open("book/results/ladder.json", encoding="utf-8") as file:
        assert scores.load() == scores.rows(json.load(file))
    assert {row["rung"] for row in scores.load()} == set(RUNGS)


def test_attention_is_worth_ten_points_by_either_search():
    """Chapter 13 says so, and that five beams change no place in the order."""
    judged = {row["rung"]: row for row in scores.load()}
    for search in ("greedy", "beam5"):
        order = [
            mean(judged[rung][search])
            for rung in ("sutskever", "cho", "lstmn", "luong", "bahdanau", "transformer")
        ]
        assert order == sorted(order)
        assert order[4] > order[1] + 10
