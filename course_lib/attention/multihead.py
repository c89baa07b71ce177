"""Several attentions side by side, each in its own space (Vaswani et al. 2017, section 3.2.2).

    head_h         = attend(X W_h^Q, Y W_h^K, Y W_h^V)      one small attention for each head
    MultiHead(X,Y) = [head_1; ...; head_H] W^O              equal to a sum of H maps of their own

The paper's names in ours: h is `heads`, d_model `width`, d_k `key_width`, d_v `value_width`. The
matrices of all heads are one linear layer each: `queries`, `keys`, `values`; W^O is `output`.

Letters: D width of the queries, M of the memory, H heads, Dk and Dv width of a key and of a value.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.attention.attend import AttentionOutput, attend
from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import known_all, require_fit
from course_lib.attention.position import rotate
from course_lib.attention.scores import dot, scaled_dot

HINTS = {
    "attn_mask": "mask=~attn_mask, True = may be attended to, (B, Q, K) or (1, Q, K)",
    "key_padding_mask": "mask=for_keys(~key_padding_mask), True = a real token",
    "is_causal": "mask=causal_mask(Q)",
    "need_weights": "return_attention=True",
    "average_attn_weights": "return_attention=True, then take .weights.mean(1) of the result",
    "key": "memory=, of which both keys and values are made",
    "value": "memory=, of which both keys and values are made",
}
"""What to write in the place of an argument of `torch.nn.MultiheadAttention`."""


class MultiHeadAttention(nn.Module):
    """Multi-head attention, from one sequence to another or within one.

    `forward` is `project_kv` (keys and values of the memory), then `attend` (the queries). A
    decoder attends to the same memory at every step, so it keeps what `project_kv` returned.

    Args:
        width: D, of the queries and of the output.
        heads: H.
        memory_width: M, of what keys and values are made from; by default D.
        key_width: d_k, of one head's query and key; by default D / H.
        value_width: d_v, of one head's value; by default D / H.
        dropout: probability, on the attention weights, in training. The paper has none there.
        bias: whether the four linear layers have a bias, as torch's do; the paper writes none.
        rotary: rotate queries and keys by their positions (`position.rotate`).
        scaled: divide the scores by √d_k; False shows why the paper does.

    Raises:
        ValueError: D is not a multiple of H and the widths of a head are not given, a width is
            below 1, or rotary keys have an odd width.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        *,
        memory_width: int | None = None,
        key_width: int | None = None,
        value_width: int | None = None,
        dropout: float = 0.0,
        bias: bool = True,
        rotary: bool = False,
        scaled: bool = True,
    ) -> None:
        super().__init__()
        if heads < 1 or (width % heads and None in (key_width, value_width)):
            raise ValueError(
                f"want a width that {heads} heads can share, or key_width and value_width; got "
                f"width {width}"
            )
        memory_width = width if memory_width is None else memory_width
        self.heads = heads
        self.key_width = width // heads if key_width is None else key_width
        self.value_width = width // heads if value_width is None else value_width
        if min(self.key_width, self.value_width) < 1:
            raise ValueError(
                f"want a key_width and a value_width of 1 or more; got {self.key_width} and "
                f"{self.value_width}"
            )
        if rotary and self.key_width % 2:
            raise ValueError(f"want an even key_width, to turn its pairs; got {self.key_width}")
        self.dropout, self.rotary, self.scaled = dropout, rotary, scaled
        self.queries = nn.Linear(width, heads * self.key_width, bias)
        self.keys = nn.Linear(memory_width, heads * self.key_width, bias)
        self.values = nn.Linear(memory_width, heads * self.value_width, bias)
        self.output = nn.Linear(heads * self.value_width, width, bias)

    def project_kv(
        self, memory: Float[Tensor, "B K M"], positions: Int[Tensor, "*P K"] | None = None
    ) -> KeyValueCache:
        """The keys and values of every head.

        Args:
            memory: the vectors that queries will attend to.
            positions: their positions, (K,) or (B, K); by default 0 to K - 1. Only rotary
                attention uses them.

        Raises:
            ValueError: the memory is not (B, K, M).
        """
        _require_vectors(memory, self.keys.in_features, "a memory")
        return KeyValueCache(
            self._place(_split(self.keys(memory), self.heads), positions),
            _split(self.values(memory), self.heads),
        )

    def attend(
        self,
        query: Float[Tensor, "B Q D"],
        cache: KeyValueCache,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        return_attention: bool = False,
        positions: Int[Tensor, "*P Q"] | None = None,
    ) -> AttentionOutput:
        """The context (B, Q, D) of each query: what all heads read, through W^O.

        Args:
            query: the vectors that attend.
            cache: what `project_kv` returned.
            mask: True where a query may look: (B, Q, K), or (B, H, Q, K) where heads differ, any
                size 1 where it makes no difference. Where a query may look nowhere, its heads
                read zeros and its context is the bias of W^O.
            return_attention: whether the weights (B, H, Q, K) are wanted. Without them PyTorch's
                fused kernel never stores them.
            positions: positions of the queries; by default the last Q positions of the memory.

        Raises:
            ValueError: the mask does not fit, the query is not (B, Q, D), or memory and query
                differ in their number of rows.
            TypeError: the mask is not boolean.
        """
        _require_vectors(query, self.queries.in_features, "a query")
        if query.shape[0] != cache.keys.shape[0]:
            raise ValueError(
                f"want as many rows in query and memory, the batch first; got {query.shape[0]} and "
                f"{cache.keys.shape[0]}. If the sequence comes first, pass x.transpose(0, 1)"
            )
        places = positions
        if places is None and self.rotary:
            first = cache.length - query.shape[1]
            places = torch.arange(first, cache.length, device=query.device)
        queries = self._place(_split(self.queries(query), self.heads), places)
        if mask is not None:
            mask = _for_heads(mask, (len(query), self.heads, query.shape[1], cache.length))
        dropout = self.dropout if self.training else 0.0
        if return_attention:
            found = attend(
                queries,
                cache.keys,
                cache.values,
                score=scaled_dot if self.scaled else dot,
                mask=mask,
                weigh=lambda w: nn.functional.dropout(w, dropout),
            )
            return AttentionOutput(self.output(_joined(found.context)), found.weights)
        scale = None if self.scaled else 1.0
        context = _fused(queries, cache, mask, dropout, scale)
        return AttentionOutput(self.output(_joined(context)))

    def forward(
        self,
        query: Float[Tensor, "B Q D"],
        memory: Float[Tensor, "B K M"] | None = None,
        *others: object,
        mask: Bool[Tensor, "..."] | None = None,
        return_attention: bool = False,
        **named: object,
    ) -> AttentionOutput:
        """Attention to `memory` or, without one, of a sequence to itself; see `attend`.

        Raises:
            TypeError: it is called as `torch.nn.MultiheadAttention` is; the message says how
                to write the same here.
            ValueError: as in `attend`.
        """
        if others:
            raise TypeError(
                f"want a query and a memory, of which both keys and values are made; got "
                f"{2 + len(others)} arguments. For mha(x, x, x) write mha(x), for mha(q, m, m) "
                "write mha(q, m)"
            )
        for name in named:
            hint = f"; for {name} write {HINTS[name]}" if name in HINTS else ""
            raise TypeError(f"want query, memory, mask and return_attention; got {name}{hint}")
        cache = self.project_kv(query if memory is None else memory)
        return self.attend(query, cache, mask=mask, return_attention=return_attention)

    def columns(self, head: int) -> slice:
        """The columns of W^O (`output.weight`) that read this head; zeros there silence the head.

        Raises:
            ValueError: there is no such head; heads count from 0.
        """
        if not 0 <= head < self.heads:
            raise ValueError(f"want a head from 0 to {self.heads - 1}; got {head}")
        return slice(head * self.value_width, (head + 1) * self.value_width)

    def _place(self, split: Tensor, positions: Int[Tensor, "*P T"] | None) -> Tensor:
        """Queries or keys (B, H, T, Dk), rotated by their positions where the attention is rotary.

        Keys are rotated before they are cached: their positions never change.
        """
        if not self.rotary:
            return split
        if positions is None:
            positions = torch.arange(split.shape[2], device=split.device)
        return rotate(split, positions.unsqueeze(-2))


def _fused(
    queries: Tensor, cache: KeyValueCache, mask: Tensor | None, dropout: float, scale: float | None
) -> Float[Tensor, "B H Q Dv"]:
    """PyTorch's fused kernel; zeros where a query may look nowhere, as in `attend`.

    Before torch 2.5 the kernel returns nan there, so such a query is shown every key first.
    """
    nowhere = None if mask is None else ~mask.any(-1, keepdim=True)
    if nowhere is not None and not known_all(~nowhere):
        mask = mask | nowhere
    context = scaled_dot_product_attention(
        queries, cache.keys, cache.values, attn_mask=mask, dropout_p=dropout, scale=scale
    )
    return context if nowhere is None else context.masked_fill(nowhere, 0.0)


def _require_vectors(vectors: Tensor, width: int, what: str) -> None:
    """Refuses what PyTorch would accept as something else, such as one sequence (T, D)."""
    if vectors.dim() != 3 or vectors.shape[-1] != width:
        got = tuple(vectors.shape)
        raise ValueError(f"want {what} (batch, sequence, {width}); got {got}")


def _split(vectors: Float[Tensor, "B T W"], heads: int) -> Float[Tensor, "B H T _"]:
    """One vector for each head in place of one for all heads."""
    return vectors.unflatten(-1, (heads, -1)).transpose(1, 2)


def _joined(split: Float[Tensor, "B H T _"]) -> Float[Tensor, "B T W"]:
    """The vectors of the heads side by side."""
    return split.transpose(1, 2).flatten(-2)


def _for_heads(mask: Tensor, shape: tuple[int, int, int, int]) -> Bool[Tensor, "B H Q K"]:
    """The mask with a dimension for the heads, which all share one of three dimensions."""
    batch, _, queries, keys = shape
    if mask.dim() == 4:
        require_fit(mask, shape)
        return mask
    require_fit(mask, (batch, queries, keys))
    return mask.unsqueeze(1)
