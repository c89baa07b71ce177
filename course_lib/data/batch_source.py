"""Where `fit` takes its batches from: what a source of batches is, and one that generates them."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol, runtime_checkable

import torch

from course_lib.device import cpu_generator, mixed_seed


@runtime_checkable
class BatchSource(Protocol):
    """Batches, epoch by epoch, in an order that only the epoch's number decides.

    `Batches`, `LabelledBatches`, `DocumentBatches` and `GeneratedBatches` are batch sources. Of a
    batch `fit` needs only `.to(device)` and, to train in several processes, its length and slices
    of its rows. Tensors have all of these; everything else is between the source and the objective.
    """

    def epoch(self, n: int, start: int = 0) -> Iterator[Any]:
        """The batches of epoch `n`, from batch number `start` on (to resume a run)."""

    def len_epoch(self, n: int) -> int:
        """Number of batches of epoch `n`."""

    def sequential(self) -> Iterator[Any]:
        """The same batches in the same order each time, for validation."""


class GeneratedBatches:
    """Batches that are generated when they are needed: for tasks whose examples cost nothing.

    Args:
        make: from a generator on the CPU to a batch. The generator alone decides the batch, so a
            resumed run gets the same batches as an unbroken one.
        batches: number of batches in an epoch.
        seed: decides, with the numbers of epoch and batch, the generator. Nothing else does.

    Raises:
        ValueError: no batch in an epoch.
    """

    def __init__(
        self, make: Callable[[torch.Generator], Any], *, batches: int, seed: int = 0
    ) -> None:
        if batches < 1:
            raise ValueError(f"want at least one batch in an epoch; got {batches}")
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
        """Batches for validation, which training never sees: those of epoch -1."""
        return self.epoch(-1)
