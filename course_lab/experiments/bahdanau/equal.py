"""The control of chapter 4: Bahdanau's model in every part, but it can not choose where to look."""

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.models.bahdanau import Bahdanau, BahdanauConfig


class EqualScore(nn.Module):
    """Gives every position the same score, so that the softmax weighs each by 1/S."""

    def project_keys(self, annotations: Float[Tensor, "B S D"]) -> Float[Tensor, "B S 1"]:
        """Keys that hold nothing; only their number counts."""
        return torch.zeros_like(annotations[..., :1])

    def score_projected(
        self, queries: Float[Tensor, "B T H"], keys: Float[Tensor, "B S 1"]
    ) -> Float[Tensor, "B T S"]:
        """Zeros, whatever is asked."""
        return queries.new_zeros(len(queries), queries.shape[1], keys.shape[1])


class EqualWeights(Bahdanau):
    """Reads the mean of the annotations at every step: one vector for the whole sentence.

    Encoder, decoder and output layer are Bahdanau's; only the weights of the score are gone.
    """

    def __init__(self, config: BahdanauConfig, generator: torch.Generator | None = None) -> None:
        super().__init__(config, generator)
        self.score = EqualScore()
