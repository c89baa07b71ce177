"""A task for chapter 9 that one head cannot do, however wide, and two can: a difference.

Five vectors u_1 ... u_5, each beside a mark of its place. Wanted is u_2 - u_4. One head gives
W Σ w_j v_j with weights that are 0 or more and sum to 1: every vector goes through the same map.
Beside it the sum u_2 + u_4, which looks at the same two places and needs one map only. Run as a
script:

    python -m course_lab.experiments multi_head/difference_tuning  # the learning rates
    python -m course_lab.experiments multi_head/difference         # five seeds, fresh vectors
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial, planned, tuning
from course_lab.experiments.lab.stored import load_stored
from course_lib.attention.multihead import MultiHeadAttention
from course_lib.data.batch_source import GeneratedBatches
from course_lib.device import cpu_generator
from course_lib.models.parts import initialise
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.objective import Loss

PLACES, WIDTH = 5, 4
ASKED = (1, 3)
SIGNS = {"difference": (1.0, -1.0), "sum": (1.0, 1.0)}
STEPS, BATCH = 400, 64
SEEDS = (0, 1, 2, 3, 4)
RATES = (3e-3, 1e-2, 3e-2, 1e-1, 3e-1)
STORED = Path(__file__).with_name("difference.json")
TUNING = Path(__file__).with_name("difference_tuning.json")


class HeadsVariant(NamedTuple):
    """One attention of the comparison.

    Attributes:
        heads: how many.
        width: of one head's keys and values.
        times: how many times `STEPS` it is trained.
        learning_rate: with a smaller error on fresh vectors than its two neighbours in `RATES`.
    """

    heads: int
    width: int
    times: int
    learning_rate: float


VARIANTS = {
    "two heads": HeadsVariant(2, WIDTH, 1, 3e-2),
    "one head": HeadsVariant(1, 2 * WIDTH, 1, 3e-2),
    "one head, 8 times as wide": HeadsVariant(1, 16 * WIDTH, 1, 1e-2),
    "one head, 4 times as long": HeadsVariant(1, 2 * WIDTH, 4, 3e-2),
    "two heads, 4 times as long": HeadsVariant(2, WIDTH, 4, 3e-2),
}
RATE_OF = {name: variant.learning_rate for name, variant in VARIANTS.items()}
TWINS = tuple(name for name, variant in VARIANTS.items() if variant.times > 1)


@dataclass(frozen=True)
class Vectors:
    """B rows of vectors and what is wanted of them.

    Attributes:
        memory: (B, N, W + N), each vector beside the mark of its place.
        wanted: (B, W).
    """

    memory: Float[Tensor, "B N M"]
    wanted: Float[Tensor, "B W"]

    def to(self, device: torch.device | str) -> "Vectors":
        """The same with its tensors on `device`."""
        return Vectors(self.memory.to(device), self.wanted.to(device))


class Reader(nn.Module):
    """One attention with one query, which is learned: what comes out is its guess."""

    def __init__(self, variant: HeadsVariant, generator: torch.Generator | None = None) -> None:
        super().__init__()
        self.attention = MultiHeadAttention(
            WIDTH,
            variant.heads,
            memory_width=WIDTH + PLACES,
            key_width=variant.width,
            value_width=variant.width,
        )
        self.query = nn.Linear(1, WIDTH)
        initialise(self, generator)

    def forward(self, memory: Float[Tensor, "B N M"]) -> Float[Tensor, "B W"]:
        """The guess for each row."""
        return self.attention(self._asked(memory), memory).context[:, 0]

    def looks(self, memory: Float[Tensor, "B N M"]) -> Float[Tensor, "B H N"]:
        """Where each head looks."""
        return self.attention(self._asked(memory), memory, return_attention=True).weights[:, :, 0]

    def _asked(self, memory: Float[Tensor, "B N M"]) -> Float[Tensor, "B 1 W"]:
        return self.query(memory.new_ones(len(memory), 1, 1))


def draw(task: str, generator: torch.Generator, count: int = BATCH) -> Vectors:
    """Rows of normal numbers, and the sum or the difference of two of them."""
    vectors = torch.randn(count, PLACES, WIDTH, generator=generator)
    marks = torch.eye(PLACES).expand(count, -1, -1)
    wanted = sum(sign * vectors[:, place] for sign, place in zip(SIGNS[task], ASKED, strict=True))
    return Vectors(torch.cat([vectors, marks], dim=-1), wanted)


def squared_error(model: nn.Module, batch: Vectors) -> Loss:
    """The objective: squared error, summed over the coordinates, counted by rows."""
    return Loss((model(batch.memory) - batch.wanted).square().sum(), len(batch.wanted))


def train(run: Trial, task: str) -> Reader:
    """Makes a variant and trains it; it ends in eval mode."""
    variant = VARIANTS[run.variant]
    model = Reader(variant, cpu_generator(run.seed))
    config = FitConfig(
        steps=STEPS * variant.times,
        learning_rate=run.learning_rate,
        schedule="cosine",
        warmup=20,
        seed=run.seed,
    )
    feed = GeneratedBatches(lambda g: draw(task, g), batches=100, seed=run.seed)
    fit(model, feed, None, config, objective=squared_error, progress=False, device="cpu")
    return model.eval()


def left_over(model: Reader, task: str, seed: int = 0) -> float:
    """The error on 4,000 fresh rows as a share of what guessing the mean would leave: 1 is that.

    Args:
        model: what guesses.
        task: a key of `SIGNS`.
        seed: of the rows; -1 is used where rates are chosen.
    """
    rows = draw(task, cpu_generator(10_000 + seed), 4000)
    with torch.no_grad():
        missed = (model(rows.memory) - rows.wanted).square().sum()
    return (missed / rows.wanted.square().sum()).item()


def _tune(run: Trial) -> dict[str, Any]:
    error = left_over(train(run, "difference"), "difference", seed=-1)
    return {**run._asdict(), "error": round(error, 4)}


def _judge(run: Trial) -> dict[str, Any]:
    errors = {task: round(left_over(train(run, task), task), 4) for task in SIGNS}
    parameters = sum(p.numel() for p in Reader(VARIANTS[run.variant]).parameters())
    return {"variant": run.variant, "seed": run.seed, "parameters": parameters, **errors}


def load_errors() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each variant one record a seed."""
    by_variant: dict[str, list[dict[str, Any]]] = {name: [] for name in VARIANTS}
    for record in load_stored(STORED):
        by_variant[record["variant"]].append(record)
    return by_variant


EXPERIMENTS = [
    Experiment(
        "Sums and differences, by one head and by two: chapter 9's errors.",
        STORED,
        lambda: planned(RATE_OF, list(RATE_OF), SEEDS),
        _judge,
    ),
    tuning(
        "The learning rates of one head and of two.",
        TUNING,
        RATE_OF,
        RATES,
        SEEDS[0],
        _tune,
        twins=TWINS,
    ),
]
