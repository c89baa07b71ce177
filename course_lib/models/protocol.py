"""The contract of every translator: encode once, then decode one token at a time, or all at once.

Greedy search, beam search, BLEU, the alignment error rate and `fit` use only this contract, so they
work for a recurrent net of 2014 and for a Transformer alike.

Letters, here and in every model: B batch, S source length, T target length, V vocabulary.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass, replace
from typing import Any, NamedTuple, TypeVar

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lib.models.shapes import Generator, Logits, SourceMask, Token, Tokens

Self = TypeVar("Self", bound="Batched")


@dataclass(frozen=True)
class Batched:
    """A record of tensors, batch first; its fields are tensors, None, tuples and such records."""

    def select(self: Self, rows: Int[Tensor, " R"]) -> Self:
        """The same record of these rows, in this order; a row may come more than once.

        ValueError if two tensors differ in their number of rows: a state with its layers first, as
        `nn.LSTM` returns it, would lose layers.
        """
        sizes: set[int] = set()
        selected = _select(self, rows, sizes)
        if len(sizes) > 1:
            raise ValueError(f"want as many rows in every tensor, the batch first; got {sizes}")
        return selected


def _select(value: Any, rows: Tensor, sizes: set[int]) -> Any:
    if value is None:
        return None
    if isinstance(value, Tensor):
        sizes.add(len(value))
        return value[rows]
    if is_dataclass(value):
        return replace(value, **{k: _select(v, rows, sizes) for k, v in vars(value).items()})
    parts = [_select(part, rows, sizes) for part in value]
    return type(value)(*parts) if hasattr(value, "_fields") else tuple(parts)


def require_rows(*tensors: Tensor) -> None:
    """Check that all have as many rows (else ValueError): PyTorch would repeat a single one."""
    rows = [len(tensor) for tensor in tensors]
    if len(set(rows)) > 1:
        raise ValueError(f"want as many rows in every tensor, the batch first; got {rows}")


@dataclass(frozen=True)
class Memory(Batched):
    """The encoder's output; `mask` is True where the source may be attended to."""

    mask: SourceMask


@dataclass(frozen=True)
class State(Batched):
    """The decoder's state between two steps. Each model adds its own fields."""


@dataclass(frozen=True)
class HiddenState(State):
    """The hidden state of a decoder with one recurrent layer."""

    hidden: Float[Tensor, "B H"]


class Step(NamedTuple):
    """One decoder step.

    Attributes:
        attention: weights over the source; None unless asked for, and in a model without.
        log_probability: of the model's draw in this step; None where it drew nothing.
    """

    logits: Float[Tensor, "B V"]
    state: State
    attention: Float[Tensor, "B S"] | None = None
    log_probability: Float[Tensor, " B"] | None = None


class Output(NamedTuple):
    """All decoder steps under teacher forcing: the fields of `Step` with T after the batch.

    The logits at position t predict the token that follows `target_in[:, t]`.
    """

    logits: Logits
    attention: Float[Tensor, "B T S"] | None = None
    log_probability: Float[Tensor, "B T"] | None = None


class EncoderDecoder(nn.Module):
    """A sequence-to-sequence model: p(y | x) as a product over target positions.

    A model defines `encode`, `start` and `step`. Feeding `target_in` token by token through `step`
    gives the logits of `decode`, in eval mode, to 1e-5. No method stores anything in the module.
    Attention weights are returned only where `return_attention=True` asks for them.

    A model that samples, such as hard attention, also takes `generator`, on the CPU, and returns
    the log-probability of its draw; without a generator it takes the most probable position.

    `config` is the model's own frozen dataclass of JSON-able settings.
    """

    config: Any

    def encode(self, source: Tensor, source_mask: SourceMask) -> Memory:
        """Read the source, once per sentence.

        Args:
            source: token ids (B, S); for a captioner an image (B, ...).
            source_mask: True at real tokens or regions. A recurrent model refuses padding before a
                token, others accept it anywhere.
        """
        raise NotImplementedError

    def start(self, memory: Memory) -> State:
        """The decoder before its first token."""
        raise NotImplementedError

    def max_steps(self, memory: Memory) -> int | None:
        """The most tokens that `step` can read one after the other; None if there is no limit."""
        return None

    def step(
        self, token: Token, state: State, memory: Memory, *, return_attention: bool = False
    ) -> Step:
        """Feed one token per sentence and predict the next."""
        raise NotImplementedError

    def decode(
        self,
        target_in: Tokens,
        memory: Memory,
        *,
        return_attention: bool = False,
        **sampling: Generator,
    ) -> Output:
        """Predict every target token from the true ones before it (teacher forcing), step by step.

        `target_in` has START first; `sampling` is `generator=`, for a model that samples.
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
        source_mask: SourceMask,
        target_in: Tokens,
        *,
        return_attention: bool = False,
        **sampling: Generator,
    ) -> Output:
        """`encode`, then `decode`; ValueError if the arguments differ in their number of rows."""
        require_rows(source, source_mask, target_in)
        memory = self.encode(source, source_mask)
        return self.decode(target_in, memory, return_attention=return_attention, **sampling)


class ParallelDecoder(EncoderDecoder):
    """An encoder-decoder that defines `run_decoder` for any number of tokens at once."""

    def run_decoder(
        self, tokens: Tokens, state: State, memory: Memory, *, return_attention: bool = False
    ) -> tuple[Output, State]:
        """What follows each of these tokens, and the decoder after the last."""
        raise NotImplementedError

    def step(
        self, token: Token, state: State, memory: Memory, *, return_attention: bool = False
    ) -> Step:
        """One token."""
        output, state = self.run_decoder(
            token[:, None], state, memory, return_attention=return_attention
        )
        attention = None if output.attention is None else output.attention[:, 0]
        return Step(output.logits[:, 0], state, attention)

    def decode(
        self, target_in: Tokens, memory: Memory, *, return_attention: bool = False
    ) -> Output:
        """Teacher forcing, all tokens in one call."""
        state = self.start(memory)
        return self.run_decoder(target_in, state, memory, return_attention=return_attention)[0]


def unwrapped(model: nn.Module) -> nn.Module:
    """The model inside `torch.compile` and `DistributedDataParallel`.

    The wrappers have no `encode` and `step`, and put `_orig_mod.` or `module.` before each name.
    """
    if hasattr(model, "_orig_mod"):  # torch.compile
        return unwrapped(model._orig_mod)
    if isinstance(model, nn.parallel.DistributedDataParallel):
        return unwrapped(model.module)
    return model


@contextmanager
def evaluating(model: nn.Module) -> Iterator[torch.device]:
    """Turn dropout and gradients off, restore all modes afterwards; yield the model's device."""
    with restoring_modes(model), torch.no_grad():
        model.eval()
        yield next((p.device for p in model.parameters()), torch.device("cpu"))


@contextmanager
def restoring_modes(model: nn.Module) -> Iterator[None]:
    """Put each part back into train or eval mode as before, also parts that differ from others."""
    modes = [(module, module.training) for module in model.modules()]
    try:
        yield
    finally:
        for module, training in modes:
            module.training = training
