"""The contract of every model that classifies a pair of sentences.

Letters: B batch, M words of the premise, N words of the hypothesis, C classes, E width of an
embedding, H width of a layer.
"""

from torch import nn


class PairClassifier(nn.Module):
    """Logits (B, C) from `forward(premise, premise_mask, hypothesis, hypothesis_mask)`.

    The words are ids (B, M) and (B, N); padding, where a mask is False, has no influence.
    """


def parameters_of(model: nn.Module, embeddings: bool = False) -> int:
    """The number of parameters that a model learns, by default without its embeddings."""
    tables = {id(part.weight) for part in model.modules() if isinstance(part, nn.Embedding)}
    return sum(
        weight.numel()
        for weight in model.parameters()
        if weight.requires_grad and (embeddings or id(weight) not in tables)
    )
