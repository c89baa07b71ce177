"""Settings of a recipe as the command line changes them, for every kind of model."""

from argparse import Namespace
from dataclasses import replace
from typing import Any, TypeVar

from course_lib.training.config import FitConfig
from course_lib.training.feed import Feed

Recipe = TypeVar("Recipe")


def given(**options: Any) -> dict[str, Any]:
    """Those options that somebody has set."""
    return {name: value for name, value in options.items() if value is not None}


def override(chosen: Recipe, options: Namespace) -> Recipe:
    """The recipe (a record with `settings` and `fit`) with what the command line says otherwise."""
    changes = given(learning_rate=options.learning_rate, max_minutes=options.minutes)
    if options.steps is not None:
        changes |= {"steps": options.steps, "epochs": None}
    elif options.epochs is not None:
        changes |= {"epochs": options.epochs, "steps": None}
    width = "width" if "width" in chosen.settings else "hidden"
    return replace(
        chosen,
        settings=chosen.settings | given(**{width: options.hidden}),
        fit=replace(chosen.fit, seed=options.seed, **changes),
    )


def fit_warmup(config: FitConfig, batches: Feed) -> FitConfig:
    """A run much shorter than the recipe's warms up over its first tenth."""
    total = config.steps or sum(batches.len_epoch(n) for n in range(config.epochs))
    # A schedule that falls from its warm-up's end cannot do without one.
    least = int(config.schedule == "warmup_inverse_sqrt")
    return replace(config, warmup=min(config.warmup, max(total // 10, least)))
