"""Padding is not there: whatever it holds, neither the loss nor a gradient moves."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.training.objective import summed_loss, token_loss

RUBBISH = st.sampled_from([0.0, 1e30, -1e30])


@st.composite
def padded_problems(draw):
    rows, columns, vocabulary = (draw(st.integers(1, n)) for n in (4, 6, 8))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    logits = torch.randn(rows, columns, vocabulary, generator=generator)
    target = torch.randint(vocabulary, (rows, columns), generator=generator)
    # Padding anywhere, whole rows of it included, not at the end alone.
    mask = torch.rand(rows, columns, generator=generator) < 0.6
    return logits, target, mask, draw(st.sampled_from([0.0, 0.1]))


def value_and_gradient(logits, target, mask, smoothing):
    logits = logits.clone().requires_grad_()
    value = summed_loss(logits, target, mask, smoothing)
    value.backward()
    return value.detach(), logits.grad


@given(padded_problems(), RUBBISH, st.integers(-(2**40), 2**40))
def test_padding_moves_nothing_and_gets_no_gradient(problem, logit, token):
    logits, target, mask, smoothing = problem
    value, gradient = value_and_gradient(logits, target, mask, smoothing)
    spoiled = logits.masked_fill(~mask[..., None], logit)
    other, other_gradient = value_and_gradient(
        spoiled, target.masked_fill(~mask, token), mask, smoothing
    )
    assert torch.equal(value, other)
    assert torch.equal(gradient, other_gradient)
    assert (other_gradient[~mask] == 0).all()


@given(padded_problems())
def test_sums_over_parts_add_up_to_the_sum_over_all(problem):
    logits, target, mask, smoothing = problem
    whole = token_loss(logits.double(), target, mask, smoothing)
    parts = [
        token_loss(logits[i : i + 1].double(), target[i : i + 1], mask[i : i + 1], smoothing)
        for i in range(len(logits))
    ]
    assert whole.count == int(mask.sum()) == sum(part.count for part in parts)
    torch.testing.assert_close(whole.total, sum(part.total for part in parts))
