"""Chapter 3: links from counts, from Dice's coefficient and from Model 1, by hand."""

import pytest

from course_lab.experiments.alignment import links as alignment
from course_lab.experiments.alignment.counting import (
    Counts,
    link_best,
    one_to_one,
)
from course_lab.experiments.lab.stored import load_stored

PAIRS = [
    (("he", "laughs"), ("er", "lacht")),
    (("she", "laughs"), ("sie", "lacht")),
    (("he", "waits"), ("er", "wartet")),
    (("she", "waits", "now"), ("nun", "wartet", "sie")),
]


def test_counts_are_of_pairs_not_of_tokens():
    counts = Counts.of([*PAIRS, (("he", "he"), ("er", "er"))])
    assert counts.together("he", "er") == 3
    assert counts.dice("he", "er") == 1
    assert counts.dice("laughs", "er") == pytest.approx(2 / (2 + 3))
    assert counts.dice("now", "er") == counts.dice("unseen", "unheard") == 0


def test_each_target_word_gets_the_best_source_word():
    counts = Counts.of(PAIRS)
    assert link_best(counts.dice, *PAIRS[3]) == {(0, 2), (1, 1), (2, 0)}
    assert link_best(lambda e, f: 0.0, *PAIRS[0]) == set()
    assert link_best(counts.dice, (), ("er",)) == set()


@pytest.mark.parametrize(
    ("ties", "links"),
    [("diagonal", {(0, 0), (2, 1)}), ("first", {(0, 0), (0, 1)}), ("last", {(3, 0), (3, 1)})],
)
def test_equal_scores_are_decided_by_the_rule(ties, links):
    assert link_best(lambda e, f: 1.0, ("a", "b", "c", "d"), ("x", "y"), ties) == links


def test_one_to_one_takes_the_best_and_strikes_both_out():
    score = {("a", "x"): 0.8, ("a", "y"): 0.9, ("b", "y"): 0.7, ("b", "x"): 0.2}

    def likes(e, f):
        return score.get((e, f), 0.0)

    # The best first word for x is a, which is gone by then; c and z have no partner.
    assert one_to_one(likes, ("a", "b", "c"), ("x", "y", "z")) == {(0, 1), (1, 0)}


def test_model_1_in_both_directions_as_source_and_target():
    links = alignment.both_directions(PAIRS, PAIRS, iterations=20, null=False)
    right = {(0, 2), (1, 1), (2, 0)}
    assert links["source to target"][3] == links["target to source"][3] == right
    # Three sources for one target word: only the model that writes the source can link them all.
    long = [(("this", "old", "dog"), ("Hund",))]
    links = alignment.both_directions(long, long, null=False)
    assert len(links["source to target"][0]) == 1
    assert links["target to source"][0] == links["union"][0] == {(0, 0), (1, 0), (2, 0)}
    assert links["intersection"] == links["source to target"]


def test_on_the_mini_world_models_beat_counts_and_agreement_is_precise():
    gold = alignment.mini_world("valid", 60, 1)
    train = alignment.words(alignment.mini_world("train", 300, 1))
    links = alignment.all_ways(train, alignment.words(gold), ["diagonal", "first"])
    scores = alignment.scores(links, gold)["diagonal"]
    assert list(scores) == list(load_stored(alignment.STORED)[0]["scores"])
    assert scores["Model 1"].error_rate < 0.2 < scores["count"].error_rate
    assert scores["diagonal"].error_rate > 0.2
    one, other = scores["Model 1"], scores["Model 1 turned"]
    assert scores["Model 1, intersection"].precision > max(one.precision, other.precision)
    assert scores["Model 1, union"].recall > max(one.recall, other.recall)
    assert all(
        len(pair) == len({j for j, _ in pair}) == len({i for _, i in pair})
        for pair in links["diagonal"]["Dice, one to one"]
    )
