"""Layers of Vaswani et al. 2017, for an encoder-decoder and for a decoder alone.

    x ─┬─ norm ─ attention ─ dropout ─ + ─┬─ norm ─ feed-forward ─ dropout ─ + ─      norm="pre"
       └───────────────────────────────┘  └──────────────────────────────────┘

Letters: D model width, H heads, S source length, T tokens, K keys: those of earlier tokens, if
there are any, and the T.
"""

from typing import NamedTuple

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.models.blocks import Residual, StackConfig, attention_of, feed_forward_of


class Passed(NamedTuple):
    """What leaves a layer.

    Attributes:
        vectors: (B, T, D), for the next layer.
        cache: keys and values of its self-attention: those of before, then these T.
        weights: (B, H, T, K) of its self-attention; None unless asked for.
        cross: (B, H, T, S) of its cross-attention; None unless asked for, and where there is none.
    """

    vectors: Float[Tensor, "B T D"]
    cache: KeyValueCache
    weights: Float[Tensor, "B H T K"] | None = None
    cross: Float[Tensor, "B H T S"] | None = None


class SelfAttentionLayer(nn.Module):
    """Self-attention, then feed-forward: a layer of the encoder (section 3.1, left of figure 1).

    With a causal mask, and with `past`, it is the layer of a decoder that has no source.
    """

    def __init__(self, config: StackConfig) -> None:
        super().__init__()
        self.self_attention = attention_of(config, rotary=True)
        self.around_self = Residual(config)
        self.feed_forward = feed_forward_of(config)
        self.around_feed_forward = Residual(config)

    def forward(
        self,
        x: Float[Tensor, "B T D"],
        *,
        mask: Bool[Tensor, "..."] | None = None,
        past: KeyValueCache | None = None,
        positions: Int[Tensor, "*P T"] | None = None,
        weights: bool = False,
    ) -> Passed:
        """One layer on.

        Args:
            x: the tokens.
            mask: who may look where, (B, T, K).
            past: keys and values of earlier tokens.
            positions: where the tokens stand, for rotary alone; by default 0 to T - 1.
            weights: whether the attention is wanted.
        """
        x, cache, seen = attend_to_self(self, x, mask, past, positions, weights)
        x = self.around_feed_forward.leave(x, self.feed_forward(self.around_feed_forward.enter(x)))
        return Passed(x, cache, seen)


def attend_to_self(
    layer: nn.Module,
    x: Float[Tensor, "B T D"],
    mask: Bool[Tensor, "..."] | None,
    past: KeyValueCache | None,
    positions: Int[Tensor, "*P T"] | None,
    weights: bool,
) -> tuple[Float[Tensor, "B T D"], KeyValueCache, Float[Tensor, "B H T K"] | None]:
    """The first sub-layer of every layer: queries, keys and values from the same sequence."""
    entered = layer.around_self.enter(x)
    cache = layer.self_attention.remember(entered, positions)
    cache = cache if past is None else past.followed_by(cache)
    read = layer.self_attention.ask(entered, cache, mask=mask, weights=weights, positions=positions)
    return layer.around_self.leave(x, read.context), cache, read.weights


class DecoderLayer(nn.Module):
    """Masked self-attention, cross-attention, feed-forward (section 3.1, right of figure 1)."""

    def __init__(self, config: StackConfig) -> None:
        super().__init__()
        self.self_attention = attention_of(config, rotary=True)
        self.around_self = Residual(config)
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
        weights: bool = False,
    ) -> Passed:
        """One layer on.

        Args:
            x: tokens of the target.
            source: keys and values that `cross_attention.remember` made of the encoder's output.
            mask: which tokens a token may look at, (B, T, K).
            source_mask: which source positions it may look at, (B, T, S).
            past: keys and values of earlier tokens.
            positions: where the tokens stand, for rotary alone; by default 0 to T - 1.
            weights: whether the attention is wanted.
        """
        x, cache, seen = attend_to_self(self, x, mask, past, positions, weights)
        entered = self.around_cross.enter(x)
        read = self.cross_attention.ask(entered, source, mask=source_mask, weights=weights)
        x = self.around_cross.leave(x, read.context)
        x = self.around_feed_forward.leave(x, self.feed_forward(self.around_feed_forward.enter(x)))
        return Passed(x, cache, seen, read.weights)
