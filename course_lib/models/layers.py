"""Layers of Vaswani et al. 2017, for an encoder-decoder and for a decoder alone.

    x ─┬─ norm ─ attention ─ dropout ─ + ─┬─ norm ─ feed-forward ─ dropout ─ + ─      norm="pre"
       └───────────────────────────────┘  └──────────────────────────────────┘

Letters: D model width, H heads, S source length, T tokens, K keys: those of earlier tokens, if
there are any, and the T.
"""

from collections.abc import Iterable
from itertools import repeat
from typing import NamedTuple

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.models.blocks import Residual, StackConfig, attention_of, feed_forward_of


class LayerOutput(NamedTuple):
    """What a layer returns.

    Attributes:
        vectors: (B, T, D), the input of the next layer.
        cache: keys and values of its self-attention: the earlier ones, then these T.
        self_attention: its weights (B, H, T, K); None unless asked for.
        cross_attention: its weights (B, H, T, S); None unless asked for, and in an encoder.
    """

    vectors: Float[Tensor, "B T D"]
    cache: KeyValueCache
    self_attention: Float[Tensor, "B H T K"] | None = None
    cross_attention: Float[Tensor, "B H T S"] | None = None


class _Layer(nn.Module):
    """What every layer begins with: self-attention and the residual connection around it.

    The arguments of a layer's `forward`: `x`, the tokens; `mask`, which tokens a token may look at,
    (B, T, K); `past`, keys and values of earlier tokens; `positions` of the tokens, for rotary
    attention only, by default 0 to T - 1; `return_attention`, whether weights are wanted.
    """

    def __init__(self, config: StackConfig) -> None:
        super().__init__()
        self.self_attention = attention_of(config, rotary=True)
        self.around_self = Residual(config)

    def attend_to_self(
        self,
        x: Float[Tensor, "B T D"],
        mask: Bool[Tensor, "..."] | None,
        past: KeyValueCache | None,
        positions: Int[Tensor, "*P T"] | None,
        return_attention: bool,
    ) -> LayerOutput:
        """Queries, keys and values from the same tokens; keys and values also from `past`."""
        y = self.around_self.pre_norm(x)
        cache = self.self_attention.project_kv(y, positions)
        cache = cache if past is None else past.followed_by(cache)
        context, weights = self.self_attention.attend(
            y, cache, mask=mask, positions=positions, return_attention=return_attention
        )
        return LayerOutput(self.around_self.residual(x, context), cache, weights)


class SelfAttentionLayer(_Layer):
    """Self-attention, then feed-forward: a layer of the encoder (section 3.1, left of figure 1).

    With a causal mask, and with `past`, it is the layer of a decoder that has no source.
    """

    def __init__(self, config: StackConfig) -> None:
        super().__init__(config)
        self.feed_forward = feed_forward_of(config)
        self.around_feed_forward = Residual(config)

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        past: KeyValueCache | None = None,
        positions: Int[Tensor, "*P T"] | None = None,
        return_attention: bool = False,
    ) -> LayerOutput:
        """One layer."""
        x, cache, own, _ = self.attend_to_self(x, mask, past, positions, return_attention)
        return LayerOutput(self.around_feed_forward(x, self.feed_forward), cache, own)


class DecoderLayer(_Layer):
    """Masked self-attention, cross-attention, feed-forward (section 3.1, right of figure 1)."""

    def __init__(self, config: StackConfig) -> None:
        super().__init__(config)
        self.cross_attention = attention_of(config, rotary=False)
        self.around_cross = Residual(config)
        self.feed_forward = feed_forward_of(config)
        self.around_feed_forward = Residual(config)

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        source: KeyValueCache,
        *,
        mask: Bool[Tensor, "..."] | None = None,
        source_mask: Bool[Tensor, "..."] | None = None,
        past: KeyValueCache | None = None,
        positions: Int[Tensor, "*P T"] | None = None,
        return_attention: bool = False,
    ) -> LayerOutput:
        """One layer; `source` is `cross_attention.project_kv` of the encoder's output."""
        x, cache, own, _ = self.attend_to_self(x, mask, past, positions, return_attention)
        query = self.around_cross.pre_norm(x)
        context, cross = self.cross_attention.attend(
            query, source, mask=source_mask, return_attention=return_attention
        )
        x = self.around_cross.residual(x, context)
        return LayerOutput(self.around_feed_forward(x, self.feed_forward), cache, own, cross)


def run_stack(
    layers: Iterable[SelfAttentionLayer],
    x: Float[Tensor, "B T D"],
    *,
    mask: Bool[Tensor, "..."] | None,
    positions: Int[Tensor, "*P T"],
    past: Iterable[KeyValueCache] | None = None,
    return_attention: bool = False,
) -> tuple[Float[Tensor, "B T D"], list[LayerOutput]]:
    """One layer after the other: the last vectors, and each layer's output."""
    outputs = []
    for layer, before in zip(layers, past or repeat(None), strict=False):
        output = layer(
            x, mask=mask, past=before, positions=positions, return_attention=return_attention
        )
        outputs.append(output)
        x = output.vectors
    return x, outputs
