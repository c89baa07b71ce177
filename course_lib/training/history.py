"""What is measured while a model is trained, and how far the training has come."""

import math
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Record:
    """One line of the history, written at each validation.

    Attributes:
        epoch: passes over the training data so far, with a fraction.
        seconds: training time so far, over all resumptions together.
        train_loss: nats per token since the previous record, with dropout and label smoothing on.
        valid_loss: the same on the validation batches, without smoothing or dropout.
        metric: by which the best weights are chosen; higher is better.
        learning_rate: of the last step.
        gradient_norm: before clipping, averaged over the steps since the previous record.
    """

    step: int
    epoch: float
    seconds: float
    train_loss: float
    valid_loss: float | None
    metric: float | None
    learning_rate: float
    gradient_norm: float


@dataclass(frozen=True)
class History:
    """The records of a run and how it ended.

    Attributes:
        steps: updates made in all.
        seconds: training time in all, over all resumptions together.
        best_step: where the metric was highest; None if nothing was validated.
        stopped: why the run ended: "finished" (all steps made), "patience" (no better metric for
            long), "time" (max_minutes) or "interrupted" (Ctrl-C). After the last two the run can be
            resumed.
    """

    records: tuple[Record, ...]
    steps: int
    seconds: float
    best_step: int | None
    best_metric: float | None
    stopped: str

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended the run."""
        return self.stopped == "interrupted"

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "History":
        """The reverse of `dataclasses.asdict`; raise KeyError or TypeError for anything else."""
        records = tuple(Record(**record) for record in values["records"])
        return cls(**{**values, "records": records})


@dataclass
class Progress:
    """How far a run has come: all that resuming needs besides the weights and the optimizer.

    Attributes:
        epoch: the epoch of the next batch, whose number within it is `batch`.
        nats, tokens: training loss since the last record, summed over so many tokens.
        norms, steps: gradient norms since the last record, summed over so many steps.
        stale: validations since the best metric.
        stopped: why the run is over, None while it may go on.
    """

    step: int = 0
    epoch: int = 0
    batch: int = 0
    seconds: float = 0.0
    nats: float = 0.0
    tokens: int = 0
    norms: float = 0.0
    steps: int = 0
    best_step: int | None = None
    best_metric: float | None = None
    stale: int = 0
    stopped: str | None = None
    records: list[Record] = field(default_factory=list)

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Progress":
        """The reverse of `dataclasses.asdict`; raise KeyError or TypeError for anything else."""
        return cls(**{**values, "records": [Record(**record) for record in values["records"]]})

    @property
    def train_loss(self) -> float:
        """Nats per token since the last record."""
        return self.nats / self.tokens if self.tokens else math.nan

    def add(self, record: Record) -> bool:
        """Append a record and begin the next interval; return whether its metric is the best."""
        self.records.append(record)
        self.nats, self.tokens, self.norms, self.steps = 0.0, 0, 0.0, 0
        if record.metric is None:
            return False
        better = self.best_metric is None or record.metric > self.best_metric
        if better:
            self.best_step, self.best_metric, self.stale = self.step, record.metric, 0
        else:
            self.stale += 1
        return better

    def history(self, stopped: str) -> History:
        """The history so far."""
        return History(
            tuple(self.records), self.step, self.seconds, self.best_step, self.best_metric, stopped
        )
