"""One vector as the first state: sequence to sequence of Sutskever et al. 2014.

Letters: L layers, H width of each.
"""

from dataclasses import dataclass

from torch import nn

from course_lib.models.parts import (
    LSTMLayers,
    RecurrentConfig,
    TokenEmbedding,
    initialise,
    reverse_padded,
)
from course_lib.models.protocol import Memory, Output, ParallelDecoder
from course_lib.models.shapes import Generator, Logits, Source, SourceMask, Tokens
from course_lib.recurrent.encoder import RecurrentEncoder


@dataclass(frozen=True)
class SutskeverConfig(RecurrentConfig):
    """Sizes of Sutskever's model; `reverse_source` is the paper's trick of section 3.3."""

    layers: int = 2
    reverse_source: bool = True

    @property
    def between(self) -> float:
        """The dropout between layers; PyTorch warns of one where there is a single layer."""
        return self.dropout if self.layers > 1 else 0.0


@dataclass(frozen=True)
class SutskeverMemory(Memory):
    """The encoder's last state."""

    last: LSTMLayers


class SequenceEncoder(nn.Module):
    """Embedding and LSTM layers."""

    def __init__(self, config: SutskeverConfig) -> None:
        super().__init__()
        self.reverse, embedding = config.reverse_source, config.embedding
        self.embed = TokenEmbedding(config.source_vocabulary, embedding, config.dropout)
        how = {"layers": config.layers, "dropout": config.between, "bidirectional": False}
        self.layers = RecurrentEncoder("lstm", embedding, config.hidden, **how)

    def forward(self, source: Source, mask: SourceMask) -> LSTMLayers:
        """The last state of every layer."""
        if self.reverse:
            source = reverse_padded(source, mask)
        encoded = self.layers(self.embed(source), mask)
        return LSTMLayers(encoded.last.transpose(0, 1), encoded.last_cell.transpose(0, 1))


class SequenceDecoder(nn.Module):
    """Embedding, LSTM layers and output; its first state is all it knows of the source."""

    def __init__(self, config: SutskeverConfig) -> None:
        super().__init__()
        self.embed = TokenEmbedding(config.target_vocabulary, config.embedding, config.dropout)
        how = {"batch_first": True, "dropout": config.between}
        self.layers = nn.LSTM(config.embedding, config.hidden, config.layers, **how)
        self.dropout = nn.Dropout(config.dropout)
        self.words = nn.Linear(config.hidden, config.target_vocabulary)

    def forward(self, tokens: Tokens, state: LSTMLayers) -> tuple[Logits, LSTMLayers]:
        """Logits of every step and the state after the last."""
        outputs, (hidden, cell) = self.layers(self.embed(tokens), state.for_torch())
        state = LSTMLayers(hidden.transpose(0, 1), cell.transpose(0, 1))
        return self.words(self.dropout(outputs)), state


class Sutskever(ParallelDecoder):
    """Sequence to sequence with LSTMs (Sutskever et al. 2014, arXiv:1409.3215, section 2).

    The encoder's last (hidden, cell) states are the decoder's first states, and nothing else is
    passed on. The source is read in reverse (section 3.3), which brings its first words close to
    the first words of the translation.
    """

    def __init__(self, config: SutskeverConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        self.encoder = SequenceEncoder(config)
        self.decoder = SequenceDecoder(config)
        initialise(self, generator)

    def encode(self, source: Source, source_mask: SourceMask) -> SutskeverMemory:
        """Read the sentence into one state, by default in reverse."""
        return SutskeverMemory(source_mask, self.encoder(source, source_mask))

    def start(self, memory: SutskeverMemory) -> LSTMLayers:
        """The encoder's last state."""
        return memory.last

    def run_decoder(
        self,
        tokens: Tokens,
        state: LSTMLayers,
        memory: SutskeverMemory,
        *,
        return_attention: bool = False,
    ) -> tuple[Output, LSTMLayers]:
        """One call of the fused LSTM."""
        logits, state = self.decoder(tokens, state)
        return Output(logits), state
