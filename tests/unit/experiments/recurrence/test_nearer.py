"""How often the nearer noun has the verb's number: sentences whose answer is known."""

import pytest

from course_lab.experiments.recurrence.nearer import nearer_noun

NEARER_IS_RIGHT = (
    "the dog that sees the cat sleeps .",
    "today the dogs that the boys have seen often wait .",
    "two boys who do not hear the cats have often read the letters .",
)
NEARER_IS_WRONG = (
    "the woman who has read the letters sleeps .",
    "the teachers that this man and Paul visit have not laughed .",
)
NO_NOUN_BETWEEN = (
    "the dog sees the cats that sleep .",
    "Anna has slept .",
    "today the dogs that have slept often wait .",
)


@pytest.mark.parametrize("line", NEARER_IS_RIGHT + NEARER_IS_WRONG)
def test_the_noun_before_the_main_verb_is_compared_with_it(line):
    assert nearer_noun([line.split()]) == (1.0, float(line in NEARER_IS_RIGHT))


def test_shares_are_of_all_sentences_and_of_those_with_a_noun_between():
    lines = [line.split() for line in NEARER_IS_RIGHT + NEARER_IS_WRONG + NO_NOUN_BETWEEN]
    assert nearer_noun(lines) == pytest.approx((5 / 8, 3 / 5))


def test_without_such_a_noun_there_is_nothing_to_count():
    with pytest.raises(ValueError, match="a noun in a relative clause"):
        nearer_noun([line.split() for line in NO_NOUN_BETWEEN])
