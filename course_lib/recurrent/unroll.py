"""Runs a cell along a sequence."""

from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.attention.masks import require_padding_mask

State = Tensor | tuple[Any, ...]
"""The state of a cell: a hidden state (B, H), or a tuple whose first part is the hidden state.

The other parts are tensors with the batch first, or tuples of such tensors. A part may be a tape
that grows: (B, t, ...) before a step and (B, t + 1, ...) after it (Cheng et al. 2016).
"""


def run(
    cell: Callable[[Tensor, State], State],
    inputs: Float[Tensor, "B T D"],
    state: State | None = None,
    mask: Bool[Tensor, "B T"] | None = None,
    *,
    reverse: bool = False,
) -> tuple[Float[Tensor, "B T H"], State]:
    """Steps the cell through time, with the same weights at every step.

    Where the mask is False the step does not happen: the state stays as it is and the output is
    zero. The input there has no influence and gets no gradient, even if it is nan. A tape grows in
    all rows at once, so a row whose step does not happen gets a place with zeros, and with False in
    a boolean tape. A cell with a tape therefore keeps a boolean tape too, True at each of its
    places, as the mask of its attention.

    Args:
        cell: from (input (B, D), state) to the next state, as the cells in `cells.py`.
        inputs: one input for each step.
        state: the first state; by default `cell.initial(inputs)`.
        mask: True at the steps that happen, anywhere in the row.
        reverse: step from the last input to the first. Each output keeps the place of its input.

    Returns:
        The hidden state after each step, and the state after the last one.

    Raises:
        ValueError: there are no inputs, the mask is not (B, T), or with a mask a part of the state
            changes its shape other than by growing as a tape.
        TypeError: the mask is not boolean.
    """
    if inputs.shape[1] == 0:
        raise ValueError(f"want one step or more; got inputs of shape {tuple(inputs.shape)}")
    state = cell.initial(inputs) if state is None else state
    if mask is not None:
        require_padding_mask(mask, inputs)
        # To carry the state over is not enough: the gradient of a step that did not happen is 0
        # times its slope, and 0 · nan is nan.
        inputs = inputs.masked_fill(~mask.unsqueeze(-1), 0.0)
    outputs = []
    # Unbound at once: a trace then refuses another number of steps and does not drop some.
    happen = [None] * inputs.shape[1] if mask is None else mask.unbind(1)
    steps = list(zip(inputs.unbind(1), happen, strict=True))
    for x, happens in reversed(steps) if reverse else steps:
        after = cell(x, state)
        state = after if happens is None else _where(happens, after, state)
        outputs.append(state if isinstance(state, Tensor) else state[0])
    hidden = torch.stack(outputs[::-1] if reverse else outputs, dim=1)
    return (hidden if mask is None else hidden.masked_fill(~mask.unsqueeze(-1), 0.0)), state


def _where(happens: Bool[Tensor, " B"], after: State, before: State) -> State:
    """The state after the step in the rows where it happens, the state before in the others."""
    if isinstance(after, Tensor):
        grown = after.dim() > 1 and after.shape[1] == before.shape[1] + 1
        if grown:
            place = before.new_zeros(before.shape[0], 1, *before.shape[2:])
            before = torch.cat([before, place], dim=1)
        if after.shape != before.shape:
            raise ValueError(
                f"want a state of one shape at every step, or a tape one place longer; got "
                f"{tuple(before.shape)} and then {tuple(after.shape)}"
            )
        return torch.where(happens.view(-1, *[1] * (after.dim() - 1)), after, before)
    parts = [_where(happens, new, old) for new, old in zip(after, before, strict=True)]
    return type(after)(*parts) if hasattr(after, "_fields") else tuple(parts)
