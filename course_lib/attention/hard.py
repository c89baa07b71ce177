"""Hard attention: draw one position, where soft attention averages over all of them.

    soft   z = Σ_j α_j a_j             Xu et al. 2015, equation 13
    hard   s ~ α,  z = a_s             Xu et al. 2015, equations 8 and 9

The expected context is that of soft attention. The draw has no derivative with respect to α; the
gradient comes from the log-probability of the draw (Williams 1992).
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


class HardAttention(NamedTuple):
    """One position for each query: `weights` of 1 there and 0 elsewhere, which have no gradient.

    `log_probability` of the draw has one; it is None where nothing was drawn.
    """

    weights: Float[Tensor, "*B K"]
    log_probability: Float[Tensor, "*B"] | None


def hard_attention(
    weights: Float[Tensor, "*B K"], generator: torch.Generator | None = None
) -> HardAttention:
    """Draw a position from each row of attention weights, or take the most probable one.

    A position of weight 0 is never drawn. A row of zeros, with nothing to attend to, gives zeros
    and a log-probability of 0. The generator is on the CPU; without one nothing is drawn.
    ValueError if a row holds nan or infinity.
    """
    total = weights.detach().sum(-1, keepdim=True)
    if not total.isfinite().all():
        raise ValueError("want finite attention weights; got nan or infinity")
    some = total != 0
    if generator is None:
        position = weights.argmax(-1, keepdim=True)
    else:
        rows = weights.detach().where(some, 1.0).flatten(0, -2).cpu()
        drawn = torch.multinomial(rows, 1, generator=generator).to(weights.device)
        position = drawn.reshape(*weights.shape[:-1], 1)
    one_hot = torch.zeros_like(weights).scatter(-1, position, 1.0) * some
    if generator is None:
        return HardAttention(one_hot, None)
    return HardAttention(one_hot, weights.gather(-1, position).where(some, 1.0).log().squeeze(-1))
