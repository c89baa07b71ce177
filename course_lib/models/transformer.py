"""Attention alone: the Transformer of Vaswani et al. 2017 (arXiv:1706.03762).

Letters: D model width, H heads, Dk and Dv width of a head's key and value, F feed-forward width,
N layers on each side, S tokens of the source, T of the target.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import causal_mask, for_keys, positions_of, require_padding_mask
from course_lib.models.blocks import PositionedEmbedding, StackConfig, final_norm, tied_logits
from course_lib.models.layers import DecoderLayer, LayerOutput, SelfAttentionLayer
from course_lib.models.parts import initialise
from course_lib.models.protocol import EncoderDecoder, Memory, Output, State, Step

TIED = ("none", "output", "all")


@dataclass(frozen=True)
class TransformerConfig(StackConfig):
    """Vocabularies, and which tables are shared; the rest is in `StackConfig`.

    Attributes:
        tied: "all": one table embeds source and target and is the output layer, as in the paper
            (section 3.4; it needs one vocabulary); "output": target embedding and output layer
            share a table; "none".
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
    """The encoder's output, and its keys and values for each decoder layer, projected once."""

    encoded: Float[Tensor, "B S D"]
    caches: tuple[KeyValueCache, ...]


@dataclass(frozen=True)
class TransformerState(State):
    """For each decoder layer, keys and values of the tokens so far."""

    caches: tuple[KeyValueCache, ...]


class AttentionMaps(NamedTuple):
    """The attention weights of every head: one tensor for each layer, heads in dimension 1."""

    encoder: list[Float[Tensor, "B H S S"]]
    decoder: list[Float[Tensor, "B H T T"]]
    cross: list[Float[Tensor, "B H T S"]]


class Transformer(EncoderDecoder):
    """Attention is all you need. Three uses of attention (section 3.2.3):

        encoder          self_attention     queries, keys, values: the source    padding masked
        decoder          self_attention     all three: the target so far         the future masked
        between them     cross_attention    queries: target; the rest: source    padding masked

    The target needs no padding mask: its padding comes after its tokens, so the causal mask hides
    it. Positions of the source count only real tokens, so its padding may be on either side.

    Raises:
        ValueError: a variant is unknown, the heads cannot share the width, or one table is wanted
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
        # A shared table has one name, so that a file of parameters holds it once.
        shared = config.tied == "all"
        self.source_embed = None if shared else PositionedEmbedding(sizes[0], config)
        self.target_embed = PositionedEmbedding(sizes[1], config)
        self.encoder = nn.ModuleList(SelfAttentionLayer(config) for _ in range(config.layers))
        self.encoder_norm = final_norm(config)
        self.decoder = nn.ModuleList(DecoderLayer(config) for _ in range(config.layers))
        self.decoder_norm = final_norm(config)
        untied = config.tied == "none"
        # Of `lm_head`; files of parameters know it by this name.
        self.words = nn.Linear(config.width, sizes[1], bias=False) if untied else None
        initialise(self, generator)

    def encode(
        self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]
    ) -> TransformerMemory:
        """Encodes all positions at once and projects keys and values for every decoder layer."""
        return self._run_encoder(source, source_mask)[0]

    def start(self, memory: TransformerMemory) -> TransformerState:
        """Empty caches: no token has been read."""
        empty = (
            KeyValueCache(cache.keys[:, :, :0], cache.values[:, :, :0]) for cache in memory.caches
        )
        return TransformerState(tuple(empty))

    def max_steps(self, memory: TransformerMemory) -> int | None:
        """Learned positions end."""
        return self.config.max_length if self.config.positions == "learned" else None

    def step(
        self,
        token: Int[Tensor, " B"],
        state: TransformerState,
        memory: TransformerMemory,
        *,
        return_attention: bool = False,
    ) -> Step:
        """One token: it attends to the cache, which grows by the token's keys and values.

        The attention is the last layer's cross-attention, the mean of its heads.
        """
        x, layers = self.run_decoder(
            token[:, None], state.caches, memory, return_attention=return_attention
        )
        after = replace(state, caches=tuple(layer.cache for layer in layers))
        attention = layers[-1].cross_attention.mean(1)[:, 0] if return_attention else None
        return Step(self.lm_head(x[:, 0]), after, attention)

    def decode(
        self,
        target_in: Int[Tensor, "B T"],
        memory: TransformerMemory,
        *,
        return_attention: bool = False,
    ) -> Output:
        """Teacher forcing, all steps at once; attention as in `step`."""
        x, layers = self.run_decoder(
            target_in, self.start(memory).caches, memory, return_attention=return_attention
        )
        attention = layers[-1].cross_attention.mean(1) if return_attention else None
        return Output(self.lm_head(x), attention)

    def lm_head(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Logits of the decoder's vectors (the paper's "pre-softmax linear transformation")."""
        table = self.target_embed.table if self.words is None else self.words
        return tied_logits(x, table.weight)

    def attention_maps(
        self,
        source: Int[Tensor, "B S"],
        source_mask: Bool[Tensor, "B S"],
        target_in: Int[Tensor, "B T"],
    ) -> AttentionMaps:
        """The weights of every attention under teacher forcing, to look into the heads."""
        memory, encoder = self._run_encoder(source, source_mask, return_attention=True)
        caches = self.start(memory).caches
        _, decoder = self.run_decoder(target_in, caches, memory, return_attention=True)
        return AttentionMaps(
            [layer.self_attention for layer in encoder],
            [layer.self_attention for layer in decoder],
            [layer.cross_attention for layer in decoder],
        )

    def _run_encoder(
        self,
        source: Int[Tensor, "B S"],
        source_mask: Bool[Tensor, "B S"],
        return_attention: bool = False,
    ) -> tuple[TransformerMemory, list[LayerOutput]]:
        embed = self.target_embed if self.source_embed is None else self.source_embed
        require_padding_mask(source_mask, source)
        positions, mask = positions_of(source_mask), for_keys(source_mask)
        x, outputs = embed(source, positions), []
        for layer in self.encoder:
            outputs.append(
                layer(x, mask=mask, positions=positions, return_attention=return_attention)
            )
            x = outputs[-1].vectors
        x = self.encoder_norm(x)
        caches = tuple(layer.cross_attention.project_kv(x) for layer in self.decoder)
        return TransformerMemory(source_mask, x, caches), outputs

    def run_decoder(
        self,
        tokens: Int[Tensor, "B T"],
        caches: tuple[KeyValueCache, ...],
        memory: TransformerMemory,
        *,
        return_attention: bool = False,
    ) -> tuple[Float[Tensor, "B T D"], list[LayerOutput]]:
        """Tokens that follow those in the caches: input of `lm_head`, and each layer's output."""
        first, count = caches[0].length, tokens.shape[1]
        positions = torch.arange(first, first + count, device=tokens.device)
        x, outputs = self.target_embed(tokens, positions), []
        # A single new token may look at all tokens before it.
        mask = causal_mask(count, first + count, device=tokens.device) if count > 1 else None
        source_mask = for_keys(memory.mask)
        for layer, past, source in zip(self.decoder, caches, memory.caches, strict=True):
            output = layer(
                x,
                source,
                mask=mask,
                source_mask=source_mask,
                past=past,
                positions=positions,
                return_attention=return_attention,
            )
            outputs.append(output)
            x = output.vectors
        return self.decoder_norm(x), outputs
