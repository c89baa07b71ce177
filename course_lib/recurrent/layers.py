"""`torch.nn`'s recurrent layers, stepped where PyTorch's fused operators do not work.

The operators support neither `torch.vmap` nor a mask. Here their weights go through the equations
of `cells.py`.
"""

from functools import partial

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.recurrent.cells import LSTMState, gru_update, lstm_update
from course_lib.recurrent.unroll import State, run

WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")

Whole = Tensor | tuple[Tensor, Tensor]
"""A state of all layers as in `torch.nn`: (LD, B, H); for an LSTM hidden state and cell."""


def through(
    layers: nn.RNNBase, inputs: Float[Tensor, "B T D"], first: Whole
) -> tuple[Float[Tensor, "B T H"], Whole]:
    """`layers(inputs, first)`, under the transformations of `torch.func` too."""
    return stepped(layers, inputs, first) if transformed(layers, inputs) else layers(inputs, first)


def transformed(layers: nn.RNNBase, inputs: Tensor) -> bool:
    """Whether `vmap`, `grad` or another transformation of `torch.func` wraps inputs or weights."""
    if torch.compiler.is_compiling():
        return False
    try:
        for tensor in (inputs, *layers.parameters()):
            tensor.data_ptr()
    except RuntimeError:  # A wrapped tensor has no storage.
        return True
    return False


def stepped(
    layers: nn.RNNBase,
    inputs: Float[Tensor, "B T D"],
    first: Whole | None = None,
    mask: Bool[Tensor, "B T"] | None = None,
) -> tuple[Float[Tensor, "B T HD"], Whole]:
    """The layers from their equations: outputs, and the state after the last step.

    Args:
        layers: batch first.
        inputs: one for each step.
        first: the state before the first step; by default zeros.
        mask: True at the steps that happen, as in `unroll.run`.
    """
    ways, lstm = ("", "_reverse") if layers.bidirectional else ("",), layers.mode == "LSTM"
    if first is None:
        first = inputs.new_zeros(layers.num_layers * len(ways), inputs.shape[0], layers.hidden_size)
        first = (first, first) if lstm else first
    starts = zip(*first, strict=True) if lstm else iter(first)
    ends: list[State] = []
    for layer in range(layers.num_layers):
        if layer:
            inputs = nn.functional.dropout(inputs, layers.dropout, layers.training)
        outputs = []
        for way in ways:
            names = (f"{part}_l{layer}{way}" for part in WEIGHTS)
            step = partial(_step, layers.mode, *(getattr(layers, name) for name in names))
            start = next(starts)
            start = LSTMState(*start) if lstm else start
            read, end = run(step, inputs, start, mask, reverse=bool(way))
            outputs.append(read)
            ends.append(end)
        inputs = torch.cat(outputs, dim=-1)
    if lstm:
        return inputs, tuple(torch.stack(part) for part in zip(*ends, strict=True))
    return inputs, torch.stack(ends)


def _step(
    mode: str,
    weight_ih: Tensor,
    weight_hh: Tensor,
    bias_ih: Tensor,
    bias_hh: Tensor,
    x: Tensor,
    state: State,
) -> State:
    """One step of a layer; `mode` is PyTorch's name of its kind."""
    hidden = state[0] if mode == "LSTM" else state
    gates_x = nn.functional.linear(x, weight_ih, bias_ih)
    gates_h = nn.functional.linear(hidden, weight_hh, bias_hh)
    if mode == "LSTM":
        return lstm_update(gates_x + gates_h, state[1])
    return gru_update(gates_x, gates_h, hidden) if mode == "GRU" else (gates_x + gates_h).tanh()
