"""What judge and worker send each other: a length, a JSON header, raw buffers; never a pickle.

A frame is `u32 length | JSON {"message", "buffers"} | the bytes of tensors and arrays`. Values are
of closed types: None, bool, int, float, str, list, tuple, set, dict, range, tensors and their
dtypes, numpy scalars and arrays, and `Handle`, which names a function of the sender. Whatever a
worker sends may be hostile: each length is checked before memory is taken, each buffer is used
once, and all that is wrong is a `WireError`.
"""

import json
import socket
import struct
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch

HEADER = 4 << 20
BUFFERS = 256 << 20
DEPTH = 20
"""The most bytes of a frame's header and of its buffers, and how deep values may be nested."""

LARGEST = 1 << 40
"""The most elements that a shape may have without its zeros."""

_DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
        *(torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.bool),
        *(torch.complex64, torch.complex128),
    )
}
_NAMES = {dtype: name for name, dtype in _DTYPES.items()}
_ARRAYS = {np.dtype(name).str for name in ("?", *"bhilqBHILQefdFD")}


class WireError(Exception):
    """What came is no frame, or what should be sent has no place in one."""


class Closed(Exception):
    """The other side is gone."""


class TooLate(Exception):
    """The time ran out."""


class Handle(NamedTuple):
    """A function or another object that stays where it is: its number there and its type's name."""

    number: int
    kind: str


class Kept(NamedTuple):
    """A tensor whose gradient the sender can give."""

    tensor: torch.Tensor


def encode(value: Any, export: Callable[[Any], Handle | None]) -> tuple[bytes, list[bytes]]:
    """The header and the buffers of a frame.

    Args:
        value: the message.
        export: called with each object of another type; its handle, or None where it has none.

    Raises:
        WireError: the message is too large, too deep, or has something of another type in it.
    """
    buffers: list[bytes] = []
    message = _encode(value, buffers, export, DEPTH)
    try:
        frame = {"message": message, "buffers": [len(buffer) for buffer in buffers]}
        header = json.dumps(frame, allow_nan=False).encode("utf-8", "surrogatepass")
    except (ValueError, RecursionError) as error:
        raise WireError(f"cannot be sent: {error}") from None
    if len(header) > HEADER or sum(map(len, buffers)) > BUFFERS:
        raise WireError("want a value of 4 MB, tensors of 256 MB at most; got a larger one")
    return header, buffers


def decode(header: bytes, buffers: list[bytearray], proxy: Callable[[Handle], Any]) -> Any:
    """The message of a frame; `proxy` is called for each handle in it.

    Raises:
        WireError: it is not one that `encode` would make.
    """
    unused = iter(buffers)
    try:
        value = _decode(json.loads(header)["message"], unused, proxy, DEPTH)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError, OverflowError) as error:
        raise WireError(f"no value: {error}") from None
    except (RuntimeError, StopIteration) as error:  # from torch, or too few buffers
        raise WireError(f"no tensor: {error}") from None
    if next(unused, None) is not None:
        raise WireError("more buffers than tensors")
    return value


def _encode(value: Any, buffers: list[bytes], export: Callable, depth: int) -> Any:
    if not depth:
        raise WireError(f"want values that are nested {DEPTH} deep at most")
    kind = type(value)
    if value is None or kind in (bool, int, str):
        return value
    if isinstance(value, float) and not isinstance(value, np.generic):
        return {"float": repr(float(value))}
    if isinstance(value, Handle):
        return {"handle": list(value)}
    if isinstance(value, Kept):
        return {"kept": _encode(value.tensor, buffers, export, depth - 1)}
    if isinstance(value, torch.Tensor):
        return {"tensor": _tensor(value, buffers)}
    if isinstance(value, torch.dtype) and value in _NAMES:
        return {"dtype": _NAMES[value]}
    if isinstance(value, np.ndarray | np.generic) and value.dtype.str in _ARRAYS:
        buffers.append(np.ascontiguousarray(value).tobytes())
        scalar = isinstance(value, np.generic)
        return {"scalar" if scalar else "array": [value.dtype.str, list(value.shape)]}
    if kind is range:
        return {"range": [value.start, value.stop, value.step]}
    for name, held in (("list", list), ("tuple", tuple), ("set", set | frozenset)):
        if isinstance(value, held):
            return {name: [_encode(part, buffers, export, depth - 1) for part in value]}
    if isinstance(value, dict):
        pairs = [[_encode(p, buffers, export, depth - 1) for p in pair] for pair in value.items()]
        return {"dict": pairs}
    if isinstance(value, bool | int | str):  # of a class of its own
        return int(value) if isinstance(value, int) else str.__str__(value)
    handle = export(value)
    if handle is None:
        raise WireError(f"a {kind.__name__} cannot be sent: want tensors, numbers, lists, dicts")
    return {"handle": list(handle)}


def _tensor(value: torch.Tensor, buffers: list[bytes]) -> list:
    plain = value.detach()
    if plain.layout != torch.strided or plain.is_quantized or plain.dtype not in _NAMES:
        raise WireError(f"want a dense tensor; got one of {plain.dtype}, {plain.layout}")
    if plain.numel() * plain.element_size() > BUFFERS:
        raise WireError("want a tensor of 256 MB at most")
    flat = plain.cpu().resolve_conj().resolve_neg().reshape(-1)
    flat = flat.view(torch.int16) if flat.dtype == torch.bfloat16 else flat  # numpy has none
    buffers.append(flat.numpy().tobytes())
    return [_NAMES[plain.dtype], list(plain.shape), value.requires_grad]


def _decode(value: Any, buffers: Any, proxy: Callable, depth: int) -> Any:
    if value is None or type(value) in (bool, int, str):
        return value
    if not depth or type(value) is not dict:
        raise WireError("want one of the closed types")
    ((kind, held),) = value.items()
    if kind == "float":
        return float(_text(held))
    if kind == "dtype":
        return _DTYPES[held]
    if kind in ("tensor", "kept"):
        if kind == "kept":
            return Kept(_decode(held, buffers, proxy, depth - 1))
        name, shape, needs_grad = held
        return _as_tensor(_DTYPES[name], _shape(shape), next(buffers), needs_grad)
    if kind in ("array", "scalar"):
        name, shape = held
        if name not in _ARRAYS:
            raise WireError("want an array of numbers")
        dtype = np.dtype(name)
        data = next(buffers)
        if dtype.kind == "b":  # any other byte than 0 and 1 is undefined
            data = bytearray(np.frombuffer(data, np.uint8) != 0)
        array = np.frombuffer(data, dtype).reshape(_shape(shape))
        return array[()] if kind == "scalar" else array
    if type(held) is not list:
        raise WireError("want a list")
    if kind == "handle":
        number, name = held
        if type(number) is not int or not _text(name).isidentifier() or len(name) > 80:
            raise WireError("want a handle")
        return proxy(Handle(number, name))
    if kind == "range":
        return range(*held)
    if kind == "dict":
        pairs = [[_decode(part, buffers, proxy, depth - 1) for part in pair] for pair in held]
        return {key: item for key, item in pairs}  # noqa: C416 - a wrong pair is an error
    made = {"list": list, "tuple": tuple, "set": set}[kind]
    return made(_decode(part, buffers, proxy, depth - 1) for part in held)


def _text(value: Any) -> str:
    if type(value) is not str:
        raise WireError("want a text")
    return value


def _shape(shape: Any) -> list[int]:
    elements = 1
    if type(shape) is not list or len(shape) > 32:
        raise WireError("want a shape")
    for size in shape:
        if type(size) is not int or size < 0:
            raise WireError("want a shape")
        elements *= max(size, 1)
    if elements > LARGEST:
        raise WireError("want a smaller shape")
    return shape


def _as_tensor(dtype: torch.dtype, shape: list[int], data: bytearray, grad: Any) -> torch.Tensor:
    raw = torch.frombuffer(data, dtype=torch.uint8) if data else torch.empty(0, dtype=torch.uint8)
    # A byte that is neither 0 nor 1 is undefined as a bool.
    tensor = raw.ne(0) if dtype == torch.bool else raw.view(dtype)
    tensor = tensor.reshape(shape)
    return tensor.requires_grad_() if grad is True else tensor


class Line:
    """A stream socket that carries frames; every wait ends at `deadline`, a time of `monotonic`."""

    def __init__(self, stream: socket.socket):
        self.stream = stream
        self.deadline = float("inf")

    def send(self, header: bytes, buffers: list[bytes]) -> None:
        """Raises: Closed, TooLate."""
        try:
            for part in (struct.pack("<I", len(header)) + header, *buffers):
                self._wait()
                self.stream.sendall(part)
        except TimeoutError:
            raise TooLate from None
        except OSError:
            raise Closed from None

    def receive(self) -> tuple[bytes, list[bytearray]]:
        """The header and the buffers of the next frame.

        Raises:
            WireError: it is none.
            Closed, TooLate: it does not come.
        """
        (length,) = struct.unpack("<I", self._read(4))
        if length > HEADER:
            raise WireError(f"want a header of {HEADER} bytes at most; got {length}")
        header = bytes(self._read(length))
        try:
            lengths = json.loads(header)["buffers"]
            sizes = all(type(n) is int and n >= 0 for n in lengths)
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise WireError(f"no header: {error}") from None
        if not sizes or sum(lengths) > BUFFERS:
            raise WireError(f"want buffers of {BUFFERS} bytes at most")
        return header, [self._read(n) for n in lengths]

    def _read(self, length: int) -> bytearray:
        data = bytearray()
        while len(data) < length:
            self._wait()
            try:
                part = self.stream.recv(min(length - len(data), 1 << 20))
            except TimeoutError:
                raise TooLate from None
            except OSError:
                raise Closed from None
            if not part:
                raise Closed
            data += part
        return data

    def _wait(self) -> None:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TooLate
        self.stream.settimeout(None if left == float("inf") else left)

    def close(self) -> None:
        """Ends it; the other side is told."""
        self.stream.close()
