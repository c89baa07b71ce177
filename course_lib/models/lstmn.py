"""An LSTMN as encoder and one as decoder: Cheng et al. 2016 (arXiv:1601.06733), section 4.

Letters: E embedding, H width of both, A width of the scores.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys
from course_lib.attention.scores import AdditiveScore
from course_lib.models.parts import TokenEmbedding, initialise
from course_lib.models.protocol import EncoderDecoder, Memory, State, Step
from course_lib.recurrent.lstmn import DeepFusionCell, LSTMNCell, LSTMNState, Tapes, run_lstmn

FUSIONS = ("shallow", "deep")


@dataclass(frozen=True)
class LSTMNConfig:
    """Sizes, and how the decoder combines attention to the source with its own.

    Attributes:
        fusion: "shallow": the decoder reads [word; context], the context as in Bahdanau et al.
            2015; "deep": the cell itself takes in the source's cells (equations 10 to 15).
    """

    source_vocabulary: int
    target_vocabulary: int
    embedding: int = 128
    hidden: int = 256
    fusion: str = "deep"
    dropout: float = 0.0


@dataclass(frozen=True)
class LSTMNMemory(Memory):
    """The encoder's tapes, and their keys for attention to the source."""

    tapes: Tapes


@dataclass(frozen=True)
class LSTMNDecoderState(State):
    """The decoder's own tapes."""

    own: LSTMNState


class LSTMNTranslator(EncoderDecoder):
    """LSTMN encoder and decoder, fused in one of two ways.

    The decoder starts with empty tapes, so all it knows of the source comes from attention. Words
    are predicted from [h_t; γ̃_t], state and sum over the source; the paper leaves that open.

    Raises:
        ValueError: the fusion is unknown.
    """

    def __init__(self, config: LSTMNConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        if config.fusion not in FUSIONS:
            raise ValueError(f"want a fusion out of {FUSIONS}; got {config.fusion!r}")
        self.config = config
        embedding, hidden = config.embedding, config.hidden
        self.source_embed = TokenEmbedding(config.source_vocabulary, embedding, config.dropout)
        self.target_embed = TokenEmbedding(config.target_vocabulary, embedding, config.dropout)
        self.encoder = LSTMNCell(embedding, hidden)
        if config.fusion == "deep":
            self.decoder, self.score = DeepFusionCell(embedding, hidden), None
        else:
            self.decoder = LSTMNCell(embedding + hidden, hidden)
            self.score = AdditiveScore(hidden, hidden, hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.words = nn.Linear(2 * hidden, config.target_vocabulary)
        initialise(self, generator)

    def encode(self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]) -> LSTMNMemory:
        """Reads the source; each token gets a position on both tapes."""
        state = run_lstmn(self.encoder, self.source_embed(source), source_mask).state
        score = self.decoder.inter if self.score is None else self.score
        keys = score.project_keys(state.hidden_tape)
        tapes = Tapes(state.hidden_tape, state.cell_tape, keys, state.mask)
        return LSTMNMemory(source_mask, tapes)

    def start(self, memory: LSTMNMemory) -> LSTMNDecoderState:
        """Empty tapes."""
        return LSTMNDecoderState(self.decoder.initial(memory.tapes.hidden))

    def step(
        self,
        token: Int[Tensor, " B"],
        state: LSTMNDecoderState,
        memory: LSTMNMemory,
        *,
        return_attention: bool = False,
    ) -> Step:
        """One token; the attention is that over the source, p^t."""
        # The mask of the memory counts, so that it can be changed as in every other model.
        word, tapes = self.target_embed(token), memory.tapes._replace(mask=memory.mask)
        if self.score is None:
            after, _, attention = self.decoder.step(word, state.own, tapes)
            context = after.source
        else:
            query = state.own.hidden.unsqueeze(1)
            mask, score = for_keys(tapes.mask), self.score.score_projected
            read = attend(query, tapes.keys, tapes.hidden, score=score, mask=mask)
            context, attention = read.context[:, 0], read.weights[:, 0]
            after = self.decoder.step(torch.cat([word, context], dim=-1), state.own).state
        features = self.dropout(torch.cat([after.hidden, context], dim=-1))
        return Step(
            self.words(features),
            LSTMNDecoderState(after),
            attention if return_attention else None,
        )
