"""The contract of every model that classifies a pair of sentences.

Letters: B batch, M words of the premise, N words of the hypothesis, C classes, E width of an
embedding, H width of a layer.
"""

from abc import ABC, abstractmethod

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


class PairClassifier(nn.Module, ABC):
    """From two padded sentences to logits of the classes; padding has no influence."""

    @abstractmethod
    def forward(
        self,
        premise: Int[Tensor, "B M"],
        premise_mask: Bool[Tensor, "B M"],
        hypothesis: Int[Tensor, "B N"],
        hypothesis_mask: Bool[Tensor, "B N"],
    ) -> Float[Tensor, "B C"]:
        """Logits of the classes."""


def parameters_of(model: nn.Module, embeddings: bool = False) -> int:
    """The number of parameters that a model learns, by default without its embeddings."""
    tables = {id(part.weight) for part in model.modules() if isinstance(part, nn.Embedding)}
    return sum(
        weight.numel()
        for weight in model.parameters()
        if weight.requires_grad and (embeddings or id(weight) not in tables)
    )
