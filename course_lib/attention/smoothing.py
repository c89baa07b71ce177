"""Kernel smoothing as attention: an average of values, those with near keys counting most.

Nadaraya (1964) and Watson (1964) estimate a function from pairs (key, value) by

    f(q) = sum over j of K((q - k_j) / h) v_j  /  sum over j of K((q - k_j) / h)

With the Gaussian kernel K(u) = exp(-|u|²/2) the fraction is a softmax, so the smoother is attention
with a score that is known beforehand: half the squared distance, measured in bandwidths h, with a
minus. There may be any number of pairs; nothing is learned.
"""

from functools import partial

from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.attention.attend import AttentionOutput, attend


def gaussian(
    query: Float[Tensor, "*B Q D"], key: Float[Tensor, "*B K D"], *, bandwidth: int | float = 1.0
) -> Float[Tensor, "*B Q K"]:
    """Minus half the squared distance in bandwidths, -|q - k|² / 2h².

    It is q·k/h² - |k|²/2h², up to a number that all keys of a query share and that a softmax does
    not see. So among keys of one length it weighs as the dot product does, at temperature h².

    Args:
        query: what is looked for.
        key: where the pairs stand.
        bandwidth: h, in the unit of the keys. Near zero the nearest key takes all weight, and far
            above the keys' distances all keys have the same.

    Raises:
        ValueError: query and key differ in width, or the bandwidth is not above zero.
    """
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"want query and key of one width; got {query.shape[-1]} and {key.shape[-1]}"
        )
    if not bandwidth > 0:
        raise ValueError(f"want a bandwidth above zero; got {bandwidth}")
    # The square of a difference, not |q|² - 2 q·k + |k|²: far from zero that would cancel.
    apart = (query.unsqueeze(-2) - key.unsqueeze(-3)) / bandwidth
    return -apart.square().sum(dim=-1) / 2


def smooth(
    query: Float[Tensor, "*B Q D"],
    key: Float[Tensor, "*B K D"],
    value: Float[Tensor, "*B K Dv"],
    *,
    bandwidth: int | float,
    mask: Bool[Tensor, "..."] | None = None,
) -> AttentionOutput:
    """The Nadaraya-Watson estimate at each query, and the weight of each pair in it.

    Nadaraya 1964 and Watson 1964, with a Gaussian kernel. Each coordinate of the estimate lies
    between the smallest and the largest value there is: it is an average.

    Args:
        query: where the function is wanted.
        key: where it is known.
        value: what it is there, one for each key.
        bandwidth: h, see `gaussian`.
        mask: True where a query may use a pair, as in `attend`.

    Raises:
        ValueError: as `attend` and `gaussian` raise it.
        TypeError: the mask is not boolean.
    """
    return attend(query, key, value, score=partial(gaussian, bandwidth=bandwidth), mask=mask)
