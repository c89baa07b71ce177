"""One self-attention that fills in German articles, and nothing else: the model of chapter 8.

    X = E[word] + position                 a row for each word
    Q = X W_Q,  K = X W_K,  V = X W_V      what it asks, what it answers to, what it says
    C = softmax(Q Kᵀ / √d_k) V             Vaswani et al. 2017, equation 1
    logits = C W_A                         one number for each article

What a blank is filled with comes from what it read of the others: no path leads around the
attention. Each part can be exchanged, to see what it is for. Letters: T words, D model width.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.masks import causal_mask, combine, for_keys
from course_lib.attention.position import LearnedPosition, rotate, sinusoidal
from course_lib.attention.scores import dot
from course_lib.attention.softmax import masked_softmax

ARTICLES = ("der", "die", "das", "den")
MAPS = ("three", "two", "none")


@dataclass(frozen=True)
class ReaderConfig:
    """Sizes, and which variant it is.

    Attributes:
        vocabulary: V.
        width: D.
        key_width: d_k.
        value_width: d_v.
        positions: "sinusoidal", "learned", "rotary" or "none".
        max_length: the longest sentence, for learned positions alone.
        causal: whether a word may look only at itself and at what stands before it.
        maps: "three" matrices; "two", one for both queries and keys, and one for the values;
            "none", R = X Xᵀ, where every word is its own query, key and value.
        equal: every score is zero.
        over: what the weights of sum one run over: "keys", or, which is the slip, "queries".
    """

    vocabulary: int
    width: int = 8
    key_width: int = 4
    value_width: int = 4
    positions: str = "sinusoidal"
    max_length: int = 16
    causal: bool = False
    maps: str = "three"
    equal: bool = False
    over: str = "keys"


class ReaderSteps(NamedTuple):
    """Every step from the words to the answers."""

    x: Float[Tensor, "B T D"]
    queries: Float[Tensor, "B T K"]
    keys: Float[Tensor, "B T K"]
    values: Float[Tensor, "B T Dv"]
    scores: Float[Tensor, "B T T"]
    weights: Float[Tensor, "B T T"]
    context: Float[Tensor, "B T Dv"]
    logits: Float[Tensor, "B T A"]


class ArticleReader(nn.Module):
    """See the module.

    Raises:
        ValueError: no such maps.
    """

    def __init__(self, config: ReaderConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        if config.maps not in MAPS:
            raise ValueError(f"want maps out of {MAPS}; got {config.maps!r}")
        self.config = config
        width, said = config.width, config.value_width
        self.words = nn.Embedding(config.vocabulary, width)
        self.places = None
        if config.positions == "learned":
            self.places = LearnedPosition(width, config.max_length)
        if config.maps == "none":
            self.queries = self.keys = self.values = nn.Identity()
            said = width
        else:
            self.queries = nn.Linear(width, config.key_width, bias=False)
            alone = config.maps == "three"
            self.keys = nn.Linear(width, config.key_width, bias=False) if alone else self.queries
            self.values = nn.Linear(width, said, bias=False)
        self.answers = nn.Linear(said, len(ARTICLES), bias=False)
        for weight in self.parameters():
            # Vectors of words have numbers of variance 1, and matrices keep them so.
            table = weight.shape[1] == width and len(weight) > max(width, len(ARTICLES))
            nn.init.normal_(
                weight, std=1.0 if table else weight.shape[1] ** -0.5, generator=generator
            )

    def forward(self, words: Int[Tensor, "B T"], real: Bool[Tensor, "B T"]) -> Tensor:
        """Logits (B, T, A) of the articles at every place; asked for are those of the blanks."""
        return self.look(words, real).logits

    def look(self, words: Int[Tensor, "B T"], real: Bool[Tensor, "B T"]) -> ReaderSteps:
        """The same with all that led there; `scores` are as they are before scale and mask."""
        config, places = self.config, torch.arange(words.shape[1], device=words.device)
        x = self.words(words)
        if config.positions == "sinusoidal":
            x = x + sinusoidal(places, config.width)
        elif self.places is not None:
            x = x + self.places(places)
        q, k, v = self.queries(x), self.keys(x), self.values(x)
        if config.positions == "rotary":
            q, k = rotate(q, places), rotate(k, places)
        scores = dot(q, k)
        if config.equal:
            scores = torch.zeros_like(scores)
        mask = combine(for_keys(real), causal_mask(words.shape[1]) if config.causal else None)
        scaled = scores / q.shape[-1] ** 0.5
        weights = masked_softmax(scaled, mask, dim=-1 if config.over == "keys" else -2)
        context = weights @ v
        return ReaderSteps(x, q, k, v, scores, weights, context, self.answers(context))
