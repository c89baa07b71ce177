"""Several processes that train one model together, started by torchrun.

Every process holds the whole model, reads the same batches, and takes every n-th row of each. The
gradients are summed over the processes and divided by the number of tokens in all of them, so all
processes make the update that one process would make with the whole batch. The first process
validates, prints and saves. It is `DistributedDataParallel` without its overlap of computing and
sending (Li et al. 2020, arXiv:2006.15704, section 3.2).
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


@contextmanager
def process_group(device: torch.device) -> Iterator[None]:
    """Let the processes that torchrun started work as one group; without torchrun, do nothing.

    Each process takes the GPU of its own number. CourseError if the device is neither "cpu" nor
    "cuda", or there are fewer GPUs than processes.
    """
    if "TORCHELASTIC_RUN_ID" not in os.environ or os.environ.get("WORLD_SIZE") == "1":
        yield
        return
    if device.type not in ("cpu", "cuda"):
        raise CourseError(f"want cpu or cuda for several processes; got {device.type}")
    if device.type == "cuda":
        number, gpus = int(os.environ["LOCAL_RANK"]), torch.cuda.device_count()
        if number >= gpus:
            raise CourseError(f"want a GPU for each process; got {gpus}; lower --nproc-per-node")
        torch.cuda.set_device(number)
    dist.init_process_group("cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo")
    try:
        yield
    finally:
        dist.destroy_process_group()


def world_size() -> int:
    """The number of processes that train together."""
    return dist.get_world_size() if dist.is_available() and dist.is_initialized() else 1


def rank() -> int:
    """The number of this process, counted from 0; the first one validates, prints and saves."""
    return dist.get_rank() if world_size() > 1 else 0


def own_rows(batches: Sequence[Any]) -> list[Any]:
    """The rows of each batch on which this process trains; batches with too few are left out."""
    return [batch[rank() :: world_size()] for batch in batches if len(batch) > rank()]


def sum_gradients(parameters: Sequence[Tensor], total: Tensor, count: int) -> tuple[Tensor, int]:
    """Replace every gradient by its sum over the processes; return the summed loss and count."""
    used = _sum([count, *(weight.grad is not None for weight in parameters)])
    trained = [weight for weight, n in zip(parameters, used[1:], strict=True) if n]
    for weight in trained:
        if weight.grad is None:
            weight.grad = torch.zeros_like(weight)
    tensors = [*(weight.grad for weight in trained), total]
    flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
    dist.all_reduce(flat)
    for tensor, part in zip(tensors, flat.split([t.numel() for t in tensors]), strict=True):
        tensor.copy_(part.view_as(tensor))
    return total, int(used[0])


def any_process(flag: bool) -> bool:
    """Whether the flag is True in any process."""
    return flag if world_size() == 1 else _sum([flag])[0] > 0


def from_first(value: Value) -> Value:
    """The first process's value, in every process."""
    if world_size() == 1:
        return value
    values = [value]
    dist.broadcast_object_list(values, src=0, device=torch.device("cpu"))
    return values[0]


def synchronize(weights: Sequence[Tensor], first_batch: Any) -> None:
    """Give every process the weights of the first one; ValueError if their batches differ."""
    printed = repr(first_batch)
    if any_process(from_first(printed) != printed):
        raise ValueError("want the same batches in every process, which takes its rows of them")
    with torch.no_grad():
        for tensor in weights:
            dist.broadcast(tensor.data, src=0)


def _sum(numbers: Sequence[float]) -> list[float]:
    """Each number summed over the processes, exactly for whole numbers below 2^53."""
    tensor = torch.tensor(numbers, dtype=torch.float64)
    dist.all_reduce(tensor)
    return tensor.tolist()
