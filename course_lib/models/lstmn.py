"""An LSTMN as encoder and one as decoder: Cheng et al. 2016 (arXiv:1601.06733), section 4.

Letters: E embedding, H width of both, A width of the scores.
"""

from dataclasses import dataclass

import torch
from torch import nn

from course_lib.models.parts import RecurrentConfig, TokenEmbedding, initialise
from course_lib.models.protocol import EncoderDecoder, Memory, State, Step
from course_lib.models.shapes import Generator, Source, SourceMask, Token
from course_lib.recurrent.lstmn import DeepFusionCell, LSTMNCell, LSTMNState, Tapes, run_lstmn


class LSTMNConfig(RecurrentConfig):
    """Sizes of the LSTMN."""


@dataclass(frozen=True)
class LSTMNMemory(Memory):
    """The encoder's tapes, and their keys for attention to the source."""

    tapes: Tapes


@dataclass(frozen=True)
class LSTMNDecoderState(State):
    """The decoder's own tapes."""

    own: LSTMNState


class LSTMNTranslator(EncoderDecoder):
    """LSTMN encoder and decoder, deeply fused (equations 10 to 15).

    The decoder starts with empty tapes, so all it knows of the source comes from attention. Words
    are predicted from [h_t; γ̃_t], state and sum over the source; the paper leaves that open.
    """

    def __init__(self, config: LSTMNConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        embedding, hidden = config.embedding, config.hidden
        self.source_embed = TokenEmbedding(config.source_vocabulary, embedding, config.dropout)
        self.target_embed = TokenEmbedding(config.target_vocabulary, embedding, config.dropout)
        self.encoder = LSTMNCell(embedding, hidden)
        self.decoder = DeepFusionCell(embedding, hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.words = nn.Linear(2 * hidden, config.target_vocabulary)
        initialise(self, generator)

    def encode(self, source: Source, source_mask: SourceMask) -> LSTMNMemory:
        """Read the source; each token gets a position on both tapes."""
        state = run_lstmn(self.encoder, self.source_embed(source), source_mask).state
        keys = self.decoder.inter.project_keys(state.hidden_tape)
        tapes = Tapes(state.hidden_tape, state.cell_tape, keys, state.mask)
        return LSTMNMemory(source_mask, tapes)

    def start(self, memory: LSTMNMemory) -> LSTMNDecoderState:
        """Empty tapes."""
        return LSTMNDecoderState(self.decoder.initial(memory.tapes.hidden))

    def step(
        self,
        token: Token,
        state: LSTMNDecoderState,
        memory: LSTMNMemory,
        *,
        return_attention: bool = False,
    ) -> Step:
        """One token; the attention is that over the source, p^t."""
        # The mask of the memory counts, so that it can be changed as in every other model.
        word, tapes = self.target_embed(token), memory.tapes._replace(mask=memory.mask)
        after, _, attention = self.decoder.step(word, state.own, tapes)
        logits = self.words(self.dropout(torch.cat([after.hidden, after.source], dim=-1)))
        return Step(logits, LSTMNDecoderState(after), attention if return_attention else None)
