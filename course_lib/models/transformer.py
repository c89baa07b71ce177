"""Attention alone: the Transformer of Vaswani et al. 2017 (arXiv:1706.03762).

Letters: D model width, H heads, Dk and Dv width of a head's key and value, F feed-forward width,
N layers on each side, T tokens of the target, K of them that a decoder may look back at.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import causal_mask, hiding, places, require_real
from course_lib.models.blocks import PositionedEmbedding, StackConfig, final_norm, word_scores
from course_lib.models.layers import DecoderLayer, Passed, SelfAttentionLayer
from course_lib.models.parts import initialise
from course_lib.models.protocol import EncoderDecoder, Memory, Output, State, Step

TIED = ("none", "output", "all")


@dataclass(frozen=True)
class TransformerConfig(StackConfig):
    """Vocabularies, and what of the tables is shared; the rest is in `StackConfig`.

    Attributes:
        tied: "all": one table embeds source and target and scores the words, as in the paper
            (section 3.4; it needs one vocabulary); "output": one for target and words; "none".
    """

    source_vocabulary: int
    target_vocabulary: int
    tied: str = "output"


def paper_base(vocabulary: int = 37_000) -> TransformerConfig:
    """The base model of the paper: N = 6, D = 512, F = 2048, H = 8, one table for all.

    Its parameters, to the last one, for a vocabulary V:

        attention        4 (D² + D)           =  1,050,624    4 matrices and their biases
        feed-forward     2 D F + F + D        =  2,099,712
        layer norm       2 D                  =      1,024    a gain and a shift
        encoder layer    1 attention, 1 feed-forward, 2 norms =  3,152,384
        decoder layer    2 attentions, 1 feed-forward, 3 norms =  4,204,032
        both stacks      6 of each            = 44,138,496
        table            V D                  = 512 V

    With "about 37000 tokens" (section 5.1) that is 63.1 million. Table 3 says 65, which takes a
    table of some 41,000 rows. So do its nine other counts, in (B) and (C): all ten come out to
    the digit for 40,932 to 41,160 rows. So the stacks are the paper's; what the other 4,000
    vectors are it does not say, and its big model, 213 million, counts as if it had about 36,000.
    """
    return TransformerConfig(
        vocabulary,
        vocabulary,
        tied="all",
        width=512,
        heads=8,
        feed_forward=2048,
        layers=6,
        dropout=0.1,
        norm="post",
    )


@dataclass(frozen=True)
class TransformerMemory(Memory):
    """What the encoder wrote, and its keys and values for each decoder layer, projected once."""

    encoded: Float[Tensor, "B S D"]
    caches: tuple[KeyValueCache, ...]


@dataclass(frozen=True)
class TransformerState(State):
    """For each decoder layer, keys and values of the tokens that it has read."""

    caches: tuple[KeyValueCache, ...]


class Looks(NamedTuple):
    """Where every head of every layer looked: one tensor a layer, heads in dimension 1."""

    encoder: list[Float[Tensor, "B H S S"]]
    decoder: list[Float[Tensor, "B H T T"]]
    cross: list[Float[Tensor, "B H T S"]]


class Transformer(EncoderDecoder):
    """Attention is all you need. Three uses of attention (section 3.2.3):

        encoder          self_attention     queries, keys, values: the source    padding masked
        decoder          self_attention     all three: the target so far         the future masked
        between them     cross_attention    queries: target; the rest: source    padding masked

    A token of the target reads no padding, for that stands behind it, where the future is.
    Positions of the source count its real tokens, so padding may stand on either side of them.

    Raises:
        ValueError: a variant that there is not, heads that do not share the width, or one table
            for two vocabularies of different size.
    """

    def __init__(self, config: TransformerConfig, generator: torch.Generator | None = None) -> None:
        super().__init__()
        if config.tied not in TIED:
            raise ValueError(f"want tied out of {TIED}; got {config.tied!r}")
        sizes = (config.source_vocabulary, config.target_vocabulary)
        if config.tied == "all" and sizes[0] != sizes[1]:
            raise ValueError(f"want vocabularies of one size for one table; got {sizes}")
        self.config = config
        # One table under one name: in a file of weights no number stands twice.
        shared = config.tied == "all"
        self.source_embed = None if shared else PositionedEmbedding(sizes[0], config)
        self.target_embed = PositionedEmbedding(sizes[1], config)
        self.encoder = nn.ModuleList(SelfAttentionLayer(config) for _ in range(config.layers))
        self.encoder_norm = final_norm(config)
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.layers))
        self.decoder_norm = final_norm(config)
        untied = config.tied == "none"
        self.words = nn.Linear(config.width, sizes[1], bias=False) if untied else None
        initialise(self, generator)

    def encode(
        self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]
    ) -> TransformerMemory:
        """Reads the source, every position at once, and projects it for every decoder layer."""
        return self._encode(source, source_mask, weights=False)[0]

    def start(self, memory: TransformerMemory) -> TransformerState:
        """Nothing read, so nothing to look back at."""
        nothing = (
            KeyValueCache(cache.keys[:, :, :0], cache.values[:, :, :0]) for cache in memory.caches
        )
        return TransformerState(tuple(nothing))

    def step(
        self,
        token: Int[Tensor, " B"],
        state: TransformerState,
        memory: TransformerMemory,
        *,
        weights: bool = False,
    ) -> Step:
        """One token on: it asks the cache, which grows by this token's keys and values.

        Weights are those of the last layer's cross-attention, the mean of its heads.
        """
        x, passed = self.read(token[:, None], state.caches, memory, weights=weights)
        after = replace(state, caches=tuple(layer.cache for layer in passed))
        looks = passed[-1].cross.mean(1)[:, 0] if weights else None
        return Step(self.score(x[:, 0]), after, looks)

    def decode(
        self, target_in: Int[Tensor, "B T"], memory: TransformerMemory, *, weights: bool = False
    ) -> Output:
        """Teacher forcing, every step at once; weights as in `step`."""
        x, passed = self.read(target_in, self.start(memory).caches, memory, weights=weights)
        return Output(self.score(x), passed[-1].cross.mean(1) if weights else None)

    def score(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Logits: how well each row of the table (the paper's "pre-softmax" layer) answers."""
        table = self.target_embed.table if self.words is None else self.words
        return word_scores(x, table.weight)

    def looks(
        self,
        source: Int[Tensor, "B S"],
        source_mask: Bool[Tensor, "B S"],
        target_in: Int[Tensor, "B T"],
    ) -> Looks:
        """The weights of every attention under teacher forcing, to look into the heads."""
        memory, read = self._encode(source, source_mask, weights=True)
        _, passed = self.read(target_in, self.start(memory).caches, memory, weights=True)
        own, cross = [layer.weights for layer in passed], [layer.cross for layer in passed]
        return Looks([layer.weights for layer in read], own, cross)

    def _encode(
        self, source: Tensor, source_mask: Tensor, weights: bool
    ) -> tuple[TransformerMemory, list[Passed]]:
        embed = self.target_embed if self.source_embed is None else self.source_embed
        require_real(source_mask, source)
        at = places(source_mask)
        x, mask, passed = embed(source, at), hiding(source_mask), []
        for layer in self.encoder:
            passed.append(layer(x, mask=mask, positions=at, weights=weights))
            x = passed[-1].vectors
        x = self.encoder_norm(x)
        caches = tuple(layer.cross_attention.remember(x) for layer in self.decoder)
        return TransformerMemory(source_mask, x, caches), passed

    def read(
        self,
        tokens: Int[Tensor, "B T"],
        caches: tuple[KeyValueCache, ...],
        memory: TransformerMemory,
        *,
        weights: bool = False,
    ) -> tuple[Float[Tensor, "B T D"], list[Passed]]:
        """Any number of tokens behind those in the caches: what `score` takes, and each layer."""
        first, count = caches[0].length, tokens.shape[1]
        at = torch.arange(first, first + count, device=tokens.device)
        x, passed = self.target_embed(tokens, at), []
        # The newest token alone may look at all that there is.
        mask = causal_mask(count, first + count, device=tokens.device) if count > 1 else None
        source_mask = hiding(memory.mask)
        for layer, past, source in zip(self.decoder, caches, memory.caches, strict=True):
            passed.append(
                layer(
                    x,
                    source,
                    mask=mask,
                    source_mask=source_mask,
                    past=past,
                    positions=at,
                    weights=weights,
                )
            )
            x = passed[-1].vectors
        return self.decoder_norm(x), passed
