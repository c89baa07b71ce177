"""Recurrent cells: one step by hand, the variants of the GRU, and unrolling over a mask."""

from math import exp, tanh

import pytest
import torch
from torch import Tensor

from course_lib.recurrent.cells import (
    GRUCell,
    LSTMCell,
    LSTMState,
    RNNCell,
    gru_update,
    lstm_update,
)
from course_lib.recurrent.unroll import run
from tests.sizes import random


def seeded(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def logistic(x: float) -> float:
    return 1 / (1 + exp(-x))


def column(*numbers: float) -> Tensor:
    return torch.tensor([numbers], dtype=torch.float64)


def test_rnn_step_by_hand():
    for nonlinearity, wanted in (("tanh", tanh(-0.5)), ("relu", 0.0)):
        cell = RNNCell(1, 1, nonlinearity).double()
        cell.load_state_dict(
            {
                "weight_ih": torch.tensor([[2.0]]),
                "weight_hh": torch.tensor([[-3.0]]),
                "bias_ih": torch.tensor([0.25]),
                "bias_hh": torch.tensor([0.25]),
            }
        )
        assert cell(column(1.0), column(1.0)).item() == pytest.approx(wanted, abs=1e-12)


def test_gru_step_by_hand():
    x_r, x_z, x_n, h_r, h_z, h_n, h = 0.3, -0.2, 0.7, 0.1, 0.5, -1.1, 0.4
    r, z = logistic(x_r + h_r), logistic(x_z + h_z)
    n = tanh(x_n + r * h_n)
    new = gru_update(column(x_r, x_z, x_n), column(h_r, h_z, h_n), column(h))
    assert new.item() == pytest.approx((1 - z) * n + z * h, abs=1e-12)


def test_lstm_step_by_hand():
    i, f, g, o, c = 0.3, -0.2, 0.7, 0.1, 0.5
    hidden, cell = lstm_update(column(i, f, g, o), column(c))
    wanted = logistic(f) * c + logistic(i) * tanh(g)
    assert cell.item() == pytest.approx(wanted, abs=1e-12)
    assert hidden.item() == pytest.approx(logistic(o) * tanh(wanted), abs=1e-12)


def cho(cell: GRUCell, x: Tensor, h: Tensor) -> Tensor:
    """Cho et al. 2014, equations 5 to 8, one row at a time: the reset acts before the product."""
    w_r, w_z, w_n = cell.weight_ih.chunk(3)
    u_r, u_z, u_n = cell.weight_hh.chunk(3)
    (b_r, b_z, b_n), (d_r, d_z, d_n) = cell.bias_ih.chunk(3), cell.bias_hh.chunk(3)
    rows = []
    for x_row, h_row in zip(x, h, strict=True):
        r = torch.sigmoid(w_r @ x_row + b_r + u_r @ h_row + d_r)
        z = torch.sigmoid(w_z @ x_row + b_z + u_z @ h_row + d_z)
        n = torch.tanh(w_n @ x_row + b_n + u_n @ (r * h_row) + d_n)
        rows.append(z * h_row + (1 - z) * n)
    return torch.stack(rows)


def test_reset_before_is_chos_equation_and_after_is_not():
    before = GRUCell(3, 4, reset="before", generator=seeded()).double()
    after = GRUCell(3, 4, reset="after").double()
    after.load_state_dict(before.state_dict())
    x, h = random(5, 3), random(5, 4, seed=1)
    torch.testing.assert_close(before(x, h), cho(before, x, h), rtol=0, atol=1e-12)
    assert (after(x, h) - cho(after, x, h)).abs().max() > 1e-3


def test_an_open_update_gate_keeps_the_state():
    """z = 1 keeps, as in Cho's equation 7; a swapped gate would overwrite."""
    state = column(0.4)
    assert gru_update(column(0, 100, 2), column(0, 0, 0), state).item() == pytest.approx(0.4)
    swapped = gru_update(column(0, -100, 2), column(0, 0, 0), state).item()
    assert swapped == pytest.approx(tanh(2))


CELLS = {
    "tanh": lambda: RNNCell(3, 4, generator=seeded()).double(),
    "relu": lambda: RNNCell(3, 4, "relu", generator=seeded()).double(),
    "gru": lambda: GRUCell(3, 4, generator=seeded()).double(),
    "gru before": lambda: GRUCell(3, 4, reset="before", generator=seeded()).double(),
    "lstm": lambda: LSTMCell(3, 4, generator=seeded()).double(),
}


@pytest.mark.parametrize("name", CELLS)
def test_run_is_a_loop(name: str):
    cell, inputs = CELLS[name](), random(2, 5, 3)
    outputs, last = run(cell, inputs)
    state = cell.initial(inputs)
    for t in range(5):
        state = cell(inputs[:, t], state)
        assert torch.equal(outputs[:, t], state[0] if name == "lstm" else state)
    for got, wanted in zip(last, state, strict=True):
        assert torch.equal(got, wanted)
    assert isinstance(last, LSTMState if name == "lstm" else Tensor)


MASK = torch.tensor([[True, True, True, True, True], [True, False, True, False, False]])


def test_masked_steps_do_not_happen():
    """A masked step does not happen: not its input, not its gradient, not even if it is nan."""
    for name in CELLS:
        cell = CELLS[name]()
        results = []
        for rubbish in (0.0, 3.0, torch.nan):
            inputs = random(2, 5, 3).masked_fill(~MASK[..., None], rubbish).requires_grad_()
            outputs, last = run(cell, inputs, None, MASK)
            last = torch.cat(tuple(last) if name == "lstm" else (last,), dim=-1)
            assert (outputs[~MASK] == 0).all(), "an output at a step that did not happen"
            loss = outputs.square().sum() + last.square().sum()
            gradients = torch.autograd.grad(loss, [inputs, *cell.parameters()])
            assert (gradients[0][~MASK] == 0).all(), "a gradient at a step that did not happen"
            results.append((outputs, last, *gradients))
        for result in results[1:]:
            for one, two in zip(results[0], result, strict=True):
                assert torch.equal(one, two), "a step that did not happen moves something"
        short, end = run(cell, random(2, 5, 3)[1:, [0, 2]])
        end = torch.cat(tuple(end) if name == "lstm" else (end,), dim=-1)
        torch.testing.assert_close(results[0][0][1:, [0, 2]], short, rtol=0, atol=1e-12)
        torch.testing.assert_close(results[0][1][1:], end, rtol=0, atol=1e-12)
