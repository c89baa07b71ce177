"""The decoder alone: a language model of masked self-attention, and how it continues a prompt.

It is the Transformer of Vaswani et al. 2017 without its encoder and without cross-attention (Liu
et al. 2018, arXiv:1801.10198). Letters: D model width, T tokens, S prompt length, K keys (those of
earlier tokens, and the T), V vocabulary.
"""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import (
    causal_mask,
    for_keys,
    positions_of,
    require_padding_mask,
)
from course_lib.models.blocks import PositionedEmbedding, StackConfig, final_norm, tied_logits
from course_lib.models.layers import LayerOutput, SelfAttentionLayer
from course_lib.models.parts import initialise
from course_lib.models.protocol import EncoderDecoder, Memory, Output, State, Step


@dataclass(frozen=True)
class LanguageModelConfig(StackConfig):
    """The vocabulary; the rest is in `StackConfig`. The embedding is also the output layer."""

    vocabulary: int


class LanguageModel(nn.Module):
    """p(y) as a product of p(y_t | y_1 ... y_{t-1}): each token attends to all before it.

    `fit` trains it by `language_model_loss`. `Continuing` makes it an encoder-decoder, for greedy
    search, beam search and sampling.
    """

    def __init__(
        self, config: LanguageModelConfig, generator: torch.Generator | None = None
    ) -> None:
        super().__init__()
        self.config = config
        self.embed = PositionedEmbedding(config.vocabulary, config)
        self.layers = nn.ModuleList(SelfAttentionLayer(config) for _ in range(config.layers))
        self.norm = final_norm(config)
        initialise(self, generator)

    def forward(
        self, tokens: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"] | None = None
    ) -> Float[Tensor, "B T V"]:
        """Logits of the token after each; START comes first.

        Args:
            tokens: the tokens. Padding after them needs no mask, since none of them looks ahead.
            mask: True at real tokens. Padding in front of a token needs it: that padding would be
                read, and would shift positions.

        Raises:
            TypeError, ValueError: the mask is not boolean, or does not fit.
        """
        return self.lm_head(self.read(tokens, mask)[0])

    def attention_maps(
        self, tokens: Int[Tensor, "B T"], mask: Bool[Tensor, "B T"] | None = None
    ) -> list[Float[Tensor, "B H T T"]]:
        """The attention weights of all heads, one tensor for each layer; `mask` as in `forward`."""
        _, outputs = self.read(tokens, mask, return_attention=True)
        return [layer.self_attention for layer in outputs]

    def read(
        self,
        tokens: Int[Tensor, "B T"],
        mask: Bool[Tensor, "B T"] | None = None,
        *,
        return_attention: bool = False,
    ) -> tuple[Float[Tensor, "B T D"], list[LayerOutput]]:
        """`run_layers` on tokens with nothing before them; `mask` as in `forward`."""
        visible = causal_mask(tokens.shape[1], device=tokens.device)
        if mask is None:
            positions = torch.arange(tokens.shape[1], device=tokens.device)
        else:
            require_padding_mask(mask, tokens)
            positions, visible = positions_of(mask), visible & for_keys(mask)
        return self.run_layers(tokens, positions, visible, return_attention=return_attention)

    def run_layers(
        self,
        tokens: Int[Tensor, "B T"],
        positions: Int[Tensor, "*P T"],
        mask: Bool[Tensor, "..."] | None,
        past: tuple[KeyValueCache, ...] | None = None,
        *,
        return_attention: bool = False,
    ) -> tuple[Float[Tensor, "B T D"], list[LayerOutput]]:
        """Tokens that follow those in `past`: input of `lm_head`, and each layer's output.

        Args:
            tokens: the tokens.
            positions: of the tokens, (T,) or (B, T).
            mask: which tokens a token may look at, (B, T, K).
            past: for each layer, keys and values of earlier tokens.
            return_attention: whether the attention weights are wanted.
        """
        x, outputs = self.embed(tokens, positions), []
        for layer, before in zip(self.layers, past or [None] * len(self.layers), strict=True):
            output = layer(
                x,
                mask=mask,
                past=before,
                positions=positions,
                return_attention=return_attention,
            )
            outputs.append(output)
            x = output.vectors
        return self.norm(x), outputs

    def lm_head(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Logits; the table of embeddings is the output layer too."""
        return tied_logits(x, self.embed.table.weight)


@dataclass(frozen=True)
class Prompt(Memory):
    """The prompts, read but for their last tokens, which the first step reads.

    Attributes:
        caches: keys and values of all positions.
        before: (B, S), True at the tokens before the last one.
        last: the last token of each prompt.
    """

    caches: tuple[KeyValueCache, ...]
    before: Bool[Tensor, "B S"]
    last: Int[Tensor, " B"]


@dataclass(frozen=True)
class Continuation(State):
    """A prompt and its continuation so far.

    Attributes:
        caches: keys and values of the prompt, its padding and the tokens after it.
        visible: (B, K), True at those of them that may be attended to.
        position: of the next token in each row.
        fresh: True before the first step.
    """

    caches: tuple[KeyValueCache, ...]
    visible: Bool[Tensor, "B K"]
    position: Int[Tensor, " B"]
    fresh: Bool[Tensor, " B"]


class Continuing(EncoderDecoder):
    """A language model as an encoder-decoder, for greedy search, beam search and sampling.

    The source is a prompt that begins with START, with padding on either side; START alone is a
    prompt too. A search feeds START first, as to every decoder: this one reads the prompt's last
    token instead. It has no attention over the source, so `return_attention` changes nothing.
    """

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self.model, self.config = model, model.config

    def encode(self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]) -> Prompt:
        """Reads the prompts at once.

        Raises:
            ValueError: a prompt is empty (it needs at least START), or the mask does not fit.
            TypeError: the mask is not boolean.
        """
        require_padding_mask(source_mask, source)
        if not source_mask.any(1).all():
            raise ValueError("want START at least in every prompt; got an empty prompt")
        _, outputs = self.model.read(source, source_mask)
        count = source_mask.cumsum(1)
        newest = source_mask & (count == count[:, -1:])
        last = source.gather(1, newest.long().argmax(1, keepdim=True))[:, 0]
        before = source_mask & ~newest
        return Prompt(source_mask, tuple(layer.cache for layer in outputs), before, last)

    def start(self, memory: Prompt) -> Continuation:
        """The prompts without their last tokens."""
        position = memory.before.sum(1)
        fresh = torch.ones_like(position, dtype=torch.bool)
        return Continuation(memory.caches, memory.before, position, fresh)

    def max_steps(self, memory: Prompt) -> int | None:
        """Learned positions end; the prompts have taken some of them."""
        if self.config.positions != "learned":
            return None
        return self.config.max_length - int(memory.before.sum(1).max())

    def step(
        self,
        token: Int[Tensor, " B"],
        state: Continuation,
        memory: Prompt,
        *,
        return_attention: bool = False,
    ) -> Step:
        """One token; in the first step the prompt's last, whatever token is given."""
        logits, state = self._read_tokens(token.unsqueeze(1), state, memory)
        return Step(logits[:, 0], state)

    def decode(
        self, target_in: Int[Tensor, "B T"], memory: Prompt, *, return_attention: bool = False
    ) -> Output:
        """Teacher forcing, all steps at once."""
        return Output(self._read_tokens(target_in, self.start(memory), memory)[0])

    def _read_tokens(
        self, tokens: Int[Tensor, "B T"], state: Continuation, memory: Prompt
    ) -> tuple[Float[Tensor, "B T V"], Continuation]:
        first = torch.where(state.fresh, memory.last, tokens[:, 0])
        tokens = torch.cat([first.unsqueeze(1), tokens[:, 1:]], dim=1)
        count, new = tokens.shape[1], torch.ones_like(tokens, dtype=torch.bool)
        visible = torch.cat([state.visible, new], dim=1)
        mask = for_keys(visible) & causal_mask(count, visible.shape[1], device=tokens.device)
        positions = state.position.unsqueeze(1) + torch.arange(count, device=tokens.device)
        x, outputs = self.model.run_layers(tokens, positions, mask, state.caches)
        after = replace(
            state,
            caches=tuple(layer.cache for layer in outputs),
            visible=visible,
            position=state.position + count,
            fresh=torch.zeros_like(state.fresh),
        )
        return self.model.lm_head(x), after
