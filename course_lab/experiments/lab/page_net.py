"""Networks that run in pages: one safetensors file each."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import safe_open, save
from torch import Tensor

from course_lib.files import atomic_write

_TOLD = "told"
_SCALE = "/scale"
_LEVELS = 127


def save_net(path: Path, tensors: Mapping[str, Tensor], settings: Any = None) -> None:
    """Writes a network whole or not at all; numbers of single precision become half as long.

    Args:
        path: the safetensors file.
        tensors: the weights by name.
        settings: what the page must know beside them, as JSON has it.
    """
    shorter = {
        name: (tensor.half() if tensor.dtype == torch.float32 else tensor).contiguous()
        for name, tensor in tensors.items()
    }
    # One entry: of several the order in the file would be another each time.
    text = json.dumps({} if settings is None else settings, ensure_ascii=False)
    atomic_write(path, save(shorter, {_TOLD: text}))


def load_net(path: Path) -> tuple[dict[str, Tensor], Any]:
    """The weights of such a file, half precision as single, and what it tells."""
    with safe_open(path, "pt") as file:
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        settings = json.loads(file.metadata()[_TOLD])
    return {n: t.float() if t.dtype == torch.half else t for n, t in tensors.items()}, settings


def pack(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Weights rounded to int8, each row of a matrix by its own scale; vectors to half precision.

    The scale of a row is its largest size over 127, stored under the name with "/scale" after it.
    """
    packed = {}
    for name, weight in weights.items():
        if weight.dim() < 2:
            packed[name] = weight.half()
            continue
        scale = (weight.abs().amax(1) / _LEVELS).clamp_min(1e-7).half()
        packed[name] = (weight / scale.float()[:, None]).round().clamp(-_LEVELS, _LEVELS).char()
        packed[name + _SCALE] = scale
    return packed


def unpack(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The weights that a packed file stands for, in single precision."""
    return {
        name: tensor.float() * packed[name + _SCALE].float()[:, None]
        if tensor.dim() == 2
        else tensor.float()
        for name, tensor in packed.items()
        if not name.endswith(_SCALE)
    }
