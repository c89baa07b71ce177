"""Where to look: a few keys around a position, in place of all of them.

Local attention of Luong, Pham & Manning 2015 (arXiv:1508.04025, section 3.2). At target step t it
looks at the keys of the window [p_t - D, p_t + D] and at no other:

    local-m    p_t = t                             the two sentences run side by side
    local-p    p_t = S · σ(v_pᵀ tanh(W_p h_t))     predicted, equation 9

Positions count from 0 here, in both sentences. A mask (`window_around`) gives the same numbers
and saves nothing: every score is computed, then most are thrown away. `attend_nearby`
takes the window's keys out first and scores only those.
"""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int, Num
from torch import Tensor, nn

from course_lib.attention.attend import attend
from course_lib.attention.scores import Score, scaled_dot


class Nearby(NamedTuple):
    """What was read in the window, and where from; W keys were scored for each query.

    Attributes:
        context: (..., Q, Dv).
        weights: (..., Q, W), those by which the values were averaged; zero outside the window.
        places: (..., Q, W), the position of each of these keys.
    """

    context: Float[Tensor, "*B Q Dv"]
    weights: Float[Tensor, "*B Q W"]
    places: Int[Tensor, "*B Q W"]

    def over(self, keys: int) -> Float[Tensor, "*B Q K"]:
        """The weights as a row over all `keys` positions, zero where no key was looked at."""
        row = self.weights.new_zeros(*self.weights.shape[:-1], keys)
        return row.scatter(-1, self.places, self.weights)


def attend_nearby(
    query: Float[Tensor, "*B Q Dq"],
    key: Float[Tensor, "*B K Dk"],
    value: Float[Tensor, "*B K Dv"],
    center: Num[Tensor, "*B Q"],
    *,
    radius: int,
    score: Score = scaled_dot,
    real: Bool[Tensor, "*B K"] | None = None,
    bell: bool = False,
) -> Nearby:
    """Attention to the keys at most `radius` from each query's own position.

    For each query W = min(2 · radius + 1, K) keys are scored, however many there are. The softmax
    runs over those of them that lie in the window. A window beyond the sentence reads zeros.

    Args:
        query: what is looked for.
        key: what is looked at.
        value: what is read.
        center: p_t, the position that each query looks around; it need not be whole, nor within
            the sentence.
        radius: D.
        score: as for `attend`.
        real: True at real tokens; None where there is no padding.
        bell: multiply the weights by the Gaussian of equation 10, as local-p does. They sum to
            less than one then: the paper does not bring them back to one. It is by the Gaussian
            alone that `center` gets a gradient.

    Raises:
        ValueError: the radius is negative, or 0 with `bell`; keys and values are not as many; or
            what `attend` raises.
    """
    if radius < int(bell):
        raise ValueError(f"want a radius of {int(bell)} or more; got {radius}")
    keys = key.shape[-2]
    if value.shape[-2] != keys:
        raise ValueError(f"want a value for each key; got {keys} keys and {value.shape[-2]} values")
    width = min(2 * radius + 1, keys)
    with torch.no_grad():
        # At either end the W keys are those next to the end: all of the window is among them.
        first = (center - radius).ceil().long() if center.is_floating_point() else center - radius
        places = first.clamp(0, keys - width).unsqueeze(-1) + torch.arange(width, device=key.device)
    away = places - center.unsqueeze(-1)
    within = away.abs() <= radius
    if real is not None:
        within = within & _picked(real.unsqueeze(-1), places).squeeze(-1)
    attended = attend(
        query.unsqueeze(-2),
        _picked(key, places),
        _picked(value, places),
        score=score,
        mask=within.unsqueeze(-2),
        weigh=(lambda weights: weights * gaussian_window(away, radius).unsqueeze(-2))
        if bell
        else None,
    )
    return Nearby(attended.context.squeeze(-2), attended.weights.squeeze(-2), places)


def window_around(center: Num[Tensor, "*B Q"], keys: int, radius: int) -> Bool[Tensor, "*B Q K"]:
    """Query i may look at the keys from center[i] - radius to center[i] + radius, ends included.

    The window of Luong et al. 2015 (section 3.2) around a position that need not be whole:
    local-p predicts it. For windows around each query's own position see `window_mask`.

    Args:
        center: p_t of each query, counted from 0.
        keys: K.
        radius: their D.

    Raises:
        ValueError: the radius is negative.
    """
    if radius < 0:
        raise ValueError(f"want a radius of 0 or more; got {radius}")
    place = torch.arange(keys, device=center.device)
    return (place - center.unsqueeze(-1)).abs() <= radius


def gaussian_window(away: Num[Tensor, "*B"], radius: int) -> Float[Tensor, "*B"]:
    """exp(-(s - p_t)² / 2σ²) with σ = D/2 (equation 10): 1 at the center, exp(-2) at the edge.

    Args:
        away: s - p_t, how far a key is from the center.
        radius: D, 1 or more.
    """
    return torch.exp(-2.0 * (away / radius) ** 2)


class PredictedPosition(nn.Module):
    """p_t = S · σ(v_pᵀ tanh(W_p h_t)): the center of local-p (equation 9).

    `hidden` and `energy` hold W_p and v_p; like the equation, they have no bias.
    """

    def __init__(self, query_dim: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(query_dim, query_dim, bias=False)
        self.energy = nn.Linear(query_dim, 1, bias=False)

    def forward(
        self, query: Float[Tensor, "*B Q Dq"], lengths: Int[Tensor, "*B"]
    ) -> Float[Tensor, "*B Q"]:
        """A position for each query, between 0 and the number S of real tokens of its sentence."""
        share = torch.sigmoid(self.energy(torch.tanh(self.hidden(query)))).squeeze(-1)
        return lengths.unsqueeze(-1) * share


def _picked(rows: Tensor, places: Int[Tensor, "*B Q W"]) -> Tensor:
    """The rows (..., K, D) at these places: (..., Q, W, D)."""
    flat = places.flatten(-2).unsqueeze(-1)
    picked = rows.gather(-2, flat.expand(*flat.shape[:-1], rows.shape[-1]))
    return picked.unflatten(-2, places.shape[-2:])
