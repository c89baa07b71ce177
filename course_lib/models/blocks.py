"""What the layers of Vaswani et al. 2017 are made of: embedding, residual, norm, feed-forward.

Letters: D model width, F feed-forward width, H heads, T tokens.
"""

import math
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.attention.multihead import MultiHeadAttention
from course_lib.attention.position import LearnedPosition, Sinusoidal

NORMS = ("pre", "post", "none")
POSITIONS = ("sinusoidal", "learned", "rotary", "none")
FEW = 64
"""Up to so many vectors the scores of all words are computed the other way round."""


@dataclass(frozen=True, kw_only=True)
class StackConfig:
    """Sizes of a stack, and which variant it is.

    Attributes:
        width: D, the paper's d_model.
        heads: H.
        feed_forward: F, the paper's d_ff; by default 4 D.
        layers: N, of the encoder and of the decoder each.
        dropout: on the sum of embedding and position, and on what each sub-layer adds (5.4); 0.1
            in the paper.
        attention_dropout: on the attention weights; the paper has none.
        norm: "post" is the paper's, LayerNorm(x + Sublayer(x)); "pre" is x + Sublayer(LayerNorm(x))
            with one more norm at the end (Xiong et al. 2020), which learns without a warm-up;
            "none" leaves the norms out, to see what they do.
        positions: one of `POSITIONS`.
        max_length: the longest sentence, for learned positions alone.
        key_width: d_k; by default D / H.
        value_width: d_v; by default D / H.
        residual: x + Sublayer(x); False leaves the sum out, to see what it does.
        scaled: scores over √d_k; False leaves the scale out, to see what it does.

    Raises:
        ValueError: no layer, or a dropout that is no probability below 1.
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

    def __post_init__(self) -> None:
        if self.layers < 1:
            raise ValueError(f"want a layer or more; got {self.layers}")
        for name in ("dropout", "attention_dropout"):
            if not 0 <= (share := getattr(self, name)) < 1:
                raise ValueError(f"want {name} from 0 to below 1; got {share}")


class TokenTable(nn.Embedding):
    """A table of token vectors of about length 1, which stand for logits as they are.

    √D times as long they are embeddings with numbers of variance 1, as the positions beside them.
    """

    def draw_weights(self, generator: torch.Generator | None) -> None:
        """Normal numbers of variance 1 / D."""
        nn.init.normal_(self.weight, std=self.embedding_dim**-0.5, generator=generator)


class PositionedEmbedding(nn.Module):
    """√D · E[token] + position, dropped out (Vaswani et al. 2017, sections 3.4, 3.5 and 5.4).

    Raises:
        ValueError: there are no such positions, or their width cannot be.
    """

    def __init__(self, vocabulary: int, config: StackConfig) -> None:
        super().__init__()
        self.table = TokenTable(vocabulary, config.width)
        if config.positions not in POSITIONS:
            raise ValueError(f"want positions out of {POSITIONS}; got {config.positions!r}")
        self.position = {
            "sinusoidal": lambda: Sinusoidal(config.width),
            "learned": lambda: LearnedPosition(config.width, config.max_length),
        }.get(config.positions, lambda: None)()
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, ids: Int[Tensor, "B T"], positions: Int[Tensor, "*P T"]) -> Tensor:
        """Vectors (B, T, D) of tokens that stand at these positions, (T,) or (B, T)."""
        vectors = math.sqrt(self.table.embedding_dim) * self.table(ids)
        if self.position is not None:
            vectors = vectors + self.position(positions, vectors.dtype)
        return self.dropout(vectors)


class Residual(nn.Module):
    """What stands around a sub-layer: the way past it, a norm before or behind, dropout.

        y = f(r.enter(x));  x = r.leave(x, y)

    Raises:
        ValueError: there is no such norm.
    """

    def __init__(self, config: StackConfig) -> None:
        super().__init__()
        if config.norm not in NORMS:
            raise ValueError(f"want a norm out of {NORMS}; got {config.norm!r}")
        self.kind, self.passes = config.norm, config.residual
        self.norm = nn.Identity() if config.norm == "none" else nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def enter(self, x: Float[Tensor, "B T D"]) -> Float[Tensor, "B T D"]:
        """What the sub-layer reads."""
        return self.norm(x) if self.kind == "pre" else x

    def leave(
        self, x: Float[Tensor, "B T D"], found: Float[Tensor, "B T D"]
    ) -> Float[Tensor, "B T D"]:
        """The sum of what came and what the sub-layer found."""
        found = self.dropout(found)
        together = x + found if self.passes else found
        return self.norm(together) if self.kind == "post" else together


class FeedForward(nn.Module):
    """max(0, x W₁ + b₁) W₂ + b₂ (Vaswani et al. 2017, equation 2), at each position by itself.

    The weights are one and the same at every position and others in every layer.
    """

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.inner = nn.Linear(width, hidden)
        self.outer = nn.Linear(hidden, width)

    def forward(self, x: Float[Tensor, "B T D"]) -> Float[Tensor, "B T D"]:
        """Each vector by itself."""
        return self.outer(torch.relu(self.inner(x)))


def word_scores(x: Float[Tensor, "*B D"], table: Float[Tensor, "V D"]) -> Float[Tensor, "*B V"]:
    """Logits: how well each row of a table of words answers each vector (section 3.4), x Eᵀ.

    A decoder's step has one vector a sentence. MKL multiplies a few rows by thousands of columns
    at half of its speed; (E xᵀ)ᵀ is the same numbers, and thousands of rows.
    """
    rows = x.shape[:-1].numel()
    if rows > FEW or torch.is_grad_enabled():
        return nn.functional.linear(x, table)
    turned = nn.functional.linear(table, x.reshape(rows, x.shape[-1]))
    return turned.T.reshape(*x.shape[:-1], len(table))


def attention_of(config: StackConfig, *, rotary: bool) -> MultiHeadAttention:
    """One attention of a stack; `rotary` where it is within one sequence."""
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
    """What stands at the end of a stack: with "pre" nothing has normed the last sum yet."""
    return nn.LayerNorm(config.width) if config.norm == "pre" else nn.Identity()
