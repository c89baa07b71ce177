"""A glance at one place: hard attention, which draws where soft attention mixes.

    soft   z = Σ_j α_j a_j             Xu et al. 2015, equation 13
    hard   s ~ α,  z = a_s             Xu et al. 2015, equations 8 and 9

The context of a glance has the average of soft attention as its mean. Its draw has no derivative
with respect to α; what learns is the log-probability of the draw (Williams 1992).
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.attention.masks import known_all


class Glance(NamedTuple):
    """One place for each query.

    Attributes:
        weights: (..., K), 1 at the place and 0 elsewhere; constants without a gradient.
        log_probability: (...), of the draw, with its gradient; None where nothing was drawn.
    """

    weights: Float[Tensor, "*B K"]
    log_probability: Float[Tensor, "*B"] | None


def glance(share: Float[Tensor, "*B K"], generator: torch.Generator | None = None) -> Glance:
    """Draws a place from each row of weights, or takes the most probable one.

    Args:
        share: attention weights, none negative, one in sum, as `masked_softmax` gives them. A
            place of weight 0 is never drawn. A row of zeros, with nothing to look at, gives zeros
            and a log-probability of 0.
        generator: on the CPU. Without one nothing is drawn.

    Raises:
        RuntimeError: a row holds nan or infinity. Where nobody can look at its values, as in
            `torch.export`, its weights and its log-probability are nan.
    """
    total = share.detach().sum(-1, keepdim=True)
    if known_all(total.isfinite(), wait=True) is False:
        raise RuntimeError("want finite weights to look by; got nan or infinity")
    there = total != 0
    if generator is None:
        place = share.argmax(-1, keepdim=True)
    else:
        rows = share.detach().where(there, 1.0).flatten(0, -2).cpu()
        drawn = torch.multinomial(rows, 1, generator=generator).to(share.device)
        place = drawn.reshape(*share.shape[:-1], 1)
    weights = torch.zeros_like(share).scatter(-1, place, 1.0) * there
    weights = weights.masked_fill(~total.isfinite(), torch.nan)
    if generator is None:
        return Glance(weights, None)
    return Glance(weights, share.gather(-1, place).where(there, 1.0).log().squeeze(-1))
