"""Attention after the decoder's step, fed into the next step (Luong, Pham & Manning 2015).

Letters: H width of the decoder and of an annotation, L layers, A width of a projected key.
The plain variant, a GRU with a dot product and no input feeding, is `dot_product.py`.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.local import PredictedPosition, local_attention
from course_lib.attention.masks import for_keys
from course_lib.attention.scores import ConcatScore, GeneralScore, Score, dot
from course_lib.models.parts import LSTMLayers, TokenEmbedding, initialise
from course_lib.models.protocol import Memory, Output, ParallelDecoder
from course_lib.models.shapes import Generator, Source, SourceMask, Tokens
from course_lib.recurrent.encoder import RecurrentEncoder

SCORES = ("dot", "general", "concat")
ATTENTIONS = ("global", "local-m", "local-p")


@dataclass(frozen=True)
class LuongConfig:
    """Sizes, and which of the paper's models it is.

    Attributes:
        score: one of `SCORES` (section 3.1).
        attention: one of `ATTENTIONS`: all positions, a window that moves one position each step,
            or a window around a predicted position (section 3.2).
        radius: D, half the width of the window; global attention ignores it.
        input_feeding: whether each step reads the last step's attentional state (section 3.3).
    """

    source_vocabulary: int
    target_vocabulary: int
    embedding: int = 128
    hidden: int = 256
    layers: int = 1
    score: str = "general"
    attention: str = "global"
    radius: int = 10
    input_feeding: bool = True
    dropout: float = 0.0


@dataclass(frozen=True)
class LuongMemory(Memory):
    """Annotations h̄_s, their projection for the score, and the encoder's last state."""

    annotations: Float[Tensor, "B S H"]
    keys: Float[Tensor, "B S A"]
    last: LSTMLayers


@dataclass(frozen=True)
class LuongState(LSTMLayers):
    """Also h̃ of the last step (zeros before the first), and t, the number of tokens read."""

    attentional: Float[Tensor, "B H"]
    time: Int[Tensor, " B"]


class Luong(ParallelDecoder):
    """Effective approaches to attention-based neural machine translation (arXiv:1508.04025).

    At step t, with h_t the top state of the decoder's LSTM and h̄_s that of the encoder's:

        h_t    = LSTM(h_{t-1}, [E y_{t-1}; h̃_{t-1}])    input feeding, section 3.3
        a_t(s) = softmax over s of score(h_t, h̄_s)      equation 7; scores in section 3.1
        c_t    = sum over s of a_t(s) h̄_s               over all s, or a window (section 3.2)
        h̃_t    = tanh(W_c [c_t; h_t])                   equation 5, the attentional state
        p(y_t) = softmax(W_s h̃_t)                       equation 6; our W_s has a bias

    The encoder reads from left to right, as in the paper.
    """

    def __init__(self, config: LuongConfig, generator: Generator = None) -> None:
        super().__init__()
        if config.attention not in ATTENTIONS:
            raise ValueError(f"want attention out of {ATTENTIONS}; got {config.attention!r}")
        self.config = config
        embedding, hidden, layers = config.embedding, config.hidden, config.layers
        between = config.dropout if layers > 1 else 0.0
        self.source_embed = TokenEmbedding(config.source_vocabulary, embedding, config.dropout)
        self.encoder = RecurrentEncoder(
            "lstm", embedding, hidden, bidirectional=False, layers=layers, dropout=between
        )
        self.target_embed = TokenEmbedding(config.target_vocabulary, embedding, config.dropout)
        fed = hidden if config.input_feeding else 0
        self.decoder = nn.LSTM(embedding + fed, hidden, layers, batch_first=True, dropout=between)
        self.score = {
            "dot": lambda: None,
            "general": lambda: GeneralScore(hidden, hidden),
            "concat": lambda: ConcatScore(hidden, hidden, hidden),
        }[config.score]()
        self.position = PredictedPosition(hidden) if config.attention == "local-p" else None
        self.combine = nn.Linear(2 * hidden, hidden, bias=False)
        self.dropout = nn.Dropout(config.dropout)
        self.words = nn.Linear(hidden, config.target_vocabulary)
        initialise(self, generator)

    def encode(self, source: Source, source_mask: SourceMask) -> LuongMemory:
        """Annotate every source position from the left; project the keys once."""
        encoded = self.encoder(self.source_embed(source), source_mask)
        keys = encoded.annotations
        keys = keys if self.score is None else self.score.project_keys(keys)
        last = LSTMLayers(encoded.last.transpose(0, 1), encoded.last_cell.transpose(0, 1))
        return LuongMemory(source_mask, encoded.annotations, keys, last)

    def start(self, memory: LuongMemory) -> LuongState:
        """The encoder's last state; no attentional state yet."""
        time = torch.zeros_like(memory.mask[:, 0], dtype=torch.long)
        hidden, cell = memory.last.hidden, memory.last.cell
        return LuongState(hidden, cell, torch.zeros_like(hidden[:, 0]), time)

    def center(
        self, query: Float[Tensor, "B T H"], time: Int[Tensor, "B T"], memory: LuongMemory
    ) -> Tensor:
        """p_t (B, T), the center of each step's window: t, or predicted (equation 9)."""
        ahead = time if self.position is None else self.position(query, memory.mask.sum(-1))
        return memory.mask.long().argmax(-1, keepdim=True) + ahead

    def attend_to_source(
        self,
        query: Float[Tensor, "B T H"],
        time: Int[Tensor, "B T"],
        memory: LuongMemory,
        return_attention: bool,
    ) -> tuple[Float[Tensor, "B T H"], Float[Tensor, "B T S"] | None]:
        """Contexts of these steps and, if wanted, their attention weights over the source."""
        score: Score = dot if self.score is None else self.score.score_projected
        if self.config.attention == "global":
            mask = for_keys(memory.mask)
            whole = attend(query, memory.keys, memory.annotations, score=score, mask=mask)
            return whole.context, whole.weights if return_attention else None
        near = local_attention(
            query,
            memory.keys,
            memory.annotations,
            self.center(query, time, memory),
            radius=self.config.radius,
            score=score,
            padding_mask=memory.mask,
            gaussian=self.config.attention == "local-p",
        )
        return near.context, near.over(memory.mask.shape[1]) if return_attention else None

    def attentional_states(
        self,
        words: Float[Tensor, "B T E"],
        state: LuongState,
        memory: LuongMemory,
        return_attention: bool,
    ) -> tuple[Float[Tensor, "B T H"], LuongState, Float[Tensor, "B T S"] | None]:
        """h̃ of one embedded word or, without input feeding, of any number of words."""
        inputs = words
        if self.config.input_feeding:
            inputs = torch.cat([words, state.attentional[:, None]], dim=-1)
        top, (hidden, cell) = self.decoder(inputs, state.for_torch())
        time = state.time[:, None] + torch.arange(words.shape[1], device=words.device)
        context, attention = self.attend_to_source(top, time, memory, return_attention)
        attentional = torch.tanh(self.combine(torch.cat([context, top], dim=-1)))
        hidden, cell = hidden.transpose(0, 1), cell.transpose(0, 1)
        return attentional, LuongState(hidden, cell, attentional[:, -1], time[:, -1] + 1), attention

    def run_decoder(
        self,
        tokens: Tokens,
        state: LuongState,
        memory: LuongMemory,
        *,
        return_attention: bool = False,
    ) -> tuple[Output, LuongState]:
        """Step by step with input feeding, all steps at once without it."""
        words, states, maps = self.target_embed(tokens), [], []
        for piece in words.split(1, dim=1) if self.config.input_feeding else (words,):
            attentional, state, attention = self.attentional_states(
                piece, state, memory, return_attention
            )
            states.append(attentional)
            maps.append(attention)
        logits = self.words(self.dropout(torch.cat(states, dim=1)))
        return Output(logits, torch.cat(maps, dim=1) if return_attention else None), state
