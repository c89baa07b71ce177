"""What must hold of the length bins and of Wilson's interval, whatever the numbers."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.evaluation.length import exact_match_by_length, wilson_interval

shares = st.integers(1, 5000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@given(shares)
def test_the_interval_lies_in_0_to_1_and_holds_the_share(share: tuple[int, int]) -> None:
    successes, count = share
    low, high = wilson_interval(successes, count)
    assert 0 <= low <= successes / count <= high <= 1
    assert low < high


@given(shares)
def test_failures_mirror_successes(share: tuple[int, int]) -> None:
    successes, count = share
    low, high = wilson_interval(successes, count)
    other = wilson_interval(count - successes, count)
    assert (1 - high, 1 - low) == pytest.approx(tuple(other), abs=1e-12)


@given(shares)
def test_more_sentences_say_more(share: tuple[int, int]) -> None:
    successes, count = share
    low, high = wilson_interval(successes, count)
    more = wilson_interval(4 * successes, 4 * count)
    assert more.high - more.low < high - low


@given(shares)
def test_the_ends_solve_the_equation_that_defines_them(share: tuple[int, int]) -> None:
    # Wilson's interval is all p with |share - p| <= z sqrt(p (1 - p) / n).
    successes, count = share
    z = 1.959963984540054
    for end in wilson_interval(successes, count):
        if 0 < end < 1:
            spread = z * math.sqrt(end * (1 - end) / count)
            assert abs(successes / count - end) == pytest.approx(spread, rel=1e-6, abs=1e-12)


sentences = st.lists(
    st.tuples(
        st.integers(3, 59),
        st.lists(st.integers(0, 2), max_size=4),
        st.lists(st.integers(0, 2), max_size=4),
    ),
    max_size=30,
)


@given(sentences, st.permutations(range(30)))
def test_every_sentence_is_in_exactly_one_bin_in_any_order(rows, order) -> None:
    shuffled = [rows[i] for i in order if i < len(rows)]
    results = []
    for version in (rows, shuffled):
        lengths, hypotheses, references = zip(*version, strict=True) if version else ((), (), ())
        bins = exact_match_by_length(lengths, hypotheses, references, edges=(3, 10, 20, 60))
        assert sum(b.count for b in bins) == len(rows)
        exact = sum(round(b.exact * b.count) for b in bins if b.count)
        assert exact == sum(h == r for _, h, r in rows)
        results.append(bins)
    # NaN is not equal to itself, so the text is compared.
    assert str(results[0]) == str(results[1])
