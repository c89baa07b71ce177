"""What holds for attention whatever the numbers: over random sizes, masks and scores."""

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from course_lib.attention.attend import attend
from course_lib.attention.scores import (
    AdditiveScore,
    ConcatScore,
    GeneralScore,
    LocationScore,
    Score,
    cosine,
    dot,
    scaled_dot,
)
from course_lib.attention.smoothing import gaussian, smooth
from course_lib.attention.softmax import masked_softmax

DIM = 4
with torch.random.fork_rng():
    torch.manual_seed(0)
    CONTENT = {
        "dot": dot,
        "scaled dot": scaled_dot,
        "cosine": cosine,
        "gaussian": gaussian,
        "general": GeneralScore(DIM, DIM).double(),
        "additive": AdditiveScore(DIM, DIM, 3).double(),
        "concat": ConcatScore(DIM, DIM, 3).double(),
    }
    SCORES = {**CONTENT, "location": LocationScore(DIM, 12).double()}

scores_of_all_kinds = st.sampled_from(sorted(SCORES)).map(SCORES.get)
content_scores = st.sampled_from(sorted(CONTENT)).map(CONTENT.get)
sizes = st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(1, 8))
seeds = st.integers(0, 2**31)


def case(size: tuple[int, int, int], seed: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Query, key, value and a mask of random density; empty rows are not rare."""
    batch, queries, keys = size
    generator = torch.Generator().manual_seed(seed)
    parts = [
        torch.randn(shape, generator=generator, dtype=torch.float64)
        for shape in ((batch, queries, DIM), (batch, keys, DIM), (batch, keys, 3))
    ]
    density = torch.rand((), generator=generator)
    mask = torch.rand((batch, queries, keys), generator=generator) < density
    return *parts, mask


@given(sizes, seeds, scores_of_all_kinds)
def test_weights_are_a_distribution_over_the_open_keys(size, seed, score: Score):
    query, key, value, mask = case(size, seed)
    context, weights = attend(query, key, value, score=score, mask=mask)
    assert (weights >= 0).all()
    assert (weights[~mask] == 0).all()
    torch.testing.assert_close(weights.sum(-1), mask.any(-1).double(), rtol=0, atol=1e-12)
    # So every coordinate of the context lies within those of the values (and 0, if none is open).
    low, high = (value.amin(1, keepdim=True), value.amax(1, keepdim=True))
    inside = (context >= low - 1e-12) & (context <= high + 1e-12)
    assert inside[mask.any(-1)].all()
    assert (context[~mask.any(-1)] == 0).all()


@given(sizes, seeds, scores_of_all_kinds, st.floats(-1e6, 1e6))
def test_a_key_that_no_query_may_see_has_no_influence(size, seed, score: Score, rubbish: float):
    query, key, value, mask = case(size, seed)
    seen = mask.any(1)
    results = []
    for fill in (0.0, rubbish):
        leaves = [
            query.clone().requires_grad_(),
            key.masked_fill(~seen[..., None], fill).requires_grad_(),
            value.masked_fill(~seen[..., None], fill).requires_grad_(),
        ]
        context = attend(*leaves, score=score, mask=mask).context
        gradients = torch.autograd.grad(context.square().sum(), leaves, materialize_grads=True)
        for gradient in gradients:
            assert gradient.isfinite().all()
        assert (gradients[0][~mask.any(-1)] == 0).all()
        assert (gradients[1][~seen] == 0).all()
        assert (gradients[2][~seen] == 0).all()
        results.append((context, *gradients))
    for first, second in zip(*results, strict=True):
        assert torch.equal(first, second)


@given(sizes, seeds, content_scores)
def test_keys_and_values_have_no_order(size, seed, score: Score):
    """Shuffle the pairs: the context stays, the weights move along. Location is left out: the
    score is about order and nothing else."""
    query, key, value, mask = case(size, seed)
    order = torch.randperm(key.shape[1], generator=torch.Generator().manual_seed(seed))
    plain = attend(query, key, value, score=score, mask=mask)
    moved = attend(query, key[:, order], value[:, order], score=score, mask=mask[..., order])
    torch.testing.assert_close(moved.context, plain.context, rtol=0, atol=1e-12)
    torch.testing.assert_close(moved.weights, plain.weights[..., order], rtol=0, atol=1e-12)


@given(sizes, seeds, scores_of_all_kinds)
def test_rows_and_queries_do_not_see_each_other(size, seed, score: Score):
    query, key, value, mask = case(size, seed)
    whole = attend(query, key, value, score=score, mask=mask).context
    for b in range(size[0]):
        for i in range(size[1]):
            one = attend(
                query[b, i : i + 1], key[b], value[b], score=score, mask=mask[b, i : i + 1]
            )
            torch.testing.assert_close(one.context[0], whole[b, i], rtol=0, atol=1e-12)


@given(sizes, seeds, st.floats(-300, 300))
def test_softmax_ignores_a_constant(size, seed, constant: float):
    *_, mask = case(size, seed)
    scores = torch.randn(mask.shape, generator=torch.Generator().manual_seed(seed)).double()
    torch.testing.assert_close(
        masked_softmax(scores + constant, mask), masked_softmax(scores, mask), rtol=0, atol=1e-12
    )


@given(sizes, seeds, st.floats(0.05, 20))
def test_smoothing_moves_with_the_plane_and_scales_with_the_bandwidth(size, seed, bandwidth: float):
    """Distances are all that counts: shift all points, or measure them in another unit."""
    query, key, value, _ = case(size, seed)
    plain = smooth(query, key, value, bandwidth=bandwidth).weights
    shifted = smooth(query + 3, key + 3, value, bandwidth=bandwidth).weights
    torch.testing.assert_close(shifted, plain, rtol=0, atol=1e-9)
    larger = smooth(8 * query, 8 * key, value, bandwidth=8 * bandwidth).weights
    torch.testing.assert_close(larger, plain, rtol=0, atol=1e-12)
