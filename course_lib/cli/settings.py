"""Settings of a recipe, and the search, as the command line changes them, for every model."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from course_lib.data.batch_source import BatchSource
from course_lib.decoding.beam import ALPHA, beam
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.errors import CourseError
from course_lib.training.config import FitConfig

Model = TypeVar("Model")
Recipe = TypeVar("Recipe")


def new_model(build: Callable[..., Model], name: str, settings: dict[str, Any], seed: int) -> Model:
    """A model by its name, its first weights drawn from a seed.

    Raises:
        CourseError: a width that the model cannot have, or more memory than there is.
    """
    try:
        return build(name, settings, cpu_generator(seed))
    except (ValueError, RuntimeError) as error:
        raise CourseError(f"cannot make this {name}: {str(error).splitlines()[0]}") from error


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


def fit_warmup(config: FitConfig, batches: BatchSource) -> FitConfig:
    """A run much shorter than the recipe's warms up over its first tenth."""
    total = config.steps or sum(batches.len_epoch(n) for n in range(config.epochs))
    # A schedule that falls from its warm-up's end cannot do without one.
    least = int(config.schedule == "warmup_inverse_sqrt")
    return replace(config, warmup=min(config.warmup, max(total // 10, least)))


def search_of(options: Namespace) -> partial:
    """Greedy search, or beam search where the command line asks for it.

    Raises:
        CourseError: a length penalty without beams, whose scores it would divide.
    """
    alpha = options.length_penalty
    if options.beam is not None:
        return partial(beam, beams=options.beam, alpha=ALPHA if alpha is None else alpha)
    if alpha is not None:
        raise CourseError("--length-penalty weighs the sentences of several beams; add --beam")
    return partial(greedy)
