"""Local attention: a window of keys around a position, in place of all keys.

Luong, Pham & Manning 2015 (arXiv:1508.04025, section 3.2). At target step t only the keys of the
window [p_t - D, p_t + D] are attended to:

    local-m    p_t = t                             the two sentences run side by side
    local-p    p_t = S · σ(v_pᵀ tanh(W_p h_t))     predicted, equation 9

Positions count from 0 here. A mask (`window_around`) gives the same numbers and saves nothing;
`local_attention` scores only the keys of the window.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int, Num
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.scores import Key, Query, Score, scaled_dot


class LocalAttention(NamedTuple):
    """The context of each query, the weights of its W keys, 0 outside the window, and where."""

    context: Float[Tensor, "*B Q Dv"]
    weights: Float[Tensor, "*B Q W"]
    positions: Int[Tensor, "*B Q W"]

    def over(self, keys: int) -> Float[Tensor, "*B Q K"]:
        """The weights over all `keys` positions, zero outside the window."""
        row = self.weights.new_zeros(*self.weights.shape[:-1], keys)
        return row.scatter(-1, self.positions, self.weights)


def local_attention(
    query: Query,
    key: Key,
    value: Float[Tensor, "*B K Dv"],
    center: Num[Tensor, "*B Q"],
    *,
    radius: int,
    score: Score = scaled_dot,
    padding_mask: Bool[Tensor, "*B K"] | None = None,
    gaussian: bool = False,
) -> LocalAttention:
    """Attention to the keys at most `radius` from each query's own position.

    For each query W = min(2 · radius + 1, K) keys are scored. A window outside the sentence gives a
    context of zeros. Query, key, value and score are as for `attend`.

    Args:
        center: p_t, the position around which each query looks; it need not be an integer.
        radius: D; ValueError if it is negative, or 0 with `gaussian`.
        padding_mask: True at real tokens; None where there is no padding.
        gaussian: multiply the weights by the Gaussian of equation 10, as local-p does. They then
            sum to less than one, as in the paper. Only so does `center` get a gradient.
    """
    if radius < int(gaussian):
        raise ValueError(f"want a radius of {int(gaussian)} or more; got {radius}")
    keys = key.shape[-2]
    width = min(2 * radius + 1, keys)
    with torch.no_grad():
        # Near either end of the sentence, the W keys at that end hold all of the window.
        first = (center - radius).ceil().long() if center.is_floating_point() else center - radius
        window = torch.arange(width, device=key.device)
        positions = first.clamp(0, keys - width).unsqueeze(-1) + window
    distance = positions - center.unsqueeze(-1)
    within = distance.abs() <= radius
    if padding_mask is not None:
        within = within & _gather(padding_mask.unsqueeze(-1), positions).squeeze(-1)
    attended = attend(
        query.unsqueeze(-2),
        _gather(key, positions),
        _gather(value, positions),
        score=score,
        mask=within.unsqueeze(-2),
        factors=gaussian_window(distance, radius).unsqueeze(-2) if gaussian else None,
    )
    return LocalAttention(attended.context.squeeze(-2), attended.weights.squeeze(-2), positions)


def window_around(center: Num[Tensor, "*B Q"], keys: int, radius: int) -> Bool[Tensor, "*B Q K"]:
    """Query i may look at the keys from center[i] - radius to center[i] + radius, ends included.

    ValueError for a negative radius.
    """
    if radius < 0:
        raise ValueError(f"want a radius of 0 or more; got {radius}")
    position = torch.arange(keys, device=center.device)
    return (position - center.unsqueeze(-1)).abs() <= radius


def gaussian_window(distance: Num[Tensor, "*B"], radius: int) -> Float[Tensor, "*B"]:
    """exp(-(s - p_t)² / 2σ²) with σ = D/2 (equation 10): 1 at the center, exp(-2) at the edge."""
    return torch.exp(-2.0 * (distance / radius) ** 2)


class PredictedPosition(nn.Module):
    """p_t = S · σ(v_pᵀ tanh(W_p h_t)): the center of local-p (equation 9), without a bias."""

    def __init__(self, query_dim: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(query_dim, query_dim, bias=False)
        self.energy = nn.Linear(query_dim, 1, bias=False)

    def forward(self, query: Query, lengths: Int[Tensor, "*B"]) -> Float[Tensor, "*B Q"]:
        """A position for each query, between 0 and the number S of real tokens of its sentence."""
        share = torch.sigmoid(self.energy(torch.tanh(self.hidden(query)))).squeeze(-1)
        return lengths.unsqueeze(-1) * share


def _gather(rows: Tensor, positions: Int[Tensor, "*B Q W"]) -> Tensor:
    """The rows (..., K, D) at these positions: (..., Q, W, D)."""
    flat = positions.flatten(-2).unsqueeze(-1)
    gathered = rows.gather(-2, flat.expand(*flat.shape[:-1], rows.shape[-1]))
    return gathered.unflatten(-2, positions.shape[-2:])
