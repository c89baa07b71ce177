"""Local attention: each piece against its equation, and against a mask over all keys."""

import math

import pytest
import torch
from torch import Tensor

from course_lib.attention.attend import attend
from course_lib.attention.local import (
    PredictedPosition,
    gaussian_window,
    local_attention,
    window_around,
)
from course_lib.attention.masks import padding_mask
from course_lib.attention.scores import dot


def vectors(*shape: int, seed: int = 0) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


QUERY, KEY, VALUE = vectors(2, 3, 4), vectors(2, 9, 4, seed=1), vectors(2, 9, 5, seed=2)
REAL = padding_mask(torch.tensor([9, 6]))
CENTER = torch.tensor([[0.0, 4.3, 8.9], [2.5, 5.0, 11.0]], dtype=torch.float64)


def test_window_around_a_position_that_is_not_whole():
    drawn = window_around(torch.tensor([[2.5, 2.0, -1.0, 9.0]]), keys=6, radius=2)[0]
    rows = ["".join("x" if seen else "." for seen in row) for row in drawn.tolist()]
    assert rows == [".xxxx.", "xxxxx.", "xx....", "......"]


@pytest.mark.parametrize("gaussian", [False, True])
def test_only_the_window_is_scored_and_the_numbers_are_those_of_a_mask(gaussian):
    """Equations 7 and 10: softmax over the window, then the Gaussian, σ = D/2, not renormalised."""
    scored = []

    def counting(query, key):
        scored.append(key.shape[-2])
        return dot(query, key)

    near = local_attention(
        QUERY, KEY, VALUE, CENTER, radius=2, score=counting, padding_mask=REAL, gaussian=gaussian
    )
    assert scored == [5]
    assert near.weights.shape == near.positions.shape == (2, 3, 5)
    mask = window_around(CENTER, 9, 2) & REAL[:, None]
    away = torch.arange(9) - CENTER[..., None]
    bells = torch.exp(-(away**2) / (2 * (2 / 2) ** 2)) if gaussian else torch.ones_like(away)
    whole = attend(QUERY, KEY, VALUE, score=dot, mask=mask, factors=bells)
    torch.testing.assert_close(near.over(9), whole.weights)
    torch.testing.assert_close(near.context, whole.context)


def test_padding_and_keys_outside_have_no_influence():
    reached = (window_around(CENTER, 9, 1) & REAL[:, None]).any(1)
    results = []
    for fill in (0.0, 1e3):
        leaves = [
            part.masked_fill(~reached[..., None], fill).requires_grad_() for part in (KEY, VALUE)
        ]
        near = local_attention(QUERY, *leaves, CENTER, radius=1, score=dot, padding_mask=REAL)
        gradients = torch.autograd.grad(near.context.square().sum(), leaves)
        for gradient in gradients:
            assert (gradient[~reached] == 0).all()
        results.append((near.context, near.weights, *gradients))
    for one, other in zip(*results, strict=True):
        assert torch.equal(one, other)


def test_the_gaussian_alone_gives_the_position_a_gradient():
    for gaussian in (False, True):
        center = CENTER.clone().requires_grad_()
        near = local_attention(QUERY, KEY, VALUE, center, radius=3, score=dot, gaussian=gaussian)
        assert near.context.requires_grad == gaussian
    near.context.sum().backward()
    assert (center.grad[0] != 0).all()
    # Between whole numbers only: where a key enters the window, the context jumps.
    between = (CENTER.detach() + 0.2).requires_grad_()
    assert torch.autograd.gradcheck(
        lambda c: local_attention(QUERY, KEY, VALUE, c, radius=3, score=dot, gaussian=True).context,
        between,
    )


def test_the_gaussian_at_the_center_and_at_the_edge():
    got = gaussian_window(torch.tensor([0.0, 3.0, -3.0, 1.5]), radius=3)
    wanted = [1.0, math.exp(-2), math.exp(-2), math.exp(-0.5)]
    torch.testing.assert_close(got, torch.tensor(wanted))


def test_the_predicted_position_by_equation_9():
    layer = PredictedPosition(4).double()
    lengths = torch.tensor([9, 6])
    got = layer(QUERY, lengths)
    for b in range(2):
        for t in range(3):
            hidden = torch.tanh(layer.hidden.weight @ QUERY[b, t])
            share = 1 / (1 + math.exp(-(layer.energy.weight[0] @ hidden).item()))
            assert got[b, t].item() == pytest.approx(int(lengths[b]) * share)
    assert not [name for name, _ in layer.named_parameters() if "bias" in name]
