"""The decoder alone: a language model of masked self-attention, and how it continues a prompt.

The Transformer of Vaswani et al. 2017 without its encoder and without cross-attention (Liu et al.
2018, arXiv:1801.10198). Letters: D model width, T tokens, S prompt length, K keys (those of earlier
tokens, and the T), V vocabulary.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import causal_mask, for_keys, positions_of, require_padding_mask
from course_lib.models.blocks import PositionedEmbedding, StackConfig, final_norm, tied_logits
from course_lib.models.layers import LayerOutput, SelfAttentionLayer, run_stack
from course_lib.models.parts import initialise
from course_lib.models.protocol import Memory, Output, ParallelDecoder, State
from course_lib.models.shapes import (
    Generator,
    Logits,
    Mask,
    Positions,
    Source,
    SourceMask,
    TokenMask,
    Tokens,
    Vectors,
)


@dataclass(frozen=True)
class LanguageModelConfig(StackConfig):
    """The vocabulary; the rest is in `StackConfig`. The embedding is also the output layer."""

    vocabulary: int


class Past(NamedTuple):
    """The tokens so far: for each layer their keys and values, and where there is a token."""

    caches: tuple[KeyValueCache, ...]
    visible: Bool[Tensor, "B K"]


class LanguageModel(nn.Module):
    """p(y) as a product of p(y_t | y_1 ... y_{t-1}): each token attends to all before it.

    `Continuing` makes it an encoder-decoder, for greedy search, beam search and sampling.
    """

    layer_class = SelfAttentionLayer
    norm_of = staticmethod(final_norm)

    def __init__(self, config: LanguageModelConfig, generator: Generator = None) -> None:
        super().__init__()
        self.config = config
        self.embed = PositionedEmbedding(config.vocabulary, config)
        self.layers = nn.ModuleList(self.layer_class(config) for _ in range(config.layers))
        self.norm = self.norm_of(config)
        initialise(self, generator)

    def forward(self, tokens: Tokens, mask: TokenMask | None = None) -> Logits:
        """Logits of the token after each; START comes first.

        The mask is True at real tokens. Padding after the tokens needs none; padding in front does,
        for it would be read and would shift positions.
        """
        return self.lm_head(self.read(tokens, mask)[0])

    def attention_maps(
        self, tokens: Tokens, mask: TokenMask | None = None
    ) -> list[Float[Tensor, "B H T T"]]:
        """The attention weights of all heads, one tensor for each layer."""
        _, outputs = self.read(tokens, mask, return_attention=True)
        return [layer.self_attention for layer in outputs]

    def read(
        self, tokens: Tokens, mask: TokenMask | None = None, *, return_attention: bool = False
    ) -> tuple[Vectors, list[LayerOutput]]:
        """`run_layers` on tokens with nothing before them."""
        visible = causal_mask(tokens.shape[1], device=tokens.device)
        if mask is None:
            positions = torch.arange(tokens.shape[1], device=tokens.device)
        else:
            require_padding_mask(mask, tokens)
            positions, visible = positions_of(mask), visible & for_keys(mask)
        return self.run_layers(tokens, positions, visible, return_attention=return_attention)

    def extend(
        self, tokens: Tokens, positions: Positions, mask: TokenMask, past: Past | None = None
    ) -> tuple[Vectors, Past]:
        """Read tokens that follow `past`: input of `lm_head`, and what later tokens need of all."""
        visible = mask if past is None else torch.cat([past.visible, mask], dim=1)
        causal = causal_mask(tokens.shape[1], visible.shape[1], device=tokens.device)
        caches = None if past is None else past.caches
        x, outputs = self.run_layers(tokens, positions, for_keys(visible) & causal, caches)
        return x, Past(tuple(layer.cache for layer in outputs), visible)

    def run_layers(
        self,
        tokens: Tokens,
        positions: Positions,
        mask: Mask,
        past: tuple[KeyValueCache, ...] | None = None,
        *,
        return_attention: bool = False,
    ) -> tuple[Vectors, list[LayerOutput]]:
        """Tokens that follow those in `past`: input of `lm_head`, and each layer's output."""
        how = {"mask": mask, "positions": positions, "return_attention": return_attention}
        x, outputs = run_stack(self.layers, self.embed(tokens, positions), past=past, **how)
        return self.norm(x), outputs

    def lm_head(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Logits; the table of embeddings is the output layer too."""
        return tied_logits(x, self.embed.table.weight)


@dataclass(frozen=True)
class Prompt(Memory):
    """The prompts, read but for their last tokens, which the first step reads at `position`."""

    past: Any
    position: Int[Tensor, " B"]
    last: Int[Tensor, " B"]


@dataclass(frozen=True)
class Continuation(State):
    """A prompt and its continuation so far; `position` is the next token's, `fresh` no step yet."""

    past: Any
    position: Int[Tensor, " B"]
    fresh: Bool[Tensor, " B"]


class Continuing(ParallelDecoder):
    """A language model as an encoder-decoder, for greedy search, beam search and sampling.

    The source is a prompt that begins with START, with padding on either side. A search feeds START
    first, as to every decoder: this one reads the prompt's last token instead. It has no attention
    over the source, so `return_attention` changes nothing.
    """

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self.model, self.config = model, model.config

    def encode(self, source: Source, source_mask: SourceMask) -> Prompt:
        """Read the prompts at once; ValueError if one is empty (it needs at least START)."""
        require_padding_mask(source_mask, source)
        if not source_mask.any(1).all():
            raise ValueError("want START at least in every prompt; got an empty prompt")
        # All padding goes to the front, where a linear state is still zero: every last token is at
        # the end, and so are the tokens that a convolution will see again.
        order = source_mask.long().argsort(dim=1, stable=True)
        source, mask = source.gather(1, order), source_mask.gather(1, order)
        tokens, before = F.pad(source[:, :-1], (1, 0)), F.pad(mask[:, :-1], (1, 0))
        _, past = self.model.extend(tokens, positions_of(before), before)
        return Prompt(source_mask, past, before.sum(1), source[:, -1])

    def start(self, memory: Prompt) -> Continuation:
        """The prompts without their last tokens."""
        fresh = torch.ones_like(memory.position, dtype=torch.bool)
        return Continuation(memory.past, memory.position, fresh)

    def max_steps(self, memory: Prompt) -> int | None:
        """Learned positions end; the prompts have taken some of them."""
        if self.config.positions != "learned":
            return None
        return self.config.max_length - int(memory.position.max())

    def run_decoder(
        self, tokens: Tokens, state: Continuation, memory: Prompt, *, return_attention: bool = False
    ) -> tuple[Output, Continuation]:
        """The first token of all is the prompt's last, whatever token is given."""
        first = torch.where(state.fresh, memory.last, tokens[:, 0])
        tokens = torch.cat([first.unsqueeze(1), tokens[:, 1:]], dim=1)
        positions = state.position[:, None] + torch.arange(tokens.shape[1], device=tokens.device)
        mask = torch.ones_like(tokens, dtype=torch.bool)
        x, past = self.model.extend(tokens, positions, mask, state.past)
        after = Continuation(past, positions[:, -1] + 1, torch.zeros_like(state.fresh))
        return Output(self.model.lm_head(x)), after
