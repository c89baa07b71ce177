"""The chapter's ways to link words, by hand; and the stored figures against a new measurement."""

import pytest

from course_lab.experiments.alignment import links as alignment
from course_lab.experiments.alignment.counting import TIES
from course_lab.experiments.lab.stored import load_stored
from course_lib.data.corpora.download import at_hand
from course_lib.data.pairs import AlignedPair

PAIRS = [
    (("he", "laughs"), ("er", "lacht")),
    (("she", "laughs"), ("sie", "lacht")),
    (("he", "waits"), ("er", "wartet")),
    (("she", "waits", "now"), ("nun", "wartet", "sie")),
]


def test_both_directions_are_told_as_source_and_target():
    links = alignment.both_directions(PAIRS, PAIRS, iterations=20, null=False)
    right = {(0, 2), (1, 1), (2, 0)}
    assert links["source to target"][3] == links["target to source"][3] == right
    # Three sources for one target word: only the model that writes the source can link them all.
    long = [(("this", "old", "dog"), ("Hund",))]
    links = alignment.both_directions(long, long, null=False)
    assert len(links["source to target"][0]) == 1
    assert links["target to source"][0] == links["union"][0] == {(0, 0), (1, 0), (2, 0)}
    assert links["intersection"] == links["source to target"]


def test_pairs_without_marks_keep_the_links_of_their_words():
    pair = AlignedPair(
        ("yes", ",", "he", "waits", "."),
        ("ja", "er", ",", "wartet", "."),
        {(0, 0), (1, 2), (2, 1), (3, 3), (4, 4)},
        {(0, 0), (1, 2), (2, 1), (3, 3), (4, 4), (1, 3), (2, 4), (3, 1)},
    )
    (bare,) = alignment.without_marks([pair], {",", "."})
    assert (bare.source, bare.target) == (("yes", "he", "waits"), ("ja", "er", "wartet"))
    assert bare.sure == {(0, 0), (1, 1), (2, 2)}
    assert bare.possible == bare.sure | {(2, 1)}
    assert alignment.without_marks([pair], ()) == [pair]


def test_on_the_mini_world_models_beat_counts_and_agreement_is_precise():
    gold = alignment.mini_world("valid", 60, 1)
    train = alignment.words(alignment.mini_world("train", 300, 1))
    found = alignment.all_ways(train, alignment.words(gold), ["diagonal", "first"])
    scores = alignment.scores(found, gold)["diagonal"]
    assert list(scores) == list(load_stored(alignment.STORED)[0]["scores"])
    assert scores["Model 1"].error_rate < 0.2 < scores["count"].error_rate
    assert scores["diagonal"].error_rate > 0.2
    one, other = scores["Model 1"], scores["Model 1 turned"]
    assert scores["Model 1, intersection"].precision > max(one.precision, other.precision)
    assert scores["Model 1, union"].recall > max(one.recall, other.recall)
    dice, turned = scores["Dice"], scores["Dice turned"]
    assert scores["Dice, intersection"].precision > max(dice.precision, turned.precision)
    assert turned.error_rate > dice.error_rate + 0.05 > one.error_rate
    assert all(
        len(links) == len({j for j, _ in links}) == len({i for _, i in links})
        for links in found["diagonal"]["Dice, one to one"]
    )


def test_every_rule_for_ties_is_measured_on_the_same_pairs(monkeypatch):
    gold = alignment.mini_world("valid", 10, 1)
    monkeypatch.setattr(alignment.hansards, "load", lambda progress: gold)
    found = {record["ties"]: record for record in alignment.measure_hansards()}
    assert tuple(found) == TIES
    assert {record["pairs"] for record in found.values()} == {10}
    lower = alignment.words(gold, lower=True)
    expected = alignment.scores(alignment.all_ways(lower, lower), gold)
    for rule, record in found.items():
        for way, score in record["scores"].items():
            assert score == pytest.approx(expected[rule][way], abs=1e-4)


def test_without_the_files_the_stored_figures_stand_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    monkeypatch.setattr("course_lib.data.corpora.download.cache_folder", lambda: tmp_path / "cache")
    assert not at_hand("hansards")
    stored, now = alignment.hansards_scores()
    assert stored["pairs"] == 447
    assert now is None
