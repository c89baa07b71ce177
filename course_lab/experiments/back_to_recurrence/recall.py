"""The experiment of chapter 15: how many pairs a memory of fixed size can recall.

A net reads pairs of a key and a value, all keys different, and is then asked for every key: recall
of many pairs (Arora et al. 2024, *Zoology*), with a pair as one token, so that nothing but the
memory is measured. There are 64 keys and 64 values, so chance is one in 64. Each net is a memory
between learned tables: a vector for each key, question and value, and a linear layer that names the
value. GRU and LSTM have as many state numbers as the matrix of the linear rules, and one more layer
to read them. Training mixes all numbers of pairs. In the second task every key comes twice, and the
question is for the newer value. The chapter's cells train the nets, in seconds.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.attention.attend import attend
from course_lib.attention.linear import elu_plus_one, linear_attention
from course_lib.device import cpu_generator

SYMBOLS = 64
"""Keys, and values."""
PAIRS = (4, 8, 16, 32, 64)
UPDATES, BATCH, WARMUP = 300, 32, 20
JUDGED = 32
"""Sequences that judge a net, at each number of pairs."""
DECAY = 1 - 2**-5
"""The fastest decay of a head in Sun et al. 2023."""
RULES = ("softmax", "sum", "sum, normalised", "decay", "delta")
RECURRENT = ("GRU", "LSTM")
SEEDS = (0, 1, 2, 3, 4)


class Pairs(NamedTuple):
    """For each of N nets B sequences of P pairs, and Q questions with their right values."""

    keys: Int[Tensor, "N B P"]
    values: Int[Tensor, "N B P"]
    asked: Int[Tensor, "N B Q"]
    answers: Int[Tensor, "N B Q"]


def draw(
    pairs: int, count: int, generators: Sequence[torch.Generator], twice: bool = False
) -> Pairs:
    """Return `count` sequences from each generator; with `twice`, a key comes in both halves."""
    drawn = []
    for generator in generators:
        keys = torch.rand(count, SYMBOLS, generator=generator).argsort(1)[:, :pairs]
        if twice:
            first = keys[:, : pairs // 2]
            again = torch.rand(first.shape, generator=generator).argsort(1)
            keys = torch.cat([first, first.gather(1, again)], 1)
        drawn.append((keys, torch.randint(SYMBOLS, keys.shape, generator=generator)))
    keys, values = (torch.stack(part) for part in zip(*drawn, strict=True))
    newer = slice(pairs // 2, None) if twice else slice(None)
    return Pairs(keys, values, keys[..., newer], values[..., newer])


def of_each(table: Float[Tensor, "N V D"], ids: Int[Tensor, "N B P"]) -> Float[Tensor, "N B P D"]:
    """Look ids up in each net's own table."""
    return table[torch.arange(len(table))[:, None, None], ids]


class Memory(nn.Module):
    """N nets that answer each question from what a rule keeps of the pairs.

    Args:
        rule: one of `RULES`.
        width: d, of keys and values; what is kept is a matrix d × d, except by softmax.
        generators: one for the first weights of each net.
    """

    def __init__(self, rule: str, width: int, generators: Sequence[torch.Generator]) -> None:
        super().__init__()
        self.rule = rule
        shape = (3, SYMBOLS, width)
        drawn = [torch.randn(shape, generator=g) / math.sqrt(width) for g in generators]
        keys, values, named = torch.stack(drawn, 1)
        self.keys, self.questions = nn.Parameter(keys), nn.Parameter(keys.clone())
        self.values, self.named = nn.Parameter(values), nn.Parameter(named)
        if rule == "delta":
            self.beta = nn.Parameter(torch.zeros(len(drawn), 1, 1))  # a sigmoid makes it 1/2

    def forward(self, pairs: Pairs) -> Float[Tensor, "N B Q V"]:
        """The score of each value, for every question."""
        key, value = of_each(self.keys, pairs.keys), of_each(self.values, pairs.values)
        context = self.read(of_each(self.questions, pairs.asked), key, value)
        context = F.rms_norm(context, context.shape[-1:], eps=1e-5)
        return context @ self.named.mT.unsqueeze(1) * math.sqrt(context.shape[-1])

    def read(self, query: Tensor, key: Tensor, value: Tensor) -> Float[Tensor, "N B Q D"]:
        """What the memory brings back for each query, after all pairs were written."""
        if self.rule == "softmax":
            return attend(query, key, value).context
        how: dict[str, Any] = {}
        if self.rule == "decay":
            how["decay"] = DECAY
        if self.rule == "delta":
            key, how["beta"] = F.normalize(key, dim=-1), torch.sigmoid(self.beta)
        if self.rule == "sum, normalised":
            query, key, how["normalise"] = elu_plus_one(query), elu_plus_one(key), True
        state = linear_attention(key, key, value, **how).state
        context = query @ state.memory
        return context if state.keys is None else context / (query @ state.keys.unsqueeze(-1))


class Recurrent(nn.Module):
    """N nets that answer from the question and the last state of a GRU or an LSTM.

    Args:
        kind: one of `RECURRENT`.
        state: numbers of the state; half of an LSTM's are its cell.
        generators: one for the first weights of each net.
    """

    def __init__(self, kind: str, state: int, generators: Sequence[torch.Generator]) -> None:
        super().__init__()
        self.nets = nn.ModuleList(_RecurrentNet(kind, state, g) for g in generators)

    def forward(self, pairs: Pairs) -> Float[Tensor, "N B Q V"]:
        """The score of each value, for every question."""
        return torch.stack([net(*one) for net, *one in zip(self.nets, *pairs, strict=True)])


class _RecurrentNet(nn.Module):
    def __init__(self, kind: str, state: int, generator: torch.Generator) -> None:
        super().__init__()
        hidden, width = state // 2 if kind == "LSTM" else state, 32
        self.keys, self.values = nn.Embedding(SYMBOLS, width), nn.Embedding(SYMBOLS, width)
        self.layer = getattr(nn, kind)(2 * width, hidden, batch_first=True)
        self.read, self.named = nn.Linear(state + width, 128), nn.Linear(128, SYMBOLS)
        bound = 1 / math.sqrt(hidden)
        for part in (self.layer, self.read, self.named):
            for weight in part.parameters():
                nn.init.uniform_(weight, -bound, bound, generator=generator)
        for table in (self.keys, self.values):
            nn.init.normal_(table.weight, generator=generator)

    def forward(self, keys: Tensor, values: Tensor, asked: Tensor, _: Tensor) -> Tensor:
        last = self.layer(torch.cat([self.keys(keys), self.values(values)], -1))[1]
        state = torch.cat(last, -1)[0] if isinstance(last, tuple) else last[0]
        state = state.unsqueeze(1).expand(-1, asked.shape[1], -1)
        return self.named(torch.relu(self.read(torch.cat([state, self.keys(asked)], -1))))


class Setting(NamedTuple):
    """What is trained, with a net for each seed.

    Attributes:
        variant: one of `RULES` or `RECURRENT`.
        width: d; the state has d² numbers.
        twice: whether every key comes twice.
        times: how many times `UPDATES` it is trained.
        learning_rate: of Adam.
    """

    variant: str
    width: int
    twice: bool = False
    times: int = 1
    learning_rate: float = 3e-2


def train(
    setting: Setting, seeds: Sequence[int] = SEEDS, updates: int | None = None
) -> Memory | Recurrent:
    """Train a net for each seed on fresh pairs; the loss is over all questions."""
    first = [cpu_generator(seed) for seed in seeds]
    if setting.variant in RECURRENT:
        model: Memory | Recurrent = Recurrent(setting.variant, setting.width**2, first)
    else:
        model = Memory(setting.variant, setting.width, first)
    generators = [cpu_generator(1000 + seed) for seed in seeds]
    updates = setting.times * UPDATES if updates is None else updates
    adam = torch.optim.Adam(model.parameters(), lr=setting.learning_rate, betas=(0.9, 0.98))
    plan = torch.optim.lr_scheduler.LambdaLR(
        adam, lambda n: min((n + 1) / WARMUP, 1.0) * (1 - 0.95 * n / updates)
    )
    for update in range(updates):
        pairs = draw(PAIRS[update % len(PAIRS)], BATCH, generators, setting.twice)
        logits, answers = model(pairs).flatten(0, 2), pairs.answers.flatten()
        # A sum over the nets, so that each has the gradient that it would have alone.
        loss = F.cross_entropy(logits, answers) * len(seeds)
        adam.zero_grad()
        loss.backward()
        adam.step()
        plan.step()
    return model.eval()


@torch.no_grad()
def recalled(model: nn.Module, nets: int, twice: bool = False) -> list[list[float]]:
    """For each net the share of questions answered rightly, by number of pairs."""
    shares = []
    for size in PAIRS:
        pairs = draw(size, JUDGED, [cpu_generator(7)] * nets, twice)
        right = (model(pairs).argmax(-1) == pairs.answers).double().mean((1, 2))
        shares.append([round(share, 4) for share in right.tolist()])
    return [list(each) for each in zip(*shares, strict=True)]
