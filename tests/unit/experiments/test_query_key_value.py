"""Chapter 5: dot products of random vectors, the softmax's derivative, and models by score."""

import math

import pytest
import torch

from course_lab.experiments.query_key_value import enough, scale
from course_lib.attention.scores import dot, scaled_dot


@pytest.mark.parametrize(
    ("dimension", "shift", "variance", "among"),
    [
        (4, 0.0, 4, 4),
        (64, 0.0, 64, 64),
        # q·k with means of 1/2: variance d (1 + 1/4 + 1/4), of which 1/4 is the query's own.
        (64, 0.5, 64 * 1.5, 64 * 1.25),
    ],
)
def test_dot_products_have_the_known_moments(dimension, shift, variance, among):
    for seed in range(3):
        moments = scale.moments(dimension, shift=shift, seed=seed)
        error = math.sqrt(variance / 16_000)
        assert abs(moments.mean - dimension * shift**2) < 4 * error + 0.05 * dimension * shift**2
        assert moments.variance == pytest.approx(variance, rel=0.08)
        assert moments.among == pytest.approx(among, rel=0.08)


def test_the_derivative_of_the_softmax_is_autograds():
    scores = torch.randn(3, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    for row, matrix in zip(scores, scale.softmax_derivative(scores.softmax(-1)), strict=True):
        wanted = torch.autograd.functional.jacobian(lambda e: e.softmax(-1), row)
        torch.testing.assert_close(matrix, wanted, rtol=0, atol=1e-12)


def test_the_derivative_keeps_its_digits_when_the_softmax_is_saturated():
    gap = 60.0
    weights = torch.tensor([gap, 0.0], dtype=torch.float64).softmax(-1)
    other = math.exp(-gap)
    wanted = torch.tensor([[other, -other], [-other, other]], dtype=torch.float64)
    torch.testing.assert_close(scale.softmax_derivative(weights), wanted, rtol=1e-9, atol=0)


def test_the_scale_keeps_entropy_and_gradient_over_dimensions():
    low, high = scale.sharpness(4), scale.sharpness(1024)
    assert abs(low["with"].entropy - high["with"].entropy) < 0.15
    assert high["without"].entropy < 0.3 < 2 < low["without"].entropy
    assert high["without"].gradient < 1e-3 * high["with"].gradient


def test_components_of_variance_one_are_a_layer_norm_of_query_and_key():
    rng = torch.Generator().manual_seed(0)
    query, key = (3 + 0.05 * torch.randn(2, n, 64, generator=rng) for n in (3, 5))
    norm = torch.nn.LayerNorm(64)
    for score in (dot, scaled_dot):
        scores = enough.of_variance_one(score)(query, key)
        torch.testing.assert_close(scores, score(norm(query), norm(key)))
