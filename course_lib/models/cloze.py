"""An encoder that fills the gap in a sentence: self-attention with both sides in view.

Readers were tested with gaps before machines were (Taylor 1953, "cloze"); Devlin et al. 2019
(arXiv:1810.04805, section 3.1) train an encoder so. Letters: D model width, H heads, T tokens.
"""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.masks import for_keys, known_all, places, require_real
from course_lib.models.blocks import PositionedEmbedding, StackConfig, final_norm
from course_lib.models.layers import Passed, SelfAttentionLayer
from course_lib.models.parts import initialise
from course_lib.models.protocol import require_rows


@dataclass(frozen=True)
class ClozeConfig(StackConfig):
    """The vocabulary; sizes and variants are in `StackConfig`. The words share the table."""

    vocabulary: int


class Cloze(nn.Module):
    """The word in a gap, from the words on both sides of it.

    The gap is a token as others are. `fit` trains the model by `classification_loss`.
    """

    def __init__(self, config: ClozeConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.config = config
        self.embed = PositionedEmbedding(config.vocabulary, config)
        self.layers = nn.ModuleList(SelfAttentionLayer(config) for _ in range(config.layers))
        self.norm = final_norm(config)
        initialise(self, generator)

    def forward(
        self, tokens: Int[Tensor, "B T"], real: Bool[Tensor, "B T"], gap: Int[Tensor, " B"]
    ) -> Float[Tensor, "B V"]:
        """Logits of the word in the gap.

        Args:
            tokens: sentences, each with a gap in it.
            real: True at real tokens.
            gap: the place of the gap.

        Raises:
            ValueError: the mask does not fit the tokens, or a gap is at no real token.
            TypeError: the mask is not boolean.
        """
        require_real(real, tokens)
        require_rows(tokens, gap)
        at = torch.arange(tokens.shape[1], device=tokens.device) == gap[:, None]
        if known_all((at & real).any(1)) is False:
            raise ValueError(f"want each gap at a real token; got {gap.tolist()}")
        x, _ = self.read(tokens, real)
        at_gap = x.gather(1, gap[:, None, None].expand(-1, 1, x.shape[-1]))[:, 0]
        return nn.functional.linear(self.norm(at_gap), self.embed.table.weight)

    def looks(
        self, tokens: Int[Tensor, "B T"], real: Bool[Tensor, "B T"]
    ) -> Float[Tensor, "B N H T T"]:
        """Where every head of each of the N layers looks."""
        passed = self.read(tokens, real, weights=True)[1]
        return torch.stack([layer.weights for layer in passed], dim=1)

    def read(
        self, tokens: Int[Tensor, "B T"], real: Bool[Tensor, "B T"], *, weights: bool = False
    ) -> tuple[Float[Tensor, "B T D"], list[Passed]]:
        """Vectors of all tokens, not normed yet, and what left each layer."""
        require_real(real, tokens)
        at = places(real)
        x, passed = self.embed(tokens, at), []
        for layer in self.layers:
            passed.append(layer(x, mask=for_keys(real), positions=at, weights=weights))
            x = passed[-1].vectors
        return x, passed


def without_heads(model: Cloze, heads: Iterable[tuple[int, int]]) -> Cloze:
    """A copy in which these heads, (layer, head) from 0 on, add nothing: their part of W^O is 0."""
    copy = deepcopy(model)
    with torch.no_grad():
        for layer, head in heads:
            attention = copy.layers[layer].self_attention
            attention.output.weight[:, attention.columns(head)] = 0.0
    return copy
