"""Masks say who may look where: boolean, True = may be attended to.

That is the polarity of `torch.nn.functional.scaled_dot_product_attention`, and the opposite of
`key_padding_mask` in `torch.nn.MultiheadAttention`.

Masks for `attend` have one dimension each for batch, queries and keys, of size 1 where it makes no
difference: padding (B, 1, K), causal (1, Q, K), both together (B, Q, K). A mask (Q, K) serves all
rows of the batch. `for_keys` turns a padding mask (B, S) into one of these.
"""

from collections.abc import Sequence
from functools import reduce

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def padding_mask(
    lengths: Int[Tensor, " B"] | Sequence[int], size: int | None = None
) -> Bool[Tensor, "B S"]:
    """True at the first `lengths[b]` tokens of row b, False at the padding after them.

    S is `size`, by default the greatest length. ValueError for a length outside 0 to S, TypeError
    for anything but one whole number for each row.
    """
    lengths = lengths if isinstance(lengths, Tensor) else torch.tensor(lengths)
    if lengths.dim() != 1 or lengths.dtype not in (torch.int32, torch.int64):
        got = f"{lengths.dtype} {tuple(lengths.shape)}"
        raise TypeError(f"want lengths (B,), a whole number for each row; got {got}")
    longest = int(lengths.max()) if len(lengths) else 0
    size = longest if size is None else size
    if longest > size or (len(lengths) and int(lengths.min()) < 0):
        raise ValueError(f"want lengths from 0 to {size}; got {lengths.tolist()}")
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(-1)


def for_keys(padding_mask: Bool[Tensor, "B S"]) -> Bool[Tensor, "B 1 S"]:
    """A padding mask (B, S) as a mask for `attend`, the same for every query; a view."""
    return padding_mask.unsqueeze(-2)


def causal_mask(
    queries: int,
    keys: int | None = None,
    *,
    offset: int | None = None,
    device: torch.device | str | None = None,
) -> Bool[Tensor, "1 Q K"]:
    """Query i may look at keys up to its own position and at none after it (Vaswani, 3.2.3).

    `offset` is the position of the first query among the keys, by default K - Q, as in decoding,
    where only the newest tokens are queries. ValueError for fewer keys than queries without it.
    """
    return _distance(queries, keys, offset, device) <= 0


def window_mask(
    queries: int,
    keys: int | None = None,
    radius: int = 1,
    *,
    offset: int | None = None,
    device: torch.device | str | None = None,
) -> Bool[Tensor, "1 Q K"]:
    """Query i may look at most `radius` keys to the left and to the right of its own position.

    With `offset=0` this is the window of local-m (Luong et al. 2015, section 3.2).
    """
    if radius < 0:
        raise ValueError(f"want a radius of 0 or more; got {radius}")
    return _distance(queries, keys, offset, device).abs() <= radius


def positions_of(padding_mask: Bool[Tensor, "B S"]) -> Int[Tensor, "B S"]:
    """The position of each real token among those of its row, on whichever side its padding is."""
    return (padding_mask.cumsum(1) - 1).clamp(min=0)


def require_padding_mask(mask: Tensor, tokens: Tensor, dims: int = 2) -> None:
    """Check that a mask is boolean (else TypeError), an entry for each token (else ValueError)."""
    if mask.dtype != torch.bool:
        raise TypeError(f"want a boolean mask, True = a real token; got {mask.dtype}")
    if mask.shape != tokens.shape[:dims]:
        wanted, got = tuple(tokens.shape[:dims]), tuple(mask.shape)
        raise ValueError(f"want a mask {wanted}, an entry for each token; got {got}")


def require_mask(mask: Tensor, scores: Sequence[int]) -> None:
    """Check that a mask fits scores of this shape (..., Q, K), or is one table (Q, K) for all.

    A (B, K) is no such table: PyTorch would hide queries with a padding mask wherever B = Q.
    TypeError if it is not boolean; ValueError if it does not fit, or fits as (B, K) too.
    """
    if mask.dtype != torch.bool:
        raise TypeError(f"want a boolean mask, True = may be attended to; got {mask.dtype}")
    shape, wanted = tuple(mask.shape), tuple(scores)
    whole = wanted[-2:] if len(shape) == 2 else wanted
    fits = len(shape) == len(whole) and all(m in (1, n) for m, n in zip(shape, whole, strict=True))
    if fits and len(shape) < len(wanted) and 1 < shape[0] == wanted[0]:
        raise ValueError(
            f"want a mask {wanted}; got {shape}, which may be (Q, K) or (B, K). Write mask[None] "
            "for a table of queries and keys, for_keys(mask) for a padding mask"
        )
    if not fits:
        raise ValueError(
            f"want a mask {wanted}, of size 1 where it makes no difference; got {shape}. Write "
            "for_keys(mask) for a padding mask (B, K)"
        )


def combine(*masks: Bool[Tensor, "..."] | None) -> Bool[Tensor, "..."] | None:
    """True where every mask is: sizes of 1 broadcast, None hides nothing. All None gives None.

    ValueError for another number of dimensions: a (B, K) beside a (1, Q, K) could hide queries.
    """
    present = [mask for mask in masks if mask is not None]
    if len({mask.dim() for mask in present}) > 1:
        shapes = " and ".join(str(tuple(mask.shape)) for mask in present)
        raise ValueError(f"want masks of as many dimensions each; got {shapes}. See `for_keys`")
    return reduce(torch.logical_and, present) if present else None


def zero_padding(
    vectors: Float[Tensor, "*B S D"], padding_mask: Bool[Tensor, "*B S"]
) -> Float[Tensor, "*B S D"]:
    """The vectors with the padding, which may hold nan or inf, set to zero; it gets no gradient."""
    require_padding_mask(padding_mask, vectors, vectors.dim() - 1)
    return vectors.masked_fill(~padding_mask.unsqueeze(-1), 0.0)


def _distance(
    queries: int, keys: int | None, offset: int | None, device: torch.device | str | None
) -> Int[Tensor, "1 Q K"]:
    """Position of each key minus position of each query."""
    keys = queries if keys is None else keys
    if offset is None and keys < queries:
        raise ValueError(
            f"want at least as many keys as queries; got {queries} queries and {keys} keys. "
            "Pass offset=, the position of the first query among the keys"
        )
    first = keys - queries if offset is None else offset
    position = torch.arange(first, first + queries, device=device)
    return (torch.arange(keys, device=device) - position.unsqueeze(-1)).unsqueeze(0)
