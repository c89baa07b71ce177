"""The settings of a training run, as in config.json, and its learning-rate schedules.

A schedule is a function from the step number to a factor of the learning rate. Steps count from 1,
as in the papers: step 1 makes the first update.
"""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from course_lib.data.batch_source import BatchSource
from course_lib.errors import CourseError

FREE_TO_CHANGE = frozenset({"max_minutes", "checkpoint_every"})
"""Settings that change no weight at a given step, so a resumed run may have other values."""

PRECISIONS = ("float32", "bf16")


@dataclass(frozen=True)
class FitConfig:
    """The settings of `fit`; CourseError for an impossible value.

    Attributes:
        steps: how many updates; give either this or `epochs`.
        epochs: how many passes over the training data.
        learning_rate: the peak; `schedule`, a key of `SCHEDULES`, says how it moves.
        warmup: steps over which the learning rate rises to its peak.
        label_smoothing: probability taken from the true token and spread over all tokens.
        clip_norm: the gradient is scaled down to this norm; None leaves it alone.
        weight_decay: decoupled decay of matrices (AdamW); vectors such as biases have none.
        betas, epsilon: Adam's.
        patience: stop after this many validations in a row without a better metric; None never.
        validate_every: steps between validations; None validates after each epoch.
        checkpoint_every: steps between checkpoints, in addition to one at each validation.
        seed: of the dropout; the order of the batches has a seed of its own in `Batches`.
        max_minutes: stop when the training has taken this long, over all resumptions together.
        average: decay of a `MovingAverage` of the weights, which is then validated and kept; the
            updates continue from the weights themselves. None averages nothing.
        accumulate: how many batches make one update, as if they were one large batch. The last
            update of an epoch may have fewer.
        precision: "float32", or "bf16": the model then multiplies in bfloat16 (autocast), while
            weights, moments and loss stay in float32. Validation is always in float32.
    """

    steps: int | None = None
    epochs: int | None = None
    learning_rate: float = 1e-3
    schedule: str = "constant"
    warmup: int = 0
    label_smoothing: float = 0.0
    clip_norm: float | None = 1.0
    weight_decay: float = 0.0
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    patience: int | None = None
    validate_every: int | None = None
    checkpoint_every: int | None = None
    seed: int = 0
    max_minutes: float | None = None
    average: float | None = None
    accumulate: int = 1
    precision: str = "float32"

    def __post_init__(self) -> None:
        if (self.steps is None) == (self.epochs is None):
            raise CourseError(
                f"want either steps or epochs; got steps={self.steps} and epochs={self.epochs}"
            )
        counts = ("steps", "epochs", "patience", "validate_every", "checkpoint_every", "accumulate")
        for name in (*counts, "warmup"):
            value, least = getattr(self, name), int(name in counts)
            # type(True) is bool: True is no number here, although Python counts it as 1.
            if value is not None and (type(value) is not int or value < least):
                raise CourseError(f"want {name}, a whole number from {least} on; got {value!r}")
        for name in ("learning_rate", "clip_norm", "max_minutes"):
            value = getattr(self, name)
            if value is not None and not 0 < value < math.inf:
                raise CourseError(f"want {name} above 0; got {value!r}")
        if not 0 <= self.weight_decay < math.inf:
            raise CourseError(f"want weight_decay from 0 on; got {self.weight_decay!r}")
        shares = {"label_smoothing": self.label_smoothing, "average": self.average or 0.0}
        for name, value in [*shares.items(), *(("betas", beta) for beta in self.betas)]:
            if not 0 <= value < 1:
                raise CourseError(f"want {name} from 0 to below 1; got {value!r}")
        for name, values in (("schedule", tuple(SCHEDULES)), ("precision", PRECISIONS)):
            if getattr(self, name) not in values:
                raise CourseError(f"want {name} out of {values}; got {getattr(self, name)!r}")

    def total_steps(self, source: BatchSource) -> int:
        """The updates of the whole run on these batches."""
        if self.steps is not None:
            return self.steps
        return sum(math.ceil(source.len_epoch(n) / self.accumulate) for n in range(self.epochs))

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON can hold them."""
        return {**asdict(self), "betas": list(self.betas)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "FitConfig":
        """The reverse of `to_dict`."""
        return cls(**{**values, "betas": tuple(values["betas"])})


def first_difference(there: dict[str, Any], here: dict[str, Any]) -> str | None:
    """The first setting in which two flat configurations differ, in words; None if they agree."""
    for name in [*here, *(name for name in there if name not in here)]:
        if name not in FREE_TO_CHANGE and there.get(name) != here.get(name):
            return f"{name} is {there.get(name)!r} there, {here.get(name)!r} was asked for"
    return None


def constant(step: int, warmup: int = 0, total: int | None = None) -> float:
    """1, after a linear rise over `warmup` steps."""
    return min(1.0, step / warmup) if warmup else 1.0


def warmup_inverse_sqrt(step: int, warmup: int, total: int | None = None) -> float:
    """A linear rise, then a fall with the square root of the step.

    This is equation 3 of Vaswani et al. 2017, divided by its highest value; see `paper_peak`.
    """
    return min(step / warmup, math.sqrt(warmup / step))


def cosine_decay(step: int, warmup: int, total: int) -> float:
    """A linear rise over `warmup` steps, then half a cosine down towards zero.

    This is equation 5 of Loshchilov & Hutter 2017 (arXiv:1608.03983), without restarts, with a
    minimum of zero, which would be reached one step after the last.
    """
    if step <= warmup:
        return step / warmup
    share = min(1.0, (step - 1 - warmup) / (total - warmup))  # zero after the last step too
    return 0.5 * (1.0 + math.cos(math.pi * share))


SCHEDULES: dict[str, Callable[[int, int, int], float]] = {
    "constant": constant,
    "warmup_inverse_sqrt": warmup_inverse_sqrt,
    "cosine": cosine_decay,
}
"""From the name in a configuration to a function of (step, warmup, total)."""


def paper_peak(width: int, warmup: int) -> float:
    """The highest learning rate of Vaswani et al. 2017, equation 3, for a model of that width."""
    return (width * warmup) ** -0.5


def learning_rate_factor(name: str, warmup: int, total: int) -> Callable[[int], float]:
    """The schedule of that name as a function of the step; CourseError if the warmup cannot be."""
    if name == "warmup_inverse_sqrt" and warmup < 1:
        raise CourseError(f"want a warmup of at least one step for {name}; got {warmup}")
    if name == "cosine" and warmup >= total:
        raise CourseError(f"want a warmup shorter than the {total} steps of the run; got {warmup}")
    return lambda step: SCHEDULES[name](step, warmup, total)
