"""What each part of the Transformer is good for (chapter 10): the same model, one thing changed.

The model, the pairs and the budget of `peers`. A model without a part may want other steps, so each
is tried with a quarter of the learning rate and up to four times as much; the rate counts at which
the first seed has the smallest loss on validation pairs. The command stores the book's table:

    python -m course_lab.experiments transformer/ablations
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from course_lab.experiments.lab.experiment import Experiment
from course_lab.experiments.lab.rates import Trial
from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.transformer import peers

SEEDS = (0, 1, 2, 3, 4)
STORED = Path(__file__).with_name("ablations.json")
_WHOLE = peers.VARIANTS["Transformer"]
RATES = tuple(_WHOLE.learning_rate * factor for factor in (1 / 4, 1 / 2, 1, 2, 4))
WITH_EVERY_SEED = RATES[:-1]
"""Each variant's best is among them; the highest was tried with the first seed alone."""
KEY = ("variant", "learning_rate", "seed")


def _without(**settings: Any) -> peers.PeerVariant:
    return replace(_WHOLE, settings=_WHOLE.settings | settings)


VARIANTS = {
    "no positions": _without(positions="none"),
    "no scale": _without(scaled=False),
    "one head": _without(heads=1),
    "no residual": _without(residual=False),
    "no layer norm": _without(norm="none"),
    "no warm-up": replace(_WHOLE, warmup=0),
    "post-norm": _without(norm="post"),
    "post-norm, no warm-up": replace(_without(norm="post"), warmup=0),
}
"""The whole model itself is in `peers`."""


def judge(run: Trial, times: int = 1) -> dict[str, Any]:
    """Trains a variant, for so many times the budget, and says what is kept of it."""
    world = peers.make_world()
    variant = replace(VARIANTS[run.variant], times=times)
    model = peers.train(variant, run.seed, world, rate=run.learning_rate)
    return {
        **run._asdict(),
        "nats": peers.validated(model, world)["nats"],
        "trained": round(peers.exact_match(model, world.test, world), 4),
        "compositional": round(peers.exact_match(model, world.compositional, world), 4),
        "beyond": round(peers.exact_match(model, world.beyond, world), 4),
    }


def load_records() -> dict[str, list[dict[str, Any]]]:
    """What the command stored: for each variant one record a seed, at the better of its rates."""
    return by_better_rate(load_stored(STORED))


def by_better_rate(records: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Of each variant the records at the rate that counts, one a seed."""
    by_variant: dict[str, dict[float, list[dict[str, Any]]]] = {name: {} for name in VARIANTS}
    for record in records:
        by_variant[record["variant"]].setdefault(record["learning_rate"], []).append(record)
    return {name: _better(by_rate) for name, by_rate in by_variant.items() if by_rate}


def _better(by_rate: dict[float, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """The records at the rate with the smallest loss on validation pairs with the first seed."""
    return min(by_rate.values(), key=lambda records: records[0]["nats"])


def _runs() -> list[Trial]:
    return [
        Trial(name, seed, rate)
        for seed in SEEDS
        for rate in (WITH_EVERY_SEED if seed else RATES)
        for name in VARIANTS
    ]


EXPERIMENTS = [
    Experiment(
        "Ablations of chapter 10.",
        STORED,
        _runs,
        judge,
        key=KEY,
    ),
]
