"""The first attention: at every step the decoder attends to all annotations of the source.

Letters: H decoder width, D = 2H annotation width, A alignment-model width.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys
from course_lib.attention.scores import AdditiveScore
from course_lib.models.parts import MaxoutOutput, RecurrentLinear, TokenEmbedding, initialise
from course_lib.models.protocol import EncoderDecoder, HiddenState, Memory, Output, Step
from course_lib.recurrent.cells import gru_update
from course_lib.recurrent.encoder import RecurrentEncoder


@dataclass(frozen=True)
class BahdanauConfig:
    """Sizes: `hidden` per direction and of the decoder, `alignment` of the additive score."""

    source_vocabulary: int
    target_vocabulary: int
    embedding: int = 128
    hidden: int = 256
    alignment: int = 256
    dropout: float = 0.0


@dataclass(frozen=True)
class BahdanauMemory(Memory):
    """The annotations h_j, their projection U_a h_j (A.1.2), and the decoder's first state."""

    annotations: Float[Tensor, "B S D"]
    keys: Float[Tensor, "B S A"]
    first: Float[Tensor, "B H"]


BahdanauState = HiddenState
"""The decoder's hidden state s_i."""


class Unrolled(NamedTuple):
    """All decoder steps before the output layer: s_i, c_i and, if asked for, a_ij."""

    states: Float[Tensor, "B T H"]
    contexts: Float[Tensor, "B T D"]
    weights: Float[Tensor, "B T S"] | None


class Bahdanau(EncoderDecoder):
    """Neural machine translation by jointly learning to align and translate (arXiv:1409.0473).

    At step i, with s_{i-1} the decoder's state and h_j the annotations (section 3.1):

        e_ij = v' tanh(W s_{i-1} + U h_j)     additive score, appendix A.1.2
        a_ij = softmax over j of e_ij         equation 6
        c_i  = sum over j of a_ij h_j         equation 5
        s_i  = GRU(s_{i-1}, [E y_{i-1}; c_i]) appendix A.2.2
        p(y_i) from (s_i, y_{i-1}, c_i)       equation 4, through a maxout layer

    The query is s_{i-1}: the attention weights are computed before y_{i-1} is read.
    """

    def __init__(self, config: BahdanauConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        embedding, hidden = config.embedding, config.hidden
        self.source_embed = TokenEmbedding(config.source_vocabulary, embedding, config.dropout)
        self.encoder = RecurrentEncoder("gru", embedding, hidden, bidirectional=True)
        self.bridge = nn.Linear(hidden, hidden)
        self.target_embed = TokenEmbedding(config.target_vocabulary, embedding, config.dropout)
        self.score = AdditiveScore(hidden, 2 * hidden, config.alignment)
        # The GRU's input matrix in two parts: teacher forcing knows all words at once, but a
        # context only when its step comes.
        self.word_gates = nn.Linear(embedding, 3 * hidden)
        self.context_gates = nn.Linear(2 * hidden, 3 * hidden, bias=False)
        self.recurrent_gates = RecurrentLinear(hidden, 3 * hidden)
        self.output = MaxoutOutput(
            hidden + embedding + 2 * hidden, hidden, config.target_vocabulary, config.dropout
        )
        initialise(self, generator)

    def encode(
        self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]
    ) -> BahdanauMemory:
        """Annotates every source position from both sides; projects the keys once."""
        encoded = self.encoder(self.source_embed(source), source_mask)
        # The backward direction has read the whole sentence when it reaches the first word.
        backward = encoded.last[-1].chunk(2, dim=-1)[1]
        keys, first = self.score.project_keys(encoded.annotations), self.bridge(backward).tanh()
        return BahdanauMemory(source_mask, encoded.annotations, keys, first)

    def start(self, memory: BahdanauMemory) -> BahdanauState:
        """s_0 = tanh(W_s h_1), from the backward direction (appendix A.2.2)."""
        return BahdanauState(memory.first)

    def decoder_step(
        self,
        word_gates: Float[Tensor, "B G"],
        hidden: Float[Tensor, "B H"],
        memory: BahdanauMemory,
        mask: Bool[Tensor, "B 1 S"],
    ) -> tuple[Float[Tensor, "B H"], Float[Tensor, "B D"], Float[Tensor, "B S"]]:
        """One step of attention and GRU: the new state, the context and the attention weights."""
        query, score = hidden[:, None], self.score.score_projected
        context, weights = attend(query, memory.keys, memory.annotations, score=score, mask=mask)
        gates = word_gates + self.context_gates(context[:, 0])
        hidden = gru_update(gates, self.recurrent_gates(hidden), hidden)
        return hidden, context[:, 0], weights[:, 0]

    def step(
        self,
        token: Int[Tensor, " B"],
        state: BahdanauState,
        memory: BahdanauMemory,
        *,
        return_attention: bool = False,
    ) -> Step:
        """One token."""
        word = self.target_embed(token)
        hidden, context, attention = self.decoder_step(
            self.word_gates(word), state.hidden, memory, for_keys(memory.mask)
        )
        logits = self.output(hidden, word, context)
        return Step(logits, BahdanauState(hidden), attention if return_attention else None)

    def unroll(
        self,
        words: Float[Tensor, "B T E"],
        memory: BahdanauMemory,
        *,
        return_attention: bool = False,
    ) -> Unrolled:
        """The recurrence, step by step, over the decoder's embedded input words."""
        hidden, mask = self.start(memory).hidden, for_keys(memory.mask)
        states, contexts, maps = [], [], []
        for gates in self.word_gates(words).unbind(dim=1):
            hidden, context, attention = self.decoder_step(gates, hidden, memory, mask)
            states.append(hidden)
            contexts.append(context)
            maps.append(attention if return_attention else None)
        weights = torch.stack(maps, 1) if return_attention else None
        return Unrolled(torch.stack(states, 1), torch.stack(contexts, 1), weights)

    def decode(
        self,
        target_in: Int[Tensor, "B T"],
        memory: BahdanauMemory,
        *,
        return_attention: bool = False,
    ) -> Output:
        """Teacher forcing: the recurrence step by step, the output layer once."""
        words = self.target_embed(target_in)
        steps = self.unroll(words, memory, return_attention=return_attention)
        return Output(self.output(steps.states, words, steps.contexts), steps.weights)
