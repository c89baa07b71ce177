"""Masks say who may look where: boolean, True = may be attended to.

That is the polarity of `torch.nn.functional.scaled_dot_product_attention`. It is the opposite of
`key_padding_mask` in `torch.nn.MultiheadAttention`, where True hides a key.

Masks for `attend` have one dimension each for batch, queries and keys, of size 1 where it makes no
difference: padding (B, 1, K), causal (1, Q, K), both together (B, Q, K). A batch has a padding
mask (B, S), one entry for each token; `for_keys` turns it into a mask for `attend`.
"""

from collections.abc import Sequence
from functools import reduce

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

# PyTorch before 2.7 cannot tell an export from torch.compile.
is_exporting = getattr(torch.compiler, "is_exporting", torch.compiler.is_compiling)


def padding_mask(lengths: Int[Tensor, " B"], size: int | None = None) -> Bool[Tensor, "B S"]:
    """True at the first `lengths[b]` tokens of row b, False at the padding after them.

    Args:
        lengths: number of real tokens in each row; 0 is allowed.
        size: S; by default the greatest length.

    Raises:
        ValueError: a length lies outside 0 to `size`.
        TypeError: not one whole number for each row; a mask is no list of lengths.
    """
    if lengths.dim() != 1 or lengths.is_floating_point() or lengths.dtype == torch.bool:
        got = f"{lengths.dtype} {tuple(lengths.shape)}"
        raise TypeError(f"want lengths (B,), a whole number for each row; got {got}")
    longest = int(lengths.max()) if len(lengths) else 0
    size = longest if size is None else size
    if longest > size or (len(lengths) and int(lengths.min()) < 0):
        raise ValueError(f"want lengths from 0 to {size}; got {lengths.tolist()}")
    return torch.arange(size, device=lengths.device) < lengths.unsqueeze(-1)


def for_keys(
    padding_mask: Bool[Tensor, "B S"], *, none_if_full: bool = False
) -> Bool[Tensor, "B 1 S"] | None:
    """A padding mask (B, S) as a mask for `attend`: every query is kept from the padding.

    Without the dimension for the queries, such a mask would be taken for one of queries wherever
    there are as many of them as rows; `attend` refuses it. The result is a view.

    Args:
        padding_mask: True at real tokens.
        none_if_full: return None where the values can be read and no token is padding. Attention
            without a mask is faster.
    """
    if none_if_full and known_all(padding_mask):
        return None
    return padding_mask.unsqueeze(-2)


def causal_mask(
    queries: int,
    keys: int | None = None,
    *,
    offset: int | None = None,
    device: torch.device | str | None = None,
) -> Bool[Tensor, "1 Q K"]:
    """Query i may look at keys up to its own position and at none after it (Vaswani, 3.2.3).

    Args:
        queries: Q.
        keys: K, by default Q.
        offset: the position of the first query among the keys. By default keys - queries: the
            last query has the position of the last key, as in decoding, where the keys of earlier
            tokens are cached and only the newest tokens are queries.
        device: where the mask is made.

    Raises:
        ValueError: there are fewer keys than queries, and no `offset` that says how they align.
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


def known_all(facts: Bool[Tensor, "..."], *, wait: bool = False) -> bool | None:
    """Whether all of the facts are true; None where their values cannot be read.

    Code that reads values may only take a short cut or refuse an input. `torch.jit.trace` and
    `torch.export` would keep one side of any other branch, `vmap` has one answer for each sample,
    and `torch.compile` would break its graph. In all four the answer is None.

    Args:
        facts: what should be true.
        wait: also read values on an accelerator, which makes the processor wait, and values under
            `torch.compile`, which breaks its graph.
    """
    compiling = is_exporting() if wait else torch.compiler.is_compiling()
    if compiling or torch.jit.is_tracing() or type(facts) is not Tensor:
        return None
    if not (facts.is_cpu or wait):
        return None
    try:
        return bool(facts.all())
    except RuntimeError:  # of `vmap`, or of a device without values
        return None


def places(padding_mask: Bool[Tensor, "B S"]) -> Int[Tensor, "*P S"]:
    """The position of each real token among the real tokens of its row: 0, 1, 2, ...

    A sentence has the same positions on whichever side its padding is. The result is (S,) where
    the values can be read and all padding is on the right, and (B, S) elsewhere.
    """
    if known_all(on_the_left(padding_mask)):
        return torch.arange(padding_mask.shape[1], device=padding_mask.device)
    return (padding_mask.cumsum(1) - 1).clamp(min=0)


def on_the_left(padding_mask: Bool[Tensor, "B S"]) -> Bool[Tensor, "B S"]:
    """True where the mask is as if all real tokens of the row came before its padding."""
    size, count = padding_mask.shape[1], padding_mask.sum(1, keepdim=True)
    return padding_mask == (torch.arange(size, device=padding_mask.device) < count)


def require_padding_mask(mask: Tensor, tokens: Tensor, dims: int = 2) -> None:
    """Refuses a mask that has not one entry for each token, the first `dims` dimensions.

    Raises:
        TypeError: the mask is not boolean.
        ValueError: its shape is not that of the tokens.
    """
    if mask.dtype != torch.bool:
        raise TypeError(f"want a boolean mask, True = a real token; got {mask.dtype}")
    if mask.shape != tokens.shape[:dims]:
        wanted, got = tuple(tokens.shape[:dims]), tuple(mask.shape)
        raise ValueError(f"want a mask {wanted}, an entry for each token; got {got}")


def require_fit(mask: Tensor, shape: Sequence[int]) -> None:
    """Refuses a mask for attention unless each of its dimensions is 1 or as large as the scores'.

    Fewer dimensions are refused, though PyTorch would add them on the left: it would take a
    padding mask (B, K) for a mask of queries and keys wherever B and Q are equal.

    Raises:
        TypeError: the mask is not boolean.
        ValueError: it does not fit the scores' shape.
    """
    if mask.dtype != torch.bool:
        raise TypeError(f"want a boolean mask, True = may be attended to; got {mask.dtype}")
    if mask.shape == shape:
        return
    wanted, got = tuple(shape), tuple(mask.shape)
    if len(got) != len(wanted) or any(
        size not in (1, whole) for size, whole in zip(got, wanted, strict=True)
    ):
        raise ValueError(
            f"want a mask {wanted}, of size 1 where it makes no difference; got {got}. Turn a "
            "padding mask (B, K) into one for attention (B, 1, K) with for_keys"
        )


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
    vectors: Float[Tensor, "*B S D"], padding_mask: Bool[Tensor, "*B S"]
) -> Float[Tensor, "*B S D"]:
    """The vectors, with zeros in place of the padding, whatever it held, and no gradient to it.

    Attention and recurrence skip padding as it is. This is for padding that may hold nan or inf.

    Raises:
        TypeError, ValueError: the mask does not fit, as in `require_padding_mask`.
    """
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
    place = torch.arange(first, first + queries, device=device)
    return (torch.arange(keys, device=device) - place.unsqueeze(-1)).unsqueeze(0)
