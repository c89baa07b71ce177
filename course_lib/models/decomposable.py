"""Decomposable attention (Parikh, Täckström, Das & Uszkoreit 2016): attend, compare, aggregate.

Two sentences are compared word by word, in no order, and the comparisons are added up. The paper's
a_i and b_j are premise and hypothesis. Letters: B batch, M words of the premise, N words of the
hypothesis, C classes, E width of an embedding, H width of a layer.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys, positions_of, require_padding_mask, zero_padding
from course_lib.attention.scores import dot
from course_lib.models.parts import initialise
from course_lib.models.shapes import Generator
from course_lib.models.words import WordVectors


@dataclass(frozen=True)
class DecomposableConfig:
    """Sizes of the model.

    Attributes:
        embedding: E, width of a word's vector in the table; it is projected to `hidden`.
        intra: whether words first attend to their own sentence (section 3.4).
        distances: of the intra-sentence bias; larger distances count as this one.
        frozen: whether words begin as fixed random vectors; see `WordVectors`.
        contrast: whether G also gets the difference and the product of what it compares, as in Chen
            et al. 2017 (ESIM).
    """

    vocabulary: int
    embedding: int = 100
    hidden: int = 200
    dropout: float = 0.0
    intra: bool = False
    distances: int = 10
    frozen: bool = False
    contrast: bool = False
    classes: int = 3


class DecomposableOutput(NamedTuple):
    """Logits, each sentence's weights over the words of the other, and v_1i and v_2j."""

    logits: Float[Tensor, "B C"]
    premise_weights: Float[Tensor, "B M N"]
    hypothesis_weights: Float[Tensor, "B N M"]
    premise_compared: Float[Tensor, "B M H"]
    hypothesis_compared: Float[Tensor, "B N H"]


def feed_forward(inputs: int, hidden: int, dropout: float) -> nn.Sequential:
    """Two layers with ReLU: the paper's F, G and H, applied to each word by itself."""
    return nn.Sequential(
        nn.Dropout(dropout),
        nn.Linear(inputs, hidden),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, hidden),
        nn.ReLU(),
    )


class IntraAttention(nn.Module):
    """Each word beside its context in its own sentence (section 3.4).

        f_ij = F_intra(a_i) · F_intra(a_j)
        a'_i = sum over j of softmax_j(f_ij + d_{i-j}) a_j
        ã_i  = [a_i; a'_i]

    The bias d is learned, one for each distance to the left and to the right.
    """

    def __init__(self, hidden: int, distances: int, dropout: float) -> None:
        super().__init__()
        self.distances = distances
        self.attend = feed_forward(hidden, hidden, dropout)
        self.bias = nn.Embedding(2 * distances + 1, 1)

    def forward(
        self, words: Float[Tensor, "B M H"], mask: Bool[Tensor, "B M"]
    ) -> Float[Tensor, "B M W"]:
        """Appends to each word's vector its context."""
        position = positions_of(mask)
        distance = position.unsqueeze(-1) - position.unsqueeze(-2)
        bias = self.bias(distance.clamp(-self.distances, self.distances) + self.distances)[..., 0]
        f = self.attend(words)
        context = attend(
            f, f, words, score=lambda q, k: dot(q, k) + bias, mask=for_keys(mask)
        ).context
        return torch.cat([words, context], dim=-1)


class Decomposable(nn.Module):
    """Attend, compare, aggregate, on sets of words.

        e_ij = F(a_i) · F(b_j)                                   attend, section 3.1
        β_i  = sum over j of softmax_j(e_ij) b_j
        α_j  = sum over i of softmax_i(e_ij) a_i
        v_1i = G([a_i; β_i]),  v_2j = G([b_j; α_j])              compare, section 3.2
        v_1  = sum over i of v_1i,  v_2 = sum over j of v_2j     aggregate, section 3.3
        y    = H([v_1; v_2])

    F is inside the dot product, so it is applied m + n times and not m · n times.
    """

    def __init__(self, config: DecomposableConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        hidden, dropout = config.hidden, config.dropout
        self.words = WordVectors(config.vocabulary, config.embedding, hidden, config.frozen)
        self.intra = IntraAttention(hidden, config.distances, dropout) if config.intra else None
        width = 2 * hidden if config.intra else hidden
        self.attend = feed_forward(width, hidden, dropout)
        parts = 4 if config.contrast else 2
        self.compare = feed_forward(parts * width, hidden, dropout)
        self.aggregate = feed_forward(2 * hidden, hidden, dropout)
        self.verdict = nn.Linear(hidden, config.classes)
        initialise(self, generator)

    def forward(self, *sentences: Tensor) -> Float[Tensor, "B C"]:
        """Logits of the classes, from the arguments of `explain`."""
        return self.explain(*sentences).logits

    def explain(
        self,
        premise: Int[Tensor, "B M"],
        premise_mask: Bool[Tensor, "B M"],
        hypothesis: Int[Tensor, "B N"],
        hypothesis_mask: Bool[Tensor, "B N"],
    ) -> DecomposableOutput:
        """The logits with the attention weights and comparisons that led to them."""
        a, b = self.represent(premise, premise_mask), self.represent(hypothesis, hypothesis_mask)
        f_a, f_b = self.attend(a), self.attend(b)
        # Both directions share one matrix of scores.
        e = dot(f_a, f_b)
        transposed = e.transpose(1, 2)
        beta = attend(f_a, f_b, b, score=lambda *_: e, mask=for_keys(hypothesis_mask))
        alpha = attend(f_b, f_a, a, score=lambda *_: transposed, mask=for_keys(premise_mask))
        first = self.compared(a, beta.context, premise_mask)
        second = self.compared(b, alpha.context, hypothesis_mask)
        pooled = torch.cat([first.sum(1), second.sum(1)], dim=-1)
        logits = self.verdict(self.aggregate(pooled))
        return DecomposableOutput(logits, beta.weights, alpha.weights, first, second)

    def represent(
        self, ids: Int[Tensor, "B M"], mask: Bool[Tensor, "B M"]
    ) -> Float[Tensor, "B M W"]:
        """The words' vectors, with their contexts in their own sentence if `intra`."""
        require_padding_mask(mask, ids)
        words = self.words(ids)
        return words if self.intra is None else self.intra(words, mask)

    def compared(
        self,
        words: Float[Tensor, "B M W"],
        contexts: Float[Tensor, "B M W"],
        mask: Bool[Tensor, "B M"],
    ) -> Float[Tensor, "B M H"]:
        """G of each word and its context. Padding is compared too, then set to zero."""
        parts = [words, contexts]
        if self.config.contrast:
            parts += [words - contexts, words * contexts]
        return zero_padding(self.compare(torch.cat(parts, dim=-1)), mask)
