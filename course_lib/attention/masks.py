"""Masks say who may look where: boolean, True = may be attended to.

That is the polarity of `torch.nn.functional.scaled_dot_product_attention`. It is the opposite of
`key_padding_mask` in `torch.nn.MultiheadAttention`, where True hides a key.

Masks for `attend` have a dimension each for batch, queries and keys, of size 1 where it makes no
difference: padding (B, 1, K), causal (1, Q, K), both together (B, Q, K).
"""

from functools import reduce

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def length_mask(lengths: Int[Tensor, " B"], size: int | None = None) -> Bool[Tensor, "B S"]:
    """True at the first `lengths[b]` positions of row b, False at the padding behind them.

    It says which tokens are real, as an encoder wants to know. For attention see `padding_mask`.

    Args:
        lengths: number of real tokens in each row; 0 is allowed.
        size: S; by default the greatest length.

    Raises:
        ValueError: a length lies outside 0 to `size`.
    """
    longest = int(lengths.max()) if len(lengths) else 0
    size = longest if size is None else size
    if longest > size or (len(lengths) and int(lengths.min()) < 0):
        raise ValueError(f"want lengths from 0 to {size}; got {lengths.tolist()}")
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(-1)


def padding_mask(lengths: Int[Tensor, " B"], size: int | None = None) -> Bool[Tensor, "B 1 S"]:
    """Hides the padding behind the first `lengths[b]` keys of row b from every query.

    Arguments and errors are those of `length_mask`.
    """
    return for_keys(length_mask(lengths, size))


def for_keys(real: Bool[Tensor, "B S"]) -> Bool[Tensor, "B 1 S"]:
    """Real tokens (B, S), as a batch has them, as a mask that hides the others from every query.

    Without the dimension for the queries, such a mask would meet the queries where there happen to
    be as many of them as rows; `attend` refuses it. The result is a view.
    """
    return real.unsqueeze(-2)


def causal_mask(
    queries: int,
    keys: int | None = None,
    *,
    offset: int | None = None,
    device: torch.device | str | None = None,
) -> Bool[Tensor, "1 Q K"]:
    """Query i may look at keys up to its own position and at none behind it (Vaswani, 3.2.3).

    Args:
        queries: Q.
        keys: K, by default Q.
        offset: the position of the first query among the keys. By default keys - queries: the
            last query stands at the last key, as in decoding, where the keys of earlier tokens
            are cached and only the newest tokens ask.
        device: where the mask is made.

    Raises:
        ValueError: there are fewer keys than queries, and no `offset` that says how they lie.
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

    With `offset=0` this is the window [t-D, t+D] of Luong et al. 2015 (section 3.2, local-m), where
    target position t looks around the same position of the source; `radius` is their D.

    Args:
        queries: Q.
        keys: K, by default Q.
        radius: 0 leaves each query its own position alone.
        offset: the position of the first query among the keys, by default keys - queries, as in
            `causal_mask`.
        device: where the mask is made.

    Raises:
        ValueError: the radius is negative; or there are fewer keys than queries and no `offset`.
    """
    if radius < 0:
        raise ValueError(f"want a radius of 0 or more; got {radius}")
    return _distance(queries, keys, offset, device).abs() <= radius


def combine(*masks: Bool[Tensor, "..."] | None) -> Bool[Tensor, "..."] | None:
    """True where every mask is: sizes of 1 broadcast, None hides nothing. All None gives None.

    Raises:
        ValueError: the masks differ in their number of dimensions. A (B, K) beside a (1, Q, K)
            would hide queries where B happens to be Q.
    """
    there = [mask for mask in masks if mask is not None]
    if len({mask.dim() for mask in there}) > 1:
        shapes = " and ".join(str(tuple(mask.shape)) for mask in there)
        raise ValueError(f"want masks of as many dimensions each; got {shapes}. See `for_keys`")
    return reduce(torch.logical_and, there) if there else None


def zero_padding(
    vectors: Float[Tensor, "*B S D"], real: Bool[Tensor, "*B S"]
) -> Float[Tensor, "*B S D"]:
    """The vectors with zeros where no token is real, whatever stood there, and no gradient to it.

    Attention and recurrence skip padding as it is. This is for padding that may hold nan or inf.
    """
    return vectors.masked_fill(~real.unsqueeze(-1), 0.0)


def _distance(
    queries: int, keys: int | None, offset: int | None, device: torch.device | str | None
) -> Int[Tensor, "1 Q K"]:
    """Position of each key minus position of each query."""
    keys = queries if keys is None else keys
    if offset is None and keys < queries:
        raise ValueError(
            f"want at least as many keys as queries; got {queries} queries and {keys} keys. "
            "Say with offset= at which key the first query stands"
        )
    first = keys - queries if offset is None else offset
    place = torch.arange(first, first + queries, device=device)
    return (torch.arange(keys, device=device) - place.unsqueeze(-1)).unsqueeze(0)
