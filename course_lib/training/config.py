"""What a training run is asked to do, as it stands in config.json."""

import math
from dataclasses import asdict, dataclass, fields
from typing import Any

from course_lib.errors import CourseError
from course_lib.training.schedule import SCHEDULES

# Neither changes the weights at a given step, so a resumed run may have others.
FREE_TO_CHANGE = frozenset({"max_minutes", "checkpoint_every"})

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
        steps: how many updates; give this or `epochs`.
        epochs: how many passes over the training data.
        learning_rate: the highest one; `schedule` says how it moves.
        schedule: a key of `course_lib.training.schedule.SCHEDULES`.
        warmup: steps over which the learning rate rises to its peak.
        label_smoothing: probability taken from the true token and spread over all.
        clip_norm: the gradient is scaled down to this norm; None leaves it alone.
        weight_decay: decoupled decay of matrices (AdamW); vectors such as biases have none.
        betas: Adam's decay rates of the gradient's mean and of its square.
        epsilon: Adam's small constant.
        patience: stop after so many validations in a row without a better score; None never.
        enough: stop at the first validation with this score or a higher one; None never.
        validate_every: steps between validations; None validates after each epoch.
        checkpoint_every: steps between checkpoints, in addition to one at each validation.
        seed: of the dropout; the order of the batches has its own in `Batches`.
        max_minutes: stop when the training has taken so long, over all resumptions together.
            How far a run comes in that time depends on the machine, so the result does too.
        average: decay of a moving average of the weights (`average.Averaged`), from 0 to below 1.
            The averaged weights are then validated, scored and kept; the updates go on from the
            weights themselves. None averages nothing.
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

    def __post_init__(self) -> None:
        if (self.steps is None) == (self.epochs is None):
            raise CourseError(
                f"say either steps or epochs, got steps={self.steps} and epochs={self.epochs}"
            )
        for name in ("steps", "epochs", "patience", "validate_every", "checkpoint_every"):
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
                f"unknown schedule {self.schedule!r}; choose one of {', '.join(SCHEDULES)}"
            )

    def to_dict(self) -> dict[str, Any]:
        """The settings as JSON knows them."""
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
                f"training has no setting {', '.join(unknown)}; it has {', '.join(known)}"
            )
        values = dict(values)
        try:
            for name in _FLOATS & set(values):
                # JSON writers may leave out the ".0".
                values[name] = None if values[name] is None else float(values[name])
            if "betas" in values:
                first, second = values["betas"]
                values["betas"] = (float(first), float(second))
            return cls(**values)
        except (TypeError, ValueError) as error:
            raise CourseError(f"a training setting has a wrong value: {error}") from None


def _check_count(name: str, value: int | None, low: int) -> None:
    """A whole number. `True` is none, though Python counts with it."""
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise CourseError(f"{name} must be a whole number, got {value!r}")
    _check(name, value, low, math.inf)


def _check(
    name: str,
    value: int | float | None,
    low: int | float,
    high: int | float,
    open_low: bool = False,
) -> None:
    """Low bound included unless `open_low`, high bound never; NaN is out of every range."""
    if value is None:
        return
    if not ((value > low if open_low else value >= low) and value < high):
        least = "more than" if open_low else "at least"
        most = "" if high == math.inf else f" and below {high:g}"
        raise CourseError(f"{name} must be {least} {low:g}{most}, got {value:g}")


def first_difference(there: dict[str, Any], asked: dict[str, Any]) -> str | None:
    """The first setting in which two flat configurations differ, in words, or None."""
    for name in [*asked, *(name for name in there if name not in asked)]:
        if name in FREE_TO_CHANGE:
            continue
        old, new = there.get(name), asked.get(name)
        if old != new:
            return f"{name} is {old!r} there, {new!r} was asked for"
    return None
