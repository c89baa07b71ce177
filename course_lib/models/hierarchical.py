"""Attention on two levels: words make sentences, sentences make a document (a classifier).

Letters: B documents, N sentences of a document, S words of a sentence, R real sentences of the
whole batch, D = 2H annotation width, A width of the score, C classes.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys, padding_mask, require_padding_mask
from course_lib.attention.scores import dot
from course_lib.models.parts import TokenEmbedding, initialise
from course_lib.models.shapes import Generator, SourceMask
from course_lib.recurrent.encoder import RecurrentEncoder


@dataclass(frozen=True)
class HierarchicalConfig:
    """Sizes: `hidden` per direction, of both encoders; `attention` is the width of both scores."""

    vocabulary: int
    classes: int
    embedding: int = 200
    hidden: int = 50
    attention: int = 100
    dropout: float = 0.0


class Classified(NamedTuple):
    """Logits of documents and, where asked for, weights over the words and over the sentences."""

    logits: Float[Tensor, "B C"]
    word_weights: Float[Tensor, "B N S"] | None = None
    sentence_weights: Float[Tensor, "B N"] | None = None


class Pooled(NamedTuple):
    """A sequence as one `vector` (B, D), with the attention `weights` (B, S)."""

    vector: Float[Tensor, "B D"]
    weights: Float[Tensor, "B S"]


class LearnedQuery(nn.Module):
    """Attention whose query is a parameter, the same for every sentence (Yang et al. 2016, 2.2).

        u_t = tanh(W h_t + b)           keys       equations 5 and 8
        a_t = softmax over t of u_t'u   weights    equations 6 and 9
        s   = sum over t of a_t h_t     context    equations 7 and 10

    The query u is the paper's context vector, u_w for words and u_s for sentences.
    """

    def __init__(self, width: int, attention: int) -> None:
        super().__init__()
        self.keys = nn.Linear(width, attention)
        self.query = nn.Parameter(torch.empty(attention))

    def draw_weights(self, generator: Generator) -> None:
        """Small first values, so that the query prefers no position at the start."""
        nn.init.normal_(self.query, std=0.1, generator=generator)

    def forward(self, annotations: Float[Tensor, "B S D"], mask: SourceMask) -> Pooled:
        """The average of the annotations where the mask is True, by attention."""
        query = self.query.expand(annotations.shape[0], 1, -1)
        keys = torch.tanh(self.keys(annotations))
        context, weights = attend(query, keys, annotations, score=dot, mask=for_keys(mask))
        return Pooled(context.squeeze(1), weights.squeeze(1))


class HierarchicalAttention(nn.Module):
    """Hierarchical attention networks for document classification (Yang et al. 2016, N16-1174).

        h_it = BiGRU over the words i1, i2, ...       word encoder
        s_i  = attention with query u_w               word attention, equations 5 to 7
        h_i  = BiGRU over s_1, s_2, ...               sentence encoder
        v    = attention with query u_s               sentence attention, equations 8 to 10
        p    = softmax(W_c v + b_c)                   equation 11

    A sentence without words is skipped, like a padding sentence, wherever it is.
    """

    def __init__(self, config: HierarchicalConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        width = 2 * config.hidden
        self.embed = TokenEmbedding(config.vocabulary, config.embedding, config.dropout)
        sizes = config.embedding, config.hidden
        self.word_encoder = RecurrentEncoder("gru", *sizes, bidirectional=True)
        self.word_query = LearnedQuery(width, config.attention)
        self.sentence_encoder = RecurrentEncoder("gru", width, config.hidden, bidirectional=True)
        self.sentence_query = LearnedQuery(width, config.attention)
        self.dropout = nn.Dropout(config.dropout)
        self.classes = nn.Linear(width, config.classes)
        initialise(self, generator)

    def forward(
        self,
        words: Int[Tensor, "B N S"],
        mask: Bool[Tensor, "B N S"],
        *,
        return_attention: bool = False,
    ) -> Classified:
        """Classify documents; the padding of each sentence is on the right, else ValueError.

        ValueError too if the mask does not fit the words; PyTorch's error for no word at all.
        """
        require_padding_mask(mask, words, 3)
        real = mask.any(dim=-1)
        sentences = self.read_words(words[real], mask[real])
        document, present = self.read_sentences(sentences.vector, real)
        logits = self.classes(self.dropout(document.vector))
        if not return_attention:
            return Classified(logits)
        # Put the weights back to the positions of the sentences.
        word_weights = sentences.weights.new_zeros(mask.shape)
        word_weights[real] = sentences.weights
        sentence_weights = document.weights.new_zeros(real.shape)
        sentence_weights[real] = document.weights[present]
        return Classified(logits, word_weights, sentence_weights)

    def read_words(self, words: Int[Tensor, "R S"], mask: Bool[Tensor, "R S"]) -> Pooled:
        """Each sentence by itself, from whichever document: s_i, and weights over the words."""
        return self.word_query(self.word_encoder(self.embed(words), mask).annotations, mask)

    def read_sentences(
        self, vectors: Float[Tensor, "R D"], real: Bool[Tensor, "B N"]
    ) -> tuple[Pooled, Bool[Tensor, "B N"]]:
        """Each document from its real sentences, and a mask of the positions that these took."""
        present = padding_mask(real.sum(dim=1), real.shape[1])
        rows = vectors.new_zeros((*real.shape, vectors.shape[-1]))
        rows[present] = vectors
        annotations = self.sentence_encoder(rows, present).annotations
        return self.sentence_query(annotations, present), present
