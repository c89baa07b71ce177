"""Small settings for every model of the registry, and numbers that tell equations apart."""

import torch
from torch import Tensor
from torch.nn import Module


def small(
    name: str, source: int, target: int | None = None, *, embedding: int = 6, hidden: int = 8
) -> dict:
    """Vocabularies and widths; a Transformer has one width in the place of two."""
    words = {"source_vocabulary": source, "target_vocabulary": source if target is None else target}
    if name == "transformer":
        return words | {"width": hidden, "heads": 2, "layers": 2, "feed_forward": 2 * hidden}
    return words | {"embedding": embedding, "hidden": hidden}


def random(*shape: int, seed: int = 0) -> Tensor:
    """Normal numbers in double precision."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def strong(model: Module, factor: float = 0.7, seed: int = 3) -> Module:
    """In double precision, with weights so large that no two equations give nearly the same."""
    draw = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.double().eval().parameters():
            drawn = torch.randn(parameter.shape, generator=draw, dtype=torch.float64)
            parameter.copy_(factor * drawn)
    return model
