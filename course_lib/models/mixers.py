"""What can stand in the place of multi-head attention in a GPT, and a convolution before it.

Letters: D model width, H heads, T tokens, C tokens that the convolution sees.
"""

from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.attention.linear import LinearState, elu_plus_one, linear_attention, unit_silu
from course_lib.attention.masks import for_keys
from course_lib.attention.multihead import MultiHeadAttention, split_heads
from course_lib.models.shapes import Generator, Positions, TokenMask, Vectors

RULES = ("linear", "decay", "delta")


class ShortConvolution(nn.Module):
    """A causal convolution over C tokens, each of the D numbers by itself, first the identity."""

    def __init__(self, width: int, tokens: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(tokens, width))
        self.draw_weights()

    def draw_weights(self, generator: Generator = None) -> None:
        """The weight of the newest token is 1, those of the others are 0; nothing is drawn."""
        with torch.no_grad():
            self.weight.zero_()[-1] = 1.0

    def forward(
        self, x: Vectors, recent: Float[Tensor, "B R D"] | None = None
    ) -> tuple[Vectors, Float[Tensor, "B R D"]]:
        """The convolved vectors, and the last C - 1 vectors that it has seen, for the next call.

        They are zero at padding, which is in front of the tokens or after all of them; `recent` are
        the C - 1 vectors before, by default zeros.
        """
        tokens, width = self.weight.shape
        recent = x.new_zeros(len(x), tokens - 1, width) if recent is None else recent
        x = torch.cat([recent, x], dim=1)
        windows = x.unfold(1, tokens, 1)  # (B, T, D, C)
        return torch.einsum("btdc,cd->btd", windows, self.weight), x[:, x.shape[1] - tokens + 1 :]


class LinearMixer(MultiHeadAttention):
    """`linear_attention` in H heads; parts and `sizes` are those of `MultiHeadAttention`.

        linear      φ = elu + 1, with the normaliser            Katharopoulos et al. 2020
        decay       γ = 1 - 2^-5, 1 - 2^-6, ... in the heads    Sun et al. 2023
        delta       φ(x) = SiLU(x) / |SiLU(x)|, β_t = σ(W x_t)  Yang et al. 2024

    `rotary` is for decay alone, `normaliser` for the rule "linear". Without it, and with the other
    rules, RMSNorm brings what a head reads to one size, since a sum grows with the text.
    """

    def __init__(
        self, width: int, heads: int, rule: str, *, normaliser: bool = True, **sizes: Any
    ) -> None:
        super().__init__(width, heads, **sizes)
        if rule not in RULES:
            raise ValueError(f"want a rule out of {RULES}; got {rule!r}")
        if self.rotary and rule != "decay":
            raise ValueError(f"want positions that are added, with φ, so not rotary with {rule!r}")
        self.rule, self.normalise = rule, rule == "linear" and normaliser
        if rule == "delta":
            self.beta = nn.Parameter(torch.zeros(heads, width))
        decay = 1 - 2.0 ** (-5 - torch.arange(heads)).unsqueeze(-1)
        self.register_buffer("decay", decay, persistent=False)

    def draw_weights(self, generator: Generator = None) -> None:
        """Begin with β = 1/2; nothing is drawn, so all rules have the same first weights."""
        with torch.no_grad():
            self.beta.zero_()

    def forward(
        self,
        x: Vectors,
        positions: Positions,
        *,
        mask: TokenMask | None = None,
        state: LinearState | None = None,
    ) -> tuple[Vectors, LinearState]:
        """The context of each token, and the state after the last; `state` is the one before."""
        query, key, value = (
            split_heads(layer(x), self.heads) for layer in (self.queries, self.keys, self.values)
        )
        how: dict[str, Any] = {"mask": None if mask is None else for_keys(mask), "state": state}
        if self.rule == "linear":
            how |= {"feature_map": elu_plus_one, "normalise": self.normalise}
        elif self.rule == "decay":
            how["decay"] = self.decay
        else:
            beta = torch.sigmoid(F.linear(x, self.beta)).transpose(1, 2)
            how |= {"feature_map": unit_silu, "beta": beta}
        if self.rotary:
            query, key = self._rotated(query, positions), self._rotated(key, positions)
        context, state = linear_attention(query, key, value, **how)
        if not self.normalise:
            context = F.rms_norm(context, context.shape[-1:], eps=1e-5)
        return self.output(context.transpose(1, 2).flatten(-2)), state
