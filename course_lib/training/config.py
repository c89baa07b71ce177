"""The settings of a training run, as in config.json, and its learning-rate schedules.

A schedule is a pure function from the step number to a factor; the learning rate of a step is the
configured one, the peak, times that factor. Steps count from 1, as in the papers: step 1 makes the
first update.
"""

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any

from course_lib.data.batch_source import BatchSource
from course_lib.errors import CourseError

# Neither setting changes the weights at a given step, so a resumed run may have other values.
FREE_TO_CHANGE = frozenset({"max_minutes", "checkpoint_every"})

PRECISIONS = ("float32", "bf16")

_LATER = {"accumulate": 1, "precision": "float32"}
"""Settings that older runs do not name, as they were then."""

_FLOATS = frozenset(
    {
        "learning_rate",
        "label_smoothing",
        "clip_norm",
        "weight_decay",
        "epsilon",
        "enough",
        "max_minutes",
        "average",
    }
)


@dataclass(frozen=True)
class FitConfig:
    """The settings of `fit`.

    Attributes:
        steps: how many updates; give either this or `epochs`.
        epochs: how many passes over the training data.
        learning_rate: the peak; `schedule` says how the learning rate moves.
        schedule: a key of `SCHEDULES`.
        warmup: steps over which the learning rate rises to its peak.
        label_smoothing: probability taken from the true token and spread over all tokens.
        clip_norm: the gradient is scaled down to this norm; None leaves it alone.
        weight_decay: decoupled decay of matrices (AdamW); vectors such as biases have none.
        betas: Adam's decay rates of the gradient's mean and of its square.
        epsilon: Adam's small constant.
        patience: stop after this many validations in a row without a better metric; None never.
        enough: stop at the first validation with this metric or a higher one; None never.
        validate_every: steps between validations; None validates after each epoch.
        checkpoint_every: steps between checkpoints, in addition to one at each validation.
        seed: of the dropout; the order of the batches has a seed of its own in `Batches`.
        max_minutes: stop when the training has taken this long, over all resumptions together.
            How far a run gets in that time depends on the machine, so the result does too.
        average: decay of a moving average of the weights (`average.Averaged`), from 0 to below 1.
            The averaged weights are then validated and kept; the updates continue from the
            weights themselves. None averages nothing.
        accumulate: how many batches make one update. Their gradients are added up and divided by
            all their tokens, as if they were one large batch. The last update of an epoch has
            fewer batches if their number cannot be divided; none crosses into the next epoch.
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
    enough: float | None = None
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
        for name in counts:
            _check_count(name, getattr(self, name), 1)
        _check_count("warmup", self.warmup, 0)
        _check("learning_rate", self.learning_rate, 0, math.inf, open_low=True)
        _check("clip_norm", self.clip_norm, 0, math.inf, open_low=True)
        _check("max_minutes", self.max_minutes, 0, math.inf, open_low=True)
        _check("epsilon", self.epsilon, 0, math.inf, open_low=True)
        _check("weight_decay", self.weight_decay, 0, math.inf)
        _check("label_smoothing", self.label_smoothing, 0, 1)
        _check("average", self.average, 0, 1)
        _check("enough", self.enough, -math.inf, math.inf)
        for beta in self.betas:
            _check("betas", beta, 0, 1)
        if self.schedule not in SCHEDULES:
            raise CourseError(
                f"want a schedule, one of {', '.join(SCHEDULES)}; got {self.schedule!r}"
            )
        if self.precision not in PRECISIONS:
            raise CourseError(
                f"want a precision, one of {', '.join(PRECISIONS)}; got {self.precision!r}"
            )

    def updates_of(self, source: BatchSource) -> int:
        """The updates of the whole run on these batches."""
        if self.steps is not None:
            return self.steps
        return sum(-(-source.len_epoch(n) // self.accumulate) for n in range(self.epochs))

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON can hold them."""
        return {**asdict(self), "betas": list(self.betas)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "FitConfig":
        """The reverse of `to_dict`.

        Raises:
            CourseError: a setting is unknown or has an impossible value.
        """
        known = [field.name for field in fields(cls)]
        if unknown := sorted(set(values) - set(known)):
            raise CourseError(
                f"want training settings among {', '.join(known)}; got {', '.join(unknown)}"
            )
        values = dict(values)
        try:
            for name in _FLOATS & set(values):
                # A JSON writer may leave out the ".0".
                values[name] = None if values[name] is None else float(values[name])
            if "betas" in values:
                first, second = values["betas"]
                values["betas"] = (float(first), float(second))
            return cls(**values)
        except (TypeError, ValueError) as error:
            raise CourseError(
                f"want training settings of the right types; got a wrong value: {error}"
            ) from None


def _check_count(name: str, value: int | None, low: int) -> None:
    """A whole number; `True` is refused, although Python counts it as 1."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise CourseError(f"want a whole number as {name}; got {value!r}")
    _check(name, value, low, math.inf)


def _check(
    name: str,
    value: int | float | None,
    low: int | float,
    high: int | float,
    open_low: bool = False,
) -> None:
    """The low bound is included unless `open_low`, the high bound never; NaN is in no range."""
    if value is None:
        return
    if not ((value > low if open_low else value >= low) and value < high):
        least = "more than" if open_low else "at least"
        most = "" if high == math.inf else f" and below {high:g}"
        raise CourseError(f"want {name} to be {least} {low:g}{most}; got {value:g}")


def first_difference(there: dict[str, Any], asked: dict[str, Any]) -> str | None:
    """The first setting in which two flat configurations differ, in words; None if they agree."""
    for name in [*asked, *(name for name in there if name not in asked)]:
        if name in FREE_TO_CHANGE:
            continue
        old, new = (found.get(name, _LATER.get(name)) for found in (there, asked))
        if old != new:
            return f"{name} is {old!r} there, {new!r} was asked for"
    return None


def constant(step: int, warmup: int = 0, total: int | None = None) -> float:
    """1, after a linear rise over `warmup` steps."""
    return min(1.0, step / warmup) if warmup else 1.0


def warmup_inverse_sqrt(step: int, warmup: int, total: int | None = None) -> float:
    """A linear rise, then a fall with the square root of the step.

    This is equation 3 of Vaswani et al. 2017, divided by its highest value, which it reaches at
    step `warmup`. `paper_peak` gives that value.
    """
    return min(step / warmup, math.sqrt(warmup / step))


def cosine_decay(step: int, warmup: int, total: int) -> float:
    """A linear rise over `warmup` steps, then half a cosine down towards zero.

    This is equation 5 of Loshchilov & Hutter 2017 (arXiv:1608.03983), without restarts and with a
    minimum of zero, which would be reached one step after the last.
    """
    if step <= warmup:
        return step / warmup
    way = min(1.0, (step - 1 - warmup) / (total - warmup))  # zero after the last step too
    return 0.5 * (1.0 + math.cos(math.pi * way))


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
    """The schedule of that name as a function of the step alone.

    Args:
        name: a key of `SCHEDULES`.
        warmup: steps of linear rise.
        total: steps of the whole training.

    Raises:
        CourseError: an unknown name, or a warmup that the schedule cannot have.
    """
    if name not in SCHEDULES:
        raise CourseError(f"want a schedule, one of {', '.join(SCHEDULES)}; got {name!r}")
    if warmup < 0:
        raise CourseError(f"want a warmup of 0 steps or more; got {warmup}")
    if name == "warmup_inverse_sqrt" and warmup < 1:
        raise CourseError(f"want a warmup of at least one step for {name}; got {warmup}")
    if name == "cosine" and warmup >= total:
        raise CourseError(f"want a warmup shorter than the {total} steps of the run; got {warmup}")
    schedule = SCHEDULES[name]
    return lambda step: schedule(step, warmup, total)
