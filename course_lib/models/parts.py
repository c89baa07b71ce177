"""Small pieces that several papers share."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn


class TokenEmbedding(nn.Module):
    """Token ids to vectors, with dropout on the way out."""

    def __init__(self, vocabulary: int, size: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.table = nn.Embedding(vocabulary, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Int[Tensor, "*B"]) -> Float[Tensor, "*B E"]:
        """Looks up each id."""
        return self.dropout(self.table(ids))


class MaxoutOutput(nn.Module):
    """A decoder's deep output: one maxout layer, then one score per word.

    Cho et al. 2014 (appendix A.1.2) and Bahdanau et al. 2015 (appendix A.2.2) both predict from
    the decoder state, the last word's embedding and the context. Their 2l maxout inputs, pooled in
    pairs, are the two rows of `pool`.

    Args:
        inputs: width of the concatenated state, embedding and context.
        hidden: l, the number of maxout units.
        vocabulary: V.
        dropout: probability, applied to the maxout units.
    """

    def __init__(self, inputs: int, hidden: int, vocabulary: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.pool = nn.Linear(inputs, 2 * hidden)
        self.dropout = nn.Dropout(dropout)
        self.words = nn.Linear(hidden, vocabulary)

    def forward(self, *parts: Float[Tensor, "*B _"]) -> Float[Tensor, "*B V"]:
        """Scores every word of the vocabulary from the parts, concatenated in order."""
        first, second = self.pool(torch.cat(parts, dim=-1)).chunk(2, dim=-1)
        return self.words(self.dropout(torch.maximum(first, second)))


def reverse_padded(ids: Int[Tensor, "B S"], mask: Bool[Tensor, "B S"]) -> Int[Tensor, "B S"]:
    """Reverses each row's real tokens; the padding on the right stays where it is.

    A plain `flip` would move the padding to the front, where a recurrent net reads it first.
    """
    position = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
    length = mask.sum(dim=1, keepdim=True)
    return ids.gather(1, torch.where(mask, length - 1 - position, position))


def initialise(module: nn.Module, generator: torch.Generator | None) -> None:
    """Draws every weight from one explicit CPU generator, so that a seed means the same everywhere.

    Recurrent matrices (named `weight_hh*` or `recurrent*`) are orthogonal gate by gate, as
    Bahdanau et al. 2015 (appendix B.1) do; other matrices Glorot-uniform; embeddings normal with
    standard deviation 0.1; biases zero.
    """
    for name, parameter in module.named_parameters():
        leaf = name.rsplit(".", 1)[-1]
        recurrent = leaf.startswith("weight_hh") or ".recurrent" in f".{name}"
        with torch.no_grad():
            if parameter.dim() < 2:
                parameter.zero_()
            elif recurrent:
                for gate in parameter.split(parameter.shape[1], dim=0):
                    nn.init.orthogonal_(gate, generator=generator)
            elif leaf == "weight" and name.endswith("table.weight"):
                nn.init.normal_(parameter, std=0.1, generator=generator)
            else:
                nn.init.xavier_uniform_(parameter, generator=generator)
