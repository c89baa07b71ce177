"""How often a classifier is right."""

from collections.abc import Iterable
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor, nn

from course_lib.models.protocol import evaluating


def classified(
    model: nn.Module, batches: Iterable[Any], device: torch.device | str = "cpu"
) -> tuple[Int[Tensor, " P"], Int[Tensor, " P"]]:
    """What a model says of each pair, and what is right; dropout is off.

    Args:
        model: from the tensors of `batch.inputs` to logits (B, C).
        batches: records with `inputs` and `label`, as `classification_loss` takes them.
        device: where the model is.

    Raises:
        ValueError: there are no batches.
    """
    said, right = [], []
    with evaluating(model), torch.inference_mode():
        for batch in batches:
            batch = batch.to(device)
            said.append(model(*batch.inputs).argmax(-1).cpu())
            right.append(batch.label.cpu())
    if not said:
        raise ValueError("wanted a batch or more, got none")
    return torch.cat(said), torch.cat(right)


def accuracy(model: nn.Module, batches: Iterable[Any], device: torch.device | str = "cpu") -> float:
    """The share of pairs of which a model says what is right; see `classified`."""
    said, right = classified(model, batches, device)
    return (said == right).double().mean().item()
