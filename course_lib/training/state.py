"""What a training run keeps on disk while it goes on, and how another takes it up."""

import json
import zlib
from collections.abc import Iterator, Sized
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from course_lib.atomic import atomic_write
from course_lib.errors import CourseError
from course_lib.models.protocol import unwrapped
from course_lib.training.average import Averaged
from course_lib.training.config import FitConfig, first_difference
from course_lib.training.feed import Feed
from course_lib.training.folder import BEST, HISTORY, LAST, refuse_to_overwrite
from course_lib.training.history import History
from course_lib.training.objective import Objective, name_of
from course_lib.training.progress import Progress
from course_lib.training.tensors import (
    WEIGHTS,
    all_finite,
    load_weights,
    read_tensors,
    weights_of,
    write_tensors,
)

_OPTIMIZER = "optimizer/"
_BEST = "best/"
_AVERAGE = "average/"


@dataclass
class RunFiles:
    """The files that a training run writes and resumes from.

    Attributes:
        directory: the run's folder.
        identity: what a run must have in common with another to go on from its checkpoint:
            flat dictionaries under the names of their subjects.
        saved: step of the checkpoint on disk; None if there is none.
    """

    directory: Path
    identity: dict[str, dict[str, Any]]
    saved: int | None = None

    def claim(self, resume: bool) -> None:
        """Makes sure that this run may write into the folder, which must be locked for it.

        Raises:
            CourseError: the folder holds a run and this is not to resume it.
        """
        if not resume:
            refuse_to_overwrite(self.directory)

    def save_last(
        self,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        best: dict[str, Tensor] | None,
        progress: Progress,
        average: Averaged | None = None,
    ) -> None:
        """Writes the one file that resumption needs.

        Raises:
            CourseError: a weight is not finite, or the file cannot be written. The checkpoint
                before stays as it was.
        """
        weights = weights_of(model)
        if not all_finite(weights):
            raise CourseError(
                f"a weight is infinite or NaN after step {progress.step}; lower the learning rate"
            )
        tensors = {WEIGHTS + name: tensor for name, tensor in weights.items()}
        tensors |= {_BEST + name: tensor for name, tensor in (best or {}).items()}
        if average is not None:
            tensors |= {_AVERAGE + name: tensor for name, tensor in average.weights.items()}
        for index, parts in optimizer.state_dict()["state"].items():
            tensors |= {f"{_OPTIMIZER}{index}/{part}": tensor for part, tensor in parts.items()}
        write_tensors(
            self.directory / LAST,
            tensors,
            {"identity": self.identity, "progress": asdict(progress)},
        )
        self.saved = progress.step

    def load_last(
        self, model: nn.Module, optimizer: torch.optim.Optimizer, average: Averaged | None = None
    ) -> tuple[Progress, dict[str, Tensor] | None] | None:
        """Puts a model, its optimizer and its average back where the checkpoint was written.

        Returns:
            the progress and the best weights there, or None where there is no checkpoint.

        Raises:
            CourseError: the checkpoint is of another run (the message names the first setting
                that differs), of another model, or broken.
        """
        path = self.directory / LAST
        if not path.exists():
            # Weights without a checkpoint are not ours to write over.
            refuse_to_overwrite(self.directory)
            return None
        tensors, record = read_tensors(path)
        try:
            progress = Progress.from_dict(record["progress"])
            there = {name: dict(record["identity"][name]) for name in self.identity}
            state = _optimizer_state(tensors)
        except (KeyError, TypeError, ValueError) as error:
            raise CourseError(f"{path} holds no training to resume; delete it") from error
        for name, asked in self.identity.items():
            if difference := first_difference(there[name], asked):
                raise CourseError(
                    f"{self.directory} holds another run ({name}): {difference}; ask for the "
                    "same, or choose another folder"
                )
        load_weights(model, _under(WEIGHTS, tensors), path)
        if average is not None:
            average.load(_under(_AVERAGE, tensors))
        optimizer.load_state_dict(
            {"state": state, "param_groups": optimizer.state_dict()["param_groups"]}
        )
        self.saved = progress.step
        best = _under(_BEST, tensors)
        if not best:
            return progress, None
        wanted = weights_of(model)
        return progress, {name: tensor.to(wanted[name].device) for name, tensor in best.items()}

    def save_best(self, weights: dict[str, Tensor], step: int, score: float | None) -> None:
        """Writes the weights that `load_run` reads."""
        write_tensors(self.directory / BEST, weights, {"step": step, "score": score})

    def save_history(self, history: History) -> None:
        """Writes history.json."""
        atomic_write(self.directory / HISTORY, json.dumps(history.to_dict(), indent=1) + "\n")


def identity(
    model: nn.Module, train: Feed, valid: Feed | None, config: FitConfig, objective: Objective
) -> dict[str, dict[str, Any]]:
    """What a checkpoint must have in common with the training that goes on from it."""
    model = unwrapped(model)
    settings = getattr(model, "config", None)
    kind = {"model": type(model).__name__}
    # The optimizer counts the weights that are trained; named only where it is not all of them.
    if frozen := [name for name, weight in model.named_parameters() if not weight.requires_grad]:
        kind["frozen weights"] = ", ".join(frozen)
    found = {
        "training": config.to_dict() | {"objective": name_of(objective)},
        "model": kind | (asdict(settings) if is_dataclass(settings) else {}),
        "data": {
            "number of training pairs": _number(train),
            "number of batches in the first epoch": train.len_epoch(0),
            "checksum of the first batch": _checksum(train.epoch(0)),
            "number of validation pairs": _number(valid),
            "checksum of the first validation batch": _checksum(valid.sequential())
            if valid is not None
            else None,
        },
    }
    # As it will be read back: JSON has no tuples.
    return json.loads(json.dumps(found))


def _number(feed: Feed | None) -> int | None:
    """How many examples there are; None where they are made as they are asked for."""
    return len(feed) if isinstance(feed, Sized) else None


def _checksum(batches: Iterator[Any]) -> int:
    """Of the numbers in the first batch: a tensor, or a record or tuple with tensors in it."""
    total = 0
    for tensor in _tensors(next(batches, None)):
        content = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
        total = zlib.crc32(content.numpy(), total)
    return total


def _tensors(batch: Any) -> Iterator[Tensor]:
    if isinstance(batch, Tensor):
        yield batch
    parts = [getattr(batch, field.name) for field in fields(batch)] if is_dataclass(batch) else []
    for part in batch if isinstance(batch, tuple) else parts:
        yield from _tensors(part)


def _optimizer_state(tensors: dict[str, Tensor]) -> dict[int, dict[str, Tensor]]:
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in _under(_OPTIMIZER, tensors).items():
        index, part = name.split("/")
        state.setdefault(int(index), {})[part] = tensor
    return state


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in tensors.items()
        if name.startswith(prefix)
    }
