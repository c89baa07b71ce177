"""Do the ablations of chapter 10 say the same after four times the updates?

Each variant with the first three seeds, at the rate that counts in `ablations` and at half of it: a
longer run may want a lower one. The better by the first seed's loss on validation pairs counts. The
whole model is the twin of `peers`. The command stores what the book says of it:

    python -m course_lab.experiments transformer/ablations_longer
"""

from functools import partial
from pathlib import Path
from typing import Any

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.transformer import ablations, peers

STORED = Path(__file__).with_name("ablations_longer.json")
SEEDS = ablations.SEEDS[:3]
FACTORS = (1, 1 / 2)
KEY = ("variant", "learning_rate", "seed")


def planned() -> list[Trial]:
    """Two runs a variant and seed."""
    counts = {n: kept[0]["learning_rate"] for n, kept in ablations.load_records().items()}
    return [
        Trial(name, seed, factor * counts[name])
        for seed in SEEDS
        for name in counts
        for factor in FACTORS
    ]


def load_records() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each variant one record a seed, at the better of its rates."""
    return ablations.by_better_rate(load_stored(STORED))


EXPERIMENTS = [
    Experiment(
        "Longer ablations of chapter 10.",
        STORED,
        planned,
        partial(ablations.judge, times=peers.LONGER),
        key=KEY,
    ),
]
