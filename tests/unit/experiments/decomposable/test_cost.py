"""The formula of the cost is what PyTorch counts."""

import pytest

from course_lab.experiments.decomposable.cost import by_part, counted, even


@pytest.mark.parametrize(("length", "hidden"), [(3, 8), (50, 8), (20, 32)])
def test_the_formula_is_what_is_counted(length, hidden):
    once = 3 * hidden**2 + 3 * hidden  # H and the verdict, once a pair of sentences
    assert counted(length, hidden) == sum(by_part(length, hidden).values()) + once


def test_pairs_of_words_cost_as_much_as_words_at_the_even_length():
    parts = by_part(int(even(16)), 16)
    assert parts["scores"] + parts["averages"] == parts["project and F"] + parts["compare (G)"]
