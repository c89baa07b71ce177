"""A device that is not there, so that a test without a GPU sees what a GPU would refuse.

Inside `Elsewhere`, tensors moved to `DEVICE` say that they are there and are computed on the CPU.
Refused, by `Refused`, is what CUDA refuses: an operation on tensors of both places (a single number
may come from the CPU, and so may the places by which a tensor is indexed), a CPU generator for
numbers that are drawn there, and a way to NumPy without `cpu()`. With COURSE_STAND_IN=mps
double precision is refused as well, as on Apple's GPUs.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, return_and_correct_aliasing
from torch.utils._pytree import tree_map

from course_lib.attention import position

KIND = "lazy"
"""A kind of device that this build of PyTorch can name, and nobody uses."""
IS_APPLES = os.environ.get("COURSE_STAND_IN") == "mps"
DEVICE = torch.device(KIND)
_ATEN = torch.ops.aten
_MOVES = (_ATEN.copy_.default, _ATEN._to_copy.default)
_INDEXED = (_ATEN.index.Tensor, _ATEN.index_put.default, _ATEN.index_put_.default)
_PACKING = (_ATEN._pack_padded_sequence.default, _ATEN._pad_packed_sequence.default)
"""They want the lengths on the CPU and leave them there."""
_FROM_LISTS = (torch.tensor, torch.as_tensor)
_ITEMS = (Tensor.__getitem__, Tensor.__setitem__)
_TO_NUMPY = (Tensor.numpy, Tensor.__array__)


class Refused(RuntimeError):
    """What CUDA would not do."""


class _There(Tensor):
    """A tensor on `DEVICE`; `inner` holds its numbers."""

    @staticmethod
    def __new__(cls, inner: Tensor) -> "_There":
        if IS_APPLES and inner.dtype is torch.float64:
            raise Refused("Apple's GPUs have no double precision")
        return Tensor._make_wrapper_subclass(
            cls,
            inner.size(),
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            device=DEVICE,
            requires_grad=inner.requires_grad,
        )

    def __init__(self, inner: Tensor) -> None:
        self.inner = inner

    def __repr__(self) -> str:
        return f"elsewhere: {self.inner}"

    def __array__(self, *_: Any, **__: Any) -> None:
        raise Refused("NumPy was given a tensor of the device; it lacks a cpu()")

    @classmethod
    def __torch_dispatch__(
        cls, function: Callable, types: Any, arguments: Any = (), named: Any = None
    ) -> Any:
        return _computed(function, arguments, named or {})


class _Computing(TorchDispatchMode):
    """Sees the operations inside PyTorch's own functions, those that make a tensor among them."""

    def __torch_dispatch__(
        self, function: Callable, types: Any, arguments: Any = (), named: Any = None
    ) -> Any:
        return _computed(function, arguments, named or {})


class Elsewhere(TorchFunctionMode):
    """Inside, `DEVICE` is there."""

    def __torch_function__(
        self, function: Callable, types: Any, arguments: Any = (), named: Any = None
    ) -> Any:
        """Calls the function; where nothing of the device takes part, as it is."""
        named = named or {}
        given = [*_leaves((arguments, named))]
        if not any(map(_names_it, given)):
            return function(*arguments, **named)
        with _Computing():
            if function in _FROM_LISTS:
                device = named.pop("device", None)
                return function(*arguments, **named).to(device)
            if function is Tensor.cpu:
                return arguments[0].to("cpu")
            if function is Tensor.tolist:
                return arguments[0].inner.tolist()
            if function in _TO_NUMPY:
                raise Refused("a tensor of the device has no numpy(); it lacks a cpu()")
            if function in _ITEMS:
                places = arguments[1] if isinstance(arguments[1], tuple) else (arguments[1],)
                places = tuple(torch.tensor(p) if isinstance(p, list) else p for p in places)
                arguments = (arguments[0], places, *arguments[2:])
            return function(*arguments, **named)


def prepare(monkeypatch: Any) -> None:
    """What a test changes before it enters `Elsewhere`."""
    # The stand-in cannot do what inference mode asks of tensors; for devices it is the same.
    monkeypatch.setattr(
        torch, "inference_mode", lambda mode=True: torch.no_grad() if mode else nullcontext()
    )
    if IS_APPLES:
        # It is single there by the device's name, which the stand-in does not bear.
        exact = position.angles
        single = lambda places, width: exact(places.cpu(), width).float().to(places.device)  # noqa: E731
        monkeypatch.setattr(position, "angles", single)


def _leaves(each: Any) -> Iterable[Any]:
    """As torch's own `tree_leaves` for what functions are given, at a third of its time."""
    if isinstance(each, dict):
        each = each.values()
    elif not isinstance(each, tuple | list):
        yield each
        return
    for part in each:
        yield from _leaves(part)


def _names_it(each: Any) -> bool:
    return _is_there(each) or (isinstance(each, str | torch.device) and str(each) == KIND)


def _is_there(each: Any) -> bool:
    return isinstance(each, _There)


def _computed(function: Callable, arguments: tuple, named: dict[str, Any]) -> Any:
    """The operation on the CPU's numbers; what comes out is on the device again."""
    given = [*_leaves((arguments, named))]
    wanted = named.get("device")
    there = wanted.type == KIND if wanted is not None else any(map(_is_there, given))
    _refuse(function, arguments, given, there)
    if wanted is not None and wanted.type == KIND:
        named = named | {"device": torch.device("cpu")}
    plain = tree_map(lambda each: each.inner if _is_there(each) else each, (arguments, named))
    found = function(*plain[0], **plain[1])
    if function in _PACKING:
        return (_There(found[0]), found[1]) if there else found
    if function in (*_INDEXED, _ATEN.copy_.default):
        there = _is_there(arguments[0])
    if not there:
        return found
    # What was changed in place is the very tensor that was given.
    known = {id(each.inner): each for each in given if _is_there(each)}

    def wrapped(each: Any) -> Any:
        if not isinstance(each, Tensor):
            return each
        return known[id(each)] if id(each) in known else _There(each)

    return return_and_correct_aliasing(function, arguments, named, tree_map(wrapped, found))


def _refuse(function: Callable, arguments: tuple, given: Iterable[Any], there: bool) -> None:
    tensors = [each for each in given if isinstance(each, Tensor)]
    if there and any(isinstance(each, torch.Generator) for each in given):
        raise Refused(f"{function} draws on the device and was given a generator of the CPU")
    if function in _MOVES or not any(map(_is_there, tensors)):
        return
    if function in _PACKING:
        mixed = _is_there(arguments[1])
    elif function in _INDEXED:
        values = arguments[2] if len(arguments) > 2 else None
        mixed = not _is_there(arguments[0]) or (values is not None and _is_here(values))
    else:
        mixed = any(map(_is_here, tensors))
    if mixed:
        places = [("there" if _is_there(each) else "cpu", *each.shape) for each in tensors]
        raise Refused(f"{function} was given tensors of both places: {places}")


def _is_here(tensor: Tensor) -> bool:
    """On the CPU, and more than a number."""
    return not _is_there(tensor) and tensor.dim() > 0
