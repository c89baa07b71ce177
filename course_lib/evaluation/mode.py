"""Looking at a model without changing it."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import nn


@contextmanager
def evaluating(model: nn.Module) -> Iterator[torch.device]:
    """Dropout off and no gradients inside; outside, every part is in the mode it was in before.

    Yields:
        the device that the model's parameters are on (the CPU for a model that has none).
    """
    modes = [(module, module.training) for module in model.modules()]
    device = next((p.device for p in model.parameters()), torch.device("cpu"))
    model.eval()
    try:
        with torch.no_grad():
            yield device
    finally:
        for module, training in modes:
            module.training = training
