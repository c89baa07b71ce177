"""Attention in one screen: score the keys, turn scores into weights, mix the values.

    e = score(q, k)         how well does each key answer the query?
    α = softmax(e)          weights: none negative, one in sum
    c = Σ_j α_j v_j         the context, an average of the values

Every attention of this course is these three lines. The papers name the parts differently:

    here      Bahdanau et al. 2015          Luong et al. 2015    Vaswani et al. 2017
    query     s_{i-1}, decoder state        h_t                  a row of Q
    key       h_j, annotation               h̄_s                  a row of K
    value     h_j, the same annotation      h̄_s                  a row of V
    scores    e_ij, a(s_{i-1}, h_j)         score(h_t, h̄_s)      QKᵀ/√d_k
    weights   α_ij, equation 6              a_t(s), equation 7   softmax(QKᵀ/√d_k)
    context   c_i, equation 5               c_t, section 3.1     equation 1
"""

from collections.abc import Callable
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from course_lib.attention.masks import known_all
from course_lib.attention.scores import Score, scaled_dot


class AttentionOutput(NamedTuple):
    """The `context` (..., Q, Dv) of each query and its attention `weights` (..., Q, K).

    The values were averaged by these weights, after `weigh`. `MultiHeadAttention` gives weights
    only where they are asked for, and then a set for each head.
    """

    context: Float[Tensor, "*B Q Dv"]
    weights: Float[Tensor, "*B Q K"] | None = None


def attend(
    query: Float[Tensor, "*B Q Dq"],
    key: Float[Tensor, "*B K Dk"],
    value: Float[Tensor, "*B K Dv"],
    *,
    score: Score = scaled_dot,
    mask: Bool[Tensor, "..."] | None = None,
    weigh: Callable[[Tensor], Tensor] | None = None,
) -> AttentionOutput:
    """For every query, an average of the values, weighted by how well each key answers.

    With the default score this is equation 1 of Vaswani et al. 2017; with `AdditiveScore` and
    key = value = annotations it is equations 5 and 6 of Bahdanau et al. 2015.

    Args:
        query: what is looked for.
        key: what is looked at, one for each value.
        value: what is read.
        score: any callable from (query, key) to scores (..., Q, K); see `scores.py`.
        mask: True where a query may attend, with a dimension for each of (..., Q, K), of size 1
            where it makes no difference. See `masks.py`.
        weigh: what is done to the weights after the softmax and before the values are mixed, from
            (..., Q, K) to the same shape. Dropout on the weights goes here, and the Gaussian
            of local-p (Luong et al. 2015, equation 10). It has to leave zeros at zero, or masked
            keys come back.

    A masked key has no influence on context or gradient, and gets none. A query with every key
    masked reads zeros. Masked keys and values must still be finite, for 0 · nan is nan: where
    they may not be, clean them once with `zero_padding`, not at every step of a decoder.

    Raises:
        ValueError: keys and values differ in number, query and key in a width that the score
            wants equal, the mask does not fit, or `weigh` changes the shape.
        TypeError: the mask is not boolean.
    """
    if key.shape[-2] != value.shape[-2]:
        keys, values = key.shape[-2], value.shape[-2]
        raise ValueError(f"want one value per key; got {keys} keys and {values} values")
    weights = masked_softmax(score(query, key), mask)
    if weigh is not None:
        before, weights = weights.shape, weigh(weights)
        if weights.shape != before:
            wanted, got = tuple(before), tuple(weights.shape)
            raise ValueError(f"want weights {wanted} back from weigh; got {got}")
    return AttentionOutput(weights @ value, weights)


def masked_softmax(
    scores: Float[Tensor, "*B"], mask: Bool[Tensor, "..."] | None = None, dim: int = -1
) -> Float[Tensor, "*B"]:
    """Softmax over the positions that the mask lets through; the others get exactly zero.

    Equation 6 of Bahdanau et al. 2015, with a mask. A masked score may be anything, even nan: it
    moves nothing and its gradient is zero. A row with nothing let through gives zeros, and zero
    gradients, where a plain softmax over -inf gives nan and a finite fill gives equal weights.

    Args:
        scores: any number of dimensions, any floating type. Half precision is raised to single
            for the softmax; the weights are of the type of the scores.
        mask: True where the score counts; as many dimensions as `scores`, each as large or 1.
        dim: the dimension whose weights sum to one.

    Raises:
        ValueError: the mask does not fit the scores.
        TypeError: the mask is not boolean.
    """
    if scores.dtype in (torch.float16, torch.bfloat16):
        return masked_softmax(scores.float(), mask, dim).to(scores.dtype)
    if mask is None:
        return scores.softmax(dim)
    _require_fit(mask, scores)
    # To look whether a mask hides anything is cheaper than to apply it.
    if known_all(mask):
        return scores.softmax(dim)
    masked = torch.where(mask, scores, -torch.inf)
    some = mask.any(dim, keepdim=True)
    if known_all(some):
        return masked.softmax(dim)
    return masked.masked_fill(~some, 0.0).softmax(dim).masked_fill(~some, 0.0)


def _require_fit(mask: Tensor, scores: Tensor) -> None:
    """An error that names both shapes, unless every dimension of the mask is 1 or the scores'.

    Fewer dimensions are refused, though PyTorch would add them on the left: (B, K) for the real
    tokens of each row would then stand for queries and keys, and fit where B and Q are equal.
    """
    if mask.dtype != torch.bool:
        raise TypeError(f"want a boolean mask, True = may be attended to; got {mask.dtype}")
    if mask.shape == scores.shape:
        return
    wanted, got = tuple(scores.shape), tuple(mask.shape)
    if len(got) != len(wanted) or any(
        size not in (1, whole) for size, whole in zip(got, wanted, strict=True)
    ):
        raise ValueError(
            f"want a mask for scores {wanted}, a dimension for each of theirs, as large or 1; got "
            f"{got}. The real tokens (B, K) of a batch become one for keys (B, 1, K) by for_keys"
        )
