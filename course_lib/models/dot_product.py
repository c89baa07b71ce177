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
from course_lib.models.protocol import EncoderDecoder, Memory, Output, State, Step
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


@dataclass(frozen=True)
class DotState(State):
    """The decoder's hidden state, of shape (B, H)."""

    hidden: Float[Tensor, "B H"]


class DotProduct(EncoderDecoder):
    """Dot-product attention on the decoder state (Luong et al. 2015, sections 3 and 3.1).

        s_i  = GRU(s_{i-1}, E y_{i-1})
        a_ij = softmax over j of s_i · h_j       equation 7, score "dot"
        c_i  = sum over j of a_ij h_j
        p(y_i) from tanh(W_c [c_i; s_i])         equations 5 and 6

    The state never depends on a context. So teacher forcing runs the recurrence first, and then
    all steps attend at once.

    Raises:
        ValueError: `hidden` is odd; each direction of the encoder has half of it.
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

    def start(self, memory: DotMemory) -> DotState:
        """The decoder's first state, from the backward direction of the encoder."""
        return DotState(memory.first)

    def run_decoder(
        self, tokens: Int[Tensor, "B T"], hidden: Float[Tensor, "B H"], memory: DotMemory
    ) -> tuple[Float[Tensor, "B T V"], Float[Tensor, "B H"], Float[Tensor, "B T S"]]:
        """Any number of steps: logits, the last state and every step's attention weights."""
        words = self.target_embed(tokens)
        states, last = self.cell(words, hidden[None].contiguous())
        context, weights = attend(
            states,
            memory.annotations,
            memory.annotations,
            score=self.score,
            mask=for_keys(memory.mask),
        )
        combined = torch.tanh(self.combine(torch.cat([context, states], dim=-1)))
        return self.words(self.dropout(combined)), last[0], weights

    def step(
        self,
        token: Int[Tensor, " B"],
        state: DotState,
        memory: DotMemory,
        *,
        return_attention: bool = False,
    ) -> Step:
        """One token."""
        logits, hidden, attention = self.run_decoder(token[:, None], state.hidden, memory)
        return Step(logits[:, 0], DotState(hidden), attention[:, 0] if return_attention else None)

    def decode(
        self, target_in: Int[Tensor, "B T"], memory: DotMemory, *, return_attention: bool = False
    ) -> Output:
        """Teacher forcing, all steps at once."""
        logits, _, attention = self.run_decoder(target_in, memory.first, memory)
        return Output(logits, attention if return_attention else None)
