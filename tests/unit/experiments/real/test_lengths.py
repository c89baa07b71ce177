"""Captions that are joined, the ladder's record by length, and what is stored."""

import json

import pytest

from course_lab.experiments.real import lengths, networks
from tests.unit.experiments.real.conftest import ENGLISH, GERMAN

READS = (
    "course_lab/experiments/real/lengths.json",
    "course_lab/experiments/real/networks",
    "book/results",
)


def test_neighbours_are_joined_and_what_is_left_over_is_dropped():
    lines = ["A dog runs.", "Two men sleep .", "No stop", "A cat."]
    assert lengths.join(lines, 2, ".") == ["A dog runs. Two men sleep .", "No stop. A cat."]
    assert lengths.join(lines, 3, ",") == ["A dog runs, Two men sleep, No stop"]
    assert lengths.join(lines, 5, ".") == []


def test_the_ladders_rungs_are_those_of_its_record():
    with open("book/results/ladder.json", encoding="utf-8") as file:
        rows = lengths.ladder_by_length(json.load(file))
    stored = lengths.load()
    assert rows == stored["ladder"]
    assert [row["rung"] for row in rows] == [rung for rung in lengths.RUNGS for _ in range(5)]
    assert all(sum(r["sentences"] for r in rows[i : i + 5]) == 1000 for i in range(0, 25, 5))
    assert min(len(row["bleu"]) for row in rows) >= 2


def test_each_network_is_measured_on_every_kind_of_joined_captions():
    records = lengths.load()["networks"]
    kinds = [(1, ""), *((n, stop) for n in lengths.JOINED for stop in lengths.STOPS)]
    made = [(r["network"], r["captions"], r["stop"]) for r in records]
    assert made == [(name, *kind) for name in networks.NAMES for kind in kinds]
    for record in records:
        assert record["sentences"] == 1000 // record["captions"]
        about = networks.load(record["network"]).about
        if record["captions"] == 1:
            assert record["whole"]["bleu"] == pytest.approx(about["packed"]["de-en"], abs=0.01)


def test_captions_translated_apart_are_joined_for_the_same_references(few, monkeypatch):
    monkeypatch.setattr(lengths, "_ENOUGH", 2)
    right = dict(zip(GERMAN, ENGLISH, strict=True))
    monkeypatch.setattr(
        lengths,
        "translations",
        lambda model, pairs, *rest: [right.get(source, "A dog.") for source, _ in pairs],
    )
    single, *joined = lengths.measure("bahdanau")
    assert (single["sentences"], single["whole"]) == (9, {"bleu": 100.0, "length_ratio": 1.0})
    assert [record["sentences"] for record in joined] == [4, 4, 3, 3]
    for record in joined:
        assert record["apart"]["bleu"] == 100
        assert record["whole"]["bleu"] < 20
        assert record["whole"]["length_ratio"] < 0.5
        assert [(found["from"], found["apart"]["bleu"]) for found in record["by_length"]] == [
            (1, 100)
        ]


def test_joined_captions_are_much_worse_than_the_same_captions_apart():
    for record in lengths.load()["networks"]:
        if record["captions"] > 1:
            assert record["whole"]["bleu"] < record["apart"]["bleu"] - 5


def test_it_is_the_joining_that_hurts_and_not_the_length():
    """Two captions that are no longer than one of training are spoiled as much as longer ones."""
    for record in lengths.load()["networks"]:
        if record["captions"] == 2:
            kept = [
                found["whole"]["bleu"] / found["apart"]["bleu"] for found in record["by_length"]
            ]
            assert record["by_length"][0]["from"] == 1
            assert max(kept) < 0.85
            assert kept[0] < max(kept[1:])
