"""The contract of every translator: encode once, then decode one token at a time, or all at once.

Greedy search, beam search, the length curve, BLEU, the alignment error rate and `fit` use only this
contract, so they work for a recurrent net of 2014 and for a Transformer alike.

Letters, here and in every model: B batch, S source length, T target length, V vocabulary.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import wraps
from typing import Any, NamedTuple, TypeVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

Self = TypeVar("Self", bound="Batched")

_WITH_MODULE = (
    nn.DataParallel,
    nn.parallel.DistributedDataParallel,
    torch.optim.swa_utils.AveragedModel,
)


@dataclass(frozen=True)
class Batched:
    """A record of tensors whose first dimension is the batch, in any nesting.

    Its fields are tensors, None, or tuples, named tuples, lists, dictionaries and records of these.
    `select` refuses anything else.
    """

    def select(self: Self, rows: Int[Tensor, " R"]) -> Self:
        """Picks batch rows, in the order given; a row may come more than once.

        Beam search drops, keeps and copies hypotheses in this way.

        Args:
            rows: row numbers, each from 0 to B - 1.

        Returns:
            a record of the same kind in which every tensor has R rows.

        Raises:
            TypeError: something in it has no rows.
            ValueError: two tensors in it differ in their number of rows.
        """
        return _selected(self, rows, type(self).__name__, {})


def _selected(value: Any, rows: Tensor, place: str, sizes: dict[int, str]) -> Any:
    """`Batched.select`; `place` names the value in errors, `sizes` are the rows found so far."""
    if value is None:
        return None
    if isinstance(value, Tensor) and value.dim():
        sizes.setdefault(len(value), place)
        if len(sizes) > 1:
            (size, first), (other, second) = sizes.items()
            raise ValueError(
                f"want as many rows everywhere, the batch first; got {size} in {first} and {other} "
                f"in {second}"
            )
        return value[rows]
    if type(value) is dict:
        return {k: _selected(v, rows, f"{place}[{k!r}]", sizes) for k, v in value.items()}
    named = isinstance(value, tuple) and hasattr(value, "_fields")
    if named or type(value) in (list, tuple):
        parts = [_selected(v, rows, f"{place}[{i}]", sizes) for i, v in enumerate(value)]
        return type(value)(*parts) if named else type(value)(parts)
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value)]
        parts = {n: _selected(getattr(value, n), rows, f"{place}.{n}", sizes) for n in names}
        return replace(value, **parts)
    got = "a number without rows" if isinstance(value, Tensor) else type(value).__name__
    raise TypeError(
        f"cannot select rows of {place}: want tensors with the batch first, None, or tuples, "
        f"lists, dictionaries and records of them; got {got}"
    )


def require_rows(*parts: Any) -> None:
    """Refuses tensors and records that differ in their number of rows; the batch comes first.

    A decoder would otherwise repeat or drop sentences silently.

    Raises:
        ValueError: two of them differ.
    """
    if torch.jit.is_tracing():  # Sizes are tensors there.
        return
    rows = [_rows(part) for part in parts if isinstance(part, Tensor) or is_dataclass(part)]
    sizes = [size for own in rows for size in own]
    if any(size != sizes[0] for size in sizes):
        got = ", ".join("/".join(map(str, dict.fromkeys(map(int, own)))) for own in rows if own)
        raise ValueError(f"want as many rows in all that is given, the batch first; got {got}")


def same_rows(model: type[nn.Module], *methods: str) -> None:
    """Makes those of these methods that the class defines begin with `require_rows`."""

    def checked(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def call(self: nn.Module, *given: Any, **named: Any) -> Any:
            require_rows(*given, *named.values())
            return method(self, *given, **named)

        return call

    for name in methods:
        if name in vars(model):
            setattr(model, name, checked(vars(model)[name]))


def _rows(value: Any) -> list[int]:
    """The number of rows of every tensor in a record."""
    if isinstance(value, Tensor):
        return [value.shape[0]] if value.dim() else []
    if is_dataclass(value):
        value = [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):  # torch.compile of PyTorch 2.4 knows no `list | tuple`.
        return [n for part in value for n in _rows(part)]
    return []


@dataclass(frozen=True)
class Memory(Batched):
    """The encoder's output for the decoder, computed once per sentence.

    Attributes:
        mask: (B, S), True where the source may be attended to: a real token, a region.
    """

    mask: Bool[Tensor, "B S"]


@dataclass(frozen=True)
class State(Batched):
    """The decoder's state between two steps. Each model adds its own fields."""


class Step(NamedTuple):
    """One decoder step.

    Attributes:
        logits: (B, V), unnormalised log-probabilities of the next token.
        state: the decoder after this step.
        attention: (B, S), weights over the source; None unless asked for, and in a model without.
        log_probability: (B,), of the model's draw in this step; None where it drew nothing.
    """

    logits: Float[Tensor, "B V"]
    state: State
    attention: Float[Tensor, "B S"] | None = None
    log_probability: Float[Tensor, " B"] | None = None


class Output(NamedTuple):
    """All decoder steps under teacher forcing.

    Attributes:
        logits: (B, T, V); position t predicts the token that follows `target_in[:, t]`.
        attention: (B, T, S), weights over the source; None as in `Step`.
        log_probability: (B, T), of the model's draw in each step; None where it drew nothing.
    """

    logits: Float[Tensor, "B T V"]
    attention: Float[Tensor, "B T S"] | None = None
    log_probability: Float[Tensor, "B T"] | None = None


class EncoderDecoder(nn.Module):
    """A sequence-to-sequence model: p(y | x) as a product over target positions.

    A model defines `encode`, `start` and `step`. A model whose steps do not depend on each other
    also defines a `decode` that computes them together. The invariant, tested for every model:
    feeding `target_in` token by token through `step` gives the logits of `decode`, in eval mode, to
    1e-5. No method stores anything in the module, so calls may come in any order.

    Attention weights are returned only where `return_attention=True` asks for them.

    A model that samples, such as hard attention, takes one more argument in `step` and `decode`:
    `generator`, on the CPU. With a generator it draws and returns the log-probability of the draw;
    without one it draws nothing and takes the most probable position. `decode` and `forward` pass
    the argument on, so such a model need not define them.

    All arguments of a call must have the same number of rows; otherwise it raises a ValueError.

    Attributes:
        config: the model's own frozen dataclass of JSON-able settings.
    """

    config: Any

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        same_rows(cls, "encode", "start", "step", "decode", "forward")

    def encode(self, source: Tensor, source_mask: Bool[Tensor, "B S"]) -> Memory:
        """Reads the source, once per sentence.

        Args:
            source: token ids (B, S); for a captioner an image (B, ...).
            source_mask: True at what may be attended to: real tokens, regions of the image. A model
                without recurrence accepts padding anywhere; a recurrent one refuses padding before
                a token.
        """
        raise NotImplementedError(f"{type(self).__name__} has no encode")

    def start(self, memory: Memory) -> State:
        """The decoder before its first token."""
        raise NotImplementedError(f"{type(self).__name__} has no start")

    def step(
        self,
        token: Int[Tensor, " B"],
        state: State,
        memory: Memory,
        *,
        return_attention: bool = False,
    ) -> Step:
        """Feeds one token per sentence and predicts the next."""
        raise NotImplementedError(f"{type(self).__name__} has no step")

    def decode(
        self,
        target_in: Int[Tensor, "B T"],
        memory: Memory,
        *,
        return_attention: bool = False,
        **sampling: torch.Generator | None,
    ) -> Output:
        """Predicts every target token from the true ones before it (teacher forcing).

        This version goes step by step.

        Args:
            target_in: the decoder's input, START first.
            memory: of `encode`, or changed, to see what depends on it.
            return_attention: whether the attention weights are wanted.
            sampling: `generator=`, for a model that samples.
        """
        state, steps = self.start(memory), []
        for token in target_in.unbind(dim=1):
            step = self.step(token, state, memory, return_attention=return_attention, **sampling)
            # Without their states, the steps do not keep every state in memory to the end.
            state, step = step.state, step._replace(state=None)
            steps.append(step)
        logits, _, attention, drawn = zip(*steps, strict=True)
        return Output(
            torch.stack(logits, 1),
            None if attention[0] is None else torch.stack(attention, 1),
            None if drawn[0] is None else torch.stack(drawn, 1),
        )

    def forward(
        self,
        source: Tensor,
        source_mask: Bool[Tensor, "B S"],
        target_in: Int[Tensor, "B T"],
        *,
        return_attention: bool = False,
        **sampling: torch.Generator | None,
    ) -> Output:
        """`encode`, then `decode`."""
        memory = self.encode(source, source_mask)
        return self.decode(target_in, memory, return_attention=return_attention, **sampling)


same_rows(EncoderDecoder, "decode", "forward")


def stepwise(
    model: EncoderDecoder,
    source: Tensor,
    source_mask: Bool[Tensor, "B S"],
    target_in: Int[Tensor, "B T"],
    **asked: Any,
) -> Output:
    """Teacher forcing through `step` only; `decode` must give the same."""
    return EncoderDecoder.decode(model, target_in, model.encode(source, source_mask), **asked)


def unwrapped(model: nn.Module) -> nn.Module:
    """The model without PyTorch's wrappers.

    Searches call `encode` and `step`, which `DistributedDataParallel` does not have, and files name
    the model's own parameters, without `_orig_mod.` or `module.` before each name.
    """
    while True:
        if isinstance(getattr(model, "_orig_mod", None), nn.Module):  # torch.compile
            model = model._orig_mod
        elif isinstance(model, _WITH_MODULE):
            model = model.module
        else:
            return model


@contextmanager
def evaluating(model: nn.Module) -> Iterator[torch.device]:
    """Inside, dropout is off and there are no gradients; afterwards all modes are restored.

    Yields:
        the device that the model's parameters are on (the CPU for a model that has none).
    """
    with restoring_modes(model), torch.no_grad():
        model.eval()
        yield next((p.device for p in model.parameters()), torch.device("cpu"))


@contextmanager
def restoring_modes(model: nn.Module) -> Iterator[None]:
    """Afterwards, whatever happens inside, every module is in train or eval mode as before.

    `model.train(before)` would change modules that were put into eval mode by themselves.
    """
    modes = [(module, module.training) for module in model.modules()]
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training
