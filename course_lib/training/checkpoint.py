"""Checkpoints: what a training run writes while it trains, and how another run resumes from it.

Tensors are stored in safetensors files with a JSON record beside them, never in a pickle: a pickle
runs whatever code its author put into it, a safetensors file is a table and numbers.
"""

import json
import os
import zlib
from collections.abc import Iterator, Mapping, Sized
from dataclasses import asdict, dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from course_lib.data.batch_source import BatchSource
from course_lib.errors import CourseError
from course_lib.files import atomic_write, parse_json
from course_lib.models.protocol import unwrapped
from course_lib.training.config import FitConfig, first_difference
from course_lib.training.history import History, Progress
from course_lib.training.objective import Objective, name_of

BEST = "best.safetensors"
LAST = "last.safetensors"
HISTORY = "history.json"

FORMAT = 2
"""Since format 2 the checksum covers the record too, and a run knows its tokenizers' files."""

# One key only: safetensors writes several keys in an order that changes from run to run.
_KEY = "course"

# Prefixes of the tensors in last.safetensors.
WEIGHTS = "weights/"
_OPTIMIZER = "optimizer/"
_BEST = "best/"
_AVERAGE = "average/"


def holds_run(directory: Path | str) -> bool:
    """Whether training has left weights or a history in this folder."""
    # Unlike Path.exists this does not raise for a name that no file can have.
    return any(os.path.exists(Path(directory, name)) for name in (LAST, BEST, HISTORY))


def refuse_to_overwrite(directory: Path | str) -> None:
    """Raises CourseError if the folder already holds a run."""
    if holds_run(directory):
        raise CourseError(
            f"want a folder without a run; {directory} already holds a run; resume it "
            "(resume=True, or --resume), or choose another folder"
        )


@dataclass
class Checkpoints:
    """The files that a training run writes and from which it resumes.

    Attributes:
        directory: the run's folder, locked for this run.
        identity: the settings that two runs must share if one is to resume the other's
            checkpoint: flat dictionaries under the names of their subjects.
        saved: step of the checkpoint on disk; None if there is none.
    """

    directory: Path
    identity: dict[str, dict[str, Any]]
    saved: int | None = None

    def save_last(
        self,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        progress: Progress,
        *,
        best: Mapping[str, Tensor] | None = None,
        average: Mapping[str, Tensor] | None = None,
    ) -> None:
        """Writes last.safetensors, the only file that resuming needs.

        Args:
            model: whose weights.
            optimizer: whose moments.
            progress: how far the run has come.
            best: the best weights so far.
            average: the averaged weights.

        Raises:
            CourseError: a weight is not finite, or the file cannot be written. The previous
                checkpoint stays as it was.
        """
        weights = weights_of(model)
        if not all_finite(weights):
            raise CourseError(
                f"want finite weights; got a weight that is infinite or NaN after step "
                f"{progress.step}; lower the learning rate"
            )
        tensors = {WEIGHTS + name: tensor for name, tensor in weights.items()}
        tensors |= {_BEST + name: tensor for name, tensor in (best or {}).items()}
        tensors |= {_AVERAGE + name: tensor for name, tensor in (average or {}).items()}
        for index, parts in optimizer.state_dict()["state"].items():
            tensors |= {f"{_OPTIMIZER}{index}/{part}": tensor for part, tensor in parts.items()}
        record = {"identity": self.identity, "progress": asdict(progress)}
        write_tensors(self.directory / LAST, tensors, record)
        self.saved = progress.step

    def load_last(
        self,
        model: nn.Module,
        optimizer: torch.optim.Optimizer,
        average: Mapping[str, Tensor] | None = None,
    ) -> tuple[Progress, dict[str, Tensor] | None] | None:
        """Copies a checkpoint into a model, its optimizer and its averaged weights.

        Returns:
            the progress and the best weights of the checkpoint, or None if there is no checkpoint.

        Raises:
            CourseError: the checkpoint is of another run (the message names the first setting
                that differs), of another model, or damaged; or the folder holds weights without
                a checkpoint.
        """
        path = self.directory / LAST
        if not path.exists():
            if holds_run(self.directory):
                # Weights without a checkpoint are not ours to overwrite.
                raise CourseError(
                    f"want the checkpoint {path} to go on from; {self.directory} holds a run, but "
                    "not its checkpoint; restore a copy, or train anew in another folder"
                )
            return None
        tensors, record = read_tensors(path)
        try:
            progress = Progress.from_dict(record["progress"])
            there = {name: dict(record["identity"][name]) for name in self.identity}
            moments = _moments(tensors)
        except (KeyError, TypeError, ValueError) as error:
            raise CourseError(
                f"want a checkpoint of a training run; {path} holds no training to resume; delete "
                "it"
            ) from error
        for name, asked in self.identity.items():
            if difference := first_difference(there[name], asked):
                raise CourseError(
                    f"want the run that {self.directory} holds; got another run ({name}): "
                    f"{difference}; ask for the same, or choose another folder"
                )
        load_weights(model, under(WEIGHTS, tensors), path)
        for name, tensor in (average or {}).items():
            tensor.copy_(tensors[_AVERAGE + name])
        optimizer.load_state_dict(
            {"state": moments, "param_groups": optimizer.state_dict()["param_groups"]}
        )
        self.saved = progress.step
        devices = {name: weight.device for name, weight in weights_of(model).items()}
        best = {name: t.to(devices[name]) for name, t in under(_BEST, tensors).items()}
        return progress, best or None

    def save_best(self, weights: Mapping[str, Tensor], step: int, metric: float | None) -> None:
        """Writes best.safetensors, the weights that `load_run` reads."""
        write_tensors(self.directory / BEST, weights, {"step": step, "metric": metric})

    def save_history(self, history: History) -> None:
        """Writes history.json."""
        atomic_write(self.directory / HISTORY, json.dumps(history.to_dict(), indent=1) + "\n")


def _moments(tensors: Mapping[str, Tensor]) -> dict[int, dict[str, Tensor]]:
    """The optimizer's state by the number of the parameter."""
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in under(_OPTIMIZER, tensors).items():
        index, part = name.split("/")
        state.setdefault(int(index), {})[part] = tensor
    return state


def under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose names begin with the prefix, under their names without it."""
    return {k.removeprefix(prefix): tensor for k, tensor in tensors.items() if k.startswith(prefix)}


def identity(
    model: nn.Module,
    train: BatchSource,
    valid: BatchSource | None,
    config: FitConfig,
    objective: Objective,
) -> dict[str, dict[str, Any]]:
    """What a checkpoint must have in common with the run that resumes from it."""
    model = unwrapped(model)
    settings = getattr(model, "config", None)
    kind = {"model": type(model).__name__}
    # The optimizer counts the weights that are trained; they are named only if some are frozen.
    if frozen := [name for name, weight in model.named_parameters() if not weight.requires_grad]:
        kind["frozen weights"] = ", ".join(frozen)
    found = {
        "training": config.to_dict() | {"objective": name_of(objective)},
        "model": kind | (asdict(settings) if is_dataclass(settings) else {}),
        "data": {
            "number of training pairs": _number(train),
            "number of batches in the first epoch": train.len_epoch(0),
            "checksum of the first batch": _batch_checksum(train.epoch(0)),
            "number of validation pairs": _number(valid),
            "checksum of the first validation batch": _batch_checksum(valid.sequential())
            if valid is not None
            else None,
        },
    }
    # As it will be read back: JSON has no tuples.
    return json.loads(json.dumps(found))


def _number(source: BatchSource | None) -> int | None:
    """The number of examples; None where they are generated."""
    return len(source) if isinstance(source, Sized) else None


def _batch_checksum(batches: Iterator[Any]) -> int:
    """Checksum of the first batch: of a tensor, or of a record or tuple with tensors in it."""
    total = 0
    for tensor in _tensors_in(next(batches, None)):
        content = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8)
        total = zlib.crc32(content.numpy(), total)
    return total


def _tensors_in(batch: Any) -> Iterator[Tensor]:
    if isinstance(batch, Tensor):
        yield batch
    parts = [getattr(batch, field.name) for field in fields(batch)] if is_dataclass(batch) else []
    for part in batch if isinstance(batch, tuple) else parts:
        yield from _tensors_in(part)


def write_tensors(path: Path | str, tensors: Mapping[str, Tensor], record: dict[str, Any]) -> None:
    """Writes tensors and their record to a file, whole or not at all.

    The same tensors and record give the same bytes.

    Raises:
        CourseError: the file cannot be written; a file that was there before is unchanged.
    """
    on_cpu = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    record = json.loads(json.dumps(record, allow_nan=False))
    header = {"format": FORMAT, "checksum": _checksum(on_cpu, record), "record": record}
    # Not safetensors' own save_file: it makes the file unreadable for other users, and leaves a
    # half-written file under a name of its own if the process is killed.
    atomic_write(path, save(on_cpu, metadata={_KEY: json.dumps(header)}))


def read_tensors(path: Path | str) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Reads what `write_tensors` wrote, to the CPU.

    Raises:
        CourseError: the file is missing, truncated, changed, of another kind or of a newer format.
    """
    path = Path(path)
    try:
        with safe_open(path, framework="pt", device="cpu") as file:
            header = parse_json((file.metadata() or {}).get(_KEY, "null"))
            # Copied out of the mapped file into memory with torch's own alignment, on which the
            # rounding of matrix products may depend.
            tensors = {name: file.get_tensor(name).clone() for name in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise CourseError(f"want a file that training wrote; there is no {path}") from None
    except OSError as error:
        raise CourseError(f"cannot read {path}: {error}") from error
    except (SafetensorError, ValueError) as error:
        raise CourseError(
            f"want a whole safetensors file; {path} is truncated or no safetensors file "
            f"({str(error).splitlines()[0]}); delete it and train again, or restore a copy"
        ) from error
    if not isinstance(header, dict) or "format" not in header:
        raise CourseError(
            f"want a file that this course wrote; {path} was not written by this course"
        )
    require_format(path, header["format"])
    record = header.get("record")
    covered = record if header["format"] > 1 else None
    if not isinstance(record, dict) or header.get("checksum") != _checksum(tensors, covered):
        raise CourseError(
            f"want a file that matches its checksum; {path} is damaged; delete it and train "
            "again, or restore a copy"
        )
    return tensors, record


def require_format(path: Path | str, number: object) -> None:
    """Raises CourseError unless this version of the course can read the format."""
    if type(number) is not int or number < 1:
        raise CourseError(f"want a format up to {FORMAT} in {path}; got {number!r}")
    if number > FORMAT:
        raise CourseError(
            f"want a format up to {FORMAT} in {path}; got format {number}; install a newer "
            "course_lib"
        )


def weights_of(model: nn.Module) -> dict[str, Tensor]:
    """A model's parameters and persistent buffers, each once, under its first name.

    Tied weights appear in `state_dict` under several names. The tensors are the model's own, not
    copies. A wrapper around the model, or a part that was compiled on its own, changes no name.
    """
    seen: set[int] = set()
    weights = {}
    for name, tensor in unwrapped(model).state_dict(keep_vars=True).items():
        if id(tensor) not in seen:
            seen.add(id(tensor))
            weights[name.replace("._orig_mod.", ".")] = tensor
    return weights


def load_weights(model: nn.Module, tensors: Mapping[str, Tensor], origin: Path | str) -> None:
    """Copies weights into a model, all or none.

    Args:
        model: stays on its device.
        tensors: as `weights_of` of an equal model.
        origin: where they came from, for the message.

    Raises:
        CourseError: names, shapes or types do not fit the model.
    """
    require_fit(model, tensors, origin)
    with torch.no_grad():
        for name, tensor in weights_of(model).items():
            tensor.copy_(tensors[name])


def require_fit(model: nn.Module, tensors: Mapping[str, Tensor], origin: Path | str) -> None:
    """Raises CourseError unless names, shapes and types are those of `weights_of(model)`."""
    wanted = weights_of(model)
    for name in [*wanted, *tensors]:
        there = _describe(tensors.get(name))
        here = _describe(wanted.get(name))
        if there != here:
            raise CourseError(
                f"want weights that fit this model; {origin} does not fit this model: {name} is "
                f"{there} in the file and {here} in the model; build the model with the settings "
                "that it was trained with"
            )


def all_finite(tensors: Mapping[str, Tensor]) -> bool:
    """Whether no number in them is infinite or NaN."""
    return all(bool(torch.isfinite(tensor).all()) for tensor in tensors.values())


def _describe(tensor: Tensor | None) -> str:
    if tensor is None:
        return "missing"
    return f"{str(tensor.dtype).removeprefix('torch.')} of shape {tuple(tensor.shape)}"


def _checksum(tensors: Mapping[str, Tensor], record: dict[str, Any] | None) -> int:
    total = 0 if record is None else zlib.crc32(json.dumps(record, sort_keys=True).encode())
    for name in sorted(tensors):
        total = zlib.crc32(name.encode(), total)
        if tensors[name].numel():
            total = zlib.crc32(tensors[name].reshape(-1).view(torch.uint8).numpy(), total)
    return total
