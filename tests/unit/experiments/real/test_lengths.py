"""Captions that are joined, the ladder's record by length, and what is stored."""

from course_lab.experiments.real import lengths
from tests.unit.experiments.real.conftest import ENGLISH, GERMAN


def test_neighbours_are_joined_and_what_is_left_over_is_dropped():
    lines = ["A dog runs.", "Two men sleep .", "No stop", "A cat."]
    assert lengths.join(lines, 2, ".") == ["A dog runs. Two men sleep .", "No stop. A cat."]
    assert lengths.join(lines, 3, ",") == ["A dog runs, Two men sleep, No stop"]
    assert lengths.join(lines, 5, ".") == []


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
