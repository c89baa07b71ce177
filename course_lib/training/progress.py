"""How far a training run has come: all that a resumed one has to know besides the weights."""

import math
from dataclasses import dataclass, field
from typing import Any

from course_lib.errors import CourseError
from course_lib.parse import fill
from course_lib.training.history import History, Record, with_records


@dataclass
class Progress:
    """Where a run stands.

    Attributes:
        step: updates made.
        epoch: the epoch that the next batch is from.
        batch: the number of that batch in it.
        seconds: time spent.
        nats: training loss since the last record, summed.
        tokens: the tokens that it was summed over.
        norms: gradient norms since the last record, summed.
        steps: the steps that they were summed over.
        recorded: step of the last record.
        best_step: step of the best score.
        best_score: that score.
        stale: validations since then.
        stopped: why the run is over, None while it may go on.
        records: the history.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    seconds: float = 0.0
    nats: float = 0.0
    tokens: int = 0
    norms: float = 0.0
    steps: int = 0
    recorded: int = 0
    best_step: int | None = None
    best_score: float | None = None
    stale: int = 0
    stopped: str | None = None
    records: list[Record] = field(default_factory=list)

    @classmethod
    def from_dict(cls, values: Any) -> "Progress":
        """The reverse of `dataclasses.asdict`. Raises ValueError for anything else."""
        return fill(cls, with_records(values, list))

    @property
    def train_loss(self) -> float:
        """Nats per token since the last record."""
        return self.nats / self.tokens if self.tokens else math.nan

    def count(self, batches_of_epoch: int) -> None:
        """Moves on by one batch."""
        self.batch += 1
        if self.batch == batches_of_epoch:
            self.epoch, self.batch = self.epoch + 1, 0

    def add(self, record: Record) -> bool:
        """Appends a record and begins the next interval. True if its score is the best so far."""
        self.records.append(record)
        self.recorded = self.step
        self.nats, self.tokens, self.norms, self.steps = 0.0, 0, 0.0, 0
        if record.score is None:
            return False
        better = self.best_score is None or record.score > self.best_score
        if better:
            self.best_step, self.best_score, self.stale = self.step, record.score, 0
        else:
            self.stale += 1
        return better

    def history(self, stopped: str) -> History:
        """The history so far."""
        return History(
            tuple(self.records), self.step, self.seconds, self.best_step, self.best_score, stopped
        )


def require_finite(number: float, what: str, step: int) -> float:
    """Gives the number back, or raises CourseError if it is infinite or NaN."""
    if math.isfinite(number):
        return number
    raise CourseError(
        f"the {what} is {number} at step {step}; lower the learning rate, or clip the gradient "
        "with a smaller clip_norm"
    )
