"""Small pieces that several papers share."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.masks import require_padding_mask
from course_lib.recurrent.cells import GRUCell, LSTMCell, RNNCell


class TokenEmbedding(nn.Module):
    """Token ids to vectors, with dropout on the vectors."""

    def __init__(self, vocabulary: int, size: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.table = nn.Embedding(vocabulary, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Int[Tensor, "*B"]) -> Float[Tensor, "*B E"]:
        """Looks up each id."""
        return self.dropout(self.table(ids))


class MaxoutOutput(nn.Module):
    """A decoder's deep output: one maxout layer with dropout, then one logit per word.

    Cho et al. 2014 (appendix A.1.2) and Bahdanau et al. 2015 (appendix A.2.2) both predict from
    the decoder state, the last word's embedding and the context, `inputs` wide together. `hidden`
    is their l; their 2l maxout inputs, pooled in pairs, are the two rows of `pool`.
    """

    def __init__(self, inputs: int, hidden: int, vocabulary: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.pool = nn.Linear(inputs, 2 * hidden)
        self.dropout = nn.Dropout(dropout)
        self.words = nn.Linear(hidden, vocabulary)

    def forward(self, *parts: Float[Tensor, "*B _"]) -> Float[Tensor, "*B V"]:
        """Logits of all words from the parts, concatenated in order."""
        first, second = self.pool(torch.cat(parts, dim=-1)).chunk(2, dim=-1)
        return self.words(self.dropout(torch.maximum(first, second)))


def reverse_padded(ids: Int[Tensor, "B S"], mask: Bool[Tensor, "B S"]) -> Int[Tensor, "B S"]:
    """Reverses each row's real tokens; the padding stays where it is.

    A plain `flip` would move the padding to the front, where a recurrent net reads it first.
    """
    require_padding_mask(mask, ids)
    # The first real token swaps with the last one, the second with the last but one.
    order = (~mask).long().argsort(dim=1, stable=True)
    partner = order.gather(1, (mask.sum(dim=1, keepdim=True) - mask.cumsum(dim=1)).clamp(min=0))
    return torch.where(mask, ids.gather(1, partner), ids)


class RecurrentLinear(nn.Linear):
    """The recurrent matrix W_hh, gates stacked; `initialise` draws it as such."""


def initialise(module: nn.Module, generator: torch.Generator | None) -> None:
    """Draws every parameter from one explicit CPU generator, so that a seed is the same everywhere.

    The draw depends on the type of the module. Recurrent matrices are orthogonal, gate by gate, as
    in Bahdanau et al. 2015 (appendix B.1); other matrices are Glorot-uniform; embeddings are normal
    with standard deviation 0.1; biases are zero; norms have gain 1 and shift 0, as in PyTorch. A
    module with a method `draw_weights(generator)` draws its own parameters itself.

    Raises:
        TypeError: a module has parameters and is of none of these types.
    """
    drawn: set[int] = set()
    for part in module.modules():
        # A parameter that two modules share is drawn once, for the first of them.
        own = part.named_parameters(recurse=False)
        fresh = {name: p for name, p in own if id(p) not in drawn}
        drawn.update(map(id, fresh.values()))
        with torch.no_grad():
            if fresh:
                _draw(part, fresh, generator)


def _draw(
    part: nn.Module, weights: dict[str, nn.Parameter], generator: torch.Generator | None
) -> None:
    if hasattr(part, "draw_weights"):
        part.draw_weights(generator)
    elif isinstance(part, nn.LayerNorm | nn.RMSNorm | nn.GroupNorm):
        part.reset_parameters()
    elif isinstance(part, nn.RNNBase | RNNCell | GRUCell | LSTMCell):
        for name, weight in weights.items():
            if weight.dim() < 2:
                weight.zero_()
            elif name.startswith("weight_hh"):
                _orthogonal_gates(weight, generator)
            else:
                nn.init.xavier_uniform_(weight, generator=generator)
    elif isinstance(part, nn.Embedding):
        nn.init.normal_(part.weight, std=0.1, generator=generator)
    elif isinstance(part, nn.Linear | nn.Conv1d | nn.Conv2d):
        for name, weight in weights.items():
            if name == "bias":
                weight.zero_()
            elif isinstance(part, RecurrentLinear):
                _orthogonal_gates(weight, generator)
            else:
                nn.init.xavier_uniform_(weight, generator=generator)
    else:
        raise TypeError(
            f"initialise does not know how to draw {', '.join(weights)} of a "
            f"{type(part).__name__}; give it a method draw_weights(generator)"
        )


def _orthogonal_gates(weight: Tensor, generator: torch.Generator | None) -> None:
    for gate in weight.split(weight.shape[1], dim=0):
        nn.init.orthogonal_(gate, generator=generator)
