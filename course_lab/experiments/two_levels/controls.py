"""The controls of chapter 6c: the same network that cannot choose, and a bag of words."""

from collections.abc import Collection
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys, zero_padding
from course_lib.models.hierarchical import (
    Classified,
    HierarchicalAttention,
    HierarchicalConfig,
    Pooled,
)
from course_lib.models.parts import TokenEmbedding, initialise

LEVELS = ("words", "sentences")


class EqualQuery(nn.Module):
    """Asks for nothing: every position that the mask lets through has the same weight."""

    def forward(self, annotations: Float[Tensor, "B S D"], mask: Bool[Tensor, "B S"]) -> Pooled:
        """The plain mean of the real annotations."""
        query = annotations.new_zeros(len(annotations), 1, 1)
        keys = annotations.new_zeros(*mask.shape, 1)
        read = attend(query, keys, annotations, mask=for_keys(mask))
        return Pooled(read.context.squeeze(1), read.weights.squeeze(1))


def with_equal_weights(
    config: HierarchicalConfig, generator: torch.Generator | None, *levels: str
) -> HierarchicalAttention:
    """The network of the chapter with equal weights on some levels, all else as it is.

    Args:
        config: its sizes.
        generator: draws the first weights, the same as for the network that may choose.
        levels: of `LEVELS`.

    Raises:
        ValueError: there is no such level.
    """
    _known(levels)
    model = HierarchicalAttention(config, generator)
    if "words" in levels:
        model.word_query = EqualQuery()
    if "sentences" in levels:
        model.sentence_query = EqualQuery()
    return model


class Annotated(NamedTuple):
    """What stands at each position, zeros at padding: all that attention asks of an encoder."""

    annotations: Float[Tensor, "B S D"]


class OneByOne(nn.Module):
    """In place of an encoder: one linear layer at each position, which reads no neighbour."""

    def __init__(self, inputs: int, outputs: int, generator: torch.Generator | None) -> None:
        super().__init__()
        self.layer = nn.Linear(inputs, outputs)
        initialise(self, generator)

    def forward(self, vectors: Float[Tensor, "B S E"], mask: Bool[Tensor, "B S"]) -> Annotated:
        """Annotates every real position."""
        return Annotated(zero_padding(self.layer(vectors), mask))


def without_encoders(
    model: HierarchicalAttention, generator: torch.Generator | None, *levels: str
) -> HierarchicalAttention:
    """The same model with linear layers in place of the encoders of some levels.

    Raises:
        ValueError: there is no such level.
    """
    _known(levels)
    width = 2 * model.config.hidden
    if "words" in levels:
        model.word_encoder = OneByOne(model.config.embedding, width, generator)
    if "sentences" in levels:
        model.sentence_encoder = OneByOne(width, width, generator)
    return model


def _known(levels: Collection[str]) -> None:
    if unknown := set(levels) - set(LEVELS):
        raise ValueError(f"want levels of {', '.join(LEVELS)}; got {', '.join(sorted(unknown))}")


class BagOfWords(nn.Module):
    """Reads how often each word stands in the document, and nothing of where.

    Words have vectors, the document is their mean, and a hidden layer may combine what it finds.
    """

    def __init__(
        self, config: HierarchicalConfig, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.embed = TokenEmbedding(config.vocabulary, config.embedding)
        self.hidden = nn.Linear(config.embedding, 4 * config.hidden)
        self.classes = nn.Linear(4 * config.hidden, config.classes)
        initialise(self, generator)

    def forward(self, words: Int[Tensor, "B N S"], mask: Bool[Tensor, "B N S"]) -> Classified:
        """Logits from the mean word vector of each document."""
        vectors = zero_padding(self.embed(words), mask).sum(dim=(1, 2))
        mean = vectors / mask.sum(dim=(1, 2))[:, None].clamp(min=1)
        return Classified(self.classes(torch.relu(self.hidden(mean))))
