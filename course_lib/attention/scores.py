"""Scores: how well does a key answer a query?

A score is any callable from a query (..., Q, Dq) and a key (..., K, Dk) to scores (..., Q, K).

    dot        q·k                          Luong et al. 2015, section 3.1
    scaled dot q·k / √d_k                   Vaswani et al. 2017, equation 1
    cosine     β q·k / (|q| |k|)            Graves et al. 2014, equations 5 and 6
    general    qᵀ W k                       Luong et al. 2015, section 3.1
    additive   vᵀ tanh(W q + U k)           Bahdanau et al. 2015, appendix A.1.2
    concat     vᵀ tanh(W [q; k])            Luong et al. 2015, section 3.1
    location   row k of W q                 Luong et al. 2015, equation 8

A decoder scores the same keys at every step. A `ProjectingScore` projects them once per sentence:
score(q, k) = score_projected(q, project_keys(k)).
"""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn

Query = Float[Tensor, "*B Q Dq"]
Key = Float[Tensor, "*B K Dk"]
Projected = Float[Tensor, "*B K A"]
Scores = Float[Tensor, "*B Q K"]
Score = Callable[[Tensor, Tensor], Tensor]


def dot(query: Query, key: Key) -> Scores:
    """The plain dot product q·k (Luong et al. 2015, section 3.1, "dot")."""
    return query @ key.transpose(-2, -1)


def scaled_dot(query: Query, key: Key) -> Scores:
    """The dot product over √d_k (Vaswani et al. 2017, equation 1); our D is their d_k.

    The scale is applied to the query, before the product, so that in half precision only a score
    that is itself too large overflows.
    """
    return dot(query * query.shape[-1] ** -0.5, key)


def cosine(
    query: Query, key: Key, *, sharpening: int | float | Float[Tensor, "*B Q"] = 1.0
) -> Scores:
    """Content-based addressing: β times the cosine of query and key (Graves et al. 2014).

    The cosine is equation 6, the factor β, `sharpening`, equation 5: one number or one for each
    query. A vector of length zero has no direction; its cosine is set to 0.
    """
    smallest = torch.finfo(query.dtype).eps
    similarity = dot(
        nn.functional.normalize(query, dim=-1, eps=smallest),
        nn.functional.normalize(key, dim=-1, eps=smallest),
    )
    if isinstance(sharpening, Tensor):
        sharpening = sharpening.unsqueeze(-1)
    return sharpening * similarity


class ProjectingScore(nn.Module):
    """A score in two parts, so that a decoder can do the keys' part once per sentence."""

    def project_keys(self, key: Key) -> Projected:
        """The part of the score that depends on the keys alone."""
        raise NotImplementedError

    def score_projected(self, query: Query, projected: Projected) -> Scores:
        """The rest: scores of the queries against the output of `project_keys`."""
        raise NotImplementedError

    def forward(self, query: Query, key: Key) -> Scores:
        """Both parts: scores (..., Q, K)."""
        return self.score_projected(query, self.project_keys(key))


class GeneralScore(ProjectingScore):
    """qᵀ W k: a dot product through a learned matrix (Luong et al. 2015, section 3.1, "general").

    W is `keys.weight`, of shape (query_dim, key_dim).
    """

    def __init__(self, query_dim: int, key_dim: int) -> None:
        super().__init__()
        self.keys = nn.Linear(key_dim, query_dim, bias=False)

    def project_keys(self, key: Key) -> Projected:
        """W k for every key."""
        return self.keys(key)

    def score_projected(self, query: Query, projected: Projected) -> Scores:
        """q·(W k)."""
        return dot(query, projected)


class AdditiveScore(ProjectingScore):
    """vᵀ tanh(W q + U k): a small network (Bahdanau et al. 2015, appendix A.1.2).

    Our q is their s_{i-1}, our k their h_j, our `hidden` their n'. `queries`, `keys` and `energy`
    hold W_a, U_a and v_a; like the equation, they have no bias.
    """

    def __init__(self, query_dim: int, key_dim: int, hidden: int) -> None:
        super().__init__()
        self.queries = nn.Linear(query_dim, hidden, bias=False)
        self.keys = nn.Linear(key_dim, hidden, bias=False)
        self.energy = nn.Linear(hidden, 1, bias=False)

    def project_keys(self, key: Key) -> Projected:
        """U k for every key; it does not depend on the step ("can be pre-computed", A.1.2)."""
        return self.keys(key)

    def score_projected(self, query: Query, projected: Projected) -> Scores:
        """vᵀ tanh(W q + U k) for every pair; needs memory for Q × K × hidden numbers."""
        query = self.queries(query)
        if query.shape[-2] == 1:
            # A decoder has one query at a time, so the pairs have the shape of the keys.
            return self.energy((query + projected).tanh()).transpose(-2, -1)
        pairs = query.unsqueeze(-2) + projected.unsqueeze(-3)
        return self.energy(pairs.tanh()).squeeze(-1)


class ConcatScore(ProjectingScore):
    """vᵀ tanh(W [q; k]): one matrix over both, end to end (Luong et al. 2015, section 3.1).

    It is the additive score written differently: with W = [W₁ W₂], W [q; k] = W₁ q + W₂ k.
    """

    def __init__(self, query_dim: int, key_dim: int, hidden: int) -> None:
        super().__init__()
        self.sizes = (query_dim, key_dim)
        self.pairs = nn.Linear(query_dim + key_dim, hidden, bias=False)
        self.energy = nn.Linear(hidden, 1, bias=False)

    def project_keys(self, key: Key) -> Projected:
        """W₂ k for every key."""
        return nn.functional.linear(key, self.pairs.weight.split(self.sizes, dim=1)[1])

    def score_projected(self, query: Query, projected: Projected) -> Scores:
        """vᵀ tanh(W₁ q + W₂ k) for every pair."""
        query = nn.functional.linear(query, self.pairs.weight.split(self.sizes, dim=1)[0])
        return self.energy((query.unsqueeze(-2) + projected.unsqueeze(-3)).tanh()).squeeze(-1)


class LocationScore(nn.Module):
    """W q: the query alone chooses positions (Luong et al. 2015, equation 8).

    Row k of W scores position k, whatever its key. Of `max_length` scores the first K are used.
    """

    def __init__(self, query_dim: int, max_length: int) -> None:
        super().__init__()
        self.positions = nn.Linear(query_dim, max_length, bias=False)

    def forward(self, query: Query, key: Key) -> Scores:
        """Scores (..., Q, K) for up to `max_length` keys, of which only the number matters."""
        return self.positions(query)[..., : key.shape[-2]]
