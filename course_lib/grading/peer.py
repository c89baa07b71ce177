"""Calls between two processes, in both directions: values, gradients, changed arguments.

The judge calls the student's functions, which stay in the worker; a test may give them functions of
its own, which stay in the judge and are called from the worker. Both sides are a `Peer`. While one
waits for an answer it answers what the other asks.
"""

import builtins
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

from course_lib.grading.wire import (
    Closed,
    Handle,
    Kept,
    Line,
    TooLate,
    WireError,
    decode,
    encode,
)

MODULE = ("parameters", "state_dict", "load_state_dict")
"""The methods of a student's module that a test can call, as `proxy.state_dict()`."""


class Remote:
    """An object of the other side, which can be called; its class has the name of the object's."""

    def __init__(self, peer: "Peer", number: int):
        self._peer, self._number = peer, number

    def __call__(self, *given: Any, **named: Any) -> Any:
        """What it returns there."""
        return self._peer.call(self._number, given, named)

    def __getattr__(self, name: str) -> Any:
        if name not in MODULE:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return lambda *given: self._peer.call(self._number, given, {}, name)


class Peer:
    """One end of a line.

    Args:
        line: to the other end.
        limits: the most calls that the other side may make, and the most of them whose inputs are
            kept for gradients.
    """

    caught: type[BaseException] = Exception
    """What is told to the other side, and does not end this one."""

    methods: tuple[str, ...] = ()
    """The methods of its modules that the other side may call."""

    def __init__(self, line: Line, *, limits: tuple[float, float] = (float("inf"), float("inf"))):
        self.line = line
        self.exports: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._kept: list[tuple[list[torch.Tensor], list[torch.Tensor]]] = []
        self.extra: dict[str, Any] = {}  # sent along with each call
        self._calls, (self._most_calls, self._most_kept) = 0, limits

    # What differs between judge and worker.

    def run(self, function: Callable, given: list, named: dict, message: dict) -> Any:
        """Calls one of the objects that the other side knows."""
        return function(*given, **named)

    def describe(self, error: BaseException) -> dict[str, Any]:
        """What the other side is told of an exception."""
        kinds = [kind.__name__ for kind in type(error).__mro__[:-1]]
        return {"kinds": kinds, "text": str(error)}

    def raised(self, told: dict[str, Any]) -> Exception:
        """An exception of the same name and, if it is one of Python's own, of the same kind."""
        kinds = [k for k in told.get("kinds", ()) if type(k) is str and k.isidentifier()]
        known = (getattr(builtins, name, None) for name in kinds)
        bases = (k for k in known if isinstance(k, type) and issubclass(k, Exception))
        text = str(told.get("text"))
        methods = {"__str__": lambda self: text}
        kind = type(kinds[0][:80] if kinds else "Exception", (next(bases, Exception),), methods)
        return kind.__new__(kind)

    # Asking.

    def call(self, number: int, given: tuple, named: dict, method: str = "") -> Any:
        """What the other side's object returns; arguments that it changes are changed here, too."""
        arguments = (list(given), dict(named))
        request = _Request(self, number, arguments, method)
        tensors = list(_tensors(arguments))
        transformed = torch._C._functorch.peek_interpreter_stack() is not None
        if (torch.is_grad_enabled() and any(t.requires_grad for t in tensors)) or transformed:
            outputs = _Call.apply(request, *tensors)
            return _filled(request.reply["value"], Kept, iter(outputs))
        request.send(tensors)
        return _filled(request.reply["value"], Kept, iter(request.outputs))

    def ask(self, message: dict) -> dict:
        """The answer to a message; meanwhile the other side may ask."""
        self.send(message)
        while True:
            reply = self.receive()
            if reply["op"] == "raised":
                raise self.raised(reply)
            if reply["op"] == "value":
                return reply
            self.answer(reply)

    # Answering.

    def serve(self) -> None:
        """Answers until the other side has gone."""
        try:
            while True:
                self.answer(self.receive())
        except Closed:
            return

    def answer(self, message: dict) -> None:
        """Answers one message.

        Raises:
            WireError: it is none.
        """
        self._calls += 1
        if self._calls > self._most_calls:
            raise WireError(f"want {self._most_calls:g} calls back at most")
        try:
            reply = self._answer(message)
        except (WireError, Closed, TooLate):
            raise
        except self.caught as error:
            reply = {"op": "raised", **self.describe(error)}
        try:
            self.send(reply)
        except WireError as error:
            self.send({"op": "raised", "kinds": ["TypeError", "Exception"], "text": str(error)})

    def _answer(self, message: dict) -> dict:
        if message["op"] == "gradients":
            inputs, outputs = self._kept[message["call"]]
            found = torch.autograd.grad(
                outputs, inputs, message["of"], allow_unused=True, retain_graph=True
            )
            return {"op": "value", "value": list(found)}
        if message["op"] != "call":
            raise WireError("want a call")
        if type(message["number"]) is not int or not 0 <= message["number"] < len(self.exports):
            raise WireError("want the number of a function")
        function = self.exports[message["number"]]
        if message.get("method"):
            function = self._method(function, message["method"])
        arguments = message["arguments"]
        given, named = arguments
        before = encode(arguments, self.export)
        with torch.set_grad_enabled(message["grad"]):
            value = self.run(function, given, named, message)
        reply = {"op": "value", "value": value, "changed": None, "call": None}
        if encode(arguments, self.export) != before:
            reply["changed"] = arguments
        inputs = [tensor for tensor in _tensors(arguments) if tensor.requires_grad]
        outputs = [tensor for tensor in _tensors(value) if tensor.grad_fn is not None]
        if inputs and outputs and message["grad"]:
            if len(self._kept) >= self._most_kept:
                raise WireError(f"want {self._most_kept:g} calls with gradients at most")
            self._kept.append((inputs, outputs))
            reply["call"] = len(self._kept) - 1
            marks = (Kept(t) if t.grad_fn is not None else t for t in _tensors(value))
            reply["value"] = _filled(value, torch.Tensor, marks)
        return reply

    def _method(self, module: Any, name: str) -> Callable:
        if name not in self.methods or not isinstance(module, torch.nn.Module):
            raise WireError("want a module's method")
        if name == "parameters":
            return lambda: [p.detach().requires_grad_(p.requires_grad) for p in module.parameters()]
        return getattr(module, name)

    def export(self, value: Any) -> Handle:
        """A handle of one of this side's objects."""
        kind = type(value).__name__
        if isinstance(value, Remote):  # it is theirs
            return Handle(-1 - value._number, kind)
        if id(value) not in self._numbers:
            self._numbers[id(value)] = len(self.exports)
            self.exports.append(value)
        return Handle(self._numbers[id(value)], kind if kind.isidentifier() else "object")

    def _proxy(self, handle: Handle) -> Any:
        if handle.number < 0:
            return self.exports[-1 - handle.number]
        return type(handle.kind, (Remote,), {})(self, handle.number)

    def send(self, message: dict) -> None:
        """Sends one message."""
        self.line.send(*encode(message, self.export))

    def receive(self) -> dict:
        """The next message.

        Raises:
            WireError: what came is none.
        """
        message = decode(*self.line.receive(), self._proxy)
        if type(message) is not dict or type(message.get("op")) is not str:
            raise WireError("want a message")
        return message


class _Request:
    """A call that is sent once its tensors are known: autograd may put others in their place."""

    def __init__(self, peer: Peer, number: int, arguments: tuple, method: str):
        self.peer, self.number, self.arguments, self.method = peer, number, arguments, method
        self.grad = False  # autograd takes part, and has its own mode off meanwhile
        self.reply: dict = {}
        self.outputs: list[torch.Tensor] = []

    def send(self, tensors: list[torch.Tensor]) -> None:
        grad = torch.is_grad_enabled() or self.grad
        message = {"op": "call", "number": self.number, "method": self.method, "grad": grad}
        message |= self.peer.extra
        arguments = _filled(self.arguments, torch.Tensor, iter(tensors))
        try:
            encode(arguments, self.peer.export)
        except WireError as error:
            raise TypeError(str(error)) from None
        self.reply = self.peer.ask({**message, "arguments": arguments})
        if "value" not in self.reply:
            raise WireError("want a value")
        if self.reply.get("changed") is not None:
            _write_back(self.arguments, self.reply["changed"])
        self.outputs = [kept.tensor for kept in _parts(self.reply["value"], Kept)]

    def gradients(self, of: list[torch.Tensor | None]) -> list:
        pairs = zip(self.outputs, of, strict=True)
        full = [torch.zeros_like(output) if g is None else g for output, g in pairs]
        message = {"op": "gradients", "call": self.reply["call"], "of": full}
        return self.peer.ask(message)["value"]


class _Call(torch.autograd.Function):
    """A call over the line as one step of autograd, here and there."""

    @staticmethod
    def forward(request: _Request, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        request.grad = True
        needs = request.needs = [t.requires_grad for t in _tensors(request.arguments)]
        request.send([t.detach().requires_grad_(n) for t, n in zip(tensors, needs, strict=True)])
        return tuple(output.detach() for output in request.outputs)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> None:
        ctx.request = inputs[0]

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple:
        found = iter(ctx.request.gradients(list(gradients)))
        return None, *(next(found, None) if need else None for need in ctx.request.needs)


def _parts(value: Any, kind: type) -> Iterator[Any]:
    """All objects of this type within lists, tuples, sets and dicts, in order."""
    if isinstance(value, kind):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _parts(part, kind)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from _parts(part, kind)


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    return _parts(value, torch.Tensor)


def _filled(value: Any, kind: type, others: Iterator[Any]) -> Any:
    """The same value with others in the place of all objects of this type, in order."""
    if isinstance(value, kind):
        return next(others)
    if isinstance(value, dict):
        return {key: _filled(part, kind, others) for key, part in value.items()}
    if isinstance(value, list | tuple):
        parts = [_filled(part, kind, others) for part in value]
        return parts if isinstance(value, list) else tuple(parts)
    return value


def _write_back(old: Any, new: Any) -> None:
    """Makes the old values what the other side has made of them."""
    if isinstance(old, torch.Tensor) and isinstance(new, torch.Tensor):
        if old.shape == new.shape:
            old.detach().copy_(new.detach())
        else:
            old.data = new.detach().to(old.dtype)
        if old.is_leaf and old.is_floating_point():
            old.requires_grad_(new.requires_grad)
    elif isinstance(old, np.ndarray) and isinstance(new, np.ndarray) and old.shape == new.shape:
        old[...] = new
    elif isinstance(old, tuple) and isinstance(new, tuple):
        for a, b in zip(old, new, strict=False):
            _write_back(a, b)
    elif isinstance(old, list) and isinstance(new, list):
        for a, b in zip(old, new, strict=False):
            _write_back(a, b)
        old[:] = [_kept_or(a, b) for a, b in zip(old, new, strict=False)] + new[len(old) :]
    elif isinstance(old, dict) and isinstance(new, dict):
        for key in old.keys() & new.keys():
            _write_back(old[key], new[key])
        same = {key: _kept_or(old[key], new[key]) if key in old else new[key] for key in new}
        old.clear()
        old.update(same)
    elif isinstance(old, set) and isinstance(new, set):
        old.clear()
        old.update(new)


def _kept_or(old: Any, new: Any) -> Any:
    """What holds others has been changed in place; anything else is replaced."""
    kinds = (torch.Tensor, np.ndarray, list, dict, set, tuple)
    return old if any(isinstance(old, k) and isinstance(new, k) for k in kinds) else new
