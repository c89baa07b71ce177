"""Attention against PyTorch's own operators: values and gradients, float64, to 1e-10."""

import pytest
import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.attention.attend import attend
from course_lib.attention.masks import causal_mask, combine, for_keys, padding_mask, window_mask
from course_lib.attention.scores import AdditiveScore, GeneralScore, Score, cosine, dot
from course_lib.attention.smoothing import smooth
from tests.sizes import random

EXACT = {"rtol": 0, "atol": 1e-10}


PADDING = for_keys(padding_mask(torch.tensor([7, 4, 1]), 7))
MASKS = {
    "none": None,
    "padding": PADDING,
    "causal": causal_mask(5, 7),
    "window": window_mask(5, 7, radius=1),
    "padding and causal": combine(PADDING, causal_mask(5, 7)),
    "random": random(3, 5, 7, seed=9) > 0,
    "empty rows": for_keys(padding_mask(torch.tensor([7, 0, 3]), 7)) & causal_mask(5, 7, offset=-1),
}


def torchs(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    """PyTorch's operator. Before 2.5 it gave nan where a row may look nowhere, after that zeros."""
    if mask is None:
        return scaled_dot_product_attention(query, key, value)
    somewhere = mask.any(-1, keepdim=True)
    context = scaled_dot_product_attention(query, key, value, attn_mask=mask | ~somewhere)
    return torch.where(somewhere, context, 0.0)


@pytest.mark.parametrize("heads", [(), (2,)], ids=["no heads", "two heads"])
@pytest.mark.parametrize("name", MASKS)
def test_attend_equals_torch(name: str, heads: tuple[int, ...]):
    """Value, and gradient to query, key and value, as torch's operator has them."""
    mask = MASKS[name]
    if mask is not None and heads and mask.dim() == 3:
        mask = mask[:, None]
    leaves = [
        random(3, *heads, size, width, seed=seed).requires_grad_()
        for seed, (size, width) in enumerate([(5, 4), (7, 4), (7, 6)])
    ]
    upstream = random(3, *heads, 5, 6, seed=5)
    results = []
    for function in (
        lambda q, k, v: attend(q, k, v, mask=mask).context,
        lambda q, k, v: torchs(q, k, v, mask),
    ):
        context = function(*leaves)
        results.append([context, *torch.autograd.grad((context * upstream).sum(), leaves)])
    for got, wanted in zip(*results, strict=True):
        assert wanted.isfinite().all()
        torch.testing.assert_close(got, wanted, **EXACT)


def test_causal_mask_equals_torchs_flag():
    """Torch aligns its flag at the start; with as many keys as queries that is all the same."""
    query, key, value = (random(2, 6, 4, seed=seed) for seed in range(3))
    torch.testing.assert_close(
        attend(query, key, value, mask=causal_mask(6)).context,
        scaled_dot_product_attention(query, key, value, is_causal=True),
        **EXACT,
    )


def test_cosine_equals_torch():
    query, key = random(2, 5, 4, seed=0), random(2, 7, 4, seed=1)
    wanted = nn.functional.cosine_similarity(query[:, :, None], key[:, None], dim=-1)
    torch.testing.assert_close(cosine(query, key), wanted, **EXACT)


def test_general_equals_a_bilinear_layer():
    score, bilinear = GeneralScore(4, 3).double(), nn.Bilinear(4, 3, 1, bias=False).double()
    with torch.no_grad():
        bilinear.weight[0].copy_(score.keys.weight)
    query, key = random(2, 5, 4, seed=0), random(2, 7, 3, seed=1)
    wanted = bilinear(
        query[:, :, None].expand(2, 5, 7, 4).contiguous(),
        key[:, None].expand(2, 5, 7, 3).contiguous(),
    )
    torch.testing.assert_close(score(query, key), wanted.squeeze(-1), **EXACT)


def test_additive_is_a_network_of_one_hidden_layer():
    """Bahdanau's a(s, h) is a feed-forward network on [s; h], here built from torch's layers."""
    score = AdditiveScore(4, 3, 6).double()
    network = nn.Sequential(
        nn.Linear(7, 6, bias=False), nn.Tanh(), nn.Linear(6, 1, bias=False)
    ).double()
    with torch.no_grad():
        network[0].weight.copy_(torch.cat([score.queries.weight, score.keys.weight], dim=1))
        network[2].weight.copy_(score.energy.weight)
    query, key = random(2, 5, 4, seed=0), random(2, 7, 3, seed=1)
    pairs = torch.cat(
        [query[:, :, None].expand(2, 5, 7, 4), key[:, None].expand(2, 5, 7, 3)], dim=-1
    )
    torch.testing.assert_close(score(query, key), network(pairs).squeeze(-1), **EXACT)


@pytest.mark.parametrize("score", [dot, cosine])
def test_gradient_through_attention_is_right(score: Score):
    """Numerically, with a mask that leaves one row empty."""
    leaves = [random(1, *shape, seed=i) for i, shape in enumerate([(2, 3), (4, 3), (4, 2)])]
    mask = torch.tensor([[[True, False, True, True], [False] * 4]])
    assert torch.autograd.gradcheck(
        lambda q, k, v: tuple(attend(q, k, v, score=score, mask=mask)),
        [leaf.requires_grad_() for leaf in leaves],
    )


def test_kernel_smoothing_equals_torch_with_half_the_keys_squares_for_a_bias():
    """-|q - k|²/2h² is q·k/h² - |k|²/2h² and a number of the query, which the softmax takes out."""
    bandwidth = 0.8
    leaves = [
        random(3, size, width, seed=seed).requires_grad_()
        for seed, (size, width) in enumerate([(5, 4), (7, 4), (7, 6)])
    ]
    upstream = random(3, 5, 6, seed=5)

    def fused(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        query, key = query / bandwidth, key / bandwidth
        bias = (-key.square().sum(-1) / 2)[:, None].expand(3, 5, 7)
        return scaled_dot_product_attention(query, key, value, attn_mask=bias, scale=1.0)

    results = []
    for function in (lambda *x: smooth(*x, bandwidth=bandwidth).context, fused):
        context = function(*leaves)
        results.append([context, *torch.autograd.grad((context * upstream).sum(), leaves)])
    for got, wanted in zip(*results, strict=True):
        torch.testing.assert_close(got, wanted, **EXACT)
