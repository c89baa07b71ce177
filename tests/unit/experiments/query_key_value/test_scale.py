"""Dot products of random vectors and the softmax of them: known moments, a stable derivative."""

import math

import pytest
import torch

from course_lab.experiments.query_key_value import scale


@pytest.mark.parametrize("dimension", [4, 64])
def test_without_a_shift_the_mean_is_zero_and_the_variance_the_dimension(dimension):
    for seed in range(5):
        found = scale.moments(dimension, seed=seed)
        error = math.sqrt(dimension / 16_000)
        assert abs(found.mean) < 4 * error
        assert found.variance == pytest.approx(dimension, rel=0.08)
        assert found.among == pytest.approx(dimension, rel=0.08)


def test_a_shift_moves_the_mean_and_less_of_the_variance_is_among_one_querys_keys():
    found = scale.moments(64, shift=0.5)
    assert found.mean == pytest.approx(64 / 4, rel=0.05)
    # q·k with means of 1/2: variance d (1 + 1/4 + 1/4), of which 1/4 is the query's own.
    assert found.variance == pytest.approx(64 * 1.5, rel=0.08)
    assert found.among == pytest.approx(64 * 1.25, rel=0.08)


def test_the_derivative_is_autograds():
    scores = torch.randn(3, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    found = scale.softmax_derivative(scores.softmax(-1))
    for row, matrix in zip(scores, found, strict=True):
        wanted = torch.autograd.functional.jacobian(lambda e: e.softmax(-1), row)
        torch.testing.assert_close(matrix, wanted, rtol=0, atol=1e-12)


def test_the_derivative_keeps_its_digits_where_the_softmax_is_saturated():
    gap = 60.0
    weights = torch.tensor([gap, 0.0], dtype=torch.float64).softmax(-1)
    other = math.exp(-gap)
    wanted = torch.tensor([[other, -other], [-other, other]], dtype=torch.float64)
    torch.testing.assert_close(scale.softmax_derivative(weights), wanted, rtol=1e-9, atol=0)


def test_with_the_scale_nothing_changes_over_dimensions_and_without_it_much_does():
    low, high = scale.sharpness(4), scale.sharpness(1024)
    assert abs(low["with"].entropy - high["with"].entropy) < 0.15
    assert high["without"].entropy < 0.3 < 2 < low["without"].entropy
    assert high["without"].gradient < 1e-3 * high["with"].gradient
    assert high["without"].mean_gradient > 0.1 * high["with"].mean_gradient
