"""A glance is at one place, drawn as often as the weights say, and its log-probability learns."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.attention.hard import hard_attention
from course_lib.attention.softmax import masked_softmax

SHARE = torch.tensor([[0.5, 0.25, 0.25, 0.0], [0.0, 0.0, 1.0, 0.0]])


def drawing(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def test_without_a_generator_it_is_the_most_probable_place():
    found = hard_attention(SHARE)
    assert found.weights.tolist() == [[1, 0, 0, 0], [0, 0, 1, 0]]
    assert found.log_probability is None


def test_each_place_comes_as_often_as_its_weight_says():
    found = hard_attention(SHARE[:1].expand(20_000, -1), drawing())
    assert (found.weights.sum(-1) == 1).all()
    torch.testing.assert_close(found.weights.mean(0), SHARE[0], atol=0.015, rtol=0)
    assert (found.weights[:, 3] == 0).all()


def test_the_log_probability_is_of_the_place_drawn_with_its_gradient():
    scores = torch.tensor([[0.3, -1.0, 2.0]], dtype=torch.float64, requires_grad=True)
    found = hard_attention(scores.softmax(-1), drawing(3))
    (gradient,) = torch.autograd.grad(found.log_probability.sum(), scores)
    torch.testing.assert_close(gradient, found.weights - scores.detach().softmax(-1))
    assert not found.weights.requires_grad
    wanted = (found.weights * scores.log_softmax(-1)).sum(-1)
    torch.testing.assert_close(found.log_probability, wanted)


def test_the_generator_alone_decides():
    share = torch.rand(50, 9).softmax(-1)
    first = hard_attention(share, drawing(5))
    torch.rand(7)
    assert torch.equal(first.weights, hard_attention(share, drawing(5)).weights)
    assert not torch.equal(first.weights, hard_attention(share, drawing(6)).weights)


@pytest.mark.parametrize("generator", [None, drawing()])
def test_where_nothing_may_be_looked_at_nothing_is_and_no_gradient_breaks(generator):
    scores = torch.zeros(2, 3, requires_grad=True)
    mask = torch.tensor([[True, True, False], [False, False, False]])
    found = hard_attention(masked_softmax(scores, mask), generator)
    assert found.weights[1].tolist() == [0, 0, 0]
    assert found.weights[0].sum() == 1
    if generator is not None:
        assert found.log_probability[1] == 0
        found.log_probability.sum().backward()
        assert scores.grad.isfinite().all()
        assert (scores.grad[1] == 0).all()


@given(
    st.lists(st.booleans(), min_size=1, max_size=8),
    st.lists(st.floats(-30, 30), min_size=8, max_size=8),
    st.integers(0, 1000),
)
def test_a_hidden_place_is_never_drawn(real, scores, seed):
    mask = torch.tensor([real])
    share = masked_softmax(torch.tensor([scores[: len(real)]]), mask)
    for generator in (None, drawing(seed)):
        weights = hard_attention(share, generator).weights
        assert (weights[~mask] == 0).all()
        assert weights.sum() == float(any(real))
