"""Every schedule rises to one, never rises again, and is never zero within the run."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from course_lib.training.config import SCHEDULES, learning_rate_factor


@given(st.sampled_from(sorted(SCHEDULES)), st.integers(1, 40), st.integers(1, 60))
def test_up_to_one_then_never_up_again(name, warmup, rest):
    total = warmup + rest
    factor = learning_rate_factor(name, warmup, total)
    factors = [factor(step) for step in range(1, total + 1)]
    rise, fall = factors[:warmup], factors[warmup - 1 :]
    assert all(a < b for a, b in pairwise(rise))
    assert abs(factors[warmup - 1] - 1.0) < 1e-12
    assert all(a >= b for a, b in pairwise(fall))
    assert all(0.0 < f <= 1.0 for f in factors)
