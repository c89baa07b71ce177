"""Precision, recall and error rate against sums done by hand (Och & Ney 2000)."""

import pytest

from course_lib.alignment.error_rate import LinkMetrics, alignment_error_rate, link_metrics

SURE = [{(0, 0), (1, 2)}, {(0, 0)}]
POSSIBLE = [{(0, 0), (1, 2), (1, 1)}, {(0, 0), (1, 0)}]


def test_the_sums_done_by_hand():
    # |A| = 5, |A and S| = 2, |A and P| = 4, |S| = 3.
    predicted = [{(0, 0), (1, 1), (2, 2)}, {(0, 0), (1, 0)}]
    metrics = link_metrics(predicted, SURE, POSSIBLE)
    assert metrics == LinkMetrics(
        pytest.approx(4 / 5), pytest.approx(2 / 3), pytest.approx(1 - 6 / 8)
    )
    assert alignment_error_rate(predicted, SURE, POSSIBLE) == metrics.error_rate


def test_all_sure_links_are_perfect_with_any_possible_ones():
    assert link_metrics(SURE, SURE, POSSIBLE) == (1.0, 1.0, 0.0)
    assert link_metrics(POSSIBLE, SURE, POSSIBLE) == (1.0, 1.0, 0.0)


def test_the_corpus_is_summed_not_averaged():
    # One sentence of 1 link, right; one of 9, wrong: a mean of sentences would say 0.5.
    nine = {(i, i) for i in range(9)}
    wrong = {(i, i + 10) for i in range(9)}
    gold = [{(0, 0)}, nine]
    assert alignment_error_rate([{(0, 0)}, wrong], gold, gold) == pytest.approx(0.9)


def test_without_sure_links_only_precision_counts():
    metrics = link_metrics([{(0, 0), (3, 3)}], [set()], [{(0, 0)}])
    assert metrics == (0.5, 0.0, 0.5)


def test_what_cannot_be_judged_is_refused():
    with pytest.raises(ValueError, match="longer"):
        link_metrics([set()], SURE, POSSIBLE)
    with pytest.raises(ValueError, match=r"sentence 0: want sure links .* got \[\(1, 1\)\]"):
        link_metrics([set()], [{(1, 1)}], [{(0, 0)}])
    with pytest.raises(ZeroDivisionError):
        link_metrics([set()], [set()], [{(0, 0)}])
