"""Why does the Transformer fail on sentences longer than those of training (chapter 10)?

With sines, the places beyond the longest training sentence get vectors that no layer has seen. Two
controls take that reason away and change nothing else, after four times the common updates:
"shifted sines" number the words of each training batch from a random place, so that every vector
up to the longest judged sentence is trained; "rotary" positions compare distances alone. The rate
is the better of two by the mean loss on validation pairs. The command stores what the book draws:

    python -m course_lab.experiments transformer/further
"""

from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from course_lab.experiments.lab.bins import counts_of, with_counts
from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.transformer import peers
from course_lib.attention.position import Sinusoidal
from course_lib.device import cpu_generator
from course_lib.models.transformer import Transformer
from course_lib.training.fit import fit

STORED = Path(__file__).with_name("further.json")
SEEDS = (0, 1, 2)
FACTORS = (1, 1 / 2)
FARTHEST = 12
"""Places by which a batch is shifted at most: 14 words of training and 12 are more than 22."""
KEY = ("variant", "learning_rate", "seed")
_LONGER = peers.VARIANTS["Transformer, longer"]
VARIANTS = {
    "shifted sines": _LONGER,
    "rotary": replace(_LONGER, settings=_LONGER.settings | {"positions": "rotary"}),
}


class ShiftedSines(Sinusoidal):
    """Sines of places that begin anywhere from 0 to `FARTHEST` in training, and at 0 afterwards."""

    def __init__(self, width: int, generator: torch.Generator) -> None:
        super().__init__(width)
        self.generator = generator

    def forward(
        self, positions: Int[Tensor, "*B"], dtype: torch.dtype | None = None
    ) -> Float[Tensor, "*B D"]:
        """Vectors of these positions, in training all moved by the same random distance."""
        if self.training:
            drawn = torch.randint(FARTHEST + 1, (), generator=self.generator)
            positions = positions + drawn.to(positions.device)
        return super().forward(positions, dtype)


def make_model(variant: str, world: peers.PeerWorld, seed: int) -> Transformer:
    """The model of `peers` with a variant's positions, with the same first weights."""
    model = peers.make_model(VARIANTS[variant], world, seed)
    if variant == "shifted sines":
        for n, embed in enumerate((model.source_embed, model.target_embed)):
            width = model.config.width
            embed.position = ShiftedSines(width, cpu_generator(10 * seed + n))
    return model


def _judge(run: Trial) -> dict[str, Any]:
    world = peers.make_world()
    model = make_model(run.variant, world, run.seed)
    config = peers.fit_config(VARIANTS[run.variant], run.learning_rate)
    if fit(model, peers.batches(world), None, config, progress=False, device="cpu").interrupted:
        raise KeyboardInterrupt  # a half-trained model must not pass for a trained one
    model.eval()
    return {
        **run._asdict(),
        "nats": peers.validated(model, world)["nats"],
        "bins": counts_of(peers.length_curve(model, world)),
    }


def load_records() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each variant one record a seed, at the better of its rates."""
    by_variant: dict[str, dict[float, list[dict[str, Any]]]] = {name: {} for name in VARIANTS}
    for record in map(with_counts, load_stored(STORED)):
        by_variant[record["variant"]].setdefault(record["learning_rate"], []).append(record)
    return {
        name: min(by_rate.values(), key=lambda records: mean(one["nats"] for one in records))
        for name, by_rate in by_variant.items()
    }


def _runs() -> list[Trial]:
    rate = _LONGER.learning_rate
    return [
        Trial(name, seed, factor * rate)
        for seed in SEEDS
        for factor in FACTORS
        for name in VARIANTS
    ]


EXPERIMENTS = [
    Experiment(
        "Positions and longer sentences, chapter 10.",
        STORED,
        _runs,
        _judge,
        key=KEY,
    ),
]
