"""Unrolling with states of any nesting, and with tapes that grow (Cheng et al. 2016)."""

from typing import NamedTuple

import pytest
import torch
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys
from course_lib.recurrent.cells import LSTMCell, LSTMState
from course_lib.recurrent.unroll import run
from tests.sizes import random

D, H = 3, 4
MASK = torch.tensor(
    [[True] * 5, [True, False, True, False, False], [False, True, True, True, False]]
)


class Tapes(NamedTuple):
    """What has been so far, one place a step, and which places are real."""

    hidden: Tensor
    cell: Tensor
    real: Tensor


class Taped(NamedTuple):
    hidden: Tensor
    tapes: Tapes


class TapedCell(nn.Module):
    """An LSTM whose last state is an average over all states so far, as in the LSTMN."""

    def __init__(self) -> None:
        super().__init__()
        self.cell = LSTMCell(D, H, generator=torch.Generator().manual_seed(0)).double()
        self.ask = nn.Linear(D, H, bias=False).double()
        nn.init.constant_(self.ask.weight, 0.3)

    def initial(self, inputs: Tensor) -> Taped:
        rows = len(inputs)
        empty = inputs.new_zeros(rows, 0, H)
        real = torch.zeros(rows, 0, dtype=torch.bool)
        return Taped(inputs.new_zeros(rows, H), Tapes(empty, empty, real))

    def forward(self, inputs: Tensor, state: Taped) -> Taped:
        tapes = state.tapes
        mask, query = for_keys(tapes.real), self.ask(inputs)[:, None]
        read = [attend(query, tapes.hidden, t, mask=mask).context[:, 0] for t in tapes[:2]]
        after = self.cell(inputs, LSTMState(*read))
        real = torch.ones(len(inputs), 1, dtype=torch.bool)
        grown = [torch.cat([t, new[:, None]], 1) for t, new in zip(tapes[:2], after, strict=True)]
        return Taped(after.hidden, Tapes(*grown, torch.cat([tapes.real, real], 1)))


@pytest.mark.parametrize("reverse", [False, True])
def test_a_growing_tape_under_a_mask(reverse: bool):
    """Each row with steps left out is the row of the steps that happen; the rest gets nothing."""
    cell, results = TapedCell(), []
    for rubbish in (0.0, 3.0, torch.nan):
        inputs = random(3, 5, D).masked_fill(~MASK[..., None], rubbish).requires_grad_()
        outputs, state = run(cell, inputs, None, MASK, reverse=reverse)
        wanted = MASK.flip(1) if reverse else MASK
        assert torch.equal(state.tapes.real, wanted), "places that are not real pass for real"
        assert (state.tapes.hidden[~wanted] == 0).all()
        loss = outputs.square().sum() + state.tapes.cell.square().sum()
        (gradient,) = torch.autograd.grad(loss, inputs)
        assert (gradient[~MASK] == 0).all(), "a step that did not happen has a gradient"
        results.append((outputs, state.hidden, gradient))
    for result in results[1:]:
        assert all(torch.equal(*pair) for pair in zip(results[0], result, strict=True))
    for row in range(3):
        alone, end = run(cell, random(3, 5, D)[row : row + 1, MASK[row]], reverse=reverse)
        torch.testing.assert_close(results[0][0][row, MASK[row]], alone[0], rtol=0, atol=1e-12)
        torch.testing.assert_close(results[0][1][row], end.hidden[0], rtol=0, atol=1e-12)


@pytest.mark.parametrize("grow", [lambda t: torch.cat([t, t, t], 1), lambda t: t[:, :-1]])
def test_another_change_of_shape_under_a_mask_is_refused(grow):
    def cell(inputs, state):
        return state[0], grow(state[1])

    start = (torch.zeros(3, H), torch.zeros(3, 2, H))
    with pytest.raises(ValueError, match=r"or a tape one place longer; got \(3, 2, 4\) and then"):
        run(cell, torch.zeros(3, 5, D), start, MASK)
