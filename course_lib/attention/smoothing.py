"""Kernel smoothing as attention: an average of values in which those with near keys count most.

Nadaraya (1964) and Watson (1964) estimate a function from pairs (key, value) by

    f(q) = sum over j of K((q - k_j) / h) v_j  /  sum over j of K((q - k_j) / h)

With the Gaussian kernel K(u) = exp(-|u|²/2) the fraction is a softmax, so the smoother is attention
with a fixed score: minus half the squared distance in units of the bandwidth h. Nothing is learned.
"""

from functools import partial

from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.attention.attend import AttentionOutput, attend
from course_lib.attention.scores import Key, Query, Scores


def gaussian(query: Query, key: Key, *, bandwidth: int | float = 1.0) -> Scores:
    """Minus half the squared distance in bandwidths, -|q - k|² / 2h².

    It equals q·k/h² - |k|²/2h² up to a number that all keys of a query share. So for keys of one
    length it gives the weights of the dot product at temperature h². Near zero bandwidth h the
    nearest key gets all the weight; far above the distances all keys get the same.
    ValueError for a bandwidth of 0 or below.
    """
    if not bandwidth > 0:
        raise ValueError(f"want a bandwidth above 0; got {bandwidth}")
    # Not |q|² - 2 q·k + |k|², which loses its digits to cancellation far from zero.
    apart = (query.unsqueeze(-2) - key.unsqueeze(-3)) / bandwidth
    return -apart.square().sum(dim=-1) / 2


def smooth(
    query: Query,
    key: Key,
    value: Float[Tensor, "*B K Dv"],
    *,
    bandwidth: int | float,
    mask: Bool[Tensor, "..."] | None = None,
) -> AttentionOutput:
    """The Nadaraya-Watson estimate at each query, and the weight of each pair (key, value) in it.

    Nadaraya 1964 and Watson 1964, with a Gaussian kernel of this bandwidth. The estimate is never
    outside the range of the values. The mask is True where a query may use a pair.
    """
    return attend(query, key, value, score=partial(gaussian, bandwidth=bandwidth), mask=mask)
