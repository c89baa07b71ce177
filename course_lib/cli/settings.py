"""Settings of a recipe, and the search, as the command line changes them, for every model."""

import os
from argparse import Namespace
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from course_lib.data.batch_source import BatchSource
from course_lib.decoding.beam import ALPHA, beam
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.errors import CourseError
from course_lib.training.config import FREE_TO_CHANGE, FitConfig
from course_lib.training.run_folder import CONFIG, holds_run, read_config

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
    changes = given(
        learning_rate=options.learning_rate,
        max_minutes=options.minutes,
        accumulate=options.accumulate,
        precision=options.precision,
        seed=options.seed,
    )
    if options.steps is not None:
        changes |= {"steps": options.steps, "epochs": None}
    elif options.epochs is not None:
        changes |= {"epochs": options.epochs, "steps": None}
    width = "width" if "width" in chosen.settings else "hidden"
    return replace(
        chosen,
        settings=chosen.settings | given(**{width: options.hidden}),
        fit=replace(chosen.fit, **changes),
    )


def resumed(chosen: Recipe, folder: Path, options: Namespace) -> Recipe:
    """The recipe, or where a run is to be resumed the settings with which that run began.

    So no option that changed a recipe need be given again, and a recipe that has changed since
    keeps nobody from ending a run. The run's data are asked for as before.

    Raises:
        CourseError: the run's configuration is damaged.
    """
    if not (options.resume and holds_run(folder) and os.path.exists(folder / CONFIG)):
        return chosen
    there = read_config(folder)
    if there["model"] != options.model:
        return chosen
    training = {k: v for k, v in there["training"].items() if k not in FREE_TO_CHANGE}
    sizes = ("tokens_per_batch", "pairs_per_batch")
    size = {name: training.pop(name) for name in sizes if name in training}
    settings = {k: v for k, v in there["model_config"].items() if not k.endswith("vocabulary")}
    return replace(chosen, settings=settings, fit=FitConfig.from_dict(training), **size)


def fit_warmup(config: FitConfig, batches: BatchSource, steps: int | None) -> FitConfig:
    """A run much shorter than the recipe's warms up over its first tenth.

    Args:
        config: how the run is trained.
        batches: on what.
        steps: of the recipe; None if it counts epochs, whose steps depend on the data.
    """
    if steps is not None and config.steps == steps:
        return config
    total = config.updates_of(batches)
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
