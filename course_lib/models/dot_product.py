"""The plain dot product: the decoder's own state is the query, the annotations the keys.

First half of Luong et al. 2015 (arXiv:1508.04025): global attention with the dot score, without
input feeding. Letters: H width of the decoder state and of an annotation.
"""

import torch
from torch import nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys
from course_lib.attention.scores import Score, dot
from course_lib.models.parts import AnnotatingTranslator, Annotations, RecurrentConfig, initialise
from course_lib.models.protocol import HiddenState, Output
from course_lib.models.shapes import Generator, Tokens


class DotConfig(RecurrentConfig):
    """Sizes; `hidden` is the decoder's width, split evenly between the encoder's directions."""


class DotProduct(AnnotatingTranslator):
    """Dot-product attention on the decoder state (Luong et al. 2015, sections 3 and 3.1).

        s_i  = GRU(s_{i-1}, E y_{i-1})
        a_ij = softmax over j of s_i · h_j       equation 7, score "dot"
        c_i  = sum over j of a_ij h_j
        p(y_i) from tanh(W_c [c_i; s_i])         equations 5 and 6

    The state never depends on a context, so teacher forcing attends for all steps at once.
    """

    def __init__(self, config: DotConfig, generator: Generator = None) -> None:
        embedding, hidden = config.embedding, config.hidden
        if hidden % 2:
            raise ValueError(f"want an even hidden, half for each direction; got {hidden}")
        super().__init__(config, hidden // 2)
        self.cell = nn.GRU(embedding, hidden, batch_first=True)
        self.combine = nn.Linear(2 * hidden, hidden)
        self.dropout = nn.Dropout(config.dropout)
        self.words = nn.Linear(hidden, config.target_vocabulary)
        self.score: Score = dot
        initialise(self, generator)

    def run_decoder(
        self,
        tokens: Tokens,
        state: HiddenState,
        memory: Annotations,
        *,
        return_attention: bool = False,
    ) -> tuple[Output, HiddenState]:
        """The GRU over all words, then attention for all its states."""
        states, last = self.cell(self.target_embed(tokens), state.hidden[None].contiguous())
        keys, values, mask = memory.keys, memory.annotations, for_keys(memory.mask)
        context, weights = attend(states, keys, values, score=self.score, mask=mask)
        combined = torch.tanh(self.combine(torch.cat([context, states], dim=-1)))
        logits = self.words(self.dropout(combined))
        return Output(logits, weights if return_attention else None), HiddenState(last[0])
