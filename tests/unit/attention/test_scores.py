"""The seven scores, each against its equation written out with loops."""

from collections.abc import Callable
from functools import partial

import pytest
import torch
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.scores import (
    AdditiveScore,
    ConcatScore,
    GeneralScore,
    LocationScore,
    ProjectingScore,
    Score,
    cosine,
    dot,
    scaled_dot,
)
from tests.sizes import random

DIM, KEYS = 4, 5


def filled(module: nn.Module) -> nn.Module:
    """The module in float64 with weights from a seed."""
    module = module.double()
    with torch.no_grad():
        for number, parameter in enumerate(module.parameters()):
            parameter.copy_(random(*parameter.shape, seed=100 + number))
    return module


general = filled(GeneralScore(DIM, DIM))
additive = filled(AdditiveScore(DIM, DIM, 6))
concat = filled(ConcatScore(DIM, DIM, 6))
location = filled(LocationScore(DIM, 9))

# score: the equation for one query q and one key k at position j.
EQUATIONS: dict[str, tuple[Score, Callable[[Tensor, Tensor, int], Tensor]]] = {
    "dot": (dot, lambda q, k, j: (q * k).sum()),
    "scaled dot": (scaled_dot, lambda q, k, j: (q * k).sum() / 2),
    "cosine": (cosine, lambda q, k, j: (q * k).sum() / (q.norm() * k.norm())),
    "general": (general, lambda q, k, j: q @ general.keys.weight @ k),
    "additive": (
        additive,
        lambda q, k, j: (
            additive.energy.weight[0]
            @ torch.tanh(additive.queries.weight @ q + additive.keys.weight @ k)
        ),
    ),
    "concat": (
        concat,
        lambda q, k, j: (
            concat.energy.weight[0] @ torch.tanh(concat.pairs.weight @ torch.cat([q, k]))
        ),
    ),
    "location": (location, lambda q, k, j: location.positions.weight[j] @ q),
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_score_is_its_equation(name: str):
    score, equation = EQUATIONS[name]
    query, key = random(2, 3, DIM), random(2, KEYS, DIM, seed=1)
    scores = score(query, key)
    assert scores.shape == (2, 3, KEYS)
    for b in range(2):
        for i in range(3):
            for j in range(KEYS):
                wanted = equation(query[b, i], key[b, j], j)
                torch.testing.assert_close(scores[b, i, j], wanted, rtol=0, atol=1e-12)


@pytest.mark.parametrize("score", [general, additive, concat])
def test_keys_projected_once_give_the_same_attention(score: ProjectingScore):
    query, key, value = random(2, 3, DIM), random(2, KEYS, DIM, seed=1), random(2, KEYS, 7, seed=2)
    whole = attend(query, key, value, score=score)
    projected = score.project_keys(key)
    for step in range(3):
        one = attend(query[:, step, None], projected, value, score=score.score_projected)
        torch.testing.assert_close(one.context[:, 0], whole.context[:, step], rtol=0, atol=1e-12)
        torch.testing.assert_close(one.weights[:, 0], whole.weights[:, step], rtol=0, atol=1e-12)


def test_concat_is_additive_with_its_matrix_cut_in_two():
    query_dim, key_dim = 3, 5
    one, two = filled(ConcatScore(query_dim, key_dim, 6)), AdditiveScore(query_dim, key_dim, 6)
    two = two.double()
    with torch.no_grad():
        two.queries.weight.copy_(one.pairs.weight[:, :query_dim])
        two.keys.weight.copy_(one.pairs.weight[:, query_dim:])
        two.energy.weight.copy_(one.energy.weight)
    query, key = random(2, 4, query_dim), random(2, KEYS, key_dim, seed=1)
    torch.testing.assert_close(one(query, key), two(query, key), rtol=0, atol=1e-14)
    assert sum(p.numel() for p in one.parameters()) == sum(p.numel() for p in two.parameters())


def test_location_looks_at_no_key():
    query, key = random(2, 3, DIM), random(2, KEYS, DIM, seed=1)
    assert torch.equal(location(query, key), location(query, random(2, KEYS, DIM, seed=2)))
    longer = location(query, random(2, 9, DIM))
    assert torch.equal(longer[..., :KEYS], location(query, key))
    assert location(2 * query, key).allclose(2 * location(query, key))


def test_cosine_sharpening_is_one_number_or_one_for_each_query():
    query, key = random(2, 3, DIM), random(2, KEYS, DIM, seed=1)
    plain = cosine(query, key)
    torch.testing.assert_close(cosine(query, key, sharpening=5), 5 * plain)
    each = torch.arange(6.0, dtype=torch.float64).reshape(2, 3)
    torch.testing.assert_close(cosine(query, key, sharpening=each), each[..., None] * plain)
    sharp = attend(query, key, key, score=partial(cosine, sharpening=200.0)).weights
    assert torch.equal(sharp.argmax(-1), plain.argmax(-1))
    assert sharp.max(-1).values.min() > 0.9


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_cosine_of_a_zero_vector_is_zero_and_its_gradient_finite(dtype: torch.dtype):
    query = torch.zeros(1, 1, DIM, dtype=dtype, requires_grad=True)
    key = torch.zeros(1, 2, DIM, dtype=dtype, requires_grad=True)
    scores = cosine(query, key)
    assert scores.tolist() == [[[0.0, 0.0]]]
    scores.sum().backward()
    assert query.grad.isfinite().all()
    assert key.grad.isfinite().all()


def test_scaled_dot_does_not_overflow_where_the_product_would():
    """In half precision the unscaled product of these is 90 000, beyond the largest number."""
    long = torch.full((1, 1, 400), 15.0, dtype=torch.float16)
    assert dot(long, long).isinf().all()
    assert scaled_dot(long, long).item() == pytest.approx(4500, rel=1e-2)


def test_a_score_that_half_precision_holds_does_not_overflow_on_the_way():
    """64 products of 50 · 50 are 160,000, more than float16 holds; over √64 they are 20,000."""
    fifty = torch.full((1, 1, 64), 50.0, dtype=torch.float16)
    assert scaled_dot(fifty, fifty).item() == 20_000
