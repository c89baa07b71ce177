"""A GPT whose attention can be linear, so that what it keeps does not grow with the text.

`LinearGPT` is `GPT` with another mixer, the part that carries something from token to token. For
one seed all other first weights are those of `GPT`. The mixers besides "softmax" are the rules of
`attention/linear.py`. A short convolution before the mixer is an option for all four: a linear
mixer can hardly read the token just before without it.

Letters: D model width, T tokens, K keys, C tokens that the convolution sees.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.linear import LinearState
from course_lib.attention.masks import causal_mask, for_keys, positions_of, require_padding_mask
from course_lib.models.gpt import GPT, GPTConfig, GPTLayer
from course_lib.models.mixers import RULES, LinearMixer, ShortConvolution
from course_lib.models.shapes import Positions, TokenMask, Tokens, Vectors

MIXERS = ("softmax", *RULES)


@dataclass(frozen=True)
class LinearGPTConfig(GPTConfig):
    """A `GPTConfig` and its mixer.

    Attributes:
        mixer: one of `MIXERS`; those besides "softmax" use no kv_heads and no attention dropout.
        convolution: C, the tokens that a causal convolution before the mixer sees; 0 for none.
        normaliser: of the mixer "linear"; see `LinearMixer`.
    """

    mixer: str = "softmax"
    convolution: int = 0
    normaliser: bool = True


class LayerState(NamedTuple):
    """What a layer keeps of the tokens so far.

    Attributes:
        recent: what the convolution will see again; None without one.
        memory: of a linear mixer.
        cache: of softmax: keys and values, which grow with the tokens.
        visible: of softmax: True at the tokens among them.
    """

    recent: Float[Tensor, "B R D"] | None = None
    memory: LinearState | None = None
    cache: KeyValueCache | None = None
    visible: Bool[Tensor, "B K"] | None = None


class LinearGPTLayer(GPTLayer):
    """x + mixer(convolution(norm(x))), then x + feed-forward(norm(x))."""

    def __init__(self, config: LinearGPTConfig) -> None:
        super().__init__(config)
        self.softmax, self.convolution = config.mixer == "softmax", None
        if not self.softmax:
            self.self_attention = LinearMixer(
                config.width,
                config.heads,
                config.mixer,
                key_width=config.key_width,
                value_width=config.value_width,
                bias=config.bias,
                rotary=config.positions == "rotary",
                normaliser=config.normaliser,
            )
        if config.convolution:
            self.convolution = ShortConvolution(config.width, config.convolution)

    def forward(
        self, x: Vectors, *, mask: TokenMask, past: LayerState, positions: Positions
    ) -> tuple[Vectors, LayerState]:
        """One layer: `mask` is True at tokens; `past` is what it kept of the tokens before."""
        y, recent = self.around_self.pre_norm(x), None
        if self.convolution is not None:
            y, recent = self.convolution(y.masked_fill(~mask.unsqueeze(-1), 0.0), past.recent)
        if self.softmax:
            cache, visible = self.self_attention.project_kv(y, positions), mask
            if past.cache is not None:
                cache = past.cache.followed_by(cache)
                visible = torch.cat([past.visible, mask], dim=1)
            seen = for_keys(visible) & causal_mask(x.shape[1], cache.length, device=x.device)
            y = self.self_attention.attend(y, cache, mask=seen, positions=positions).context
            state = LayerState(recent, cache=cache, visible=visible)
        else:
            y, memory = self.self_attention(y, positions, mask=mask, state=past.memory)
            state = LayerState(recent, memory)
        x = self.around_self.residual(x, y)
        return self.around_feed_forward(x, self.feed_forward), state


class LinearGPT(GPT):
    """Logits (B, T, V) of the token after each, from tokens (B, T), as `GPT`."""

    layer_class = LinearGPTLayer

    def read(
        self, tokens: Tokens, mask: TokenMask | None = None
    ) -> tuple[Vectors, tuple[LayerState, ...]]:
        """`extend` on tokens with nothing before them; `mask` as in `forward`."""
        mask = torch.ones_like(tokens, dtype=torch.bool) if mask is None else mask
        require_padding_mask(mask, tokens)
        return self.extend(tokens, positions_of(mask), mask)

    def extend(
        self,
        tokens: Tokens,
        positions: Positions,
        mask: TokenMask,
        past: tuple[LayerState, ...] | None = None,
    ) -> tuple[Vectors, tuple[LayerState, ...]]:
        """As in `LanguageModel`; each layer keeps a state, and padding is not between tokens."""
        x, states = self.embed(tokens, positions), []
        past = past or (LayerState(),) * len(self.layers)
        for layer, before in zip(self.layers, past, strict=True):
            x, state = layer(x, mask=mask, past=before, positions=positions)
            states.append(state)
        return self.norm(x), tuple(states)
