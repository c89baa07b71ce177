"""Exact match by length: each sentence in one bin, each bin with an honest interval."""

import math

import pytest

from course_lib.evaluation.length import exact_match_by_length, wilson_interval


def test_bins_hold_their_lower_edge_and_not_their_upper_one() -> None:
    bins = exact_match_by_length([3, 9, 10, 19], ["a"] * 4, ["a"] * 4, edges=(3, 10, 20))
    assert [(b.low, b.high, b.count) for b in bins] == [(3, 9, 2), (10, 19, 2)]
    assert [b.label for b in bins] == ["3–9", "10–19"]


@pytest.mark.parametrize("length", [2, 20, 0])
def test_a_sentence_outside_every_bin_is_not_dropped_in_silence(length: int) -> None:
    with pytest.raises(ValueError, match="got 1 that fit no bin"):
        exact_match_by_length([5, length], ["a"] * 2, ["a"] * 2, edges=(3, 10, 20))


def test_exact_match_and_token_accuracy_by_hand() -> None:
    bins = exact_match_by_length(
        [3, 4, 5, 12],
        ["der Hund schläft", "die Frau sieht ihn", "ein", "das Kind"],
        ["der Hund schläft", "die Frau sieht sie", "ein alter Mann", "das Kind"],
        edges=(3, 10, 20),
    )
    # Positions: 3 of 3, 3 of 4, and 1 of 3, for the two missing words count as wrong.
    assert bins[0].exact == pytest.approx(1 / 3)
    assert bins[0].token_accuracy == pytest.approx(7 / 10)
    assert bins[1].exact == bins[1].token_accuracy == 1.0


def test_words_too_many_count_as_much_as_words_too_few() -> None:
    def accuracy(hypothesis: str, reference: str) -> float:
        return exact_match_by_length([3], [hypothesis], [reference], edges=(3, 4))[0].token_accuracy

    assert accuracy("a b c d", "a b") == accuracy("a b", "a b c d") == 0.5


def test_an_empty_bin_says_that_nothing_is_known() -> None:
    first, second = exact_match_by_length([12], ["a"], ["a"], edges=(3, 10, 20))
    assert first.count == 0
    assert math.isnan(first.exact)
    assert math.isnan(first.token_accuracy)
    assert first.interval == (0.0, 1.0)
    assert second.count == 1


def test_wilson_by_hand() -> None:
    # 8 of 10 with z = 2: centre (0.8 + 0.2) / 1.4, half width 2 sqrt(0.016 + 0.01) / 1.4.
    low, high = wilson_interval(8, 10, z=2.0)
    half = 2 * math.sqrt(0.8 * 0.2 / 10 + (2 / 20) ** 2) / 1.4
    assert (low, high) == pytest.approx((1 / 1.4 - half, 1 / 1.4 + half))
    # The 95 % interval of 10 of 10 is the textbook's (0.722, 1).
    assert wilson_interval(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
