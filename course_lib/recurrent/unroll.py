"""Runs a cell along a sequence."""

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.attention.masks import require_padding_mask

State = Tensor | tuple[Tensor, ...]
"""The state of a cell: a hidden state (B, H), or a tuple whose first part is the hidden state."""


def run(
    cell: Callable[[Tensor, State], State],
    inputs: Float[Tensor, "B T D"],
    state: State | None = None,
    mask: Bool[Tensor, "B T"] | None = None,
) -> tuple[Float[Tensor, "B T H"], State]:
    """Step the cell along the sequence; return the states after all steps, and after the last one.

    Where the mask is False the step does not happen: the state stays as it is and the output is
    zero. The input there has no influence and gets no gradient, even if it is nan.

    Args:
        cell: from (input (B, D), state) to the next state, as the cells in `cells.py`.
        state: the first state; by default `cell.initial(inputs)`.
        mask: True at the steps that happen, anywhere in the row.
    """
    state = cell.initial(inputs) if state is None else state
    if mask is not None:
        require_padding_mask(mask, inputs)
        # To carry the state over is not enough: the gradient of a step that did not happen is 0
        # times its slope, and 0 · nan is nan.
        inputs = inputs.masked_fill(~mask.unsqueeze(-1), 0.0)
    outputs: list[Tensor] = []
    for t in range(inputs.shape[1]):
        after = cell(inputs[:, t], state)
        state = after if mask is None else _where(mask[:, t, None], after, state)
        outputs.append(state if isinstance(state, Tensor) else state[0])
    hidden = torch.stack(outputs, dim=1)
    return (hidden if mask is None else hidden.masked_fill(~mask.unsqueeze(-1), 0.0)), state


def _where(mask: Bool[Tensor, "B 1"], after: State, before: State) -> State:
    """The state after the step where the mask is True, the state before it elsewhere."""
    if isinstance(after, Tensor):
        return torch.where(mask, after, before)
    parts = [torch.where(mask, new, old) for new, old in zip(after, before, strict=True)]
    return type(after)(*parts) if hasattr(after, "_fields") else tuple(parts)
