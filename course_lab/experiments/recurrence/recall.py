"""The experiment of chapter 1: after how many updates a recurrent net recalls a symbol.

A sequence begins with one of four symbols to keep; noise follows. After the last noise symbol the
net has to say what stood at the beginning. Chance is one in four. All nets have about the same
number of parameters, the same sequences and the same optimiser. What is counted is the updates
until a net is right on 99 % of the validation sequences; training ends at `UPDATES`, so a net that
takes longer is only known to take longer. The command stores what the book draws:

    python -m course_lab.experiments recurrence/recall
"""

import math
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor, nn

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.recurrence.nets import (
    KEPT,
    KINDS,
    SYMBOLS,
    Recaller,
    Weights,
    clip_each,
    scores,
    stack,
)
from course_lib.device import cpu_generator

CHANCE = 1 / KEPT
DISTANCES = (10, 20, 50, 100)
FURTHEST = {"tanh": 20, "LSTM, forget bias 1": 20, "LSTM": 50, "GRU": 50}
"""How far these kinds are asked, for runs in which nobody recalls are dear. A kind of which a seed
fails at 20 steps is not asked at 50 (but for the LSTM, whose failure there is told in the book); at
100 only the two are asked that recall soonest at 50."""
SEEDS = tuple(range(10))
UPDATES, BATCH, CLIP = 2500, 32, 1.0
CHECK_EVERY, ENOUGH = 50, 0.99
STORED = Path(__file__).with_name("recall.json")


def sequences(distance: int, count: int, generator: torch.Generator) -> Int[Tensor, "S B"]:
    """Sequences one symbol longer than `distance`, time first: one to keep (below KEPT), noise."""
    kept = torch.randint(0, KEPT, (1, count), generator=generator)
    noise = torch.randint(KEPT, SYMBOLS, (distance, count), generator=generator)
    return torch.cat([kept, noise])


def accuracies(kind: str, weights: Weights, symbols: Int[Tensor, "S B"]) -> list[float]:
    """Share of the sequences whose first symbol is named, for each net; all get the same ones."""
    with torch.no_grad():
        named = scores(kind, weights, symbols.expand(_count(weights), -1, -1)).argmax(-1)
    return (named == symbols[0]).float().mean(-1).tolist()


class Trained(NamedTuple):
    """Nets of one kind after training.

    Attributes:
        weights: of all nets.
        updates: for each net, updates made until validation accuracy was `ENOUGH`; None if it
            never was.
    """

    weights: Weights
    updates: list[int | None]


def train(
    kind: str, distance: int, rate: float, seeds: Sequence[int] = SEEDS, updates: int = UPDATES
) -> Trained:
    """Trains nets on fresh sequences until all recall, or until the updates are used up.

    Args:
        kind: a key of `KINDS`.
        distance: steps from the symbol to the question.
        rate: learning rate of Adam.
        seeds: one net each: for its first weights and its sequences.
        updates: how many at most, of `BATCH` sequences each.
    """
    generators = [cpu_generator(seed) for seed in seeds]
    weights = stack([Recaller(kind, generator) for generator in generators])
    adam = torch.optim.Adam(weights.values(), lr=rate)
    held_out = sequences(distance, 256, cpu_generator(1000 + distance))
    recalled: list[int | None] = [None] * len(generators)
    for update in range(1, updates + 1):
        batch = torch.stack([sequences(distance, BATCH, generator) for generator in generators])
        said = scores(kind, weights, batch).flatten(0, 1)
        loss = nn.functional.cross_entropy(said, batch[:, 0].flatten(), reduction="sum") / BATCH
        adam.zero_grad()
        loss.backward()
        clip_each(weights, CLIP)
        adam.step()
        if update % CHECK_EVERY == 0:
            for net, share in enumerate(accuracies(kind, weights, held_out)):
                if recalled[net] is None and share >= ENOUGH:
                    recalled[net] = update
            if None not in recalled:
                break
    return Trained(weights, recalled)


def _count(weights: Weights) -> int:
    return len(next(iter(weights.values())))


class Setting(NamedTuple):
    """What the stored file has a record of: ten nets, one a seed."""

    kind: str
    distance: int
    rate: float


def planned() -> list[Setting]:
    """All settings, short distances first."""
    return [Setting(kind, k, rate) for k in DISTANCES for kind in KINDS for rate in _rates(kind, k)]


def _rates(kind: str, distance: int) -> tuple[float, ...]:
    """Learning rates to try, the lower first; none where a kind is not asked."""
    if distance > FURTHEST.get(kind, distance):
        return ()
    return (3e-3, 1e-2) if distance < 100 else (1e-3, 3e-3)


def record(setting: Setting) -> dict[str, Any]:
    """The updates that each seed took; null is a seed that did not recall within `UPDATES`."""
    return {**setting._asdict(), "updates": train(*setting).updates}


def better_rate(kind: str, distance: int) -> float:
    """The rate at which more seeds recall, or as many in fewer updates (median)."""
    stored = _stored()

    def merit(rate: float) -> tuple[int, float]:
        updates = [math.inf if u is None else u for u in stored[Setting(kind, distance, rate)]]
        return sum(map(math.isfinite, updates)), -float(median(updates))

    return max(_rates(kind, distance), key=merit)


def load_updates() -> dict[str, list[list[int | float | None]]]:
    """Updates until recall at the better rate, by distance, one row a seed, for each kind.

    None is a seed that did not recall within `UPDATES`; NaN stands where there was no run.
    """
    stored = _stored()

    def column(kind: str, distance: int) -> list[int | float | None]:
        if not _rates(kind, distance):
            return [math.nan] * len(SEEDS)
        return [*stored[Setting(kind, distance, better_rate(kind, distance))]]

    return {
        kind: [list(row) for row in zip(*(column(kind, k) for k in DISTANCES), strict=True)]
        for kind in KINDS
    }


def share_recalled(kind: str, distance: int, rate: float | None = None) -> float:
    """Share of the seeds that recall within `UPDATES`, at the better rate or at the one given.

    NaN where there was no run.
    """
    if not _rates(kind, distance):
        return math.nan
    chosen = better_rate(kind, distance) if rate is None else rate
    updates = _stored()[Setting(kind, distance, chosen)]
    return sum(u is not None for u in updates) / len(updates)


def _stored() -> dict[Setting, list[int | None]]:
    return {
        Setting(*(entry[name] for name in Setting._fields)): entry["updates"]
        for entry in load_stored(STORED)
    }


EXPERIMENTS = [
    Experiment(
        "Updates until recall, for chapter 1.",
        STORED,
        planned,
        record,
        key=Setting._fields,
    ),
]
