"""What `fit` reads its batches from."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol, runtime_checkable

import torch

from course_lib.device import cpu_generator, mixed_seed


@runtime_checkable
class Feed(Protocol):
    """Batches, epoch by epoch, in an order that the epoch's number decides.

    `Batches` and `Fresh` are feeds. Of a batch `fit` asks only `.to(device)`, which tensors have
    too; all else is between the feed and the objective.
    """

    def epoch(self, n: int, start: int = 0) -> Iterator[Any]:
        """The batches of epoch `n`, from batch number `start` on (to resume a run)."""

    def len_epoch(self, n: int) -> int:
        """Number of batches of epoch `n`."""

    def sequential(self) -> Iterator[Any]:
        """The same batches in the same order each time, for validation."""


class Fresh:
    """Batches that are made when they are asked for: for tasks whose examples cost nothing.

    Args:
        make: from a generator on the CPU to a batch. The generator alone decides what it is, so a
            resumed run gets the very batches that the unbroken one would have got.
        batches: how many make an epoch.
        seed: decides, with the numbers of epoch and batch, the generator. Nothing else does.

    Raises:
        ValueError: no batch in an epoch.
    """

    def __init__(
        self, make: Callable[[torch.Generator], Any], *, batches: int, seed: int = 0
    ) -> None:
        if batches < 1:
            raise ValueError(f"wanted a batch or more in an epoch, got {batches}")
        self._make, self._batches, self._seed = make, batches, seed

    def epoch(self, n: int, start: int = 0) -> Iterator[Any]:
        """The batches of epoch `n`, from batch number `start` on; no other epoch has them."""
        seed = mixed_seed(self._seed, n)
        return (
            self._make(cpu_generator(mixed_seed(seed, number)))
            for number in range(start, self._batches)
        )

    def len_epoch(self, n: int) -> int:
        """Number of batches, the same in every epoch."""
        return self._batches

    def sequential(self) -> Iterator[Any]:
        """An epoch's batches that no training sees: those of epoch -1."""
        return self.epoch(-1)
