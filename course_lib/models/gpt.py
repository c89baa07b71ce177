"""GPT: the Transformer's decoder without a source, as in 2018 and as it is built today.

`gpt2()` is the model of Radford et al. 2019, section 2.3: pre-norm, learned positions, GELU, one
table, times √D where it embeds, as in the Transformer. `llama()` changes five things:

    rms             RMSNorm in place of layer norm          Zhang & Sennrich 2019
    positions       "rotary" in place of "learned"          Su et al. 2021
    swiglu          a gated feed-forward net                Shazeer 2020
    bias            no bias in any linear layer or norm     Touvron et al. 2023
    kv_heads        heads that share keys and values        Ainslie et al. 2023

Letters: D model width, F feed-forward width, H heads, G heads of keys and values, T tokens, K keys.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from course_lib.attention.multihead import MultiHeadAttention
from course_lib.models.language_model import LanguageModel, LanguageModelConfig
from course_lib.models.layers import SelfAttentionLayer
from course_lib.models.shapes import Generator, Vectors


@dataclass(frozen=True)
class GPTConfig(LanguageModelConfig):
    """The vocabulary and what GPTs changed; ValueError if the norm is not "pre".

    Attributes:
        swiglu: a gated feed-forward net in place of one with GELU; its third matrix is paid for by
            a width of 2/3 F.
        bias: whether linear layers and layer norms have one.
        kv_heads: G, a divisor of H; by default H.
    """

    rms: bool = False
    swiglu: bool = False
    bias: bool = True
    kv_heads: int | None = None

    def __post_init__(self) -> None:
        if self.norm != "pre":
            raise ValueError(f"want norm='pre', as in every GPT since GPT-2; got {self.norm!r}")


def gpt2(vocabulary: int, **sizes: Any) -> GPTConfig:
    """The recipe of Radford et al. 2019, in any size; its sentences have a longest length."""
    return GPTConfig(vocabulary, **{"positions": "learned"} | sizes)


def llama(vocabulary: int, **sizes: Any) -> GPTConfig:
    """All five changes, as in Llama 2 and 3 (Touvron et al. 2023); one key head for two heads."""
    modern = {"positions": "rotary", "rms": True, "swiglu": True, "bias": False}
    sizes = {"heads": 4} | sizes
    return GPTConfig(vocabulary, **{"kv_heads": max(1, sizes["heads"] // 2)} | modern | sizes)


class FeedForwardGELU(nn.Module):
    """GELU(x W₁) W₂ (Radford et al. 2018), at each position by itself.

    Attributes:
        approximate: as in `torch.nn.GELU`; GPT-2 itself was trained with "tanh".
    """

    approximate = "none"

    def __init__(self, width: int, hidden: int, bias: bool) -> None:
        super().__init__()
        self.inner, self.outer = nn.Linear(width, hidden, bias), nn.Linear(hidden, width, bias)

    def forward(self, x: Vectors) -> Vectors:
        """Each vector by itself."""
        return self.outer(F.gelu(self.inner(x), approximate=self.approximate))


class SwiGLU(FeedForwardGELU):
    """(SiLU(x W) ⊙ x V) W₂ (Shazeer 2020, equation 6): one product opens or shuts the other."""

    def __init__(self, width: int, hidden: int, bias: bool) -> None:
        super().__init__(width, hidden, bias)
        self.gate = nn.Linear(width, hidden, bias)

    def forward(self, x: Vectors) -> Vectors:
        """Each vector by itself."""
        return self.outer(F.silu(self.gate(x)) * self.inner(x))


def norm_of(config: GPTConfig) -> nn.Module:
    """RMSNorm divides by the root mean square; layer norm subtracts the mean first."""
    if config.rms:
        return nn.RMSNorm(config.width, eps=1e-5)
    return nn.LayerNorm(config.width, bias=config.bias)


class GPTLayer(SelfAttentionLayer):
    """x + attention(norm(x)), then x + feed-forward(norm(x))."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__(config)
        hidden = config.feed_forward or 4 * config.width
        self.self_attention = MultiHeadAttention(
            config.width,
            config.heads,
            kv_heads=config.kv_heads,
            key_width=config.key_width,
            value_width=config.value_width,
            dropout=config.attention_dropout,
            bias=config.bias,
            rotary=config.positions == "rotary",
            scaled=config.scaled,
        )
        self.feed_forward = (
            SwiGLU(config.width, round(hidden * 2 / 3), config.bias)
            if config.swiglu
            else FeedForwardGELU(config.width, hidden, config.bias)
        )
        self.around_self.norm = norm_of(config)
        self.around_feed_forward.norm = norm_of(config)


class GPT(LanguageModel):
    """A `LanguageModel` of these parts: logits (B, T, V) of the token after each of (B, T)."""

    layer_class = GPTLayer
    norm_of = staticmethod(norm_of)

    def __init__(self, config: GPTConfig, generator: Generator = None) -> None:
        super().__init__(config, generator)
        with torch.no_grad():
            # So every token is about equally probable at first, and the first loss is ln V (Radford
            # et al. 2018, section 4.1). They draw all matrices so, at a width of 768; at the widths
            # of this course Glorot's larger numbers, which the others keep, train faster.
            for part in self.embed.modules():
                if isinstance(part, nn.Embedding):
                    nn.init.normal_(part.weight, std=0.02, generator=generator)
            # As many terms are added up as there are sub-layers (Radford et al. 2019, section 2.3).
            for layer in self.layers:
                for last in (layer.self_attention.output, layer.feed_forward.outer):
                    last.weight /= (2 * config.layers) ** 0.5


def cache_bytes(config: GPTConfig, number: int = 4) -> int:
    """Bytes of the cache for one token: a key and a value a layer of G heads; 4 bytes a number."""
    key = config.key_width or config.width // config.heads
    value = config.value_width or config.width // config.heads
    return config.layers * (config.kv_heads or config.heads) * (key + value) * number
