"""Calls between the judge and the student's kernel, which take turns: each says one thing.

A test calls the student's functions, which stay in the kernel, and may give them functions of its
own, which stay with the judge. So both sides are a `Peer`: while one waits for the answer to a
call, it answers the calls of the other. Arguments that a call changes in place are changed on the
caller's side as well, and gradients flow back through a call.
"""

import builtins
from collections.abc import Callable, Iterator
from typing import Any

import torch

from course_grader.wire import WireError, decode, encode


class Remote:
    """A function of the other side; a subclass has the name of the object's class there."""

    def __init__(self, peer: "Peer", number: int):
        self._peer, self._number = peer, number

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call it there and return its value."""
        return self._peer.call(self._number, args, kwargs)


class Peer:
    """One side; `exchange` says a text to the other one and returns what that says next."""

    caught: type[BaseException] = Exception  # what is reported to the other side

    def __init__(self, exchange: Callable[[str], str]):
        self._exchange = exchange
        self._objects: list[Any] = []
        self._graphs: list[tuple[list[torch.Tensor], list[torch.Tensor]]] = []

    def exchange(self, message: dict) -> dict:
        """Send a message and return the other side's next one."""
        return decode(self._exchange(encode(message, self._number_of)), self._object_of)

    def ask(self, message: dict) -> dict:
        """Send a message, answer what the other side asks meanwhile, and return its answer.

        What its function raised is raised here, as an exception of the same name.
        """
        reply = self.exchange(message)
        while reply["op"] not in ("value", "raised"):
            reply = self.exchange(self.answer(reply))
        if reply["op"] == "raised":
            raise self.exception(reply)
        return reply

    def answer(self, message: dict) -> dict:
        """Return the answer to a message of the other side."""
        answers = {"call": self._answer_call, "gradients": self._answer_gradients}
        try:
            answer = answers.get(message["op"], self.answer_other)(message)
            encode(answer, self._number_of)  # a value that cannot be sent is the function's error
            return answer
        except self.caught as error:
            return {"op": "raised", **self.describe(error)}

    def answer_other(self, message: dict) -> dict:
        """Return the answer to a message that only one of the sides understands."""
        raise WireError(f"want a call; got {message['op']!r}")

    def call(self, number: int, args: tuple, kwargs: dict) -> Any:
        """Call the other side's object of this number."""
        arguments = [list(args), dict(kwargs)]
        inputs = [tensor for tensor in _tensors(arguments) if tensor.requires_grad]
        if not (inputs and torch.is_grad_enabled()):
            return self._request(number, arguments)["value"]
        replies: list[dict] = []
        outputs = iter(_Call.apply(self, number, arguments, replies, *inputs))
        return _replaced(replies[0]["value"], outputs)

    def describe(self, error: BaseException) -> dict[str, Any]:
        """Return what the other side learns about an exception."""
        kinds = [kind.__name__ for kind in type(error).__mro__[:-1]]
        try:
            text = str(error)
        except BaseException:  # of a student's class
            text = "no text"
        return {"kinds": kinds, "text": text[:10_000].encode("utf-8", "replace").decode()}

    def exception(self, description: dict[str, Any]) -> Exception:
        """Return an exception of the same name, derived from the same one of Python's own."""
        kinds = [str(kind)[:80] for kind in description["kinds"]]
        text = str(description["text"])
        known = (getattr(builtins, kind, None) for kind in kinds)
        own = (kind for kind in known if isinstance(kind, type) and issubclass(kind, Exception))
        base = next(own, Exception)
        kind = type(kinds[0] if kinds else "Exception", (base,), {"__str__": lambda self: text})
        return kind.__new__(kind)

    def _request(self, number: int, arguments: list, *, graph: bool = False) -> dict:
        grad = graph or torch.is_grad_enabled()  # autograd switches it off within a Function
        message = {"op": "call", "number": number, "arguments": arguments, "grad": grad}
        reply = self.ask(message)
        if reply.get("changed") is not None:
            _write_back(arguments, reply["changed"])
        return reply

    def _answer_call(self, message: dict) -> dict:
        function = self._objects[message["number"]]
        arguments = message["arguments"]
        before = encode(arguments, self._number_of)
        with torch.set_grad_enabled(message["grad"]):
            value = function(*arguments[0], **arguments[1])
        reply = {"op": "value", "value": value}
        if encode(arguments, self._number_of) != before:
            reply["changed"] = arguments
        inputs = [tensor for tensor in _tensors(message["arguments"]) if tensor.requires_grad]
        outputs = [tensor for tensor in _tensors(value) if tensor.requires_grad]
        if inputs and outputs and message["grad"]:
            self._graphs.append((inputs, outputs))
            reply["graph"] = len(self._graphs) - 1
        return reply

    def _answer_gradients(self, message: dict) -> dict:
        inputs, outputs = self._graphs[message["graph"]]
        gradients = torch.autograd.grad(
            outputs, inputs, message["of"], allow_unused=True, retain_graph=True
        )
        return {"op": "value", "value": list(gradients)}

    def _number_of(self, value: Any) -> list:
        if isinstance(value, Remote):
            return ["yours", value._number]
        for number, known in enumerate(self._objects):
            if known is value:
                return ["mine", number, type(value).__name__]
        self._objects.append(value)
        return ["mine", len(self._objects) - 1, type(value).__name__]

    def _object_of(self, code: list) -> Any:
        whose, number, *name = code
        if type(number) is not int or number < 0:
            raise WireError("want the number of an object")
        if whose == "yours":
            return self._objects[number]
        if whose != "mine" or not name[0].isidentifier():
            raise WireError("want an object")
        return type(name[0][:80], (Remote,), {})(self, number)


class _Call(torch.autograd.Function):
    """A call as one step of autograd: its gradients are computed on the other side."""

    @staticmethod
    def forward(ctx: Any, peer: Peer, number: int, arguments: list, replies: list, *inputs: Any):
        reply = peer._request(number, arguments, graph=True)
        replies.append(reply)
        ctx.peer, ctx.graph = peer, reply.get("graph")
        return tuple(t.detach() for t in _tensors(reply["value"]) if t.requires_grad)

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple:
        message = {"op": "gradients", "graph": ctx.graph, "of": list(gradients)}
        return None, None, None, None, *ctx.peer.ask(message)["value"]


def _tensors(value: Any) -> Iterator[torch.Tensor]:
    """Yield all tensors within lists, tuples and dicts, in order."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _tensors(part)


def _replaced(value: Any, outputs: Iterator[torch.Tensor]) -> Any:
    """Return the value with its tensors that require a gradient replaced, in order."""
    if isinstance(value, torch.Tensor):
        return next(outputs) if value.requires_grad else value
    if isinstance(value, dict):
        return {key: _replaced(part, outputs) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_replaced(part, outputs) for part in value)
    return value


def _write_back(old: Any, new: Any) -> Any:
    """Change `old` in place to equal `new` where its type can; return what stands in its place."""
    if isinstance(old, torch.Tensor) and isinstance(new, torch.Tensor):
        if old.shape == new.shape:
            old.detach().copy_(new.detach())
        else:
            old.data = new.detach().to(old.dtype)
        return old
    if isinstance(old, list | tuple) and type(old) is type(new):
        parts = [_write_back(a, b) for a, b in zip(old, new, strict=False)]
        if isinstance(old, list):
            old[:] = parts + new[len(old) :]
        return old
    if isinstance(old, dict) and isinstance(new, dict):
        parts = {k: _write_back(old[k], part) if k in old else part for k, part in new.items()}
        old.clear()
        old.update(parts)
        return old
    return new
