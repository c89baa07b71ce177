"""How often a classifier is right."""

from collections.abc import Iterable
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn

from course_lib.models.protocol import evaluating
from course_lib.training.objective import logits_of


def classified(
    model: nn.Module, batches: Iterable[Any], device: torch.device | str = "cpu"
) -> tuple[Int[Tensor, " P"], Int[Tensor, " P"]]:
    """The predicted and the true label of each example; ValueError if a logit is nan."""
    predicted, labels = [], []
    with evaluating(model):
        for batch in batches:
            batch = batch.to(device)
            logits = logits_of(model(*batch.inputs))
            # The maximum of a row is nan if any logit is, and argmax would choose it.
            if logits.amax(-1).isnan().any():
                raise ValueError("want logits that are numbers; got nan: are the weights finite?")
            predicted.append(logits.argmax(-1).cpu())
            labels.append(batch.label.cpu())
    return torch.cat(predicted), torch.cat(labels)


def accuracy(model: nn.Module, batches: Iterable[Any], device: torch.device | str = "cpu") -> float:
    """The share of examples with the right label; see `classified`."""
    predicted, labels = classified(model, batches, device)
    return (predicted == labels).double().mean().item()
