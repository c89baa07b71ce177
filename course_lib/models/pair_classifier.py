"""The contract of every model that reads two sentences and gives one of a few answers.

The letters, here and in these models: B batch, M words of the premise, N words of the hypothesis,
C classes, E width of an embedding, H width of a layer.
"""

from abc import ABC, abstractmethod
from typing import Any

from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.models.protocol import same_rows


class PairClassifier(nn.Module, ABC):
    """Two padded sentences to a score for each class; `classification_loss` trains it.

    Padding, wherever a mask is False, has no influence on the scores and gets no gradient.
    """

    @abstractmethod
    def forward(
        self,
        premise: Int[Tensor, "B M"],
        premise_mask: Bool[Tensor, "B M"],
        hypothesis: Int[Tensor, "B N"],
        hypothesis_mask: Bool[Tensor, "B N"],
    ) -> Float[Tensor, "B C"]:
        """Scores each class before the softmax."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        same_rows(cls, "forward", "look")


def parameters_of(model: nn.Module, embeddings: bool = False) -> int:
    """How many weights a model has to learn; the word table is not counted unless asked for.

    Papers on inference give numbers without it: it grows with the vocabulary, not with the idea.
    """
    tables = {id(part.weight) for part in model.modules() if isinstance(part, nn.Embedding)}
    return sum(
        weight.numel()
        for weight in model.parameters()
        if weight.requires_grad and (embeddings or id(weight) not in tables)
    )
