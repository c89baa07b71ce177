"""Kernel smoothing: the paper's fraction, its two limits, and values of known smoothings."""

import math

import jaxtyping
import pytest
import torch
from torch import Tensor

from course_lib.attention.attend import attend
from course_lib.attention.scores import dot
from course_lib.attention.smoothing import gaussian, smooth


def random(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def test_the_score_is_half_the_squared_distance_in_bandwidths():
    query, key = random(2, 3, 4), random(2, 5, 4, seed=1)
    scores = gaussian(query, key, bandwidth=0.7)
    assert scores.shape == (2, 3, 5)
    for b in range(2):
        for i in range(3):
            for j in range(5):
                wanted = -((query[b, i] - key[b, j]).norm() ** 2) / (2 * 0.7**2)
                torch.testing.assert_close(scores[b, i, j], wanted, rtol=0, atol=1e-12)


def test_the_estimate_is_the_fraction_of_the_papers():
    query, key, value = random(1, 3, 2), random(1, 6, 2, seed=1), random(1, 6, 4, seed=2)
    found = smooth(query, key, value, bandwidth=0.5).context
    for i in range(3):
        kernel = torch.stack(
            [torch.exp(-(((query[0, i] - k) / 0.5) ** 2).sum() / 2) for k in key[0]]
        )
        wanted = sum(w * v for w, v in zip(kernel, value[0], strict=True)) / kernel.sum()
        torch.testing.assert_close(found[0, i], wanted, rtol=0, atol=1e-12)


def test_two_keys_by_hand():
    """Distances 1 and 2 at bandwidth 1: weights as exp(-1/2) to exp(-2)."""
    query, key = torch.zeros(1, 1, 1), torch.tensor([[[1.0], [-2.0]]])
    found = smooth(query, key, torch.tensor([[[10.0], [0.0]]]), bandwidth=1)
    share = 1 / (1 + math.exp(-1.5))
    assert found.weights[0, 0].tolist() == pytest.approx([share, 1 - share])
    assert found.context.item() == pytest.approx(10 * share)


def test_a_narrow_kernel_reads_the_nearest_and_a_wide_one_the_mean():
    query, key, value = random(1, 4, 2), random(1, 6, 2, seed=1), random(1, 6, 3, seed=2)
    narrow = smooth(query, key, value, bandwidth=1e-3).context
    nearest = torch.cdist(query, key).argmin(-1)[0]
    torch.testing.assert_close(narrow[0], value[0, nearest], rtol=0, atol=1e-9)
    wide = smooth(query, key, value, bandwidth=1e6).context
    torch.testing.assert_close(wide, value.mean(1, keepdim=True).expand_as(wide))


def test_in_the_limit_of_many_keys_a_sine_keeps_its_shape_and_loses_height():
    """The Gaussian average of sin over the whole line is exp(-h²/2) sin, exactly."""
    query, bandwidth = torch.linspace(-3, 3, 13, dtype=torch.float64)[:, None], 0.6
    wanted = math.exp(-(bandwidth**2) / 2) * query.sin()
    apart = []
    for keys in (8, 16, 32, 256):
        key = torch.linspace(-9, 9, keys, dtype=torch.float64)[:, None]
        apart.append((smooth(query, key, key.sin(), bandwidth=bandwidth).context - wanted).abs())
    worst = [float(each.max()) for each in apart]
    assert worst[0] > 0.1
    assert worst[-1] < 1e-12
    assert worst == sorted(worst, reverse=True)


def test_among_keys_of_one_length_it_is_the_dot_product_at_temperature_h_squared():
    query, angle = random(1, 4, 2), random(1, 7, seed=1)
    key = torch.stack([angle.cos(), angle.sin()], dim=-1)
    near = smooth(query, key, key, bandwidth=0.5).weights
    asked = attend(query, key, key, score=lambda q, k: dot(q, k) / 0.5**2).weights
    torch.testing.assert_close(near, asked, rtol=0, atol=1e-12)


def test_far_from_zero_distances_keep_their_digits():
    query, key = torch.zeros(1, 1, 1), torch.tensor([[[0.25], [-0.5]]])
    far = gaussian(query + 4096, key + 4096)
    assert torch.equal(far, gaussian(query, key))


def test_a_masked_pair_has_no_influence():
    query, key, value = random(1, 2, 2), random(1, 4, 2, seed=1), random(1, 4, 3, seed=2)
    mask = torch.tensor([[[True, True, False, True]]])
    found = smooth(query, key, value, bandwidth=0.5, mask=mask)
    key[:, 2], value[:, 2] = 7, -9
    again = smooth(query, key, value, bandwidth=0.5, mask=mask)
    assert torch.equal(found.context, again.context)
    assert (again.weights[..., 2] == 0).all()


def test_gradient_is_right():
    inputs = [random(1, 2, 3), random(1, 4, 3, seed=1), random(1, 4, 2, seed=2)]
    inputs = [each.requires_grad_() for each in inputs]
    assert torch.autograd.gradcheck(lambda *x: smooth(*x, bandwidth=0.8).context, inputs)


@pytest.mark.parametrize("bandwidth", [0, -1.0, math.nan])
def test_a_bandwidth_that_is_none_is_refused(bandwidth):
    with pytest.raises(ValueError, match="bandwidth above zero"):
        gaussian(torch.zeros(1, 1, 2), torch.zeros(1, 3, 2), bandwidth=bandwidth)


def test_query_and_key_of_different_widths_are_refused(monkeypatch):
    # Without the shape checker, as readers run it: the message must be the library's own.
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    with pytest.raises(ValueError, match="one width; got 2 and 3"):
        gaussian(torch.zeros(1, 1, 2), torch.zeros(1, 3, 3))
