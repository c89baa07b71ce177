"""Attention alone: the Transformer of Vaswani et al. 2017 (arXiv:1706.03762).

Letters: D model width, H heads, Dk and Dv width of a head's key and value, F feed-forward width,
N layers on each side, S tokens of the source, T of the target.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.attention.cache import KeyValueCache
from course_lib.attention.masks import causal_mask, for_keys, positions_of, require_padding_mask
from course_lib.models.blocks import PositionedEmbedding, StackConfig, final_norm, tied_logits
from course_lib.models.layers import DecoderLayer, LayerOutput, SelfAttentionLayer, run_stack
from course_lib.models.parts import initialise
from course_lib.models.protocol import Memory, Output, ParallelDecoder, State
from course_lib.models.shapes import Generator, Source, SourceMask, Tokens, Vectors

TIED = ("none", "output", "all")


@dataclass(frozen=True)
class TransformerConfig(StackConfig):
    """Vocabularies, and which tables are shared; the rest is in `StackConfig`.

    `tied="all"`: one table embeds source and target and is the output layer, as in the paper
    (section 3.4; it needs one vocabulary); "output": target embedding and output layer share a
    table; "none".
    """

    source_vocabulary: int
    target_vocabulary: int
    tied: str = "output"


def paper_base(vocabulary: int = 37_000) -> TransformerConfig:
    """The base model of the paper: N = 6, D = 512, F = 2048, H = 8, one table for all.

    With "about 37000 tokens" (section 5.1) it has 63.1 million parameters. Table 3 says 65: all ten
    counts of that table's base variants come out to the digit for 40,932 to 41,160 rows.
    """
    sizes = {"width": 512, "heads": 8, "feed_forward": 2048, "layers": 6}
    return TransformerConfig(vocabulary, vocabulary, tied="all", dropout=0.1, norm="post", **sizes)


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


class Transformer(ParallelDecoder):
    """Attention is all you need. Three uses of attention (section 3.2.3):

        encoder          self_attention     queries, keys, values: the source    padding masked
        decoder          self_attention     all three: the target so far         the future masked
        between them     cross_attention    queries: target; the rest: source    padding masked

    The target's padding comes after its tokens, so the causal mask hides it. Positions of the
    source count only real tokens, so its padding may be on either side.
    """

    def __init__(self, config: TransformerConfig, generator: Generator = None) -> None:
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

    def encode(self, source: Source, source_mask: SourceMask) -> TransformerMemory:
        """Encode all positions at once; project keys and values for every decoder layer."""
        return self._run_encoder(source, source_mask)[0]

    def start(self, memory: TransformerMemory) -> TransformerState:
        """Empty caches: no token has been read."""
        empty = [KeyValueCache(keys[:, :, :0], values[:, :, :0]) for keys, values in memory.caches]
        return TransformerState(tuple(empty))

    def max_steps(self, memory: TransformerMemory) -> int | None:
        """Learned positions end."""
        return self.config.max_length if self.config.positions == "learned" else None

    def run_decoder(
        self,
        tokens: Tokens,
        state: TransformerState,
        memory: TransformerMemory,
        *,
        return_attention: bool = False,
    ) -> tuple[Output, TransformerState]:
        """All tokens attend to the caches, which grow by their keys and values.

        The attention is the last layer's cross-attention, the mean of its heads.
        """
        x, layers = self.run_layers(tokens, state.caches, memory, return_attention=return_attention)
        attention = layers[-1].cross_attention.mean(1) if return_attention else None
        state = TransformerState(tuple(layer.cache for layer in layers))
        return Output(self.lm_head(x), attention), state

    def lm_head(self, x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B V"]:
        """Logits of the decoder's vectors (the paper's "pre-softmax linear transformation")."""
        table = self.target_embed.table if self.words is None else self.words
        return tied_logits(x, table.weight)

    def attention_maps(
        self, source: Source, source_mask: SourceMask, target_in: Tokens
    ) -> AttentionMaps:
        """The weights of every attention under teacher forcing, to look into the heads."""
        memory, encoder = self._run_encoder(source, source_mask, return_attention=True)
        caches = self.start(memory).caches
        _, decoder = self.run_layers(target_in, caches, memory, return_attention=True)
        return AttentionMaps(
            [layer.self_attention for layer in encoder],
            [layer.self_attention for layer in decoder],
            [layer.cross_attention for layer in decoder],
        )

    def _run_encoder(
        self, source: Source, source_mask: SourceMask, return_attention: bool = False
    ) -> tuple[TransformerMemory, list[LayerOutput]]:
        require_padding_mask(source_mask, source)
        embed = self.target_embed if self.source_embed is None else self.source_embed
        positions = positions_of(source_mask)
        how = {"mask": for_keys(source_mask), "return_attention": return_attention}
        x, outputs = run_stack(self.encoder, embed(source, positions), positions=positions, **how)
        x = self.encoder_norm(x)
        caches = tuple(layer.cross_attention.project_kv(x) for layer in self.decoder)
        return TransformerMemory(source_mask, x, caches), outputs

    def run_layers(
        self,
        tokens: Tokens,
        caches: tuple[KeyValueCache, ...],
        memory: TransformerMemory,
        *,
        return_attention: bool = False,
    ) -> tuple[Vectors, list[LayerOutput]]:
        """Tokens that follow those in the caches: input of `lm_head`, and each layer's output."""
        first, count = caches[0].length, tokens.shape[1]
        positions = torch.arange(first, first + count, device=tokens.device)
        # A single new token may look at all tokens before it.
        mask = causal_mask(count, first + count, device=tokens.device) if count > 1 else None
        x, outputs = run_stack(
            self.decoder,
            self.target_embed(tokens, positions),
            past=caches,
            sources=memory.caches,
            mask=mask,
            source_mask=for_keys(memory.mask),
            positions=positions,
            return_attention=return_attention,
        )
        return self.decoder_norm(x), outputs
