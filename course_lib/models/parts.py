"""Small pieces that several papers share."""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.attention.masks import require_padding_mask
from course_lib.models.protocol import HiddenState, Memory, ParallelDecoder, State
from course_lib.models.shapes import Generator, Source, SourceMask
from course_lib.recurrent.cells import GRUCell, LSTMCell, RNNCell
from course_lib.recurrent.encoder import RecurrentEncoder


@dataclass(frozen=True)
class RecurrentConfig:
    """Sizes: vocabularies in tokens, widths in units, dropout as a probability."""

    source_vocabulary: int
    target_vocabulary: int
    embedding: int = 128
    hidden: int = 256
    dropout: float = 0.0


class TokenEmbedding(nn.Module):
    """Token ids to vectors, with dropout on the vectors."""

    def __init__(self, vocabulary: int, size: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.table = nn.Embedding(vocabulary, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, ids: Int[Tensor, "*B"]) -> Float[Tensor, "*B E"]:
        """Look up each id."""
        return self.dropout(self.table(ids))


@dataclass(frozen=True)
class Annotations(Memory):
    """Annotations h_j, their keys, projected once, and the decoder's first state."""

    annotations: Float[Tensor, "B S D"]
    keys: Float[Tensor, "B S A"]
    first: Float[Tensor, "B H"]


@dataclass(frozen=True)
class LSTMLayers(State):
    """The hidden and cell state of every layer of an LSTM, the batch first."""

    hidden: Float[Tensor, "B L H"]
    cell: Float[Tensor, "B L H"]

    def for_torch(self) -> tuple[Float[Tensor, "L B H"], Float[Tensor, "L B H"]]:
        """As `nn.LSTM` takes it."""
        return self.hidden.transpose(0, 1).contiguous(), self.cell.transpose(0, 1).contiguous()


class AnnotatingTranslator(ParallelDecoder):
    """The encoder of Bahdanau et al. 2015: a GRU in both directions, each `width` wide.

    The decoder begins with s_0 = tanh(W_s h_1), from the backward direction (appendix A.2.2).
    """

    def __init__(self, config: RecurrentConfig, width: int) -> None:
        super().__init__()
        self.config, embedding = config, config.embedding
        self.source_embed = TokenEmbedding(config.source_vocabulary, embedding, config.dropout)
        self.encoder = RecurrentEncoder("gru", embedding, width, bidirectional=True)
        self.bridge = nn.Linear(width, config.hidden)
        self.target_embed = TokenEmbedding(config.target_vocabulary, embedding, config.dropout)

    def project_keys(self, annotations: Float[Tensor, "B S D"]) -> Float[Tensor, "B S A"]:
        """The keys of the annotations; by default these themselves."""
        return annotations

    def encode(self, source: Source, source_mask: SourceMask) -> Annotations:
        """Annotate every source position from both sides."""
        encoded = self.encoder(self.source_embed(source), source_mask)
        # The backward direction has read the whole sentence when it reaches the first word.
        backward = encoded.last[-1].chunk(2, dim=-1)[1]
        keys, first = self.project_keys(encoded.annotations), self.bridge(backward).tanh()
        return Annotations(source_mask, encoded.annotations, keys, first)

    def start(self, memory: Annotations) -> HiddenState:
        """The first state s_0."""
        return HiddenState(memory.first)


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


def parameters_of(model: nn.Module, embeddings: bool = False) -> int:
    """The number of parameters that a model learns, by default without its embeddings."""
    tables = {id(part.weight) for part in model.modules() if isinstance(part, nn.Embedding)}
    return sum(
        weight.numel()
        for weight in model.parameters()
        if weight.requires_grad and (embeddings or id(weight) not in tables)
    )


def reverse_padded(ids: Source, mask: SourceMask) -> Source:
    """Reverse each row's real tokens; the padding stays where it is."""
    require_padding_mask(mask, ids)
    # The first real token swaps with the last one, the second with the last but one.
    order = (~mask).long().argsort(dim=1, stable=True)
    partner = order.gather(1, (mask.sum(dim=1, keepdim=True) - mask.cumsum(dim=1)).clamp(min=0))
    return torch.where(mask, ids.gather(1, partner), ids)


class RecurrentLinear(nn.Linear):
    """The recurrent matrix W_hh, gates stacked; `initialise` draws it as such."""


def initialise(module: nn.Module, generator: Generator) -> None:
    """Draw every parameter from one explicit CPU generator, so that a seed is the same everywhere.

    Recurrent matrices are orthogonal, gate by gate, as in Bahdanau et al. 2015 (appendix B.1);
    other matrices are Glorot-uniform; embeddings are normal with standard deviation 0.1; biases are
    zero; norms have gain 1 and shift 0, as in PyTorch. A module with a method
    `draw_weights(generator)` draws its own parameters. TypeError for any other type of module.
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


def _draw(part: nn.Module, weights: dict[str, nn.Parameter], generator: Generator) -> None:
    if hasattr(part, "draw_weights"):
        part.draw_weights(generator)
    elif isinstance(part, nn.LayerNorm | nn.RMSNorm | nn.GroupNorm):
        part.reset_parameters()
    elif isinstance(part, nn.Embedding):
        nn.init.normal_(part.weight, std=0.1, generator=generator)
    elif isinstance(
        part, nn.RNNBase | RNNCell | GRUCell | LSTMCell | nn.Linear | nn.Conv1d | nn.Conv2d
    ):
        for name, weight in weights.items():
            if weight.dim() < 2:
                weight.zero_()
            elif name.startswith("weight_hh") or isinstance(part, RecurrentLinear):
                for gate in weight.split(weight.shape[1], dim=0):
                    nn.init.orthogonal_(gate, generator=generator)
            else:
                nn.init.xavier_uniform_(weight, generator=generator)
    else:
        raise TypeError(
            f"initialise does not know how to draw {', '.join(weights)} of a "
            f"{type(part).__name__}; give it a method draw_weights(generator)"
        )
