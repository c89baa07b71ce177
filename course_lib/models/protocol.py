"""The one contract of every translator: encode once, then one token at a time, or all at once.

Greedy search, beam search, the length curve, BLEU, the alignment error rate and `fit` are written
against this page and so serve a recurrent net of 2014 and a Transformer alike.

The letters, here and in every model: B batch, S source length, T target length, V vocabulary.
"""

from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

Self = TypeVar("Self", bound="Batched")


@dataclass(frozen=True)
class Batched:
    """A record of tensors whose first dimension is the batch."""

    def select(self: Self, rows: Int[Tensor, " R"]) -> Self:
        """Picks batch rows, in the order given; a row may come more than once.

        Beam search lives on this: hypotheses are dropped, kept and copied by their row number.

        Args:
            rows: row numbers, each in 0..B-1.

        Returns:
            the same kind of record with R rows.
        """
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return replace(
            self,
            **{name: value[rows] for name, value in values.items() if isinstance(value, Tensor)},
        )


@dataclass(frozen=True)
class Memory(Batched):
    """What the encoder leaves for the decoder, computed once per sentence.

    Attributes:
        mask: (B, S), True where the source has a real token.
    """

    mask: Bool[Tensor, "B S"]


@dataclass(frozen=True)
class State(Batched):
    """What a decoder carries from one step to the next. Each model adds its own fields."""


class Step(NamedTuple):
    """One decoder step.

    Attributes:
        logits: (B, V), unnormalised log-probabilities of the next token.
        state: the decoder after this step.
        weights: (B, S), attention over the source; None for a model that has none.
    """

    logits: Float[Tensor, "B V"]
    state: State
    weights: Float[Tensor, "B S"] | None


class Output(NamedTuple):
    """All decoder steps under teacher forcing.

    Attributes:
        logits: (B, T, V); position t predicts the token that follows `target_in[:, t]`.
        weights: (B, T, S), attention over the source; None for a model that has none.
    """

    logits: Float[Tensor, "B T V"]
    weights: Float[Tensor, "B T S"] | None


class EncoderDecoder(nn.Module):
    """A sequence-to-sequence model: p(y | x) as a product over target positions.

    The invariant, tested for every model: feeding `target_in` token by token through `step`
    gives the logits of `forward`, in eval mode, to 1e-5. No method keeps anything on the module,
    so calls may come in any order.

    Attributes:
        config: the model's own frozen dataclass of JSON-able settings.
    """

    config: Any

    def encode(self, source: Int[Tensor, "B S"], source_mask: Bool[Tensor, "B S"]) -> Memory:
        """Reads the source, once per sentence."""
        raise NotImplementedError(f"{type(self).__name__} does not say how it encodes")

    def start(self, memory: Memory) -> State:
        """The decoder before its first token."""
        raise NotImplementedError(f"{type(self).__name__} does not say where its decoder starts")

    def step(self, token: Int[Tensor, " B"], state: State, memory: Memory) -> Step:
        """Feeds one token per sentence and predicts the next."""
        raise NotImplementedError(f"{type(self).__name__} does not say how its decoder steps")

    def forward(
        self,
        source: Int[Tensor, "B S"],
        source_mask: Bool[Tensor, "B S"],
        target_in: Int[Tensor, "B T"],
    ) -> Output:
        """Predicts every target token from the true ones before it (teacher forcing).

        This version goes step by step. A model whose steps do not wait for each other replaces it
        with one that computes them together.
        """
        return stepwise(self, source, source_mask, target_in)


def stepwise(
    model: EncoderDecoder,
    source: Int[Tensor, "B S"],
    source_mask: Bool[Tensor, "B S"],
    target_in: Int[Tensor, "B T"],
) -> Output:
    """Teacher forcing through `step` alone: the yardstick that `forward` is held against."""
    memory = model.encode(source, source_mask)
    state = model.start(memory)
    logits, weights = [], []
    for token in target_in.unbind(dim=1):
        step = model.step(token, state, memory)
        state = step.state
        logits.append(step.logits)
        weights.append(step.weights)
    has_weights = weights[0] is not None
    return Output(torch.stack(logits, 1), torch.stack(weights, 1) if has_weights else None)
