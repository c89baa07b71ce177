"""Small models that several tests share: some do as they are told, some are of a kind to come.

Reciter         writes its source, whatever it is fed
NextWord        chooses the next word by the last one alone
Uneven          sure of the true token in some sentences, without a clue in others
Classifier      one label a sentence; `Labelled` is its batch
LanguageModel   reads the target side alone
CachedReader    a decoder whose state is a cache that grows: a tuple of named tuples of tensors
HardReader      looks at one region of an image, drawn; gives the log-probability of the draw
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import causal_mask, for_keys
from course_lib.attention.softmax import masked_softmax
from course_lib.data.tokens.tokenizer import END
from course_lib.models.parts import initialise
from course_lib.models.protocol import EncoderDecoder, Memory, Output, State, Step


@dataclass(frozen=True)
class SourceIds(Memory):
    ids: Int[Tensor, "B S"]


@dataclass(frozen=True)
class Position(State):
    at: Int[Tensor, " B"]


class Reciter(EncoderDecoder):
    """Writes its source, one token a step, whatever it is fed; looks at the token that it writes.

    Args:
        vocabulary: number of tokens.
        loved: tokens with a higher logit than the right one.
        attends: whether it has weights to give.
        never_ends: write token 4 in the place of END.

    Attributes:
        batches: shapes of the sources encoded.
        fed: tokens fed, one list a step.
        asked: whether weights were asked for, step by step.
        frozen: a part in eval mode, whatever the rest.
    """

    def __init__(
        self, vocabulary: int = 7, *, loved=(), attends: bool = True, never_ends: bool = False
    ) -> None:
        super().__init__()
        self.vocabulary, self.loved = vocabulary, list(loved)
        self.attends, self.never_ends = attends, never_ends
        self.dropout = nn.Dropout(0.9)
        self.frozen = nn.Linear(1, 1).eval()
        self.batches: list[tuple[int, ...]] = []
        self.fed: list[list[int]] = []
        self.asked: list[bool] = []

    def encode(self, source: Tensor, source_mask: Bool[Tensor, "B S"]) -> SourceIds:
        assert not any(module.training for module in self.modules()), "dropout is on"
        assert not torch.is_grad_enabled()
        self.batches.append(tuple(source.shape))
        return SourceIds(source_mask, source)

    def start(self, memory: SourceIds) -> Position:
        return Position(torch.zeros(len(memory.mask), dtype=torch.long))

    def step(
        self,
        token: Int[Tensor, " B"],
        state: Position,
        memory: SourceIds,
        *,
        return_attention: bool = False,
    ) -> Step:
        self.fed.append(token.tolist())
        self.asked.append(return_attention)
        at = state.at.clamp(max=memory.ids.shape[1] - 1)
        wanted = memory.ids.gather(1, at[:, None])[:, 0]
        if self.never_ends:
            wanted = wanted.where(wanted != END, 4)
        logits = 20.0 * nn.functional.one_hot(wanted, self.vocabulary).float()
        logits[:, self.loved] = 30.0
        looks = nn.functional.one_hot(at, memory.ids.shape[1]).float()
        return Step(
            logits, Position(state.at + 1), looks if self.attends and return_attention else None
        )


@dataclass(frozen=True)
class Nothing(State):
    """A state that holds one unused number a sentence."""

    rows: Tensor


class NextWord(EncoderDecoder):
    """Chooses the next word by the last one alone."""

    def __init__(self, follows: dict[int, int], size: int) -> None:
        super().__init__()
        table = torch.zeros(size, size)
        for word, after in follows.items():
            table[word, after] = 1.0
        self.register_buffer("table", table)

    def encode(self, source: Tensor, source_mask: Bool[Tensor, "B S"]) -> Memory:
        return Memory(source_mask)

    def start(self, memory: Memory) -> Nothing:
        return Nothing(memory.mask[:, 0].float())

    def step(
        self,
        token: Int[Tensor, " B"],
        state: State,
        memory: Memory,
        *,
        return_attention: bool = False,
    ) -> Step:
        return Step(self.table[token], state)


class Uneven(EncoderDecoder):
    """Sure of the true token where the source begins with 9, without a clue elsewhere."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.weight = nn.Parameter(torch.zeros(()))
        self.modes: list[tuple[bool, bool]] = []

    def forward(self, source, source_mask, target_in, *, return_attention: bool = False) -> Output:
        self.modes.append((self.training, torch.is_grad_enabled()))
        logits = self.weight + torch.zeros(*target_in.shape, self.vocabulary)
        truth = torch.cat([target_in[:, 1:], torch.full_like(target_in[:, :1], 3)], 1)
        known = (source[:, :1] == 9).float()[..., None] * 100.0
        return Output(logits.scatter(-1, truth[..., None], known.expand(*truth.shape, 1)))


class Labelled(NamedTuple):
    """A classifier's batch: padded sentences and their labels."""

    ids: Int[Tensor, "B S"]
    real: Bool[Tensor, "B S"]
    label: Int[Tensor, " B"]

    @property
    def inputs(self) -> tuple[Tensor, Tensor]:
        return self.ids, self.real

    def to(self, device) -> "Labelled":
        return Labelled(*(tensor.to(device) for tensor in self))


class Scored(NamedTuple):
    """What a classifier that shows where it looks gives."""

    logits: Float[Tensor, "B C"]
    weights: Float[Tensor, "B S"]


class Classifier(nn.Module):
    """Attention of one learned query over the words, then a linear layer (Yang et al. 2016)."""

    def __init__(self, words: int, labels: int, seed: int = 0, dropout: float = 0.2) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, 8)
        self.norm = nn.LayerNorm(8)
        self.query = nn.Linear(8, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.labels = nn.Linear(8, labels)
        initialise(self, torch.Generator().manual_seed(seed))

    def forward(self, ids: Int[Tensor, "B S"], real: Bool[Tensor, "B S"]) -> Scored:
        words = self.norm(self.embed(ids))
        weights = masked_softmax(self.query(words)[..., 0], real)
        read = (weights[:, None] @ words)[:, 0]
        return Scored(self.labels(self.dropout(read)), weights)


class LanguageModel(nn.Module):
    """Each token from those before it, by one GRU."""

    def __init__(self, words: int, seed: int = 0) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, 8)
        self.layer = nn.GRU(8, 16, batch_first=True)
        self.dropout = nn.Dropout(0.2)
        self.words = nn.Linear(16, words)
        initialise(self, torch.Generator().manual_seed(seed))

    def forward(self, tokens: Int[Tensor, "B T"]) -> Float[Tensor, "B T V"]:
        return self.words(self.dropout(self.layer(self.embed(tokens))[0]))


class KeysAndValues(NamedTuple):
    keys: Float[Tensor, "B T D"]
    values: Float[Tensor, "B T D"]


@dataclass(frozen=True)
class Cache(State):
    """What each layer has seen of the target so far; longer by one token after each step."""

    layers: tuple[KeysAndValues, ...]
    marks: dict[str, list[Tensor] | None]


@dataclass(frozen=True)
class Vectors(Memory):
    vectors: Float[Tensor, "B S D"]


class CachedReader(EncoderDecoder):
    """A small decoder of self-attention layers, and attention over the source on top.

    `decode` goes over all positions at once under a causal mask, `step` over a cache.
    """

    def __init__(self, vocabulary: int, size: int = 8, layers: int = 2, seed: int = 0) -> None:
        super().__init__()
        self.source_embed = nn.Embedding(vocabulary, size)
        self.target_embed = nn.Embedding(vocabulary, size)
        self.project = nn.ModuleList(nn.Linear(size, 3 * size) for _ in range(layers))
        self.norms = nn.ModuleList(nn.LayerNorm(size) for _ in range(layers))
        self.dropout = nn.Dropout(0.1)
        self.words = nn.Linear(2 * size, vocabulary)
        initialise(self, torch.Generator().manual_seed(seed))

    def encode(self, source: Tensor, source_mask: Bool[Tensor, "B S"]) -> Vectors:
        return Vectors(source_mask, self.dropout(self.source_embed(source)))

    def start(self, memory: Vectors) -> Cache:
        nothing = memory.vectors[:, :0]
        layers = tuple(KeysAndValues(nothing, nothing) for _ in self.project)
        return Cache(layers, {"read": [memory.mask.new_zeros(len(nothing), 0)], "unused": None})

    def step(
        self,
        token: Int[Tensor, " B"],
        state: Cache,
        memory: Vectors,
        *,
        return_attention: bool = False,
    ) -> Step:
        logits, layers, looks = self._read(token[:, None], state.layers, memory)
        (read,) = state.marks["read"]
        read = torch.cat([read, read.new_ones(len(read), 1)], 1)
        after = replace(state, layers=layers, marks={**state.marks, "read": [read]})
        return Step(logits[:, 0], after, looks[:, 0] if return_attention else None)

    def decode(
        self, target_in: Int[Tensor, "B T"], memory: Vectors, *, return_attention: bool = False
    ) -> Output:
        logits, _, looks = self._read(target_in, self.start(memory).layers, memory)
        return Output(logits, looks if return_attention else None)

    def mask(self, queries: int, keys: int) -> Tensor:
        return causal_mask(queries, keys)

    def _read(self, tokens, layers, memory):
        vectors, grown = self.dropout(self.target_embed(tokens)), []
        for project, norm, seen in zip(self.project, self.norms, layers, strict=True):
            query, key, value = project(norm(vectors)).chunk(3, dim=-1)
            seen = KeysAndValues(*(torch.cat(p, 1) for p in zip(seen, (key, value), strict=True)))
            mask = self.mask(tokens.shape[1], seen.keys.shape[1])
            vectors = vectors + attend(query, *seen, mask=mask).context
            grown.append(seen)
        looked = attend(vectors, memory.vectors, memory.vectors, mask=for_keys(memory.mask))
        logits = self.words(torch.cat([vectors, looked.context], dim=-1))
        return logits, tuple(grown), looked.weights


@dataclass(frozen=True)
class Regions(Memory):
    """A vector for each row of the image."""

    vectors: Float[Tensor, "B S D"]


class HardReader(EncoderDecoder):
    """Hard attention over the rows of an image (Xu et al. 2015, section 4.1).

    With a generator it draws the row that it looks at; without one it takes the most probable.
    """

    def __init__(self, width: int, vocabulary: int, size: int = 6, seed: int = 0) -> None:
        super().__init__()
        self.see = nn.Linear(width, size)
        self.embed = nn.Embedding(vocabulary, size)
        self.ask = nn.Linear(size, size)
        self.words = nn.Linear(2 * size, vocabulary)
        initialise(self, torch.Generator().manual_seed(seed))

    def encode(self, source: Float[Tensor, "B S W"], source_mask: Bool[Tensor, "B S"]) -> Regions:
        return Regions(source_mask, self.see(source))

    def start(self, memory: Regions) -> Nothing:
        return Nothing(memory.vectors.new_zeros(len(memory.mask), self.embed.embedding_dim))

    def step(
        self,
        token: Int[Tensor, " B"],
        state: Nothing,
        memory: Regions,
        *,
        return_attention: bool = False,
        generator: torch.Generator | None = None,
    ) -> Step:
        hidden = torch.tanh(self.embed(token) + state.rows)
        scores = (self.ask(hidden)[:, None] @ memory.vectors.mT)[:, 0]
        share = masked_softmax(scores, memory.mask)
        place, log_probability = share.argmax(-1), None
        if generator is not None:
            drawn = torch.multinomial(share.detach().cpu(), 1, generator=generator)[:, 0]
            place = drawn.to(share.device)
            log_probability = share.gather(1, place[:, None])[:, 0].log()
        looks = nn.functional.one_hot(place, share.shape[1]).to(share)
        read = (looks[:, None] @ memory.vectors)[:, 0]
        logits = self.words(torch.cat([hidden, read], dim=-1))
        return Step(logits, Nothing(hidden), looks if return_attention else None, log_probability)
