"""What was measured while a model was trained."""

from dataclasses import asdict, dataclass
from typing import Any

from course_lib.parse import fill


@dataclass(frozen=True)
class Record:
    """One line of the history, written at each validation.

    Attributes:
        step: updates made so far.
        epoch: passes over the training data so far, with a fraction.
        seconds: time spent so far, resumed runs included.
        train_loss: nats per token since the record before, averaged over tokens (never over
            batches), with dropout and label smoothing on. What is summed, and by what it is
            counted, is the objective's choice.
        valid_loss: the same on the validation batches, without smoothing or dropout.
        score: by which the best weights are chosen; higher is better.
        learning_rate: of the last step.
        gradient_norm: before clipping, averaged over the steps since the record before.
    """

    step: int
    epoch: float
    seconds: float
    train_loss: float
    valid_loss: float | None
    score: float | None
    learning_rate: float
    gradient_norm: float


@dataclass(frozen=True)
class History:
    """The records of a run and how it ended.

    Attributes:
        records: in the order of the steps.
        steps: updates made in all.
        seconds: time spent in all, resumed runs included.
        best_step: where the score was highest; None if nothing was validated.
        best_score: the score there.
        stopped: why it ended: "finished" (all steps made), "patience" (no better score for long),
            "enough" (a score as high as was asked for), "time" (max_minutes) or "interrupted"
            (Ctrl-C). The last two can be resumed.
    """

    records: tuple[Record, ...]
    steps: int
    seconds: float
    best_step: int | None
    best_score: float | None
    stopped: str

    @property
    def interrupted(self) -> bool:
        """Whether Ctrl-C ended it."""
        return self.stopped == "interrupted"

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it."""
        return {**asdict(self), "records": [asdict(record) for record in self.records]}

    @classmethod
    def from_dict(cls, values: Any) -> "History":
        """The reverse of `to_dict`. Raises ValueError for anything else."""
        return fill(cls, with_records(values, tuple))


def with_records(values: Any, kind: type) -> Any:
    """The same dictionary with the records in it as `Record`s, in a list or a tuple.

    Raises:
        ValueError: there are none, or one of them is no record.
    """
    if not isinstance(values, dict) or not isinstance(values.get("records"), list):
        raise ValueError("wanted a dictionary with a list of records")
    return {**values, "records": kind(fill(Record, record) for record in values["records"])}
