"""Mistakes in the recurrent cells, the encoder and the loop over time."""

from tools.mutants.mutant import Mutant

_CELLS = "tests/unit/recurrent/test_cells.py"
_P_RECURRENT = "tests/parity/test_recurrent_parity.py"
_ENCODER = "tests/unit/recurrent/test_encoder.py"
_UNROLL = "tests/unit/recurrent/test_unroll.py"

MUTANTS = [
    Mutant(
        "the GRU's update gate the other way round",
        "course_lib/recurrent/cells.py",
        "    return new + update * (hidden - new)  #",
        "    return hidden + update * (new - hidden)  #",
        _CELLS,
    ),
    Mutant(
        "the GRU's gates swapped",
        "course_lib/recurrent/cells.py",
        "    reset, update = torch.sigmoid(x_gates + h_gates).chunk(2, dim=-1)\n    new",
        "    update, reset = torch.sigmoid(x_gates + h_gates).chunk(2, dim=-1)\n    new",
        _CELLS,
    ),
    Mutant(
        "the GRU's reset gate left out",
        "course_lib/recurrent/cells.py",
        "x_new + reset * h_new",
        "x_new + h_new",
        _CELLS,
    ),
    Mutant(
        "the reset before the product made the one after it",
        "course_lib/recurrent/cells.py",
        "nn.functional.linear(reset * hidden, self.weight_hh[gates:]",
        "reset * nn.functional.linear(hidden, self.weight_hh[gates:]",
        _CELLS,
    ),
    Mutant(
        "the LSTM's input and forget gates swapped",
        "course_lib/recurrent/cells.py",
        "enter, forget, candidate, leave = gates",
        "forget, enter, candidate, leave = gates",
        _CELLS,
    ),
    Mutant(
        "the LSTM's state without its last tanh",
        "course_lib/recurrent/cells.py",
        "torch.sigmoid(leave) * torch.tanh(cell)",
        "torch.sigmoid(leave) * cell",
        _CELLS,
    ),
    Mutant(
        "an RNN of ReLU runs tanh",
        "course_lib/recurrent/cells.py",
        'if self.nonlinearity == "tanh" else torch.relu',
        "if True else torch.relu",
        f"{_CELLS} {_P_RECURRENT}",
    ),
    Mutant(
        "an encoder reads padding where one row has none",
        "course_lib/recurrent/encoder.py",
        ".eq(embedded.shape[1]).all():",
        ".eq(embedded.shape[1]).any():",
        _ENCODER,
    ),
    Mutant(
        "an encoder's annotations lose their width",
        "course_lib/recurrent/encoder.py",
        "outputs, batch_first=True, total_length=embedded.shape[1]",
        "outputs, batch_first=True",
        _ENCODER,
    ),
    Mutant(
        "the directions of an encoder's last state mixed with the layers",
        "course_lib/recurrent/encoder.py",
        "state.unflatten(0, (self.layers.num_layers, -1))",
        "state.unflatten(0, (-1, self.layers.num_layers)).transpose(0, 1)",
        _P_RECURRENT,
    ),
    Mutant(
        "padding on the left is not noticed",
        "course_lib/recurrent/encoder.py",
        "if right is False:\n            raise",
        "if False:\n            raise",
        _ENCODER,
    ),
    Mutant(
        "masked steps happen",
        "course_lib/recurrent/unroll.py",
        "state = after if happens is None else _where(happens, after, state)",
        "state = after",
        _CELLS,
    ),
    Mutant(
        "reverse is ignored",
        "course_lib/recurrent/unroll.py",
        "for x, happens in reversed(steps) if reverse else steps:",
        "for x, happens in steps:",
        _CELLS,
    ),
    Mutant(
        "the outputs of a reversed run stand reversed",
        "course_lib/recurrent/unroll.py",
        "outputs[::-1] if reverse else outputs",
        "outputs",
        _CELLS,
    ),
    Mutant(
        "outputs at masked steps are kept",
        "course_lib/recurrent/unroll.py",
        "(hidden if mask is None else hidden.masked_fill(~mask.unsqueeze(-1), 0.0))",
        "hidden",
        _CELLS,
    ),
    Mutant(
        "a tape does not grow under a mask",
        "course_lib/recurrent/unroll.py",
        "        if grown:\n",
        "        if False:\n",
        _UNROLL,
    ),
]
