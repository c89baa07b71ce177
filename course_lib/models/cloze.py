"""An encoder that fills the gap in a sentence: self-attention over the words on both sides.

Gaps tested human readers first (Taylor 1953, "cloze"); Devlin et al. 2019 (arXiv:1810.04805,
section 3.1) train an encoder to fill them. Letters: D model width, H heads, T tokens.
"""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.attention.masks import for_keys, positions_of, require_padding_mask
from course_lib.models.blocks import PositionedEmbedding, StackConfig, final_norm
from course_lib.models.layers import LayerOutput, SelfAttentionLayer, run_stack
from course_lib.models.parts import initialise
from course_lib.models.protocol import require_rows
from course_lib.models.shapes import Generator, TokenMask, Tokens, Vectors


@dataclass(frozen=True)
class ClozeConfig(StackConfig):
    """The vocabulary; the rest is in `StackConfig`. The embedding is also the output layer."""

    vocabulary: int


class Cloze(nn.Module):
    """The word in a gap, a token like others, from the words on both sides of it."""

    def __init__(self, config: ClozeConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        self.embed = PositionedEmbedding(config.vocabulary, config)
        self.layers = nn.ModuleList(SelfAttentionLayer(config) for _ in range(config.layers))
        self.norm = final_norm(config)
        initialise(self, generator)

    def forward(
        self, tokens: Tokens, padding_mask: TokenMask, gap: Int[Tensor, " B"]
    ) -> Float[Tensor, "B V"]:
        """Logits of the word in each sentence's gap, a token at this position.

        ValueError if the mask does not fit the tokens, or a gap is not at a real token.
        """
        require_rows(tokens, gap)
        x, _ = self.run_layers(tokens, padding_mask)
        at_gap = torch.arange(tokens.shape[1], device=tokens.device) == gap[:, None]
        if not (at_gap & padding_mask).any(1).all():
            raise ValueError(f"want each gap at a real token; got {gap.tolist()}")
        return nn.functional.linear(self.norm(x[at_gap]), self.embed.table.weight)

    def attention_maps(self, tokens: Tokens, padding_mask: TokenMask) -> Float[Tensor, "B N H T T"]:
        """The attention weights of every head of each of the N layers."""
        outputs = self.run_layers(tokens, padding_mask, return_attention=True)[1]
        return torch.stack([layer.self_attention for layer in outputs], dim=1)

    def run_layers(
        self, tokens: Tokens, padding_mask: TokenMask, *, return_attention: bool = False
    ) -> tuple[Vectors, list[LayerOutput]]:
        """Vectors of all tokens before the final norm, and each layer's output."""
        require_padding_mask(padding_mask, tokens)
        positions, mask = positions_of(padding_mask), for_keys(padding_mask)
        x = self.embed(tokens, positions)
        return run_stack(
            self.layers, x, mask=mask, positions=positions, return_attention=return_attention
        )


def mean_reads(model: Cloze, tokens: Tokens, padding_mask: TokenMask) -> Float[Tensor, "N D"]:
    """The mean over all real tokens of what each layer's heads read: the input of W^O."""
    means: list[Tensor] = []
    handles = [
        layer.self_attention.output.register_forward_pre_hook(
            lambda _, inputs: means.append(inputs[0][padding_mask].mean(0))
        )
        for layer in model.layers
    ]
    with torch.no_grad():
        model.run_layers(tokens, padding_mask)
    for handle in handles:
        handle.remove()
    return torch.stack(means)


def without_heads(
    model: Cloze, heads: Iterable[tuple[int, int]], reads: Float[Tensor, "N D"] | None = None
) -> Cloze:
    """A copy in which these heads, (layer, head), read the same at every token of every sentence.

    They read `reads`, such as their means of `mean_reads`, or zeros.
    """
    copy = deepcopy(model)
    with torch.no_grad():
        for layer, head in heads:
            attention = copy.layers[layer].self_attention
            own = attention.columns(head)
            if reads is not None:
                attention.output.bias += attention.output.weight[:, own] @ reads[layer, own]
            attention.output.weight[:, own] = 0.0
    return copy
