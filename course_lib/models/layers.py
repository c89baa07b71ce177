"""Layers of Vaswani et al. 2017, for an encoder-decoder and for a decoder alone.

    x ─┬─ norm ─ attention ─ dropout ─ + ─┬─ norm ─ feed-forward ─ dropout ─ + ─      norm="pre"
       └───────────────────────────────┘  └──────────────────────────────────┘

Letters: D model width, H heads, S source length, T tokens, K keys: those of earlier tokens, if
there are any, and the T.
"""

from collections.abc import Iterable
from itertools import repeat
from typing import NamedTuple

from jaxtyping import Float
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.models.blocks import Residual, StackConfig, attention_of, feed_forward_of
from course_lib.models.shapes import Mask, Positions, Vectors


class LayerOutput(NamedTuple):
    """What a layer returns; weights are None unless asked for.

    Attributes:
        vectors: the input of the next layer.
        cache: keys and values of its self-attention: the earlier ones, then these T.
    """

    vectors: Vectors
    cache: KeyValueCache
    self_attention: Float[Tensor, "B H T K"] | None = None
    cross_attention: Float[Tensor, "B H T S"] | None = None


class SelfAttentionLayer(nn.Module):
    """Self-attention, then feed-forward: a layer of the encoder (section 3.1, left of figure 1).

    With a causal mask, and with `past`, it is the layer of a decoder that has no source.
    """

    reads_source = False

    def __init__(self, config: StackConfig) -> None:
        super().__init__()
        self.self_attention = attention_of(config, rotary=True)
        self.around_self = Residual(config)
        if self.reads_source:
            self.cross_attention = attention_of(config, rotary=False)
            self.around_cross = Residual(config)
        self.feed_forward = feed_forward_of(config)
        self.around_feed_forward = Residual(config)

    def forward(
        self,
        x: Vectors,
        source: KeyValueCache | None = None,
        *,
        mask: Mask = None,
        source_mask: Mask = None,
        past: KeyValueCache | None = None,
        positions: Positions | None = None,
        return_attention: bool = False,
    ) -> LayerOutput:
        """One layer.

        Args:
            source: of a `DecoderLayer`: `cross_attention.project_kv` of the encoder's output.
            mask: which tokens a token may look at.
            source_mask: which positions of the source it may look at.
            past: keys and values of earlier tokens.
            positions: of the tokens, for rotary attention; by default 0 to T - 1.
        """
        y = self.around_self.pre_norm(x)
        cache = self.self_attention.project_kv(y, positions)
        cache = cache if past is None else past.followed_by(cache)
        context, own = self.self_attention.attend(
            y, cache, mask=mask, positions=positions, return_attention=return_attention
        )
        x, cross = self.around_self.residual(x, context), None
        if self.reads_source:
            context, cross = self.cross_attention.attend(
                self.around_cross.pre_norm(x),
                source,
                mask=source_mask,
                return_attention=return_attention,
            )
            x = self.around_cross.residual(x, context)
        return LayerOutput(self.around_feed_forward(x, self.feed_forward), cache, own, cross)


class DecoderLayer(SelfAttentionLayer):
    """Masked self-attention, cross-attention, feed-forward (section 3.1, right of figure 1)."""

    reads_source = True


def run_stack(
    layers: Iterable[SelfAttentionLayer],
    x: Vectors,
    *,
    past: Iterable[KeyValueCache | None] | None = None,
    sources: Iterable[KeyValueCache | None] | None = None,
    **how: Tensor | bool | None,
) -> tuple[Vectors, list[LayerOutput]]:
    """One layer after the other: the last vectors, and each layer's output.

    `past` and `sources` have one cache for each layer; `how` is the same for all layers.
    """
    outputs = []
    for layer, before, source in zip(
        layers, past or repeat(None), sources or repeat(None), strict=False
    ):
        outputs.append(layer(x, source, past=before, **how))
        x = outputs[-1].vectors
    return x, outputs
