"""The parts of a layer of Vaswani et al. 2017: embedding, residual connection, feed-forward.

Letters: D model width, F feed-forward width, H heads, T tokens.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.attention.multihead import MultiHeadAttention
from course_lib.attention.position import LearnedPosition, Sinusoidal
from course_lib.models.shapes import Generator, Positions, Tokens, Vectors

NORMS = ("pre", "post", "none")
POSITIONS = ("sinusoidal", "learned", "rotary", "none")
FEW = 64
"""Up to this many vectors `tied_logits` computes the transposed product."""


@dataclass(frozen=True, kw_only=True)
class StackConfig:
    """Sizes of a stack, and its variants.

    Attributes:
        feed_forward: F, the paper's d_ff; by default 4 D.
        layers: N, of the encoder and of the decoder each.
        dropout: on the sum of embedding and position, and on the output of each sub-layer (5.4).
        attention_dropout: on the attention weights; the paper has none.
        norm: "post" is the paper's, LayerNorm(x + Sublayer(x)); "pre" is x + Sublayer(LayerNorm(x))
            with a layer norm at the end of the stack (Xiong et al. 2020), which trains without a
            warm-up; "none" is an ablation.
        max_length: the longest sentence; only learned positions have one.
        key_width, value_width: d_k and d_v; by default D / H.
        residual: x + Sublayer(x); False is an ablation without the sum.
        scaled: scores over √d_k; False is an ablation without the scale.
    """

    width: int = 256
    heads: int = 4
    feed_forward: int | None = None
    layers: int = 3
    dropout: float = 0.0
    attention_dropout: float = 0.0
    norm: str = "pre"
    positions: str = "sinusoidal"
    max_length: int = 512
    key_width: int | None = None
    value_width: int | None = None
    residual: bool = True
    scaled: bool = True


class TokenTable(nn.Embedding):
    """A table of token vectors of about length 1, which serve as rows of the output layer."""

    def draw_weights(self, generator: Generator) -> None:
        """Normal numbers of variance 1 / D; times √D they have variance 1, like the positions."""
        nn.init.normal_(self.weight, std=self.embedding_dim**-0.5, generator=generator)


class PositionedEmbedding(nn.Module):
    """√D · E[token] + position, dropped out (Vaswani et al. 2017, sections 3.4, 3.5 and 5.4)."""

    def __init__(self, vocabulary: int, config: StackConfig) -> None:
        super().__init__()
        self.table = TokenTable(vocabulary, config.width)
        if config.positions not in POSITIONS:
            raise ValueError(f"want positions out of {POSITIONS}; got {config.positions!r}")
        self.position = None
        if config.positions == "sinusoidal":
            self.position = Sinusoidal(config.width)
        elif config.positions == "learned":
            self.position = LearnedPosition(config.width, config.max_length)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Tokens, positions: Positions) -> Tensor:
        """Vectors (B, T, D) of tokens at these positions, (T,) or (B, T)."""
        vectors = math.sqrt(self.table.embedding_dim) * self.table(ids)
        if self.position is not None:
            vectors = vectors + self.position(positions, vectors.dtype)
        return self.dropout(vectors)


class Residual(nn.Module):
    """The residual connection around a sub-layer, with layer norm and dropout (section 3.1).

        pre     x + dropout(sublayer(norm(x)))
        post    norm(x + dropout(sublayer(x)))      the paper's

    A sub-layer that returns more than vectors is called between the two halves of `forward`.
    """

    def __init__(self, config: StackConfig) -> None:
        super().__init__()
        if config.norm not in NORMS:
            raise ValueError(f"want a norm out of {NORMS}; got {config.norm!r}")
        self.kind, self.adds = config.norm, config.residual
        self.norm = nn.Identity() if config.norm == "none" else nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x: Vectors, sublayer: Callable[[Tensor], Tensor]) -> Vectors:
        """The sub-layer with its residual connection."""
        return self.residual(x, sublayer(self.pre_norm(x)))

    def pre_norm(self, x: Vectors) -> Vectors:
        """The input of the sub-layer."""
        return self.norm(x) if self.kind == "pre" else x

    def residual(self, x: Vectors, y: Vectors) -> Vectors:
        """The sum of x and the sub-layer's output y."""
        y = self.dropout(y)
        total = x + y if self.adds else y
        return self.norm(total) if self.kind == "post" else total


class FeedForward(nn.Module):
    """max(0, x W₁ + b₁) W₂ + b₂ (Vaswani et al. 2017, equation 2), at each position by itself."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.inner = nn.Linear(width, hidden)
        self.outer = nn.Linear(hidden, width)

    def forward(self, x: Vectors) -> Vectors:
        """Each vector by itself."""
        return self.outer(torch.relu(self.inner(x)))


def tied_logits(x: Float[Tensor, "*B D"], table: Float[Tensor, "V D"]) -> Float[Tensor, "*B V"]:
    """Logits x Eᵀ: the table of embeddings is also the output layer (section 3.4).

    Up to `FEW` vectors, as in a decoder's step, it computes (E xᵀ)ᵀ, for which MKL is faster
    (10,000 words of width 256 and 4 vectors: 1.4 in place of 3.5 ms).
    """
    rows = x.shape[:-1].numel()
    if rows > FEW or torch.is_grad_enabled():
        return nn.functional.linear(x, table)
    transposed = nn.functional.linear(table, x.reshape(rows, x.shape[-1]))
    return transposed.T.reshape(*x.shape[:-1], len(table))


def attention_of(config: StackConfig, *, rotary: bool) -> MultiHeadAttention:
    """One attention of a stack; rotary positions only make sense within one sequence."""
    return MultiHeadAttention(
        config.width,
        config.heads,
        key_width=config.key_width,
        value_width=config.value_width,
        dropout=config.attention_dropout,
        rotary=rotary and config.positions == "rotary",
        scaled=config.scaled,
    )


def feed_forward_of(config: StackConfig) -> FeedForward:
    """One feed-forward net of a stack."""
    return FeedForward(config.width, config.feed_forward or 4 * config.width)


def final_norm(config: StackConfig) -> nn.Module:
    """The end of a stack: pre-norm leaves the last sum unnormalised, so it needs a layer norm."""
    return nn.LayerNorm(config.width) if config.norm == "pre" else nn.Identity()
