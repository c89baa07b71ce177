"""Linear attention: without the softmax, attention is a recurrent net whose state is a matrix.

Linear attention adds all keys and values up in a state S (Dk, Dv), and a query reads the state.
Three rules write to it, here with k = φ(key) and q = φ(query):

    additive    S_t = S_{t-1} + k_t v_tᵀ                            Katharopoulos et al. 2020
    decay       S_t = γ_t S_{t-1} + k_t v_tᵀ                        Sun et al. 2023
    delta       S_t = S_{t-1} + β_t k_t (v_t - S_{t-1}ᵀ k_t)ᵀ       Schlag et al. 2021
    context     c_t = S_tᵀ q_t, with a normaliser S_tᵀ q_t / (z_tᵀ q_t), where z_t = Σ_j k_j

Decay and delta together are the gated delta rule (Yang et al. 2025, Gated Delta Networks).
Each rule has three forms with the same result (the names are those of Sun et al. 2023):

    parallel    all at once, a product of (T, T) scores, like attention
    recurrent   a token at a time, from state to state
    chunkwise   parallel within a chunk of tokens, recurrent from chunk to chunk

Letters: T tokens, Dk and Dv width of a key and of a value.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional as F

FORMS = ("parallel", "recurrent", "chunkwise")


class LinearState(NamedTuple):
    """The sum S of keys times values and, with a normaliser, the sum z of the keys."""

    memory: Float[Tensor, "*B Dk Dv"]
    keys: Float[Tensor, "*B Dk"] | None = None


class LinearOutput(NamedTuple):
    """The `context` (..., T, Dv) of each query, and the `state` after the last token."""

    context: Float[Tensor, "*B T Dv"]
    state: LinearState


def elu_plus_one(x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
    """φ(x) = elu(x) + 1, which is positive (Katharopoulos et al. 2020)."""
    return F.elu(x) + 1


def unit_silu(x: Float[Tensor, "*B D"]) -> Float[Tensor, "*B D"]:
    """φ(x) = SiLU(x) / |SiLU(x)|, for the delta rule (Yang et al. 2024)."""
    return F.normalize(F.silu(x), dim=-1)


def linear_attention(
    query: Float[Tensor, "*B T Dk"],
    key: Float[Tensor, "*B T Dk"],
    value: Float[Tensor, "*B T Dv"],
    *,
    feature_map: Callable[[Tensor], Tensor] | None = None,
    normalise: bool = False,
    decay: Float[Tensor, "..."] | float | None = None,
    beta: Float[Tensor, "..."] | float | None = None,
    mask: Bool[Tensor, "..."] | None = None,
    state: LinearState | None = None,
    form: str = "chunkwise",
    chunk: int = 64,
) -> LinearOutput:
    """The context of each query from the tokens up to its own, and the state after the last.

    A second call with the state of the first continues the sequence.

    Args:
        query: reads the state.
        key: where a value is written.
        value: is written.
        feature_map: φ, of queries and keys; by default they stay as they are.
        normalise: divide by z_tᵀ q_t. The context is then a weighted average of the values, as in
            `attend`, if φ is nowhere negative: `elu_plus_one`.
        decay: γ, above 0 and up to 1: a number, or a tensor that broadcasts to (..., T), such as
            (H, 1) for one decay a head. By default 1.
        beta: β, how much of the old value is replaced, in the same shapes. With it the delta rule
            applies, which wants keys of length 1 at most and β from 0 to 1 (or 2).
        mask: True at tokens, (..., T), such as `for_keys(padding)` with heads. Masked keys have no
            influence and get no gradient, and nothing decays there.
        state: of the tokens before; by default of none.
        form: one of `FORMS`. They differ in time and memory alone.
        chunk: tokens in a chunk.

    A query before which every key is masked has a context of zeros. ValueError for a normaliser
    with the delta rule, or a state or mask that does not fit.
    """
    if normalise and beta is not None:
        raise ValueError("want no normaliser with the delta rule: its state is no sum of the keys")
    if state is not None and (state.keys is not None) != normalise:
        raise ValueError("want a state with a sum of keys if, and only if, it is normalised")
    if feature_map is not None:
        query, key = feature_map(query), feature_map(key)
    tokens = key.shape[:-1]
    decay, beta = (None if x is None else _per_token(x, key) for x in (decay, beta))
    if mask is not None:
        if mask.dim() != len(tokens):  # (B, T) would broadcast to (B, H, T) where B = H
            raise ValueError(f"want a mask {tuple(tokens)}, or 1 for a size; got {(*mask.shape,)}")
        key = key.masked_fill(~mask.unsqueeze(-1), 0.0)
        decay = None if decay is None else decay.masked_fill(~mask, 1.0)
    if normalise:
        # z is one more column of S: the sum of keys times a value of one.
        value = torch.cat([value, torch.ones_like(value[..., :1])], -1)
    if state is None:
        memory = value.new_zeros(*tokens[:-1], key.shape[-1], value.shape[-1])
    else:
        memory = state.memory
        if normalise:
            memory = torch.cat([memory, state.keys.unsqueeze(-1)], -1)
    run = {"parallel": _parallel, "recurrent": _recurrent, "chunkwise": partial(_chunkwise, chunk)}
    context, memory = run[form](query, key, value, decay, beta, memory)
    if not normalise:
        return LinearOutput(context, LinearState(memory))
    total = context[..., -1:]
    context = context[..., :-1] / total.masked_fill(total == 0, 1.0)
    return LinearOutput(context, LinearState(memory[..., :-1], memory[..., -1]))


def _per_token(number: Tensor | float, key: Tensor) -> Float[Tensor, "*B T"]:
    number = torch.as_tensor(number, dtype=key.dtype, device=key.device)
    return number.expand(key.shape[:-1])


def _recurrent(query, key, value, decay, beta, memory):
    """The rules as they are written above, a token at a time."""
    contexts = []
    for t in range(key.shape[-2]):
        q, k, v = (x[..., t, :].unsqueeze(-2) for x in (query, key, value))
        if decay is not None:
            memory = decay[..., t, None, None] * memory
        if beta is not None:
            v = beta[..., t, None, None] * (v - k @ memory)
        memory = memory + k.mT @ v
        contexts.append(q @ memory)
    return torch.cat(contexts, -2), memory


def _parallel(query, key, value, decay, beta, memory):
    """C = (Q Kᵀ ⊙ D) U + Γ Q S, where D_ij = γ_{j+1} ... γ_i up to j = i and Γ_i = γ_1 ... γ_i.

    U is V, except for the delta rule. There token i writes u_i = β_i (v_i - Γ_i Sᵀk_i -
    Σ_{j<i} D_ij (k_i·k_j) u_j), a triangular system of equations (Yang et al. 2024 and 2025).
    """
    causal = torch.ones(key.shape[-2], key.shape[-2], dtype=torch.bool, device=key.device).tril()
    if decay is None:
        kept, since, until = causal.to(key.dtype), 1.0, 1.0
        whole = 1.0
    else:
        log = decay.log().cumsum(-1)
        # Above the diagonal exp would overflow, and its gradient with it: -inf before, not 0 after.
        between = (log.unsqueeze(-1) - log.unsqueeze(-2)).masked_fill(~causal, -torch.inf)
        kept, since = between.exp(), log.exp().unsqueeze(-1)
        until, whole = kept[..., -1, :].unsqueeze(-1), since[..., -1:, :]
    if beta is not None:
        beta = beta.unsqueeze(-1)
        overlap = beta * (key @ key.mT) * kept
        errors = beta * (value - since * (key @ memory))
        value = torch.linalg.solve_triangular(overlap, errors, upper=False, unitriangular=True)
    context = (query @ key.mT * kept) @ value + since * (query @ memory)
    return context, whole * memory + (until * key).mT @ value


def _chunkwise(chunk, query, key, value, decay, beta, memory):
    """`_parallel` on each chunk, with the state that the chunks before it left."""
    contexts = []
    for start in range(0, key.shape[-2], chunk):
        at = slice(start, start + chunk)
        q, k, v = (x[..., at, :] for x in (query, key, value))
        g, b = (None if x is None else x[..., at] for x in (decay, beta))
        context, memory = _parallel(q, k, v, g, b, memory)
        contexts.append(context)
    return torch.cat(contexts, -2), memory
