"""A moving average of the weights over the last updates, kept while a model trains."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from course_lib.training.checkpoint import weights_of


class MovingAverage:
    """An exponential moving average of a model's weights (Polyak & Juditsky 1992).

        w̄ ← β w̄ + (1 - β) w        after each update

    It covers about the last 1 / (1 - decay) updates. β is (1 + t) / (10 + t) at step t until that
    reaches the decay, so the random first weights are soon forgotten. `weights` is the average, by
    the names of `weights_of`; the model must keep the same tensors.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self.decay = decay
        self._own = {
            name: tensor for name, tensor in weights_of(model).items() if tensor.is_floating_point()
        }
        self.weights = {name: tensor.detach().clone() for name, tensor in self._own.items()}

    def update(self, step: int) -> None:
        """Add the weights after update number `step`, counted from 1, to the average."""
        beta = min(self.decay, (1 + step) / (10 + step))
        own = [tensor.detach() for tensor in self._own.values()]
        torch._foreach_lerp_(list(self.weights.values()), own, 1 - beta)

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Give the model the averaged weights within this context, and its own again afterwards."""
        own = {name: tensor.detach().clone() for name, tensor in self._own.items()}
        self._copy_in(self.weights)
        try:
            yield
        finally:
            self._copy_in(own)

    def _copy_in(self, weights: Mapping[str, Tensor]) -> None:
        # Copied, not exchanged: PyTorch's recurrent layers remember where their weights are.
        with torch.no_grad():
            for name, tensor in self._own.items():
                tensor.copy_(weights[name])
