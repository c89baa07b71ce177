"""Blockwise attention: the numbers, gradients and memory of `attend`."""

import jaxtyping
import pytest
import torch
from torch import Tensor

import course_lib.attention.blockwise as module
from course_lib.attention.attend import attend
from course_lib.attention.blockwise import blockwise_attention
from course_lib.attention.masks import causal_mask, combine, window_mask


def vectors(*shape: int, seed: int = 0, dtype: torch.dtype = torch.float32) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(dtype)


def given(*, queries: int = 23, keys: int = 37, dtype: torch.dtype = torch.float32) -> list[Tensor]:
    shapes = ((2, queries, 8), (2, keys, 8), (2, keys, 5))
    return [vectors(*s, seed=i, dtype=dtype).requires_grad_() for i, s in enumerate(shapes)]


def both(leaves: list[Tensor], whole: Tensor | None, **how: object) -> list[list[Tensor]]:
    """Context and gradients: of `attend` with the mask, and of blockwise as told by `how`."""
    upstream = vectors(*leaves[0].shape[:-1], leaves[2].shape[-1], seed=9).to(leaves[0].dtype)
    found = []
    for context in (attend(*leaves, mask=whole).context, blockwise_attention(*leaves, **how)):
        found.append([context, *torch.autograd.grad(context, leaves, upstream)])
    return found


CAUSAL, NEAR = causal_mask(23, 37), window_mask(23, 37, 6)
CASES = {
    "no mask": (None, {}),
    "causal": (CAUSAL, {"causal": True}),
    "window": (NEAR, {"radius": 6}),
    "causal window": (combine(CAUSAL, NEAR), {"causal": True, "radius": 6}),
    "own position alone": (window_mask(23, 37, 0), {"radius": 0}),
}


@pytest.mark.parametrize("block", [5, 64])
@pytest.mark.parametrize("case", CASES)
def test_values_and_gradients_are_those_of_attend(case, block):
    mask, how = CASES[case]
    for theirs, ours in zip(*both(given(), mask, **how, block=block), strict=True):
        torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_heads_may_share_their_keys():
    shapes = ((2, 4, 5, 8), (2, 1, 7, 8), (1, 1, 7, 6))
    leaves = [vectors(*s, seed=i).requires_grad_() for i, s in enumerate(shapes)]
    whole = [part.expand(2, 4, -1, -1) for part in leaves]
    theirs, ours = attend(*whole).context, blockwise_attention(*leaves, block=3)
    torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)
    gradients = (torch.autograd.grad(c.square().sum(), leaves) for c in (theirs, ours))
    for one, other in zip(*gradients, strict=True):
        torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)


def test_its_derivative_is_that_of_finite_differences():
    leaves = given(queries=4, keys=7, dtype=torch.float64)
    for how in ({}, {"causal": True}, {"radius": 2}):
        assert torch.autograd.gradcheck(
            lambda *x, how=how: blockwise_attention(*x, block=3, **how), leaves, fast_mode=True
        )


def test_a_second_derivative_is_refused_and_not_silently_zero():
    leaves = given()
    (once,) = torch.autograd.grad(
        blockwise_attention(*leaves).square().sum(), leaves[:1], create_graph=True
    )
    with pytest.raises(RuntimeError, match="differentiate twice"):
        once.sum().backward()


def test_heads_and_no_batch_at_all():
    q, k, v = (vectors(2, 3, n, 4, seed=n) for n in (5, 7, 7))
    torch.testing.assert_close(blockwise_attention(q, k, v, block=2), attend(q, k, v).context)
    q, k, v = q[0, 0], k[0, 0], v[0, 0]
    torch.testing.assert_close(blockwise_attention(q, k, v, block=2), attend(q, k, v).context)


def test_gradients_in_half_precision_do_not_lose_digits_with_small_blocks():
    """Summed in bf16 over 256 blocks, they would be 4 times as far off as with one block."""

    def error(block: int) -> float:
        leaves = [
            vectors(1, n, 16, seed=n, dtype=torch.bfloat16).requires_grad_() for n in (5, 2048)
        ]
        q, k = leaves
        exact = [leaf.detach().double().requires_grad_() for leaf in leaves]
        upstream = vectors(1, 5, 16, seed=3)
        ours = torch.autograd.grad(
            blockwise_attention(q, k, k, block=block), [q], upstream.bfloat16()
        )[0]
        wanted = torch.autograd.grad(
            attend(exact[0], exact[1], exact[1]).context, exact[:1], upstream.double()
        )[0]
        return float((ours.double() - wanted).norm() / wanted.norm())

    assert error(8) < 1.5 * error(2048)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_summed_in_single(dtype):
    # Sums are over keys: few queries do.
    q, k, v = (vectors(1, n, 16, seed=n, dtype=dtype) for n in (6, 600, 601))
    v = v[:, :600]
    found = blockwise_attention(q, k, v, block=7)
    assert found.dtype == dtype
    exact = attend(q.float(), k.float(), v.float()).context
    torch.testing.assert_close(found.float(), exact, atol=4e-3, rtol=2e-2)


def test_scores_that_exp_cannot_take():
    """exp(100) overflows in half precision, exp(1000) in single: the largest is subtracted."""
    q, k = torch.full((1, 3, 4), 50.0), torch.arange(1.0, 7).view(1, 6, 1).expand(1, 6, 4) * 10
    v = vectors(1, 6, 2)
    for order in (slice(None), [5, 4, 3, 2, 1, 0]):
        found = blockwise_attention(q, k[:, order], v[:, order], block=2)
        torch.testing.assert_close(found, v[:, 5:].expand(1, 3, 2))


def test_what_does_not_fit_is_told(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    q, k, v = vectors(1, 5, 8), vectors(1, 4, 8), vectors(1, 4, 8)
    with pytest.raises(ValueError, match="one value per key; got 4 keys and 3 values"):
        blockwise_attention(q, k, v[:, :3])
    with pytest.raises(ValueError, match="as many keys as queries; got 5 queries and 4 keys"):
        blockwise_attention(q, k, v, causal=True)


def test_hidden_blocks_are_not_computed(monkeypatch):
    """Causal attention meets half of the pairs, a window a strip."""
    seen = []
    scores = module._Pairs.scores

    def watched(self, query, key, rows, columns):
        seen.append((rows.stop - rows.start) * (columns.stop - columns.start))
        return scores(self, query, key, rows, columns)

    monkeypatch.setattr(module._Pairs, "scores", watched)
    q = vectors(1, 64, 4)
    pairs = {}
    for name, how in {"all": {}, "causal": {"causal": True}, "window": {"radius": 4}}.items():
        seen.clear()
        blockwise_attention(q, q, q, block=8, **how)
        pairs[name] = sum(seen)
    assert pairs == {"all": 64 * 64, "causal": 8 * 8 * 36, "window": 8 * (6 * 16 + 2 * 12)}
