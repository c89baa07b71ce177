"""Small models that several tests share: most do as they are told.

Reciter         writes its source, whatever it is fed
NextWord        chooses the next word by the last one alone
Uneven          sure of the true token in some sentences, without a clue in others
Classifier      one label a sentence; `Labelled` is its batch
LanguageModel   reads the target side alone
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

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
