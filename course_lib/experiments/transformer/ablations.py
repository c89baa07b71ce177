"""What each part of the Transformer is good for (chapter 10): the same model, one thing changed.

The model, the pairs and the budget of `peers`. A part that is missing may want another learning
rate, so each variant has its own, the best on validation pairs of those tried. As a script it
stores the table of the book; first the losses by which the rates are chosen:

    python -m course_lib.experiments.transformer.ablations --tune
    python -m course_lib.experiments.transformer.ablations
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from course_lib.experiments.lab.rates import Trial
from course_lib.experiments.lab.records import add_choice, selected, write_records
from course_lib.experiments.lab.stored import load_stored
from course_lib.experiments.transformer import peers

SEEDS = (0, 1, 2)
STORED = Path(__file__).with_name("ablations.json")
TUNING = Path(__file__).with_name("ablations_tuning.json")
_WHOLE = peers.VARIANTS["Transformer"]
TRIED = (_WHOLE.learning_rate / 4, _WHOLE.learning_rate)
"""A missing part mostly asks for smaller steps; the whole model's own rates are in `peers`."""


def _without(**settings: Any) -> peers.Variant:
    return replace(_WHOLE, settings=_WHOLE.settings | settings)


VARIANTS = {
    "the whole model": _WHOLE,
    "no positions": _without(positions="none"),
    "no scale": _without(scaled=False),
    "one head": _without(heads=1),
    "no residual": _without(residual=False),
    "no layer norm": _without(norm="none"),
    "no warm-up": replace(_WHOLE, warmup=0),
    "post-norm": _without(norm="post"),
    "post-norm, no warm-up": replace(_without(norm="post"), warmup=0),
}


def rate_of(name: str) -> float:
    """The rate with the smallest validation loss; the whole model's own where none was compared."""
    tried = peers.load_tuning(TUNING).get(name) if TUNING.exists() else None
    return min(tried, key=tried.get) if tried else _WHOLE.learning_rate


def _tune(run: Trial) -> dict[str, Any]:
    world = peers.make_world()
    model = peers.train(VARIANTS[run.variant], run.seed, world, rate=run.learning_rate)
    return {**run._asdict(), **peers.validated(model, world)}


def _judge(run: Trial) -> dict[str, Any]:
    world = peers.make_world()
    model = peers.train(VARIANTS[run.variant], run.seed, world, rate=run.learning_rate)
    return {
        **run._asdict(),
        "trained": round(peers.exact_match(model, world.test, world), 4),
        "compositional": round(peers.exact_match(model, world.compositional, world), 4),
        "beyond": round(peers.exact_match(model, world.beyond, world), 4),
    }


def load_records() -> dict[str, list[dict[str, Any]]]:
    """What the script stored: for each variant one record a seed."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in VARIANTS}
    for record in load_stored(STORED):
        found[record["variant"]].append(record)
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Makes the runs, two at a time; after each, the file is written anew."""
    parser = argparse.ArgumentParser(description="Stored ablations of chapter 10.")
    parser.add_argument("--tune", action="store_true", help="compare learning rates instead")
    parser.add_argument("--file", type=Path, help="where the results go")
    add_choice(parser)
    chosen = parser.parse_args(arguments)
    if chosen.tune:
        runs = [Trial(name, SEEDS[0], rate) for name in VARIANTS for rate in TRIED]
        runs = selected(parser, runs, chosen.only)
        write_records(_tune, runs, chosen.file or TUNING, ("variant", "learning_rate"))
    else:
        runs = [Trial(name, seed, rate_of(name)) for seed in SEEDS for name in VARIANTS]
        runs = selected(parser, runs, chosen.only)
        write_records(_judge, runs, chosen.file or STORED, ("variant", "seed"))


if __name__ == "__main__":
    main()
