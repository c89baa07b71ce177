"""Several attentions side by side, each in its own space (Vaswani et al. 2017, section 3.2.2).

    head_h         = attend(X W_h^Q, Y W_h^K, Y W_h^V)      one small attention for each head
    MultiHead(X,Y) = [head_1; ...; head_H] W^O              equal to a sum of H maps of their own

The matrices of all heads are one linear layer each: `queries`, `keys`, `values`; W^O is `output`.

Letters: D width of the queries, M of the memory, H heads, Dk and Dv width of a key and of a value.
"""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.attention.attend import AttentionOutput, attend
from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import require_mask
from course_lib.attention.position import rotate
from course_lib.attention.scores import dot, scaled_dot


class MultiHeadAttention(nn.Module):
    """Multi-head attention, from one sequence to another or within one.

    `forward` is `project_kv` (keys and values of the memory), then `attend` (the queries). A
    decoder attends to the same memory at every step, so it keeps what `project_kv` returned.

    Args:
        width: D, the paper's d_model, of the queries and of the output.
        heads: H, the paper's h.
        memory_width: M, of what keys and values are made from; by default D.
        kv_heads: G heads of keys and values, each of which H / G heads of queries share (Ainslie
            et al. 2023); by default H; with 1 it is the attention of Shazeer 2019.
        key_width: d_k, of one head's query and key; by default D / H, else ValueError.
        value_width: d_v, of one head's value; by default D / H, else ValueError.
        dropout: probability, on the attention weights, in training. The paper has none there.
        bias: whether the four linear layers have a bias, as torch's do; the paper writes none.
        rotary: rotate queries and keys by their positions (`position.rotate`).
        scaled: divide the scores by √d_k; False shows why the paper does.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        *,
        memory_width: int | None = None,
        kv_heads: int | None = None,
        key_width: int | None = None,
        value_width: int | None = None,
        dropout: float = 0.0,
        bias: bool = True,
        rotary: bool = False,
        scaled: bool = True,
    ) -> None:
        super().__init__()
        if heads < 1 or (width % heads and None in (key_width, value_width)):
            raise ValueError(f"want a width that {heads} heads can share; got {width}")
        self.heads, self.kv_heads = heads, heads if kv_heads is None else kv_heads
        if self.kv_heads < 1 or heads % self.kv_heads:
            raise ValueError(f"want kv_heads that divide {heads} heads; got {kv_heads}")
        memory_width = width if memory_width is None else memory_width
        self.key_width = width // heads if key_width is None else key_width
        self.value_width = width // heads if value_width is None else value_width
        self.dropout, self.rotary, self.scaled = dropout, rotary, scaled
        self.queries = nn.Linear(width, heads * self.key_width, bias)
        self.keys = nn.Linear(memory_width, self.kv_heads * self.key_width, bias)
        self.values = nn.Linear(memory_width, self.kv_heads * self.value_width, bias)
        self.output = nn.Linear(heads * self.value_width, width, bias)

    def project_kv(
        self, memory: Float[Tensor, "B K M"], positions: Int[Tensor, "*P K"] | None = None
    ) -> KeyValueCache:
        """The keys and values of every head.

        `positions` are (K,) or (B, K), by default 0 to K - 1. Only rotary attention uses them: it
        rotates keys before they are cached, since their positions never change.
        """
        keys = split_heads(self.keys(memory), self.kv_heads)
        values = split_heads(self.values(memory), self.kv_heads)
        return KeyValueCache(self._rotated(keys, positions) if self.rotary else keys, values)

    def attend(
        self,
        query: Float[Tensor, "B Q D"],
        cache: KeyValueCache,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        return_attention: bool = False,
        positions: Int[Tensor, "*P Q"] | None = None,
    ) -> AttentionOutput:
        """The context (B, Q, D) of each query: the contexts of all heads through W^O.

        Args:
            mask: True where a query may look: (Q, K), (B, Q, K), or (B, H, Q, K) where heads
                differ, any size 1 where it makes no difference. Where a query may look nowhere, its
                heads read zeros and its context is the bias of W^O.
            return_attention: whether the weights (B, H, Q, K) are wanted. Without them PyTorch's
                fused kernel never stores them.
            positions: positions of the queries; by default the last Q positions of the memory.
        """
        queries, shared = split_heads(self.queries(query), self.heads), self.heads // self.kv_heads
        if shared > 1:
            cache = KeyValueCache(*(part.repeat_interleave(shared, dim=1) for part in cache))
        if self.rotary:
            queries = self._rotated(queries, positions, cache.length - query.shape[1])
        if mask is not None:
            mask = self._for_heads(mask, query, cache)
        dropout = self.dropout if self.training else 0.0
        weights = None
        if return_attention:
            score = scaled_dot if self.scaled else dot
            context, weights = attend(queries, *cache, score=score, mask=mask, dropout=dropout)
        else:
            scale = None if self.scaled else 1.0
            context = scaled_dot_product_attention(
                queries, *cache, attn_mask=mask, dropout_p=dropout, scale=scale
            )
        return AttentionOutput(self.output(context.transpose(1, 2).flatten(-2)), weights)

    def forward(
        self,
        query: Float[Tensor, "B Q D"],
        memory: Float[Tensor, "B K M"] | None = None,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        return_attention: bool = False,
    ) -> AttentionOutput:
        """Attention to `memory` or, without one, of a sequence to itself; see `attend`.

        Unlike `torch.nn.MultiheadAttention`, it takes one memory for keys and values, the batch
        first, and a mask that is True where a query may look; it returns weights for each head.
        """
        memory = query if memory is None else memory
        if len(query) != len(memory):
            raise ValueError(f"want as many rows in both; got {len(query)} and {len(memory)}")
        cache = self.project_kv(memory)
        return self.attend(query, cache, mask=mask, return_attention=return_attention)

    def columns(self, head: int) -> slice:
        """The columns of W^O (`output.weight`) that read this head; zeros there silence it."""
        if not 0 <= head < self.heads:
            raise ValueError(f"want a head from 0 to {self.heads - 1}; got {head}")
        return slice(head * self.value_width, (head + 1) * self.value_width)

    def _rotated(
        self,
        vectors: Float[Tensor, "B H T Dk"],
        positions: Int[Tensor, "*P T"] | None,
        first: int = 0,
    ) -> Float[Tensor, "B H T Dk"]:
        """Queries or keys rotated by their positions, by default `first`, `first` + 1, ..."""
        if positions is None:
            positions = torch.arange(first, first + vectors.shape[2], device=vectors.device)
        return rotate(vectors, positions.unsqueeze(-2))

    def _for_heads(self, mask: Tensor, query: Tensor, cache: KeyValueCache) -> Bool[Tensor, "..."]:
        """The mask, with a dimension for the heads in one of three dimensions."""
        rows, queries, keys = len(query), query.shape[1], cache.length
        if mask.dim() == 4:
            require_mask(mask, (rows, self.heads, queries, keys))
            return mask
        require_mask(mask, (rows, queries, keys))
        return mask.unsqueeze(1) if mask.dim() == 3 else mask


def split_heads(vectors: Float[Tensor, "B T W"], heads: int) -> Float[Tensor, "B H T _"]:
    """One vector for each head in place of one for all heads."""
    return vectors.unflatten(-1, (heads, -1)).transpose(1, 2)
