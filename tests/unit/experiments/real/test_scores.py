"""The few numbers that a chapter draws are those of the ladder's record."""

import json
from statistics import mean

from course_lab.experiments.real import scores
from course_lab.experiments.real.rungs import RUNGS


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
