"""One vector at every step: the recurrent encoder-decoder of Cho et al. 2014.

Letters: H width of encoder and decoder.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.models.parts import MaxoutOutput, RecurrentConfig, TokenEmbedding, initialise
from course_lib.models.protocol import HiddenState, Memory, Output, ParallelDecoder
from course_lib.models.shapes import Generator, Logits, Source, SourceMask, Tokens
from course_lib.recurrent.encoder import RecurrentEncoder


class ChoConfig(RecurrentConfig):
    """Sizes of Cho's model."""


@dataclass(frozen=True)
class ChoMemory(Memory):
    """The fixed context vector c; in the paper C is H."""

    context: Float[Tensor, "B C"]


class ContextDecoder(nn.Module):
    """A GRU that sees the last word and the same context vector, C wide, at every step.

    C is `vector`, by default the width of the network.
    """

    def __init__(self, config: ChoConfig, vector: int | None = None) -> None:
        super().__init__()
        embedding, hidden = config.embedding, config.hidden
        vector = hidden if vector is None else vector
        self.embed = TokenEmbedding(config.target_vocabulary, embedding, config.dropout)
        self.bridge = nn.Linear(vector, hidden)
        self.cell = nn.GRU(embedding + vector, hidden, batch_first=True)
        self.output = MaxoutOutput(
            hidden + embedding + vector, hidden, config.target_vocabulary, config.dropout
        )

    def forward(
        self, tokens: Tokens, hidden: Float[Tensor, "B H"], context: Float[Tensor, "B C"]
    ) -> tuple[Logits, Float[Tensor, "B H"]]:
        """Logits of every step and the last hidden state."""
        embedded = self.embed(tokens)
        context = context[:, None].expand(-1, tokens.shape[1], -1)
        inputs = torch.cat([embedded, context], -1)
        states, last = self.cell(inputs, hidden[None].contiguous())
        return self.output(states, embedded, context), last[0]


class Cho(ParallelDecoder):
    """RNN Encoder-Decoder (Cho et al. 2014, arXiv:1406.1078, section 2.2 and appendix A).

    The encoder's last state gives c = tanh(V h_S) and the decoder's first state s_0 = tanh(V' c);
    each step reads s_i = f(s_{i-1}, y_{i-1}, c) and predicts through a maxout layer from
    (s_i, y_{i-1}, c). The GRU is the variant that resets after the matrix product, which fused
    kernels compute; the paper resets before it.
    """

    def __init__(self, config: ChoConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        self.embed = TokenEmbedding(config.source_vocabulary, config.embedding, config.dropout)
        self.encoder = RecurrentEncoder("gru", config.embedding, config.hidden, bidirectional=False)
        self.summary = nn.Linear(config.hidden, config.hidden)
        self.decoder = ContextDecoder(config)
        initialise(self, generator)

    def encode(self, source: Source, source_mask: SourceMask) -> ChoMemory:
        """Read the sentence into one vector."""
        last = self.encoder(self.embed(source), source_mask).last[-1]
        return ChoMemory(source_mask, torch.tanh(self.summary(last)))

    def start(self, memory: ChoMemory) -> HiddenState:
        """The decoder's first state, a function of the context alone."""
        return HiddenState(torch.tanh(self.decoder.bridge(memory.context)))

    def run_decoder(
        self,
        tokens: Tokens,
        state: HiddenState,
        memory: ChoMemory,
        *,
        return_attention: bool = False,
    ) -> tuple[Output, HiddenState]:
        """One call of the fused GRU."""
        logits, hidden = self.decoder(tokens, state.hidden, memory.context)
        return Output(logits), HiddenState(hidden)
