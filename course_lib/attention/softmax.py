"""The softmax of attention: it gives masked keys a weight of exactly zero."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.attention.masks import require_mask


def masked_softmax(
    scores: Float[Tensor, "*B"], mask: Bool[Tensor, "..."] | None = None, dim: int = -1
) -> Float[Tensor, "*B"]:
    """Softmax over the positions where the mask is True; the others get exactly zero.

    Equation 6 of Bahdanau et al. 2015, with a mask. A masked score may have any value, even nan:
    it changes nothing and its gradient is zero. A row that is all masked gives zeros, and zero
    gradients. Half precision is converted to single for the softmax.
    """
    if scores.dtype in (torch.float16, torch.bfloat16):
        return masked_softmax(scores.float(), mask, dim).to(scores.dtype)
    if mask is None:
        return scores.softmax(dim)
    require_mask(mask, scores.shape)
    # A row that is all masked is nan after the softmax; the second fill makes it zero, and the
    # first one keeps its gradient from the scores.
    return scores.masked_fill(~mask, -torch.inf).softmax(dim).masked_fill(~mask, 0.0)
