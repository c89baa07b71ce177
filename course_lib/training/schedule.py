"""How the learning rate moves: pure functions from the step number to a factor.

The learning rate of a step is the configured one, the peak, times the factor. Steps count from 1,
as in the papers: step 1 makes the first update.
"""

import math
from collections.abc import Callable

from course_lib.errors import CourseError


def constant(step: int, warmup: int = 0, total: int | None = None) -> float:
    """1, after a linear rise over `warmup` steps."""
    return min(1.0, step / warmup) if warmup else 1.0


def warmup_inverse_sqrt(step: int, warmup: int, total: int | None = None) -> float:
    """A linear rise, then a fall with the square root of the step.

    Vaswani et al. 2017, equation 3, divided by its highest value, which it has at step `warmup`.
    `paper_peak` gives that value.
    """
    return min(step / warmup, math.sqrt(warmup / step))


def cosine_decay(step: int, warmup: int, total: int) -> float:
    """A linear rise over `warmup` steps, then half a cosine towards zero, one cycle in all.

    Loshchilov & Hutter 2017 (arXiv:1608.03983), equation 5, without restarts and with a minimum
    of zero, which would be reached one step after the last.
    """
    if step <= warmup:
        return step / warmup
    way = min(1.0, (step - 1 - warmup) / (total - warmup))  # beyond the last step it stays zero
    return 0.5 * (1.0 + math.cos(math.pi * way))


SCHEDULES: dict[str, Callable[[int, int, int], float]] = {
    "constant": constant,
    "warmup_inverse_sqrt": warmup_inverse_sqrt,
    "cosine": cosine_decay,
}
"""Name in a configuration: function of (step, warmup, total)."""


def paper_peak(width: int, warmup: int) -> float:
    """The highest learning rate of Vaswani et al. 2017, equation 3, for a model of that width."""
    return (width * warmup) ** -0.5


def learning_rate_factor(name: str, warmup: int, total: int) -> Callable[[int], float]:
    """The schedule of that name as a function of the step alone.

    Args:
        name: a key of `SCHEDULES`.
        warmup: steps of linear rise.
        total: steps of the whole training.

    Raises:
        CourseError: unknown name, or a warm-up that the schedule cannot have.
    """
    if name not in SCHEDULES:
        raise CourseError(f"unknown schedule {name!r}; choose one of {', '.join(SCHEDULES)}")
    if warmup < 0:
        raise CourseError(f"a warmup has 0 steps or more, got {warmup}")
    if name == "warmup_inverse_sqrt" and warmup < 1:
        raise CourseError(f"{name} needs a warmup of at least one step, got {warmup}")
    if name == "cosine" and warmup >= total:
        raise CourseError(
            f"a warmup of {warmup} steps leaves nothing of {total}; choose a shorter one"
        )
    schedule = SCHEDULES[name]
    return lambda step: schedule(step, warmup, total)
