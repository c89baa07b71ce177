"""Baselines for decomposable attention: a bag of vectors, and an LSTM.

Both turn each sentence into one vector, each in its own way, and compare the two vectors
(Bowman et al. 2015, "sum of words" and "LSTM").
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.masks import zero_padding
from course_lib.models.decomposable import feed_forward
from course_lib.models.parts import initialise
from course_lib.models.shapes import Generator
from course_lib.models.words import WordVectors
from course_lib.recurrent.encoder import RecurrentEncoder


@dataclass(frozen=True)
class BagConfig:
    """Sizes of the bag of vectors; with `contrast` H also gets difference and product."""

    vocabulary: int
    embedding: int = 100
    hidden: int = 200
    dropout: float = 0.0
    frozen: bool = False
    contrast: bool = False
    classes: int = 3


@dataclass(frozen=True)
class LSTMPairConfig:
    """Sizes of the LSTM; see `DecomposableConfig`. `hidden` is the width of its state."""

    vocabulary: int
    embedding: int = 100
    hidden: int = 100
    dropout: float = 0.0
    frozen: bool = False
    classes: int = 3


class PairOfVectors(nn.Module):
    """Each sentence to one vector by `sentence`, the two compared by `verdict`."""

    def sentence(self, ids: Int[Tensor, "B M"], mask: Bool[Tensor, "B M"]) -> Float[Tensor, "B H"]:
        """The vector of each sentence."""
        raise NotImplementedError

    def forward(
        self,
        premise: Int[Tensor, "B M"],
        premise_mask: Bool[Tensor, "B M"],
        hypothesis: Int[Tensor, "B N"],
        hypothesis_mask: Bool[Tensor, "B N"],
    ) -> Float[Tensor, "B C"]:
        """Logits of the classes."""
        u, v = self.sentence(premise, premise_mask), self.sentence(hypothesis, hypothesis_mask)
        # Difference and product as in Mou et al. 2016.
        parts = [u, v, (u - v).abs(), u * v] if self.contrast else [u, v]
        return self.verdict(self.aggregate(torch.cat(parts, dim=-1)))


class BagOfVectors(PairOfVectors):
    """Each word through G, the words of a sentence added up, two sums through H.

        v_1 = sum over i of G(a_i),  v_2 = sum over j of G(b_j),  y = H([v_1; v_2])

    No word of one sentence is compared with a word of the other.
    """

    def __init__(self, config: BagConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        hidden, dropout = config.hidden, config.dropout
        self.words = WordVectors(config.vocabulary, config.embedding, hidden, config.frozen)
        self.compare = feed_forward(hidden, hidden, dropout)
        self.contrast, parts = config.contrast, 4 if config.contrast else 2
        self.aggregate = feed_forward(parts * hidden, hidden, dropout)
        self.verdict = nn.Linear(hidden, config.classes)
        initialise(self, generator)

    def sentence(self, ids: Int[Tensor, "B M"], mask: Bool[Tensor, "B M"]) -> Float[Tensor, "B H"]:
        """The sum of G over the words."""
        return zero_padding(self.compare(self.words(ids)), mask).sum(1)


class LSTMPair(PairOfVectors):
    """One LSTM reads both sentences, each by itself; its two last states h are compared."""

    def __init__(self, config: LSTMPairConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        hidden, dropout = config.hidden, config.dropout
        self.words = WordVectors(config.vocabulary, config.embedding, hidden, config.frozen)
        self.encoder = RecurrentEncoder("lstm", hidden, hidden, bidirectional=False)
        self.dropout, self.contrast = nn.Dropout(dropout), True
        self.aggregate = feed_forward(4 * hidden, hidden, dropout)
        self.verdict = nn.Linear(hidden, config.classes)
        initialise(self, generator)

    def sentence(self, ids: Int[Tensor, "B M"], mask: Bool[Tensor, "B M"]) -> Float[Tensor, "B H"]:
        """The last state h."""
        return self.encoder(self.dropout(self.words(ids)), mask).last[-1]
