"""An image captioner that attends to patches: softly to all of them, or to one that it draws.

Letters: S patches, P numbers in a patch, D annotation width, H decoder width, A width of the score.
"""

from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.attention.hard import hard_attention
from course_lib.attention.masks import for_keys, require_padding_mask
from course_lib.attention.scores import AdditiveScore
from course_lib.attention.softmax import masked_softmax
from course_lib.errors import CourseError
from course_lib.models.parts import (
    Annotations,
    MaxoutOutput,
    RecurrentLinear,
    TokenEmbedding,
    initialise,
)
from course_lib.models.protocol import EncoderDecoder, HiddenState, Step
from course_lib.models.shapes import Generator, SourceMask, Token
from course_lib.recurrent.cells import gru_update

ATTENTIONS = ("soft", "hard")


@dataclass(frozen=True)
class CaptionerConfig:
    """Sizes, and the kind of attention.

    Attributes:
        patch: P, numbers in a patch; an image has up to `max_patches`.
        attention: "soft" reads the average of all annotations, "hard" one of them.
    """

    target_vocabulary: int
    patch: int
    max_patches: int
    attention: str = "soft"
    embedding: int = 32
    annotation: int = 64
    hidden: int = 64
    alignment: int = 64
    dropout: float = 0.0

    def __post_init__(self) -> None:
        if self.attention not in ATTENTIONS:
            raise CourseError(f"want attention out of {ATTENTIONS}; got {self.attention!r}")


class Patches(nn.Module):
    """An annotation for each patch, of its pixels and its position: two layers, patch by patch.

    Xu et al. 2015 (section 3.1.1) use a layer of a large convolutional network.
    """

    def __init__(self, patch: int, max_patches: int, size: int) -> None:
        super().__init__()
        self.pixels = nn.Linear(patch, size)
        self.position = nn.Embedding(max_patches, size)
        self.mix = nn.Linear(size, size)

    def forward(self, source: Float[Tensor, "B S P"]) -> Float[Tensor, "B S D"]:
        """Annotate every patch."""
        features = torch.relu(self.pixels(source))
        return torch.tanh(self.mix(features) + self.position.weight[: source.shape[1]])


class Captioner(EncoderDecoder):
    """Show, attend and tell (Xu et al. 2015, arXiv:1502.03044), small, with a GRU for the LSTM.

    At step i, with s_{i-1} the decoder's state and a_j the annotations:

        e_ij = v' tanh(W s_{i-1} + U a_j)    equation 4
        α_ij = softmax over j of e_ij        equation 5
        c_i  = Σ_j α_ij a_j                  soft, equation 13
        c_i  = a_j with probability α_ij     hard, equations 8 and 9
        s_i  = GRU(s_{i-1}, [E y_{i-1}; c_i])
        p(y_i) from (s_i, y_{i-1}, c_i)      equation 7, through a maxout layer

    Their first state comes from the mean annotation; ours is zero, so attention is the only source
    of information about the pixels.
    """

    def __init__(self, config: CaptionerConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        embedding, annotation, hidden = config.embedding, config.annotation, config.hidden
        self.encoder = Patches(config.patch, config.max_patches, annotation)
        self.target_embed = TokenEmbedding(config.target_vocabulary, embedding, config.dropout)
        self.score = AdditiveScore(hidden, annotation, config.alignment)
        self.input_gates = nn.Linear(embedding + annotation, 3 * hidden)
        self.recurrent_gates = RecurrentLinear(hidden, 3 * hidden)
        self.output = MaxoutOutput(
            hidden + embedding + annotation, hidden, config.target_vocabulary, config.dropout
        )
        initialise(self, generator)

    def encode(self, source: Float[Tensor, "B S P"], source_mask: SourceMask) -> Annotations:
        """Annotate every patch; project the keys once."""
        require_padding_mask(source_mask, source)
        annotations = self.encoder(source)
        first = annotations.new_zeros(len(source), self.config.hidden)
        keys = self.score.project_keys(annotations)
        return Annotations(source_mask, annotations, keys, first)

    def start(self, memory: Annotations) -> HiddenState:
        """A state of zeros, which knows nothing of the image."""
        return HiddenState(memory.first)

    def soft_weights(self, state: HiddenState, memory: Annotations) -> Float[Tensor, "B S"]:
        """α of the next step: soft attention averages with it, hard attention draws from it."""
        scores = self.score.score_projected(state.hidden[:, None], memory.keys)
        return masked_softmax(scores, for_keys(memory.mask)).squeeze(1)

    def step_with(
        self, token: Token, state: HiddenState, memory: Annotations, weights: Float[Tensor, "B S"]
    ) -> tuple[Float[Tensor, "B V"], HiddenState]:
        """The rest of the step, given the attention weights: logits and the next state."""
        context = (weights[:, None] @ memory.annotations).squeeze(1)
        word = self.target_embed(token)
        gates = self.input_gates(torch.cat([word, context], -1))
        hidden = gru_update(gates, self.recurrent_gates(state.hidden), state.hidden)
        return self.output(hidden, word, context), HiddenState(hidden)

    def step(
        self,
        token: Token,
        state: HiddenState,
        memory: Annotations,
        *,
        return_attention: bool = False,
        generator: Generator = None,
    ) -> Step:
        """One token."""
        weights, log_probability = self.soft_weights(state, memory), None
        if self.config.attention == "hard":
            weights, log_probability = hard_attention(weights, generator)
        logits, after = self.step_with(token, state, memory, weights)
        return Step(logits, after, weights if return_attention else None, log_probability)
