"""Attention in one screen: score the keys, turn scores into weights, mix the values.

    e = score(q, k)         how well does each key answer the query?
    α = softmax(e)          attention weights: none negative, their sum is one
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

from typing import NamedTuple

from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

from course_lib.attention.scores import Key, Query, Score, scaled_dot
from course_lib.attention.softmax import masked_softmax


class AttentionOutput(NamedTuple):
    """The `context` of each query, and the weights by which the values were averaged.

    `MultiHeadAttention` returns weights only where asked for, and then a set for each head.
    """

    context: Float[Tensor, "*B Q Dv"]
    weights: Float[Tensor, "*B Q K"] | None = None


def attend(
    query: Query,
    key: Key,
    value: Float[Tensor, "*B K Dv"],
    *,
    score: Score = scaled_dot,
    mask: Bool[Tensor, "..."] | None = None,
    factors: Float[Tensor, "*B Q K"] | None = None,
    dropout: float = 0.0,
) -> AttentionOutput:
    """An average of the values for every query, weighted by how well each key answers it.

    With the default score this is equation 1 of Vaswani et al. 2017; with `AdditiveScore` and
    key = value = annotations it is equations 5 and 6 of Bahdanau et al. 2015.

    Args:
        score: any callable from (query, key) to scores (..., Q, K); see `scores.py`.
        mask: True where a query may attend, of the dimensions (..., Q, K), of size 1 where it makes
            no difference, or (Q, K) for all; see `masks.py`.
        factors: multiplied with the weights before the values are averaged, such as the Gaussian of
            local-p (Luong et al. 2015, equation 10).
        dropout: probability with which a weight is set to zero, the others growing accordingly.

    A masked key has no influence and gets no gradient. A query whose keys are all masked has a
    context of zeros. Masked keys and values must still be finite, since 0 · nan is nan; see
    `zero_padding`. ValueError if the mask does not fit, TypeError if it is not boolean.
    """
    weights = masked_softmax(score(query, key), mask)
    if factors is not None:
        weights = weights * factors
    if dropout:
        weights = F.dropout(weights, dropout)
    return AttentionOutput(weights @ value, weights)
