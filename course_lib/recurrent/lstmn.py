"""The LSTMN: an LSTM with a memory for each word (Cheng, Dong & Lapata 2016, arXiv:1601.06733).

It keeps a hidden state h_i and a cell c_i for each word: two tapes, which grow at each step. In
place of the last state it uses a sum over the tapes, weighted by attention within the sentence
(intra-attention).

Letters: D input width, H hidden width, A width of the score, t words read, S of a source.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.masks import for_keys, require_padding_mask
from course_lib.attention.scores import AdditiveScore


class LSTMNState(NamedTuple):
    """The state of an LSTMN.

    Attributes:
        hidden: h_t, the newest hidden state; zeros before the first step.
        summary: h̃_t, the sum over the hidden tape that the last step used.
        hidden_tape, cell_tape: h_1 ... h_t and c_1 ... c_t.
        key_tape: W_h h_i, the part of the score that depends only on h_i, computed once.
        mask: True at real tokens, False at padding.
        source: γ̃_t of deep fusion, the last sum over the hidden tape of the source; else zeros.
    """

    hidden: Float[Tensor, "B H"]
    summary: Float[Tensor, "B H"]
    hidden_tape: Float[Tensor, "B t H"]
    cell_tape: Float[Tensor, "B t H"]
    key_tape: Float[Tensor, "B t A"]
    mask: Bool[Tensor, "B t"]
    source: Float[Tensor, "B H"]


class Tapes(NamedTuple):
    """What a deeply fused decoder attends to: the tapes of an LSTMN that has read the source.

    Y = γ_1 ... γ_S and A = α_1 ... α_S, and W_γ γ_j, projected once for all steps of the decoder.
    """

    hidden: Float[Tensor, "B S H"]
    cell: Float[Tensor, "B S H"]
    keys: Float[Tensor, "B S A"]
    mask: Bool[Tensor, "B S"]


class LSTMNStep(NamedTuple):
    """The state after a step, and its weights over the positions before it and over the source."""

    state: LSTMNState
    intra: Float[Tensor, "B t"]
    inter: Float[Tensor, "B S"] | None = None


class LSTMNCell(nn.Module):
    """One step of the LSTMN, equations 4 to 9 of its paper.

        a_i^t     = vᵀ tanh(W_h h_i + W_x x_t + W_h̃ h̃_{t-1})      equation 4, for i = 1 ... t-1
        s_i^t     = softmax over i of a_i^t                        equation 5
        [h̃_t;c̃_t] = Σ_i s_i^t [h_i; c_i]                           equation 6
        i, f, o   = σ, ĉ = tanh of W [h̃_t; x_t]                    equation 7
        c_t       = f ⊙ c̃_t + i ⊙ ĉ                                equation 8
        h_t       = o ⊙ tanh(c_t)                                  equation 9

    At the first step the tapes are empty and the sums zero. With weight 1 on the last word it is an
    LSTM. Equation 7 has no bias; ours has one, as LSTMs do. Our A is H.
    """

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__()
        self.hidden_size = hidden_size
        # W_x and W_h̃ side by side are one matrix over [x_t; h̃_{t-1}].
        self.intra = AdditiveScore(input_size + hidden_size, hidden_size, hidden_size)
        self.gates = nn.Linear(hidden_size + input_size, 4 * hidden_size)

    def initial(self, inputs: Float[Tensor, "B ..."]) -> LSTMNState:
        """Empty tapes for each row of `inputs`, on its device."""
        rows, hidden = inputs.shape[0], self.hidden_size
        vector, tape = inputs.new_zeros(rows, hidden), inputs.new_zeros(rows, 0, hidden)
        mask = torch.zeros(rows, 0, dtype=torch.bool, device=inputs.device)
        return LSTMNState(vector, vector, tape, tape, tape, mask, vector)

    def step(
        self, inputs: Float[Tensor, "B D"], state: LSTMNState, tapes: Tapes | None = None
    ) -> LSTMNStep:
        """One step, with its attention weights; `tapes` are those of a `DeepFusionCell`."""
        own_tapes = state.hidden_tape, state.cell_tape
        summary, own, intra = _sums(
            self.intra, inputs, state.summary, state.key_tape, own_tapes, state.mask
        )
        source, inter = state.source, None
        if tapes is not None:
            of_source = tapes.hidden, tapes.cell
            source, foreign, inter = _sums(
                self.inter, inputs, source, tapes.keys, of_source, tapes.mask
            )
        *gates, candidate = self.gates(torch.cat([summary, inputs], dim=-1)).chunk(4, dim=-1)
        enter, forget, leave = (torch.sigmoid(gate) for gate in gates)
        candidate = torch.tanh(candidate)
        if tapes is None:
            cell = forget * own + enter * candidate
        else:
            transfer = torch.sigmoid(self.transfer(torch.cat([source, inputs], dim=-1)))
            cell = transfer * foreign + forget * own + enter * candidate
        hidden = leave * torch.tanh(cell)
        state = LSTMNState(
            hidden,
            summary,
            _append(state.hidden_tape, hidden),
            _append(state.cell_tape, cell),
            _append(state.key_tape, self.intra.project_keys(hidden)),
            _append(state.mask, torch.ones_like(hidden[:, 0], dtype=torch.bool)),
            source,
        )
        return LSTMNStep(state, intra, inter)


class DeepFusionCell(LSTMNCell):
    """An LSTMN whose cell also takes in the source's cells: deep attention fusion (section 4).

        b_j^t     = uᵀ tanh(W_γ γ_j + W_x x_t + W_γ̃ γ̃_{t-1})      score of each word of the source
        p_j^t     = softmax over j of b_j^t                        its weight
        [γ̃_t;α̃_t] = Σ_j p_j^t [γ_j; α_j]                           both tapes of the source, summed
        r_t       = σ(W_r [γ̃_t; x_t])                              a gate for the source
        c_t       = r ⊙ α̃_t + f ⊙ c̃_t + i ⊙ ĉ                      the cell
        h_t       = o ⊙ tanh(c_t)                                  the hidden state

    Its steps take the tapes of the source.
    """

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__(input_size, hidden_size)
        self.inter = AdditiveScore(input_size + hidden_size, hidden_size, hidden_size)
        self.transfer = nn.Linear(hidden_size + input_size, hidden_size)


class LSTMNOutput(NamedTuple):
    """h_t at each position, zeros at padding, the last state, and s_i^t (B, T, T) if asked for."""

    hidden: Float[Tensor, "B T H"]
    state: LSTMNState
    weights: Float[Tensor, "B T T"] | None


def run_lstmn(
    cell: LSTMNCell,
    inputs: Float[Tensor, "B T D"],
    mask: Bool[Tensor, "B T"] | None = None,
    *,
    return_attention: bool = False,
) -> LSTMNOutput:
    """Run an LSTMN over a sentence: T steps, each of which attends to all before it (C21).

    Padding is never read: it has no weight, no influence and no gradient, wherever it is.
    """
    if mask is None:
        mask = torch.ones(inputs.shape[:2], dtype=torch.bool, device=inputs.device)
    require_padding_mask(mask, inputs)
    inputs = inputs.masked_fill(~mask.unsqueeze(-1), 0.0)
    state, rows, outputs = cell.initial(inputs), [], []
    for t in range(inputs.shape[1]):
        before, (state, weights, _) = state, cell.step(inputs[:, t], state)
        # At padding the tapes grow, but nothing may attend to what is written there.
        real = mask[:, t, None]
        state = state._replace(
            hidden=torch.where(real, state.hidden, before.hidden),
            summary=torch.where(real, state.summary, before.summary),
            mask=mask[:, : t + 1],
        )
        outputs.append(state.hidden)
        if return_attention:
            rows.append(nn.functional.pad(weights, (0, inputs.shape[1] - t)))
    hidden = torch.stack(outputs, dim=1).masked_fill(~mask.unsqueeze(-1), 0.0)
    if not return_attention:
        return LSTMNOutput(hidden, state, None)
    weights = torch.stack(rows, dim=1)[..., : inputs.shape[1]] * mask.unsqueeze(-1)
    return LSTMNOutput(hidden, state, weights)


def _append(tape: Tensor, newest: Tensor) -> Tensor:
    """The tape (B, t, ...) with one more position (B, ...)."""
    return torch.cat([tape, newest.unsqueeze(1)], dim=1)


def _sums(
    score: AdditiveScore,
    inputs: Float[Tensor, "B D"],
    last: Float[Tensor, "B H"],
    keys: Float[Tensor, "B K A"],
    tapes: tuple[Float[Tensor, "B K H"], Float[Tensor, "B K H"]],
    mask: Bool[Tensor, "B K"],
) -> tuple[Float[Tensor, "B H"], Float[Tensor, "B H"], Float[Tensor, "B K"]]:
    """Both tapes summed with the same attention weights, and the weights; zeros if empty."""
    query, both = torch.cat([inputs, last], dim=-1).unsqueeze(1), torch.cat(tapes, dim=-1)
    context, weights = attend(query, keys, both, score=score.score_projected, mask=for_keys(mask))
    hidden, cell = context[:, 0].chunk(2, dim=-1)
    return hidden, cell, weights[:, 0]
