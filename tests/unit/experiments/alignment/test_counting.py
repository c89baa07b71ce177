"""Links from counts and from Dice's coefficient, by hand, and the three rules for ties."""

import pytest

from course_lab.experiments.alignment.counting import Counts, both_ways, link_best, one_to_one

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
    assert counts.dice("now", "er") == 0
    assert counts.dice("unseen", "unheard") == 0


def test_each_target_word_gets_the_best_source_word():
    counts = Counts.of(PAIRS)
    assert link_best(counts.dice, *PAIRS[3]) == {(0, 2), (1, 1), (2, 0)}
    assert link_best(lambda e, f: 0.0, *PAIRS[0]) == set()
    assert link_best(counts.dice, (), ("er",)) == set()


@pytest.mark.parametrize(
    ("ties", "links"),
    [("diagonal", {(0, 0), (2, 1)}), ("first", {(0, 0), (0, 1)}), ("last", {(3, 0), (3, 1)})],
)
def test_of_equal_ones_the_rule_chooses(ties, links):
    assert link_best(lambda e, f: 1.0, ("a", "b", "c", "d"), ("x", "y"), ties) == links


def test_turned_each_source_word_chooses_and_links_are_still_told_source_first():
    def likes(e, f):
        return {("a", "x"): 1.0, ("b", "x"): 2.0, ("b", "y"): 1.0}.get((e, f), 0.0)

    there, back = both_ways(likes, [(("a", "b"), ("x", "y"))])
    assert there == [{(1, 0), (1, 1)}]
    assert back == [{(0, 0), (1, 0)}]


def test_one_to_one_takes_the_best_strikes_both_out_and_goes_on():
    def likes(e, f):
        return {("a", "x"): 0.8, ("a", "y"): 0.9, ("b", "y"): 0.7, ("b", "x"): 0.2}.get((e, f), 0.0)

    # The best first word for x is a, who is gone by then; c and z have nobody.
    assert one_to_one(likes, ("a", "b", "c"), ("x", "y", "z")) == {(0, 1), (1, 0)}
    assert one_to_one(likes, ("c",), ("z",)) == set()
