"""Values as JSON text: what the judge and the student's kernel send each other, never a pickle.

Numbers, text, tensors, arrays, lists, tuples, sets and dicts cross by value; tensors and arrays as
`[dtype, shape, base64 of their bytes]`. Every other object stays where it is and crosses as a
number, with the name of its class. What a kernel sends may be hostile: whatever `encode` would not
write is refused by `decode`.
"""

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

LARGEST = 32 << 20  # bytes of one tensor, and of all tensors of one message

_DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
        *(torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool),
        *(torch.complex64, torch.complex128),
    )
}
_CONTAINERS = {"list": list, "tuple": tuple, "set": set}
_ARRAYS = "bifuc"  # kinds of numpy's dtypes that are plain numbers


class WireError(Exception):
    """A message that cannot be sent, or that is not one."""


def encode(value: Any, number_of: Callable[[Any], list]) -> str:
    """Return the JSON text of a value; raise WireError if it is too large.

    `number_of` is called with each object that stays here, and returns how the text names it.
    """
    left = LARGEST

    def buffer(array: np.ndarray) -> str:
        nonlocal left
        left -= array.nbytes
        if left < 0:
            raise WireError(f"want values of {LARGEST >> 20} MB at most")
        return base64.b64encode(array.tobytes()).decode("ascii")

    def plain(value: Any) -> Any:
        if value is None or type(value) in (bool, int, str):
            return value
        if type(value) is float:
            return ["float", repr(value)]
        if isinstance(value, torch.Tensor):
            name = str(value.dtype).removeprefix("torch.")
            if name not in _DTYPES or value.layout != torch.strided:
                raise WireError(f"want a dense tensor; got {value.dtype}, {value.layout}")
            if value.numel() * value.element_size() > LARGEST:  # may be an expanded one
                raise WireError(f"want tensors of {LARGEST >> 20} MB at most")
            flat = value.detach().cpu().resolve_conj().resolve_neg().contiguous().reshape(-1)
            if value.dtype == torch.bfloat16:  # numpy has none
                flat = flat.view(torch.int16)
            return ["tensor", name, list(value.shape), value.requires_grad, buffer(flat.numpy())]
        if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in _ARRAYS:
            kind = "scalar" if isinstance(value, np.generic) else "array"
            return [kind, value.dtype.str, list(value.shape), buffer(np.asarray(value))]
        if type(value) is range:
            return ["range", value.start, value.stop, value.step]
        for name, kind in _CONTAINERS.items():
            if isinstance(value, kind):
                return [name, [plain(part) for part in value]]
        if isinstance(value, dict):
            return ["dict", [[plain(key), plain(part)] for key, part in value.items()]]
        return number_of(value)

    return json.dumps(plain(value))


def decode(text: str, object_of: Callable[[list], Any]) -> Any:
    """Return the value that `encode` wrote; raise WireError if it would not write this.

    `object_of` is called with what `number_of` wrote, and returns what stands for the object.
    """
    try:
        return _value(json.loads(text), object_of)
    except (WireError, MemoryError):
        raise
    except Exception as error:
        raise WireError(f"no value: {type(error).__name__}: {error}"[:500]) from None


def _value(value: Any, object_of: Callable[[list], Any]) -> Any:
    if value is None or type(value) in (bool, int, str):
        return value
    kind, *rest = value
    if kind == "float":
        return float(rest[0])
    if kind in _CONTAINERS:
        return _CONTAINERS[kind](_value(part, object_of) for part in rest[0])
    if kind == "dict":
        return {_value(key, object_of): _value(part, object_of) for key, part in rest[0]}
    if kind == "tensor":
        name, shape, needs_grad, data = rest
        raw = torch.tensor(np.frombuffer(base64.b64decode(data), np.uint8))
        # As a bool, a byte that is neither 0 nor 1 is undefined.
        tensor = raw.ne(0) if name == "bool" else raw.view(_DTYPES[name])
        tensor = tensor.reshape(shape)
        return tensor.requires_grad_() if needs_grad is True else tensor
    if kind in ("array", "scalar"):
        name, shape, data = rest
        dtype = np.dtype(name)
        if dtype.kind not in _ARRAYS:
            raise WireError("want an array of numbers")
        data = base64.b64decode(data)
        raw = (
            np.frombuffer(data, np.uint8) != 0 if dtype.kind == "b" else np.frombuffer(data, dtype)
        )
        array = raw.reshape(shape).copy()
        return array[()] if kind == "scalar" else array
    if kind == "range":
        return range(*rest)
    return object_of(value)
