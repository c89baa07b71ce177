"""Several processes that train one model together, started by torchrun.

Every process holds the whole model, runs through the same batches, and takes every n-th row of
each. The gradients are summed over the processes and divided by the number of tokens in all of
them, so all processes make the update that one process would make with the whole batch: a mean of
the processes' means would weigh the tokens of short sentences more. The first process validates,
speaks and saves. Outside such a group, a process is the first of one, and nothing here does
anything.

This is `DistributedDataParallel` without its overlap of computing and sending (Li et al. 2020,
arXiv:2006.15704, section 3.2), which a model of a few million weights does not need.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import torch
import torch.distributed as dist
from torch import Tensor

from course_lib.errors import CourseError

Value = TypeVar("Value")

_SET_BY_TORCHRUN = ("RANK", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT")


@contextmanager
def joined(device: torch.device) -> Iterator[None]:
    """Within this context the processes that torchrun started are one group.

    They speak over gloo, and about tensors on GPUs over NCCL. Each process takes the GPU of its
    own number. Without torchrun, or with one process, nothing happens.

    Args:
        device: "cpu" or "cuda", the same in every process.

    Raises:
        CourseError: WORLD_SIZE is set, but not by torchrun; the device cannot be shared; there are
            fewer GPUs than processes; or the others cannot be reached.
    """
    if (number := os.environ.get("WORLD_SIZE") or "1") == "1":
        yield
        return
    if missing := [name for name in _SET_BY_TORCHRUN if name not in os.environ]:
        raise CourseError(
            f"want all that torchrun sets, for WORLD_SIZE is {number}; got no "
            f"{', '.join(missing)}; start several processes with torchrun, or unset WORLD_SIZE"
        )
    if device.type not in ("cpu", "cuda"):
        raise CourseError(f"want cpu or cuda for several processes; got {device.type}")
    if device.type == "cuda":
        place, gpus = int(os.environ["LOCAL_RANK"]), torch.cuda.device_count()
        if place >= gpus:
            raise CourseError(f"want a GPU for each process; got {gpus}; lower --nproc-per-node")
        torch.cuda.set_device(place)
    with _speaking():
        dist.init_process_group("cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo")
    try:
        yield
    finally:
        dist.destroy_process_group()


def size() -> int:
    """The number of processes that train together."""
    return dist.get_world_size() if dist.is_available() and dist.is_initialized() else 1


def rank() -> int:
    """The number of this process, counted from 0."""
    return dist.get_rank() if size() > 1 else 0


def is_first() -> bool:
    """Whether this process is the one that validates, speaks and saves."""
    return rank() == 0


def own_rows(batch: Any) -> Any:
    """The rows of a batch on which this process trains; None if the batch has too few.

    Args:
        batch: of one process anything; of several a tensor or a record that has a length and takes
            a slice, as every batch of `course_lib.data` does.
    """
    if size() == 1:
        return batch
    return batch[rank() :: size()] if len(batch) > rank() else None


def sums(*numbers: int | float) -> list[float]:
    """Each number summed over the processes, exactly for whole numbers below 2^53."""
    if size() == 1:
        return [float(number) for number in numbers]
    together = torch.tensor(numbers, dtype=torch.float64)
    with _speaking():
        dist.all_reduce(together)
    return together.tolist()


def add_up(tensors: Sequence[Tensor]) -> None:
    """Replaces every tensor by its sum over the processes; all go in one message."""
    if size() == 1:
        return
    flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
    with _speaking():
        dist.all_reduce(flat)
    parts = flat.split([tensor.numel() for tensor in tensors])
    for tensor, part in zip(tensors, parts, strict=True):
        tensor.copy_(part.view_as(tensor))


def anyone(flag: bool) -> bool:
    """Whether the flag is True in any process."""
    return sums(flag)[0] > 0


def from_first(value: Value) -> Value:
    """The first process's value, in every process."""
    if size() == 1:
        return value
    held = [value]
    with _speaking():
        dist.broadcast_object_list(held, src=0, device=torch.device("cpu"))
    return held[0]


def begin_alike(weights: Sequence[Tensor], data: dict[str, Any]) -> None:
    """Gives every process the first one's weights, once all say that they have the same data.

    Args:
        weights: the model's own tensors.
        data: what tells the batches of one source from those of another.

    Raises:
        ValueError: a process was given other batches, perhaps its share alone.
    """
    if anyone(from_first(data) != data):
        raise ValueError(
            "want the same batches in every process, each of which takes its own rows of them; got "
            "others in some"
        )
    if size() > 1:
        with _speaking(), torch.no_grad():
            for tensor in weights:
                dist.broadcast(tensor.data, src=0)


@contextmanager
def _speaking() -> Iterator[None]:
    """One line in place of what the network says when a process is gone."""
    try:
        yield
    except RuntimeError as error:
        raise CourseError(
            "another process of this training has ended or cannot be reached; start all of them "
            "again with the same command and --resume"
        ) from error
