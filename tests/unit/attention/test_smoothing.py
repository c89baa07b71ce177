"""Kernel smoothing: the paper's fraction, its two limits, and values of known smoothings."""

import torch

from course_lib.attention.smoothing import gaussian, smooth
from tests.sizes import random


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


def test_a_narrow_kernel_reads_the_nearest_and_a_wide_one_the_mean():
    query, key, value = random(1, 4, 2), random(1, 6, 2, seed=1), random(1, 6, 3, seed=2)
    narrow = smooth(query, key, value, bandwidth=1e-3).context
    nearest = torch.cdist(query, key).argmin(-1)[0]
    torch.testing.assert_close(narrow[0], value[0, nearest], rtol=0, atol=1e-9)
    wide = smooth(query, key, value, bandwidth=1e6).context
    torch.testing.assert_close(wide, value.mean(1, keepdim=True).expand_as(wide))


def test_far_from_zero_distances_keep_their_digits():
    query, key = torch.zeros(1, 1, 1), torch.tensor([[[0.25], [-0.5]]])
    far = gaussian(query + 4096, key + 4096)
    assert torch.equal(far, gaussian(query, key))
