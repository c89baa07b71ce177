"""Exact match by length: each sentence in one bin."""

import math

import pytest

from course_lab.experiments.lab.length import exact_match_by_length


def test_bins_hold_their_lower_edge_and_not_their_upper_one() -> None:
    bins = exact_match_by_length([3, 9, 10, 19], ["a"] * 4, ["a"] * 4, edges=(3, 10, 20))
    assert [(b.low, b.high, b.count) for b in bins] == [(3, 9, 2), (10, 19, 2)]


@pytest.mark.parametrize("length", [2, 20, 0])
def test_a_sentence_outside_every_bin_is_not_dropped_in_silence(length: int) -> None:
    with pytest.raises(ValueError, match="got 1 that fit no bin"):
        exact_match_by_length([5, length], ["a"] * 2, ["a"] * 2, edges=(3, 10, 20))


def test_exact_match_by_hand() -> None:
    bins = exact_match_by_length(
        [3, 4, 5, 12],
        ["der Hund schläft", "die Frau sieht ihn", "ein", "das Kind"],
        ["der Hund schläft", "die Frau sieht sie", "ein alter Mann", "das Kind"],
        edges=(3, 10, 20),
    )
    assert bins[0].exact == pytest.approx(1 / 3)
    assert bins[1].exact == 1.0


def test_an_empty_bin_says_that_nothing_is_known() -> None:
    first, second = exact_match_by_length([12], ["a"], ["a"], edges=(3, 10, 20))
    assert first.count == 0
    assert math.isnan(first.exact)
    assert second.count == 1
