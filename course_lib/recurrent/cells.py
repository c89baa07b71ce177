"""Three recurrent cells from their equations: one step, from one state to the next.

Letters: x_t input, h_t hidden state, σ the logistic function, ⊙ the product element by element.
Each cell has two parts. A pure function has the equations (`gru_update`); a module has the weights
and computes the pre-activations for it:

    gates_x = W_ih x_t + b_ih      from the input      (`weight_ih`, `bias_ih`)
    gates_h = W_hh h_{t-1} + b_hh  from the state      (`weight_hh`, `bias_hh`)

Names and layout of the weights are those of `torch.nn.RNNCell`, `GRUCell` and `LSTMCell`, so a
state dict loads both ways.
"""

import math
from typing import Literal, NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

Inputs = Float[Tensor, "B D"]
Hidden = Float[Tensor, "B H"]
Gates = Float[Tensor, "B G"]


class LSTMState(NamedTuple):
    """The state of an LSTM: hidden state h and cell c, each (B, H)."""

    hidden: Hidden
    cell: Hidden


def gru_update(gates_x: Gates, gates_h: Gates, hidden: Hidden) -> Hidden:
    """One step of the gated recurrent unit, with the reset after the matrix product.

        r  = σ(x_r + h_r)            reset: how much of the past the candidate sees
        z  = σ(x_z + h_z)            update: how much of the past stays
        n  = tanh(x_n + r ⊙ h_n)     candidate
        h' = (1 - z) ⊙ n + z ⊙ h     the next hidden state

    `gates_x` (B, 3H) are x_r, x_z, x_n side by side, biases included; `gates_h` likewise.
    """
    x_gates, x_new = gates_x.split(_two_and_one(hidden), dim=-1)
    h_gates, h_new = gates_h.split(_two_and_one(hidden), dim=-1)
    reset, update = torch.sigmoid(x_gates + h_gates).chunk(2, dim=-1)
    new = torch.tanh(x_new + reset * h_new)
    return new + update * (hidden - new)  # (1 - z) ⊙ n + z ⊙ h with one product fewer


def lstm_update(gates: Gates, cell: Hidden) -> LSTMState:
    """One step of the long short-term memory (Hochreiter & Schmidhuber 1997).

        i, f, o = σ(their gates)     input gate, forget gate (Gers et al. 2000), output gate
        g  = tanh(its gate)          candidate
        c' = f ⊙ c + i ⊙ g           the cell: a sum, with no matrix and no nonlinearity on c
        h' = o ⊙ tanh(c')

    `gates` (B, 4H) are the pre-activations of i, f, g, o side by side: gates_x + gates_h.
    """
    enter, forget, candidate, leave = gates.chunk(4, dim=-1)
    cell = torch.sigmoid(forget) * cell + torch.sigmoid(enter) * torch.tanh(candidate)
    return LSTMState(torch.sigmoid(leave) * torch.tanh(cell), cell)


class _Cell(nn.Module):
    """The weights of a cell, drawn as `torch.nn` does: uniform between ±1/√H."""

    def __init__(
        self, input_size: int, hidden_size: int, gates: int, generator: torch.Generator | None
    ) -> None:
        super().__init__()
        self.input_size, self.hidden_size = input_size, hidden_size
        self.weight_ih = nn.Parameter(torch.empty(gates * hidden_size, input_size))
        self.weight_hh = nn.Parameter(torch.empty(gates * hidden_size, hidden_size))
        self.bias_ih = nn.Parameter(torch.empty(gates * hidden_size))
        self.bias_hh = nn.Parameter(torch.empty(gates * hidden_size))
        bound = 1 / math.sqrt(hidden_size)
        for parameter in self.parameters():
            nn.init.uniform_(parameter, -bound, bound, generator=generator)

    def initial(self, inputs: Float[Tensor, "B ..."]) -> Hidden:
        """The state before the first step: zeros for each row of `inputs`, on its device."""
        return inputs.new_zeros(inputs.shape[0], self.hidden_size)

    def from_input(self, inputs: Inputs) -> Gates:
        """gates_x = W_ih x + b_ih."""
        return nn.functional.linear(inputs, self.weight_ih, self.bias_ih)

    def from_hidden(self, hidden: Hidden) -> Gates:
        """gates_h = W_hh h + b_hh."""
        return nn.functional.linear(hidden, self.weight_hh, self.bias_hh)


class RNNCell(_Cell):
    """h' = f(W_ih x + b_ih + W_hh h + b_hh), f tanh or ReLU (Elman 1990)."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        nonlinearity: Literal["tanh", "relu"] = "tanh",
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, 1, generator)
        self.activation = {"tanh": torch.tanh, "relu": torch.relu}[nonlinearity]

    def forward(self, inputs: Inputs, hidden: Hidden) -> Hidden:
        """One step: the next hidden state."""
        return self.activation(self.from_input(inputs) + self.from_hidden(hidden))


class GRUCell(_Cell):
    """The gated recurrent unit (Cho et al. 2014, arXiv:1406.1078, equations 5 to 8).

    Two variants go by this name. They differ in where the reset gate acts on the candidate n:

        reset="after":  n = tanh(W_in x + b_in + r ⊙ (W_hn h + b_hn))    torch, cuDNN; the default
        reset="before": n = tanh(W_in x + b_in + W_hn (r ⊙ h) + b_hn)    Cho's equation 8

    As in Cho's equation 7, z is the part of the old state that stays; Bahdanau et al. 2015 (A.1.1)
    swap z and 1 - z.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        *,
        reset: Literal["after", "before"] = "after",
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__(input_size, hidden_size, 3, generator)
        self.reset = reset

    def forward(self, inputs: Inputs, hidden: Hidden) -> Hidden:
        """One step: the next hidden state."""
        gates_x = self.from_input(inputs)
        if self.reset == "after":
            return gru_update(gates_x, self.from_hidden(hidden), hidden)
        gates = 2 * self.hidden_size
        x_gates, x_new = gates_x.split(_two_and_one(hidden), dim=-1)
        h_gates = nn.functional.linear(hidden, self.weight_hh[:gates], self.bias_hh[:gates])
        reset, update = torch.sigmoid(x_gates + h_gates).chunk(2, dim=-1)
        h_new = nn.functional.linear(reset * hidden, self.weight_hh[gates:], self.bias_hh[gates:])
        new = torch.tanh(x_new + h_new)
        return new + update * (hidden - new)


class LSTMCell(_Cell):
    """The long short-term memory with a forget gate: equations in `lstm_update`."""

    def __init__(
        self, input_size: int, hidden_size: int, *, generator: torch.Generator | None = None
    ) -> None:
        super().__init__(input_size, hidden_size, 4, generator)

    def initial(self, inputs: Float[Tensor, "B ..."]) -> LSTMState:
        """The state before the first step: zeros in hidden state and cell."""
        return LSTMState(super().initial(inputs), super().initial(inputs))

    def forward(self, inputs: Inputs, state: tuple[Hidden, Hidden]) -> LSTMState:
        """One step: the next hidden state and cell."""
        hidden, cell = state
        return lstm_update(self.from_input(inputs) + self.from_hidden(hidden), cell)


def _two_and_one(hidden: Tensor) -> list[int]:
    """Sizes that separate the reset and update gates from the candidate."""
    size = hidden.shape[-1]
    return [2 * size, size]
