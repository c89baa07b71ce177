"""Exact attention that never holds the whole table of scores.

The keys come a block at a time, and for each query three things are kept: the largest score so far
m, the sum l of exp(score - m), and the sum a of exp(score - m) times the values. A block with a
larger score raises m to m', and what was summed before is multiplied by exp(m - m'):

    l' = exp(m - m') l + Σ_j exp(s_j - m')            (the online softmax)
    a' = exp(m - m') a + Σ_j exp(s_j - m') v_j        and at the end the context is a / l

The online softmax is Milakov & Gimelshein 2018 (arXiv:1805.02867, algorithm 3); attention on it
Rabe & Staats 2021 (arXiv:2112.05682); blocks of queries too, and a backward pass that computes the
scores again, Dao et al. 2022 (arXiv:2205.14135, algorithms 1 and 4).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.autograd.function import once_differentiable


def blockwise_attention(
    query: Float[Tensor, "*#B Q D"],
    key: Float[Tensor, "*#B K D"],
    value: Float[Tensor, "*#B K Dv"],
    *,
    causal: bool = False,
    radius: int | None = None,
    block: int = 512,
) -> Float[Tensor, "*#B Q Dv"]:
    """The context of `attend` with its scaled dot product, in memory that grows with Q + K.

    There are no attention weights to return. The first derivative costs as little memory; a second
    one is refused. Half precision is summed over the blocks in single precision, in both passes.

    Args:
        query: compared with up to `block` keys at once, up to `block` queries side by side.
        key: of the queries' width; batch dimensions broadcast, so that heads may share keys.
        value: one for each key.
        causal: as `causal_mask(Q, K)`; keys that it hides from a whole block are not computed.
        radius: as `window_mask(Q, K, radius)`; keys outside a block's window are not computed.
        block: how many queries, and how many keys, are compared at once.

    ValueError if keys and values differ in number, or there are fewer keys than queries with
    `causal` or `radius`.
    """
    queries, keys = query.shape[-2], key.shape[-2]
    if value.shape[-2] != keys:
        raise ValueError(f"want one value per key; got {keys} keys and {value.shape[-2]} values")
    if (causal or radius is not None) and keys < queries:
        raise ValueError(
            f"want at least as many keys as queries; got {queries} queries and {keys} keys"
        )
    pairs = _Pairs(queries, keys, block, causal, radius)
    # Expanded here, a key that several heads share gets the sum of their gradients from autograd.
    batch = torch.broadcast_shapes(*(part.shape[:-2] for part in (query, key, value)))
    query, key, value = (part.expand(*batch, -1, -1) for part in (query, key, value))
    context, _ = _Blockwise.apply(query, key, value, pairs)
    return context


@dataclass(frozen=True)
class _Pairs:
    """Which queries may look at which keys, block by block."""

    queries: int
    keys: int
    block: int
    causal: bool
    radius: int | None

    def blocks(self) -> Iterator[tuple[slice, list[slice]]]:
        """Each block of queries, with the blocks of keys that any of its queries may look at."""
        offset, ahead = self.keys - self.queries, 0 if self.causal else self.radius
        for first in range(0, self.queries, self.block):
            last = min(first + self.block, self.queries)
            low = 0 if self.radius is None else max(0, first + offset - self.radius)
            high = self.keys if ahead is None else min(self.keys, last + offset + ahead)
            starts = range(low, high, self.block)
            yield slice(first, last), [slice(x, min(x + self.block, high)) for x in starts]

    def scores(self, query: Tensor, key: Tensor, rows: slice, columns: slice) -> Tensor:
        """Scaled dot products of a block in the type of the sums; -inf where a pair is hidden."""
        q = query[..., rows, :] * query.shape[-1] ** -0.5
        scores = (q @ key[..., columns, :].mT).to(_exact(query.dtype))
        offset = self.keys - self.queries
        position = torch.arange(rows.start + offset, rows.stop + offset, device=query.device)
        distance = (
            torch.arange(columns.start, columns.stop, device=query.device) - position[:, None]
        )
        if self.causal and columns.stop > rows.start + offset + 1:
            scores = scores.masked_fill(distance > 0, -torch.inf)
        if self.radius is not None:
            scores = scores.masked_fill(distance.abs() > self.radius, -torch.inf)
        return scores


class _Blockwise(torch.autograd.Function):
    """The two passes; the letters are those of the text above."""

    @staticmethod
    def forward(query: Tensor, key: Tensor, value: Tensor, pairs: _Pairs) -> tuple[Tensor, Tensor]:
        """The context, and for each query log Σ exp(score), from which weights are made again."""
        context = query.new_empty(*query.shape[:-1], value.shape[-1])
        log_sum = query.new_empty((*query.shape[:-1], 1), dtype=_exact(query.dtype))
        for rows, blocks in pairs.blocks():
            m = torch.full_like(log_sum[..., rows, :], -torch.inf)
            total = torch.zeros_like(m)
            mixed = m.new_zeros(*m.shape[:-1], value.shape[-1])
            for columns in blocks:
                scores = pairs.scores(query, key, rows, columns)
                before, m = m, torch.maximum(m, scores.amax(-1, keepdim=True))
                # While no key counts, m is -inf, and -inf - -inf would be nan.
                origin = m.masked_fill(m == -torch.inf, 0.0)
                shares, rescale = scores.sub_(origin).exp_(), (before - origin).exp_()
                total = rescale * total + shares.sum(-1, keepdim=True)
                mixed = rescale * mixed + shares.to(value.dtype) @ value[..., columns, :]
            context[..., rows, :] = mixed / total
            log_sum[..., rows, :] = m + total.log()
        return context, log_sum

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
        """Save the arguments, the context and one number for each query; no weights."""
        *tensors, ctx.pairs = inputs
        ctx.mark_non_differentiable(output[1])
        ctx.save_for_backward(*tensors, *output)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, upstream: Tensor, _: Tensor) -> tuple[Tensor | None, ...]:
        """Through the softmax: ds_j = w_j (dw_j - Σ_i w_i dw_i), and that sum is context · dc."""
        query, key, value, context, log_sum = ctx.saved_tensors
        d_query, d_key, d_value = (
            torch.zeros_like(part, dtype=log_sum.dtype) for part in (query, key, value)
        )
        centre = (upstream.to(log_sum.dtype) * context).sum(-1, keepdim=True)
        for rows, blocks in ctx.pairs.blocks():
            q, dc = query[..., rows, :] * query.shape[-1] ** -0.5, upstream[..., rows, :]
            for columns in blocks:
                scores = ctx.pairs.scores(query, key, rows, columns)
                weights = scores.sub_(log_sum[..., rows, :]).exp_()
                d_value[..., columns, :] += weights.to(dc.dtype).mT @ dc
                d_weights = (dc @ value[..., columns, :].mT).to(weights.dtype)
                d_scores = d_weights.sub_(centre[..., rows, :]).mul_(weights).to(query.dtype)
                d_query[..., rows, :] += d_scores @ key[..., columns, :]
                d_key[..., columns, :] += d_scores.mT @ q
        d_query *= query.shape[-1] ** -0.5
        return d_query.to(query.dtype), d_key.to(key.dtype), d_value.to(value.dtype), None


def _exact(dtype: torch.dtype) -> torch.dtype:
    """The type of sums: half precision is summed in single, as in `masked_softmax`."""
    return torch.float32 if dtype in (torch.float16, torch.bfloat16) else dtype
