"""Small settings for every model, numbers that tell equations apart, and torch's own names."""

from dataclasses import fields

import torch
from torch import Tensor
from torch.nn import Module

from course_lib.models.registry import MODELS


def small(
    name: str, source: int, target: int | None = None, *, embedding: int = 6, hidden: int = 8
) -> dict:
    """Vocabularies, and the sizes that the model's configuration has: one width, or two."""
    known = {field.name for field in fields(MODELS[name][1])}
    sizes = {"width": hidden, "heads": 2, "layers": 2, "feed_forward": 2 * hidden}
    if "hidden" in known:
        sizes = {"embedding": embedding, "hidden": hidden}
    words = {"source_vocabulary": source, "target_vocabulary": source if target is None else target}
    return words | {key: size for key, size in sizes.items() if key in known}


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


def for_torch(layer: Module) -> dict[str, Tensor]:
    """The weights of one of our encoder layers as nn.TransformerEncoderLayer names them."""
    attention = layer.self_attention
    parts = (attention.queries, attention.keys, attention.values)
    state = {
        "self_attn.in_proj_weight": torch.cat([part.weight for part in parts]),
        "self_attn.in_proj_bias": torch.cat([part.bias for part in parts]),
    }
    named = {
        "self_attn.out_proj": attention.output,
        "linear1": layer.feed_forward.inner,
        "linear2": layer.feed_forward.outer,
        "norm1": layer.around_self.norm,
        "norm2": layer.around_feed_forward.norm,
    }
    for name, part in named.items():
        state |= {f"{name}.{key}": value for key, value in part.state_dict().items()}
    return state
