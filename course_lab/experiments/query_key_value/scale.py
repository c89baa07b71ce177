"""What the scale 1/√d does: dot products of random vectors, and the softmax of them.

Queries and keys have independent components with mean `shift` and variance 1, as Vaswani et al.
2017 suppose in a footnote to section 3.2.1, where `shift` is 0. Everything is in double precision:
the gradients of a saturated softmax are smaller than what single precision leaves of 1 - α.
"""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.device import cpu_generator

DIMENSIONS = tuple(2**power for power in range(11))
"""1 to 1,024: those of the scale laboratory."""


class Moments(NamedTuple):
    """Of the dot products of many pairs.

    Attributes:
        mean: over all pairs.
        variance: over all pairs.
        among: the variance among the keys of one query, on average over the queries. What all keys
            of a query share moves no weight of a softmax; this is what is left.
    """

    mean: float
    variance: float
    among: float


class Itself(NamedTuple):
    """Of the products of words with each other, each word's with itself among them.

    Attributes:
        mean: over all pairs.
        kept: the weight that a softmax without scale leaves a word on itself, the mean.
    """

    mean: float
    kept: float


class Sharpness(NamedTuple):
    """Of the softmax of one query's dot products with its keys, over many queries.

    Attributes:
        entropy: of the weights in bits, the mean.
        largest: the largest weight, the mean.
        gradient: the norm of the softmax's derivative, the median.
        mean_gradient: the same, the mean: a few queries between two keys hold it up.
        at_query: the norm of the derivative of the weights to the query, the median. It contains
            the keys, which are long where d is large, and the scale.
    """

    entropy: float
    largest: float
    gradient: float
    mean_gradient: float
    at_query: float


def draw(
    dimension: int, queries: int, keys: int, *, shift: float = 0.0, seed: int = 0
) -> tuple[Float[Tensor, "N 1 D"], Float[Tensor, "N K D"]]:
    """Random queries, each with keys of its own."""
    generator = cpu_generator(seed)
    shapes = ((queries, 1, dimension), (queries, keys, dimension))
    query, key = (
        shift + torch.randn(shape, generator=generator, dtype=torch.float64) for shape in shapes
    )
    return query, key


def moments(dimension: int, *, shift: float = 0.0, seed: int = 0, queries: int = 1000) -> Moments:
    """Mean and variance of q·k, sixteen keys to a query; without shift they are 0 and d."""
    query, key = draw(dimension, queries, 16, shift=shift, seed=seed)
    products = (query @ key.mT).squeeze(1)
    among = products.var(dim=1).mean()
    return Moments(products.mean().item(), products.var().item(), among.item())


def against_itself(dimension: int, *, words: int = 16, seed: int = 0) -> Itself:
    """Mean and diagonal of R = S Sᵀ, whose rows are words: |s|² is about d, so the mean is d/n."""
    generator = cpu_generator(seed)
    sentences = torch.randn(500, words, dimension, generator=generator, dtype=torch.float64)
    products = sentences @ sentences.mT
    kept = products.softmax(dim=-1).diagonal(dim1=1, dim2=2).mean()
    return Itself(products.mean().item(), kept.item())


def sharpness(dimension: int, *, seed: int = 0, keys: int = 16) -> dict[str, Sharpness]:
    """How sharp the softmax of random dot products is, and how steep: "without" 1/√d and "with"."""
    # Many where they are short: a median of a skewed number needs many, and memory is finite.
    queries = min(2000, 2**19 // dimension, 2**22 // keys**2)
    query, key = draw(dimension, queries, keys, seed=seed)
    return {
        "without": _sharpness(query, key, 1.0),
        "with": _sharpness(query, key, dimension**-0.5),
    }


def _sharpness(query: Tensor, key: Tensor, factor: float) -> Sharpness:
    weights = (factor * query @ key.mT).squeeze(1).softmax(dim=-1)
    entropy = -(weights * weights.clamp(min=1e-300).log2()).sum(dim=-1)
    steep = softmax_derivative(weights)
    norms = steep.flatten(1).norm(dim=1)
    at_query = (factor * steep @ key).flatten(1).norm(dim=1)
    return Sharpness(
        entropy.mean().item(),
        weights.amax(dim=-1).mean().item(),
        norms.median().item(),
        norms.mean().item(),
        at_query.median().item(),
    )


def growing(draws: int = 4, keys: int = 8, *, seed: int = 0) -> Float[Tensor, "W N K"]:
    """Dot products of a query with keys, by draw and by each dimension of `DIMENSIONS`.

    Those of a lower dimension are made of the first components, so they grow as one watches.
    """
    query, key = draw(DIMENSIONS[-1], draws, keys, seed=seed)
    so_far = (query * key).cumsum(dim=-1)
    return so_far[..., [d - 1 for d in DIMENSIONS]].transpose(1, 2)


def softmax_derivative(weights: Float[Tensor, "*B K"]) -> Float[Tensor, "*B K K"]:
    """The matrix dα_i/de_j = α_i (1 - α_i) on the diagonal and -α_i α_j elsewhere.

    1 - α_i is summed from the other weights: as a difference it would be zero long before it is.
    """
    others = 1 - torch.eye(weights.shape[-1], dtype=weights.dtype)
    diagonal = weights * (weights @ others)
    across = weights.unsqueeze(-1) * weights.unsqueeze(-2) * others
    return torch.diag_embed(diagonal) - across
