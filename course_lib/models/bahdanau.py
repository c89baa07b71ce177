"""The first attention: at every step the decoder attends to all annotations of the source.

Letters: H decoder width, D = 2H annotation width, A alignment-model width.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys
from course_lib.attention.scores import AdditiveScore
from course_lib.models.parts import (
    AnnotatingTranslator,
    Annotations,
    MaxoutOutput,
    RecurrentConfig,
    RecurrentLinear,
    initialise,
)
from course_lib.models.protocol import HiddenState, Output
from course_lib.models.shapes import Generator, Tokens, Vectors
from course_lib.recurrent.cells import gru_update


@dataclass(frozen=True)
class BahdanauConfig(RecurrentConfig):
    """Sizes: `hidden` per direction and of the decoder, `alignment` of the additive score."""

    alignment: int = 256


class Unrolled(NamedTuple):
    """All decoder steps before the output layer: s_i, c_i and, if asked for, a_ij."""

    states: Float[Tensor, "B T H"]
    contexts: Vectors
    weights: Float[Tensor, "B T S"] | None


class Bahdanau(AnnotatingTranslator):
    """Neural machine translation by jointly learning to align and translate (arXiv:1409.0473).

    At step i, with s_{i-1} the decoder's state and h_j the annotations (section 3.1):

        e_ij = v' tanh(W s_{i-1} + U h_j)     additive score, appendix A.1.2
        a_ij = softmax over j of e_ij         equation 6
        c_i  = sum over j of a_ij h_j         equation 5
        s_i  = GRU(s_{i-1}, [E y_{i-1}; c_i]) appendix A.2.2
        p(y_i) from (s_i, y_{i-1}, c_i)       equation 4, through a maxout layer

    The query is s_{i-1}: the attention weights are computed before y_{i-1} is read.
    """

    def __init__(self, config: BahdanauConfig, generator: Generator = None) -> None:
        embedding, hidden = config.embedding, config.hidden
        super().__init__(config, hidden)
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

    def project_keys(self, annotations: Float[Tensor, "B S D"]) -> Float[Tensor, "B S A"]:
        """U h_j, once per sentence (appendix A.1.2)."""
        return self.score.project_keys(annotations)

    def decoder_step(
        self,
        word_gates: Float[Tensor, "B G"],
        hidden: Float[Tensor, "B H"],
        memory: Annotations,
        mask: Bool[Tensor, "B 1 S"],
    ) -> tuple[Float[Tensor, "B H"], Float[Tensor, "B D"], Float[Tensor, "B S"]]:
        """One step of attention and GRU: the new state, the context and the attention weights."""
        query, score = hidden[:, None], self.score.score_projected
        context, weights = attend(query, memory.keys, memory.annotations, score=score, mask=mask)
        gates = word_gates + self.context_gates(context[:, 0])
        hidden = gru_update(gates, self.recurrent_gates(hidden), hidden)
        return hidden, context[:, 0], weights[:, 0]

    def unroll(
        self,
        words: Float[Tensor, "B T E"],
        hidden: Float[Tensor, "B H"],
        memory: Annotations,
        *,
        return_attention: bool = False,
    ) -> Unrolled:
        """The recurrence from a state on, step by step, over the decoder's embedded input words."""
        mask, states, contexts, maps = for_keys(memory.mask), [], [], []
        for gates in self.word_gates(words).unbind(dim=1):
            hidden, context, attention = self.decoder_step(gates, hidden, memory, mask)
            states.append(hidden)
            contexts.append(context)
            maps.append(attention if return_attention else None)
        weights = torch.stack(maps, 1) if return_attention else None
        return Unrolled(torch.stack(states, 1), torch.stack(contexts, 1), weights)

    def run_decoder(
        self,
        tokens: Tokens,
        state: HiddenState,
        memory: Annotations,
        *,
        return_attention: bool = False,
    ) -> tuple[Output, HiddenState]:
        """The recurrence step by step, the output layer once."""
        words = self.target_embed(tokens)
        states, contexts, weights = self.unroll(
            words, state.hidden, memory, return_attention=return_attention
        )
        return Output(self.output(states, words, contexts), weights), HiddenState(states[:, -1])
