"""The nets of chapter 1's experiment, and how as many as there are seeds are computed together."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from course_lab.experiments.recurrence.gradient import open_forget_gate
from course_lib.recurrent.cells import gru_update, lstm_update

KEPT, NOISE = 4, 4
"""How many symbols may have to be kept, and how many others are noise."""
SYMBOLS = KEPT + NOISE
State = tuple[Tensor, ...]


class Kind(NamedTuple):
    """A kind of recurrent net.

    Attributes:
        layer: torch's fused layer, given the number of symbols and `width`.
        width: of the hidden state. It is chosen so that all kinds have about 2,900 parameters.
        start: changes the first weights from torch's own, or leaves them.
        step: makes the next state of the two pre-activations and the state, hidden state first.
    """

    layer: Callable[[int, int], nn.RNNBase]
    width: int
    start: Callable[[nn.RNNBase, torch.Generator], None]
    step: Callable[[Tensor, Tensor, State], State]


def _as_torch(layer: nn.RNNBase, generator: torch.Generator) -> None:
    """Leaves the weights as torch draws them: uniform in ±1/√width."""


def _orthogonal(layer: nn.RNNBase, generator: torch.Generator) -> None:
    """Recurrent weights that turn the state and neither stretch nor shrink it."""
    nn.init.orthogonal_(layer.weight_hh_l0, generator=generator)


def _forget_bias_1(layer: nn.RNNBase, generator: torch.Generator) -> None:
    open_forget_gate(layer.bias_ih_l0, layer.bias_hh_l0, 1.0)


def _forget_bias_5(layer: nn.RNNBase, generator: torch.Generator) -> None:
    open_forget_gate(layer.bias_ih_l0, layer.bias_hh_l0, 5.0)


def _tanh_step(gates_x: Tensor, gates_h: Tensor, state: State) -> State:
    return (torch.tanh(gates_x + gates_h),)


def _gru_step(gates_x: Tensor, gates_h: Tensor, state: State) -> State:
    return (gru_update(gates_x, gates_h, state[0]),)


def _lstm_step(gates_x: Tensor, gates_h: Tensor, state: State) -> State:
    return lstm_update(gates_x + gates_h, state[1])


KINDS: dict[str, Kind] = {
    "tanh": Kind(nn.RNN, 48, _as_torch, _tanh_step),
    "tanh, orthogonal": Kind(nn.RNN, 48, _orthogonal, _tanh_step),
    "GRU": Kind(nn.GRU, 26, _as_torch, _gru_step),
    "LSTM": Kind(nn.LSTM, 22, _as_torch, _lstm_step),
    "LSTM, forget bias 1": Kind(nn.LSTM, 22, _forget_bias_1, _lstm_step),
    "LSTM, forget bias 5": Kind(nn.LSTM, 22, _forget_bias_5, _lstm_step),
}


class Recaller(nn.Module):
    """A recurrent layer, and a linear layer that reads its last hidden state."""

    def __init__(self, kind: str, generator: torch.Generator) -> None:
        super().__init__()
        layer, width, start, _ = KINDS[kind]
        self.layer = layer(SYMBOLS, width)
        self.readout = nn.Linear(width, KEPT)
        bound = 1 / math.sqrt(width)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound, generator=generator)
        start(self.layer, generator)

    def forward(self, symbols: Int[Tensor, "S B"]) -> Float[Tensor, "B V"]:
        """Scores (B, KEPT) of the symbols that may have stood at the beginning."""
        hidden, _ = self.layer(nn.functional.one_hot(symbols, SYMBOLS).float())
        return self.readout(hidden[-1])


Weights = dict[str, Tensor]
"""The weights of N nets of one kind, named as in `Recaller`, each with N in front."""


def stack(nets: Sequence[Recaller]) -> Weights:
    """The weights of nets of one kind, to be trained together; each net stays its own."""
    weights, _ = torch.func.stack_module_state(list(nets))
    return weights


def scores(kind: str, weights: Weights, symbols: Int[Tensor, "N S B"]) -> Float[Tensor, "N B V"]:
    """What each of N nets says of its own sequences: `Recaller.forward`, for all of them at once.

    The nets are so small that calling a product takes longer than making it. Ten nets with one call
    take far less time than ten calls.
    """

    count, steps, batch = symbols.shape

    def linear(inputs: Float[Tensor, "N R D"], layer: str, part: str) -> Float[Tensor, "N R G"]:
        weight, bias = weights[f"{layer}.weight{part}"], weights[f"{layer}.bias{part}"]
        return torch.baddbmm(bias[:, None], inputs, weight.mT)

    inputs = nn.functional.one_hot(symbols, SYMBOLS).float().flatten(1, 2)
    gates_x = linear(inputs, "layer", "_ih_l0").unflatten(1, (steps, batch)).transpose(0, 1)
    nothing = inputs.new_zeros(count * batch, KINDS[kind].width)
    state: State = (nothing, nothing)
    # A cell knows of one batch: in it, the sequences of all nets lie one below the other.
    for gates_x_t in gates_x.flatten(1, 2).unbind(0):
        gates_h = linear(state[0].unflatten(0, (count, batch)), "layer", "_hh_l0")
        state = KINDS[kind].step(gates_x_t, gates_h.flatten(0, 1), state)
    return linear(state[0].unflatten(0, (count, batch)), "readout", "")


def clip_each(weights: Weights, norm: float) -> None:
    """Shortens each net's own gradient to this norm, as `clip_grad_norm_` does for one net."""
    gradients = [weight.grad for weight in weights.values() if weight.grad is not None]
    norms = torch.cat([gradient.flatten(1) for gradient in gradients], dim=1).norm(dim=1)
    factors = (norm / (norms + 1e-6)).clamp(max=1)
    for gradient in gradients:
        gradient.mul_(factors.view(-1, *[1] * (gradient.dim() - 1)))
