"""The decoder alone: a language model of masked self-attention, and how it continues a prompt.

It is the Transformer of Vaswani et al. 2017 without its encoder and without cross-attention (Liu
et al. 2018, arXiv:1801.10198). Letters: D model width, T tokens, S prompt length,
K tokens that may be looked back at, V vocabulary.
"""

from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import causal_mask, for_keys, known_all, places, require_real
from course_lib.models.blocks import PositionedEmbedding, StackConfig, final_norm, word_scores
from course_lib.models.layers import Passed, SelfAttentionLayer
from course_lib.models.parts import initialise
from course_lib.models.protocol import EncoderDecoder, Memory, Output, State, Step


@dataclass(frozen=True)
class LanguageModelConfig(StackConfig):
    """The vocabulary; sizes and variants are in `StackConfig`. The words share the table."""

    vocabulary: int


class LanguageModel(nn.Module):
    """p(y) as a product of p(y_t | y_1 ... y_{t-1}), each token looking back at all before it.

    It is no translator: `fit` trains it by `language_model_loss`. To write with it, or to search,
    see `Continuing`.
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

    def forward(self, tokens: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        """Logits of the token behind each; START stands first. Padding stands behind, unseen."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        mask = causal_mask(tokens.shape[1], device=tokens.device)
        return self.score(self.read(tokens, places, mask)[0])

    def looks(self, tokens: Int[Tensor, "B T"]) -> list[Float[Tensor, "B H T T"]]:
        """Where every head of every layer looks."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        mask = causal_mask(tokens.shape[1], device=tokens.device)
        return [layer.weights for layer in self.read(tokens, places, mask, weights=True)[1]]

    def read(
        self,
        tokens: Int[Tensor, "B T"],
        positions: Int[Tensor, "*P T"],
        mask: Bool[Tensor, "..."] | None,
        past: tuple[KeyValueCache, ...] | None = None,
        *,
        weights: bool = False,
    ) -> tuple[Float[Tensor, "B T D"], list[Passed]]:
        """Tokens behind those of the caches `past`: vectors, and what left each layer.

        Args:
            tokens: what is read.
            positions: where it stands, (T,) or (B, T).
            mask: who may look where, (B, T, K).
            past: for each layer keys and values of earlier tokens.
            weights: whether the attention is wanted.
        """
        x, passed = self.embed(tokens, positions), []
        for number, layer in enumerate(self.layers):
            before = None if past is None else past[number]
            passed.append(layer(x, mask=mask, past=before, positions=positions, weights=weights))
            x = passed[-1].vectors
        return self.norm(x), passed

    def score(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Logits: how well each row of the table answers."""
        return word_scores(x, self.embed.table.weight)


@dataclass(frozen=True)
class Prompt(Memory):
    """What was read of each prompt, and what was not yet: its last token.

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
    """A prompt and what was written behind it.

    Attributes:
        caches: keys and values of the prompt, its padding and the tokens behind.
        seen: (B, K), True at what of these may be looked at.
        place: the position of the next token in each row.
        fresh: whether nothing was fed yet.
    """

    caches: tuple[KeyValueCache, ...]
    seen: Bool[Tensor, "B K"]
    place: Int[Tensor, " B"]
    fresh: Bool[Tensor, " B"]


class Continuing(EncoderDecoder):
    """A language model on the protocol, so that greedy search, beams and sampling serve it.

    The source is a prompt, START at its beginning, padding on either side; START alone asks for
    anything at all. A search feeds START first, as to every decoder: here the prompt's last token
    is read in its place. There is no attention between two sequences, so no weights.
    """

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self.model, self.config = model, model.config

    def encode(self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]) -> Prompt:
        """Reads the prompts at once.

        Raises:
            ValueError: a prompt is empty, where it should hold START at least; or the mask does not
                fit.
            TypeError: the mask is not boolean.
        """
        require_real(source_mask, source)
        if known_all(source_mask.any(1)) is False:
            raise ValueError("want START at least in every prompt; got none in one")
        at, mask = places(source_mask), causal_mask(source.shape[1], device=source.device)
        if at.dim() > 1:  # Padding may stand in front of a token.
            mask = mask & for_keys(source_mask)
        _, passed = self.model.read(source, at, mask)
        count = source_mask.cumsum(1)
        newest = source_mask & (count == count[:, -1:])
        last = source.gather(1, newest.long().argmax(1, keepdim=True))[:, 0]
        before = source_mask & ~newest
        return Prompt(source_mask, tuple(layer.cache for layer in passed), before, last)

    def start(self, memory: Prompt) -> Continuation:
        """The prompts, but for their last tokens."""
        place = memory.before.sum(1)
        return Continuation(memory.caches, memory.before, place, torch.ones_like(place).bool())

    def step(
        self,
        token: Int[Tensor, " B"],
        state: Continuation,
        memory: Prompt,
        *,
        weights: bool = False,
    ) -> Step:
        """One token on; the first is the prompt's last, whatever was fed."""
        logits, state = self._advance(token.unsqueeze(1), state, memory)
        return Step(logits[:, 0], state)

    def decode(
        self, target_in: Int[Tensor, "B T"], memory: Prompt, *, weights: bool = False
    ) -> Output:
        """Teacher forcing, every step at once."""
        return Output(self._advance(target_in, self.start(memory), memory)[0])

    def _advance(
        self, tokens: Int[Tensor, "B T"], state: Continuation, memory: Prompt
    ) -> tuple[Float[Tensor, "B T V"], Continuation]:
        first = torch.where(state.fresh, memory.last, tokens[:, 0])
        tokens = torch.cat([first.unsqueeze(1), tokens[:, 1:]], dim=1)
        count, new = tokens.shape[1], torch.ones_like(tokens, dtype=torch.bool)
        seen = torch.cat([state.seen, new], dim=1)
        mask = for_keys(seen) & causal_mask(count, seen.shape[1], device=seen.device)
        places = state.place.unsqueeze(1) + torch.arange(count, device=tokens.device)
        x, passed = self.model.read(tokens, places, mask, state.caches)
        after = replace(
            state,
            caches=tuple(layer.cache for layer in passed),
            seen=seen,
            place=state.place + count,
            fresh=torch.zeros_like(state.fresh),
        )
        return self.model.score(x), after
