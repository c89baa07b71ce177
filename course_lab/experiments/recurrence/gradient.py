"""How much gradient comes back through a recurrent net, for chapter 1.

One number for each distance k: the norm of the gradient at the state k steps before the end,
relative to its norm at the end. Below 1 it fades, above 1 it grows. All cells are untrained: this
is what training has to start with.
"""

from collections.abc import Callable, Sequence

import torch
from jaxtyping import Float
from torch import Tensor, nn

from course_lib.device import cpu_generator
from course_lib.recurrent.cells import GRUCell, LSTMCell, RNNCell

INPUT, WIDTH = 8, 32
ROWS = 4
"""Sequences to average over; the mean is the geometric one."""

Cell = RNNCell | GRUCell | LSTMCell


class LinearCell(RNNCell):
    """h' = W_ih x + b_ih + W_hh h + b_hh: a recurrent net with no non-linearity at all."""

    def forward(
        self, inputs: Float[Tensor, "B D"], hidden: Float[Tensor, "B H"]
    ) -> Float[Tensor, "B H"]:
        """One step: the next hidden state."""
        return self.from_input(inputs) + self.from_hidden(hidden)


def _relu(inputs: int, width: int, *, generator: torch.Generator) -> RNNCell:
    return RNNCell(inputs, width, "relu", generator=generator)


def _open_lstm(inputs: int, width: int, *, generator: torch.Generator) -> LSTMCell:
    cell = LSTMCell(inputs, width, generator=generator)
    open_forget_gate(cell.bias_ih, cell.bias_hh, OPEN_BIAS)
    return cell


OPEN_BIAS = 5.0
"""A forget gate with this bias stands at σ(5) = 0.993."""

CELLS: dict[str, Callable[..., Cell]] = {
    "linear": LinearCell,
    "tanh": RNNCell,
    "ReLU": _relu,
    "GRU": GRUCell,
    "LSTM": LSTMCell,
    "LSTM, forget bias 5": _open_lstm,
}


def open_forget_gate(bias_ih: Tensor, bias_hh: Tensor, value: float) -> None:
    """Sets an LSTM's forget bias in place; the two biases are added, so one of them becomes 0.

    Args:
        bias_ih: (4H,), gates in the order i, f, g, o; torch's layers and our cell agree in it.
        bias_hh: the other one.
        value: what the forget gate's pre-activation is before any input.
    """
    forget = slice(len(bias_ih) // 4, len(bias_ih) // 2)
    with torch.no_grad():
        bias_ih[forget] = value
        bias_hh[forget] = 0.0


def make_cell(name: str, scale: float | None = None, seed: int = 0) -> Cell:
    """An untrained cell, in double precision so that very small norms are still numbers.

    Args:
        name: a key of `CELLS`.
        scale: None leaves the recurrent weights as torch draws them, uniform in ±1/√width.
            A number makes them that number times an orthogonal matrix, one matrix for each gate:
            then all their singular values are `scale`, and they stretch no direction more than
            another.
        seed: draws the weights.
    """
    generator = cpu_generator(seed)
    cell = CELLS[name](INPUT, WIDTH, generator=generator)
    if scale is not None:
        with torch.no_grad():
            for block in cell.weight_hh.split(WIDTH):
                block.copy_(
                    scale * nn.init.orthogonal_(torch.empty_like(block), generator=generator)
                )
    return cell.double()


def gradient_norms(cell: Cell, steps: int, seed: int = 0) -> list[float]:
    """Norm of the gradient at distance 0, 1, ..., `steps`, relative to distance 0.

    The net reads random inputs. The loss is the last hidden state in a random direction, so its
    gradient at distance 0 has norm 1. What an LSTM carries is hidden state and cell together, and
    so is the gradient.
    """
    generator = cpu_generator(1000 + seed)
    inputs = torch.randn(ROWS, steps + 1, INPUT, generator=generator, dtype=torch.float64)
    direction = torch.randn(ROWS, WIDTH, generator=generator, dtype=torch.float64)
    direction /= direction.norm(dim=-1, keepdim=True)
    state, carried = cell.initial(inputs), []
    for t in range(steps + 1):
        state = cell(inputs[:, t], state)
        # A copy, because an LSTM's h is computed from its c: the gradient at c itself would count
        # the way through h once more. What is carried on is the copies, each on its own.
        parts = [part.clone() for part in ([state] if isinstance(state, Tensor) else state)]
        state = parts[0] if isinstance(state, Tensor) else tuple(parts)
        carried.append(parts)
    loss = (carried[-1][0] * direction).sum()
    flat = [part for parts in carried for part in parts]
    gradients = iter(torch.autograd.grad(loss, flat, materialize_grads=True))
    norms = [torch.cat([next(gradients) for _ in parts], dim=-1).norm(dim=-1) for parts in carried]
    return [norm.log().mean().exp().item() for norm in reversed(norms)]


def profiles(
    names: Sequence[str], scales: Sequence[float], distances: Sequence[int]
) -> dict[str, dict[str, list[float]]]:
    """Gradient norms for each cell and weight scale, at the distances asked for."""
    by_net: dict[str, dict[str, list[float]]] = {}
    for name in names:
        by_net[name] = {}
        for scale in scales:
            norms = gradient_norms(make_cell(name, scale), max(distances))
            by_net[name][f"× {scale:g}"] = [norms[k] for k in distances]
    return by_net
