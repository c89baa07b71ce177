"""One vector as the first state: sequence to sequence of Sutskever et al. 2014.

Letters: L layers, H width of each.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.models.parts import TokenEmbedding, initialise, reverse_padded
from course_lib.models.protocol import Memory, Output, ParallelDecoder, State
from course_lib.recurrent.encoder import RecurrentEncoder


@dataclass(frozen=True)
class SutskeverConfig:
    """Sizes of Sutskever's model; `reverse_source` is the paper's trick of section 3.3."""

    source_vocabulary: int
    target_vocabulary: int
    embedding: int = 128
    hidden: int = 256
    layers: int = 2
    dropout: float = 0.0
    reverse_source: bool = True


@dataclass(frozen=True)
class SutskeverMemory(Memory):
    """The encoder's last hidden and cell state of every layer, each of shape (B, L, H)."""

    hidden: Float[Tensor, "B L H"]
    cell: Float[Tensor, "B L H"]


@dataclass(frozen=True)
class SutskeverState(State):
    """The decoder's hidden and cell state of every layer, each of shape (B, L, H)."""

    hidden: Float[Tensor, "B L H"]
    cell: Float[Tensor, "B L H"]


class SequenceEncoder(nn.Module):
    """Embedding and LSTM layers; one module, so that `autoencoder` can copy its parameters."""

    def __init__(self, config: SutskeverConfig) -> None:
        super().__init__()
        self.reverse = config.reverse_source
        self.embed = TokenEmbedding(config.source_vocabulary, config.embedding, config.dropout)
        self.layers = RecurrentEncoder(
            "lstm",
            config.embedding,
            config.hidden,
            bidirectional=False,
            layers=config.layers,
            dropout=config.dropout if config.layers > 1 else 0.0,
        )

    def forward(self, source: Int[Tensor, "B S"], mask: Bool[Tensor, "B S"]) -> SutskeverMemory:
        """The last state of every layer."""
        if self.reverse:
            source = reverse_padded(source, mask)
        encoded = self.layers(self.embed(source), mask)
        return SutskeverMemory(
            mask, encoded.last.transpose(0, 1), encoded.last_cell.transpose(0, 1)
        )


class SequenceDecoder(nn.Module):
    """Embedding, LSTM layers and output; its first state is all it knows of the source."""

    def __init__(self, config: SutskeverConfig) -> None:
        super().__init__()
        self.embed = TokenEmbedding(config.target_vocabulary, config.embedding, config.dropout)
        self.layers = nn.LSTM(
            config.embedding,
            config.hidden,
            config.layers,
            batch_first=True,
            dropout=config.dropout if config.layers > 1 else 0.0,
        )
        self.dropout = nn.Dropout(config.dropout)
        self.words = nn.Linear(config.hidden, config.target_vocabulary)

    def forward(
        self, tokens: Int[Tensor, "B T"], state: SutskeverState
    ) -> tuple[Float[Tensor, "B T V"], SutskeverState]:
        """Logits of every step and the state after the last."""
        first = (
            state.hidden.transpose(0, 1).contiguous(),
            state.cell.transpose(0, 1).contiguous(),
        )
        outputs, (hidden, cell) = self.layers(self.embed(tokens), first)
        logits = self.words(self.dropout(outputs))
        return logits, SutskeverState(hidden.transpose(0, 1), cell.transpose(0, 1))


class Sutskever(ParallelDecoder):
    """Sequence to sequence with LSTMs (Sutskever et al. 2014, arXiv:1409.3215, section 2).

    The encoder's last (hidden, cell) states are the decoder's first states, and nothing else is
    passed on. The source is read in reverse (section 3.3), which brings its first words close to
    the first words of the translation.
    """

    def __init__(self, config: SutskeverConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.encoder = SequenceEncoder(config)
        self.decoder = SequenceDecoder(config)
        initialise(self, generator)

    def encode(
        self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]
    ) -> SutskeverMemory:
        """Reads the sentence into one state, by default in reverse."""
        return self.encoder(source, source_mask)

    def start(self, memory: SutskeverMemory) -> SutskeverState:
        """The encoder's last state."""
        return SutskeverState(memory.hidden, memory.cell)

    def run_decoder(
        self,
        tokens: Int[Tensor, "B T"],
        state: SutskeverState,
        memory: SutskeverMemory,
        *,
        return_attention: bool = False,
    ) -> tuple[Output, SutskeverState]:
        """One call of the fused LSTM."""
        logits, state = self.decoder(tokens, state)
        return Output(logits), state
