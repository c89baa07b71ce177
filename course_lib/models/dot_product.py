"""The plain dot product: the decoder's own state is the query, the annotations the keys.

First half of Luong et al. 2015 (arXiv:1508.04025): global attention with the dot score, without
input feeding. Letters: H width of the decoder state and of an annotation.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys
from course_lib.attention.scores import Score, dot
from course_lib.models.parts import TokenEmbedding, initialise
from course_lib.models.protocol import HiddenState, Memory, Output, ParallelDecoder
from course_lib.recurrent.encoder import RecurrentEncoder


@dataclass(frozen=True)
class DotConfig:
    """Sizes; `hidden` is the decoder's width, split evenly between the encoder's directions."""

    source_vocabulary: int
    target_vocabulary: int
    embedding: int = 128
    hidden: int = 256
    dropout: float = 0.0


@dataclass(frozen=True)
class DotMemory(Memory):
    """Annotations (B, S, H), keys and values at once, and the decoder's first state (B, H)."""

    annotations: Float[Tensor, "B S H"]
    first: Float[Tensor, "B H"]


class DotProduct(ParallelDecoder):
    """Dot-product attention on the decoder state (Luong et al. 2015, sections 3 and 3.1).

        s_i  = GRU(s_{i-1}, E y_{i-1})
        a_ij = softmax over j of s_i · h_j       equation 7, score "dot"
        c_i  = sum over j of a_ij h_j
        p(y_i) from tanh(W_c [c_i; s_i])         equations 5 and 6

    The state never depends on a context. So teacher forcing runs the recurrence first, and then
    all steps attend at once.
    """

    def __init__(self, config: DotConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        if config.hidden % 2:
            raise ValueError(f"want an even hidden, half for each direction; got {config.hidden}")
        self.config = config
        embedding, hidden = config.embedding, config.hidden
        self.source_embed = TokenEmbedding(config.source_vocabulary, embedding, config.dropout)
        self.encoder = RecurrentEncoder("gru", embedding, hidden // 2, bidirectional=True)
        self.bridge = nn.Linear(hidden // 2, hidden)
        self.target_embed = TokenEmbedding(config.target_vocabulary, embedding, config.dropout)
        self.cell = nn.GRU(embedding, hidden, batch_first=True)
        self.combine = nn.Linear(2 * hidden, hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.words = nn.Linear(hidden, config.target_vocabulary)
        self.score: Score = dot
        initialise(self, generator)

    def encode(self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]) -> DotMemory:
        """Annotates every source position from both sides."""
        encoded = self.encoder(self.source_embed(source), source_mask)
        backward = encoded.last[-1].chunk(2, dim=-1)[1]
        return DotMemory(source_mask, encoded.annotations, torch.tanh(self.bridge(backward)))

    def start(self, memory: DotMemory) -> HiddenState:
        """The decoder's first state, from the backward direction of the encoder."""
        return HiddenState(memory.first)

    def run_decoder(
        self,
        tokens: Int[Tensor, "B T"],
        state: HiddenState,
        memory: DotMemory,
        *,
        return_attention: bool = False,
    ) -> tuple[Output, HiddenState]:
        """The GRU over all words, then attention for all its states."""
        states, last = self.cell(self.target_embed(tokens), state.hidden[None].contiguous())
        keys, mask = memory.annotations, for_keys(memory.mask)
        context, weights = attend(states, keys, keys, score=self.score, mask=mask)
        combined = torch.tanh(self.combine(torch.cat([context, states], dim=-1)))
        logits = self.words(self.dropout(combined))
        return Output(logits, weights if return_attention else None), HiddenState(last[0])
