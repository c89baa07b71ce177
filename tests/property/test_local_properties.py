"""What holds for windows whatever the sizes and centers."""

import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.attention.attend import attend
from course_lib.attention.local import gaussian_window, local_attention, window_around
from course_lib.attention.masks import padding_mask
from course_lib.attention.scores import dot

sizes = st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(1, 9))
seeds = st.integers(0, 2**31)
radii = st.integers(1, 12)


def case(size, seed):
    batch, queries, keys = size
    generator = torch.Generator().manual_seed(seed)
    drawn = [
        torch.randn(shape, generator=generator, dtype=torch.float64)
        for shape in ((batch, queries, 3), (batch, keys, 3), (batch, keys, 2))
    ]
    lengths = torch.randint(1, keys + 1, (batch,), generator=generator)
    center = torch.rand(batch, queries, generator=generator, dtype=torch.float64)
    return *drawn, padding_mask(lengths, keys), center * (keys + 4) - 2


@given(sizes, seeds, radii, st.booleans())
def test_taking_the_window_out_equals_masking_the_rest(size, seed, radius, gaussian):
    query, key, value, real, center = case(size, seed)
    near = local_attention(
        query, key, value, center, radius=radius, score=dot, padding_mask=real, gaussian=gaussian
    )
    away = torch.arange(size[2]) - center[..., None]
    whole = attend(
        query,
        key,
        value,
        score=dot,
        mask=window_around(center, size[2], radius) & real[:, None],
        factors=gaussian_window(away, radius) if gaussian else None,
    )
    torch.testing.assert_close(near.over(size[2]), whole.weights, rtol=0, atol=1e-12)
    torch.testing.assert_close(near.context, whole.context, rtol=0, atol=1e-12)
    assert near.weights.shape[-1] == min(2 * radius + 1, size[2])


@given(sizes, seeds, st.booleans())
def test_a_window_wide_enough_is_global(size, seed, whole_numbers):
    query, key, value, real, center = case(size, seed)
    center = center.round().long() if whole_numbers else center
    far = size[2] + 4
    near = local_attention(query, key, value, center, radius=far, score=dot, padding_mask=real)
    everywhere = attend(query, key, value, score=dot, mask=real[:, None])
    torch.testing.assert_close(near.context, everywhere.context, rtol=0, atol=1e-12)
    torch.testing.assert_close(near.over(size[2]), everywhere.weights, rtol=0, atol=1e-12)


@given(sizes, seeds, radii)
def test_the_weights_sum_to_one_or_to_nothing_and_with_the_bell_to_less(size, seed, radius):
    query, key, value, real, center = case(size, seed)
    some = (window_around(center, size[2], radius) & real[:, None]).any(-1)
    for gaussian in (False, True):
        weights = local_attention(
            query,
            key,
            value,
            center,
            radius=radius,
            score=dot,
            padding_mask=real,
            gaussian=gaussian,
        ).weights
        assert (weights >= 0).all()
        total = weights.sum(-1)
        assert (total[~some] == 0).all()
        if gaussian:
            assert (total <= 1 + 1e-12).all()
            assert (total[some] >= torch.exp(torch.tensor(-2.0)) - 1e-9).all()
        else:
            torch.testing.assert_close(total[some], torch.ones_like(total[some]))
