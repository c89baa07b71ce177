"""The protocol of a source of batches for `fit`, and a source that generates its batches."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import torch

from course_lib.device import cpu_generator, mixed_seed


class BatchSource(Protocol):
    """Batches, epoch by epoch, in an order that only the epoch's number decides.

    `Batches`, `LabelledBatches`, `DocumentBatches`, `Windows` and `GeneratedBatches` are batch
    sources. Of a batch `fit` needs only `.to(device)` and, to train in several processes, its
    length and slices of its rows. Tensors have all of these; everything else is between the source
    and the objective.
    """

    def epoch(self, n: int, start: int = 0) -> Iterator[Any]:
        """Return the batches of epoch `n`, from batch number `start` on (to resume a run)."""

    def len_epoch(self, n: int) -> int:
        """Return the number of batches of epoch `n`."""

    def sequential(self) -> Iterator[Any]:
        """Return the batches for validation, the same ones in the same order each time."""


class GeneratedBatches:
    """Batches that are generated when they are needed: for tasks whose examples cost nothing.

    Args:
        make: from a generator on the CPU to a batch. The generator alone decides the batch, so a
            resumed run gets the same batches as an unbroken one.
        seed: decides, with the numbers of epoch and batch, the generator. Nothing else does.
    """

    def __init__(
        self, make: Callable[[torch.Generator], Any], *, batches: int, seed: int = 0
    ) -> None:
        self._make, self._batches, self._seed = make, batches, seed

    def epoch(self, n: int, start: int = 0) -> Iterator[Any]:
        """Return the batches of epoch `n`, from batch number `start` on."""
        seed = mixed_seed(self._seed, n)
        numbers = range(start, self._batches)
        return (self._make(cpu_generator(mixed_seed(seed, number))) for number in numbers)

    def len_epoch(self, n: int) -> int:
        """Return the number of batches, the same in every epoch."""
        return self._batches

    def sequential(self) -> Iterator[Any]:
        """Return batches for validation, which training never sees: those of epoch -1."""
        return self.epoch(-1)
