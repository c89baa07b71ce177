# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw15_back_to_recurrence
# init_cell: true
# check_all_cell: true
# export_cell:
#     pdf: false
#     run_tests: true
#     force_save: false
#     ignore_log: true
# show_question_points: true
# tests:
#     files: true
#     ok_format: false
# generate:
#     pdf: false
#     show_stdout: false
#     show_hidden: false
# solutions_pdf: false
# template_pdf: false

# %% [markdown]
# # Homework 15: Back to recurrence
#
# Chapter 15 took the softmax out of attention, and a recurrent network was left whose state is
# a matrix. Here you write linear attention three times: all at once, token by token, and in
# chunks. You also write the delta rule, which repairs what addition spoils, and you measure how
# many pairs one matrix can keep.
#
# **How to work.** Run the cells in order. Replace each `...` by your code, run the cell, then
# run `grader.check` below it, as often as you like: it says what is wrong. The tests that you
# see are not all tests. The hidden ones look at other sizes and random numbers, and at what the
# text of a question promises. Your functions must not change what they are given. Five
# questions, 20 points, about two hours.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder
# ones have hints: open one when you are stuck.
#
# $B$ rows in a batch, $T$ tokens, $K$ numbers in a query or key, $V$ numbers in a value.

# %%
import torch

from course_lib.homework import require_written

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. All at once
#
# *About 20 minutes, ★★☆.*
#
# Softmax attention weighs a value by $\exp(q_i \cdot k_j)$. Linear attention weighs it by
# $\phi(q_i) \cdot \phi(k_j)$, with a function $\phi$ that is applied to queries and keys
# separately:
#
# $$
# c_i = \frac{\sum_{j \le i} \big(\phi(q_i) \cdot \phi(k_j)\big)\, v_j}
# {\sum_{j \le i} \phi(q_i) \cdot \phi(k_j)}
# $$
#
# `feature(x)` is $\phi(x) = \mathrm{elu}(x) + 1$, number by number: $x + 1$ where $x$ is
# positive, and $e^x$ elsewhere.
#
# `all_at_once(q, k, v)` returns the contexts `(B, T, V)`, without a loop over tokens. `q` and
# `k` are `(B, T, K)`, and `v` is `(B, T, V)`. Your function applies $\phi$ itself. There is no
# scale.

# %% [raw]
# # BEGIN SOLUTION


# %%
def feature(x):
    """φ(x), in the shape of x."""
    # BEGIN SOLUTION
    return torch.where(x > 0, x + 1, x.clamp(max=0).exp())
    # END SOLUTION


def all_at_once(q, k, v):
    """Contexts (B, T, V)."""
    # BEGIN SOLUTION
    phi_q, phi_k = (torch.where(x > 0, x + 1, x.clamp(max=0).exp()) for x in (q, k))
    scores = (phi_q @ phi_k.transpose(-2, -1)).tril()
    return scores @ v / scores.sum(-1, keepdim=True)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_feature(feature):
    """Five numbers."""
    import torch

    got = feature(torch.tensor([[2.0, 0.5, 0.0, -1.0, -50.0]]))
    assert isinstance(got, torch.Tensor), f"want a tensor; got a {type(got).__name__}"
    assert got.shape == (1, 5), f"want the shape of x, (1, 5); got {tuple(got.shape)}"
    rounded = [round(x, 3) for x in got[0].tolist()]
    message = f"of 2, 0.5, 0, -1, -50: want [3.0, 1.5, 1.0, 0.368, 0.0]; got {rounded}."
    if rounded == [2.0, 0.5, 0.0, -0.632, -1.0]:
        message += " That is elu alone: add 1, so that no feature is negative."
    elif rounded == [3.0, 1.5, 1.0, 0.0, 0.0]:
        message += " That is relu(x + 1): for negative x, want exp(x)."
    assert rounded == [3.0, 1.5, 1.0, 0.368, 0.0], message


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_contexts_by_hand(all_at_once):
    """Three tokens, keys of one number."""
    import torch

    q = torch.zeros(1, 3, 1)
    k = torch.tensor([0.0, 2.0, -1.0]).view(1, 3, 1)
    v = torch.tensor([4.0, 8.0, 0.0]).view(1, 3, 1)
    try:
        got = all_at_once(q, k, v)
    except Exception as error:
        message = f"all_at_once stopped at (1, 3, 1) with {type(error).__name__}: {error}"
        raise AssertionError(message) from None
    assert isinstance(got, torch.Tensor), f"want a tensor; got a {type(got).__name__}"
    assert got.shape == (1, 3, 1), f"want shape (1, 3, 1); got {tuple(got.shape)}"
    rounded = [round(x, 2) for x in got.flatten().tolist()]
    message = "weights 1, 3, 0.37 and values 4, 8, 0: want [4, (1·4 + 3·8) / 4, 28 / 4.37] = "
    message += f"[4.0, 7.0, 6.41]; got {rounded}."
    if rounded == [6.41, 6.41, 6.41]:
        message += " Every position sees the future: keep j up to i only."
    elif rounded == [4.0, 28.0, 28.0]:
        message += " Divide by the sum of the weights."
    elif rounded == [0.92, 6.41, 6.41] or rounded[0] != 4.0:
        message += " The first token can only read itself: want 4."
    elif rounded[1] == 7.52:
        message += " There is no softmax: divide the features' products by their sum."
    elif rounded[1] == 8.0:
        message += " Apply φ to keys and queries first."
    assert rounded == [4.0, 7.0, 6.41], message


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Large and small numbers, and gradients of φ."
"""  # END TEST CONFIG


def test_feature_elsewhere(feature):
    """Beside PyTorch; large numbers; finite gradients."""
    import torch
    from torch.nn.functional import elu

    x = torch.randn(3, 4, 5, generator=torch.Generator().manual_seed(1)) * 5
    before = x.clone()
    assert torch.allclose(feature(x), elu(x) + 1, atol=1e-6), "other than elu(x) + 1"
    assert torch.equal(x, before), "your function changes x"
    x = torch.tensor([200.0, -200.0, 0.3], requires_grad=True)
    out = feature(x)
    assert out.isfinite().all(), f"of 200, -200 and 0.3: want finite numbers; got {out.tolist()}"
    out.sum().backward()
    assert x.grad.isfinite().all(), f"the gradient at 200, -200, 0.3 is {x.grad.tolist()}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random queries, keys and values, several sizes, beside a loop."
"""  # END TEST CONFIG


def test_contexts_beside_a_loop(all_at_once):
    """Each context is a weighted average of the values so far."""
    import torch
    from torch.nn.functional import elu

    rng = torch.Generator().manual_seed(2)
    for B, T, K, V in [(2, 5, 3, 4), (1, 1, 2, 2), (3, 7, 1, 2)]:
        q, k = (torch.randn(B, T, K, generator=rng) for _ in range(2))
        v = torch.randn(B, T, V, generator=rng)
        before = [x.clone() for x in (q, k, v)]
        got = all_at_once(q, k, v)
        same = [torch.equal(*pair) for pair in zip(before, (q, k, v), strict=True)]
        assert all(same), "your function changes what it is given"
        for i in range(T):
            weights = ((elu(k[:, : i + 1]) + 1) * (elu(q[:, i, None]) + 1)).sum(-1, keepdim=True)
            want = (weights * v[:, : i + 1]).sum(1) / weights.sum(1)
            message = f"position {i} is wrong for B, T, K, V = {(B, T, K, V)}"
            assert torch.allclose(got[:, i], want, atol=1e-5), message


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2. Token by token
#
# *About 20 minutes, ★★☆.*
#
# The same contexts come from a recurrent network with two states: a matrix $S$, the sum of keys
# times values, and a vector $z$, the sum of the keys:
#
# $$
# S_t = S_{t-1} + k_t v_t^\top, \qquad z_t = z_{t-1} + k_t, \qquad
# c_t = \frac{S_t^\top q_t}{z_t \cdot q_t}
# $$
#
# `step(q, k, v, S, z)` reads one token and returns `(c, S, z)` after it. `q` and `k` are `(B,
# K)`, and $\phi$ is already applied, so that they are positive. `v` is `(B, V)`, `S` is `(B, K,
# V)`, and `z` is `(B, K)`.
#
# `grows_past(K, V)` answers a question about memory. A cache keeps $K + V$ numbers of each
# token; the state keeps $KV + K$ numbers in all. From how many tokens on is the cache *larger*
# than the state? The answer is an integer.
#
# <details><summary>Hint</summary>
#
# The outer product of each row's key and value has the shape `(B, K, V)`. You get it from `k[:,
# :, None]` and `v[:, None, :]`.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def step(q, k, v, S, z):
    """The context (B, V), the matrix (B, K, V) and the sum of keys (B, K) after this token."""
    # BEGIN SOLUTION
    S = S + k[:, :, None] * v[:, None, :]
    z = z + k
    c = (q[:, None, :] @ S)[:, 0] / (q * z).sum(-1, keepdim=True)
    return c, S, z
    # END SOLUTION


def grows_past(K, V):
    """The smallest number of tokens with a cache larger than the state, an int."""
    # BEGIN SOLUTION
    return (K * V + K) // (K + V) + 1
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_two_tokens(step):
    """Keys (1, 0) and (1, 1), values 6 and 2."""
    import torch

    S, z = torch.zeros(1, 2, 1), torch.zeros(1, 2)
    q = torch.tensor([[1.0, 2.0]])
    try:
        result = step(q, torch.tensor([[1.0, 0.0]]), torch.tensor([[6.0]]), S, z)
    except Exception as error:
        message = f"step stopped at B, K, V = 1, 2, 1 with {type(error).__name__}: {error}"
        raise AssertionError(message) from None
    message = f"want three tensors (c, S, z); got a {type(result).__name__}"
    assert isinstance(result, (tuple, list)), message
    assert len(result) == 3, f"want three tensors (c, S, z); got {len(result)}"
    c, S, z = result
    assert c.shape == (1, 1), f"want a context (B, V) = (1, 1); got {tuple(c.shape)}"
    message = f"the first token reads its own value: want 6; got {c.item():.3f}."
    if c.isnan().all():
        message += " Write the token into S and z before you read."
    assert abs(c.item() - 6) < 1e-4, message
    c, S, z = step(q, torch.tensor([[1.0, 1.0]]), torch.tensor([[2.0]]), S, z)
    shown = S.flatten().tolist()
    message = f"keys (1, 0), (1, 1) and values 6, 2: want S = [8, 2]; got {shown}."
    if shown == [2.0, 2.0]:
        message += " Add to the old S."
    assert shown == [8.0, 2.0], message
    message = f"want z = [2, 1], the sum of the keys; got {z.flatten().tolist()}"
    assert z.flatten().tolist() == [2.0, 1.0], message
    message = f"q = (1, 2): want (8 + 2·2) / (2 + 2·1) = 3; got {c.item():.3f}."
    if abs(c.item() - 12) < 1e-4:
        message += " Divide by z·q."
    elif abs(c.item() - 4) < 1e-4:
        message += " Divide by z·q and not by the sum of z."
    assert abs(c.item() - 3) < 1e-4, message


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_when_the_cache_is_larger(grows_past):
    """K = V = 64."""
    got = grows_past(64, 64)
    assert isinstance(got, int), f"want an int; got a {type(got).__name__}"
    message = "K = V = 64: the state keeps 4160 numbers, 32 tokens 4096 and 33 tokens 4224. "
    message += f"Want 33; got {got}."
    if got == 32:
        message += " With 32 tokens the cache is still smaller."
    elif got == 65:
        message += " A cache keeps a key and a value of each token."
    assert got == 33, message
    assert grows_past(1, 1) == 2, f"K = V = 1: 2 numbers, 2 a token, want 2; got {grows_past(1, 1)}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random numbers over several tokens, and the state that is given stays as it is."
"""  # END TEST CONFIG


def test_steps_beside_all_at_once(step):
    """Token by token is the same as all at once."""
    import torch

    rng = torch.Generator().manual_seed(3)
    for B, T, K, V in [(2, 5, 3, 4), (3, 4, 2, 1), (1, 6, 4, 4)]:
        q, k = (torch.rand(B, T, K, generator=rng) + 0.1 for _ in range(2))
        v = torch.randn(B, T, V, generator=rng)
        scores = (q @ k.transpose(1, 2)).tril()
        want = scores @ v / scores.sum(-1, keepdim=True)
        S, z = torch.zeros(B, K, V), torch.zeros(B, K)
        for t in range(T):
            before, copies = (S, z), (S.clone(), z.clone())
            c, S, z = step(q[:, t], k[:, t], v[:, t], S, z)
            unchanged = [torch.equal(*pair) for pair in zip(before, copies, strict=True)]
            assert all(unchanged), "your function changes the state that it is given"
            message = f"step {t} differs from all at once for B, T, K, V = {(B, T, K, V)}"
            assert torch.allclose(c, want[:, t], atol=1e-5), message


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Other widths of keys and values."
"""  # END TEST CONFIG


def test_other_widths(grows_past):
    """Beside counting."""
    for K, V in [(8, 8), (16, 64), (64, 16), (3, 5), (2, 2), (128, 128), (1, 7)]:
        want = next(n for n in range(1, 10_000) if n * (K + V) > K * V + K)
        assert grows_past(K, V) == want, f"K, V = {(K, V)}: want {want}; got {grows_past(K, V)}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 4

# %% [markdown]
# ## Question 3. The delta rule
#
# *About 20 minutes, ★★☆.*
#
# Where two keys overlap, addition mixes their values. The delta rule first asks the matrix what
# it would answer to the new key, and then adds only the difference to what it should answer:
#
# $$
# S_t = S_{t-1} + \beta_t\, k_t\, (v_t - S_{t-1}^\top k_t)^\top
# $$
#
# `write_delta(k, v, beta, S)` returns the matrix `(B, K, V)` after this pair. `k` is `(B, K)`
# with rows of length 1, `v` is `(B, V)`, `beta` is `(B,)`, each between 0 and 1, and `S` is
# `(B, K, V)`.
#
# `ask(q, S)` returns the answers `(B, V)` to queries `(B, K)`, without a normaliser: $S^\top
# q$.

# %% [raw]
# # BEGIN SOLUTION


# %%
def write_delta(k, v, beta, S):
    """The matrix (B, K, V) after this pair."""
    # BEGIN SOLUTION
    old = (k[:, None, :] @ S)[:, 0]
    new = beta[:, None] * (v - old)
    return S + k[:, :, None] * new[:, None, :]
    # END SOLUTION


def ask(q, S):
    """The answers (B, V)."""
    # BEGIN SOLUTION
    return (q[:, None, :] @ S)[:, 0]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_a_value_is_replaced(write_delta):
    """The same key twice: the second value replaces the first."""
    import torch

    k, one = torch.tensor([[0.6, 0.8]]), torch.ones(1)
    try:
        S = write_delta(k, torch.tensor([[5.0]]), one, torch.zeros(1, 2, 1))
    except Exception as error:
        message = f"write_delta stopped at B, K, V = 1, 2, 1 with {type(error).__name__}: {error}"
        raise AssertionError(message) from None
    assert isinstance(S, torch.Tensor), f"want a tensor; got a {type(S).__name__}"
    assert S.shape == (1, 2, 1), f"want a matrix (1, 2, 1); got {tuple(S.shape)}"
    answer = (k[0] @ S[0]).item()
    message = f"after key (0.6, 0.8) with value 5, that key reads {answer:.3f}; want 5"
    assert abs(answer - 5) < 1e-4, message
    S = write_delta(k, torch.tensor([[2.0]]), one, S)
    answer = (k[0] @ S[0]).item()
    message = f"the same key with value 2: want 2; got {answer:.3f}."
    if abs(answer - 7) < 1e-4:
        message += " That is the sum: subtract what the matrix answers before you add."
    elif abs(answer + 3) < 1e-4:
        message += " The new value goes in with a plus, the old answer with a minus."
    assert abs(answer - 2) < 1e-4, message


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_overlapping_keys(write_delta):
    """Keys (1, 0) and (0.6, 0.8), values 1 and 0; beta of a half."""
    import torch

    first, second = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.6, 0.8]])
    S = write_delta(first, torch.tensor([[1.0]]), torch.ones(1), torch.zeros(1, 2, 1))
    S = write_delta(second, torch.tensor([[0.0]]), torch.ones(1), S)
    shown = [round(x, 3) for x in S.flatten().tolist()]
    message = f"the second key reads 0.6 of the first value; want S = [0.64, -0.48]; got {shown}."
    if shown == [1.0, 0.0]:
        message += " You add nothing: the old answer, 0.6, must be taken out."
    assert shown == [0.64, -0.48], message
    S = write_delta(first, torch.tensor([[4.0]]), torch.tensor([0.5]), torch.zeros(1, 2, 1))
    got = S[0, 0, 0].item()
    message = f"an empty matrix, value 4, beta 0.5: want 2; got {got:.3f}."
    if abs(got - 4) < 1e-4:
        message += " Beta is missing."
    assert abs(got - 2) < 1e-4, message


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Random keys of length 1, several betas, and an unchanged matrix."
"""  # END TEST CONFIG


def test_writing_beside_a_loop(write_delta):
    """Row by row, number by number."""
    import torch
    from torch.nn.functional import normalize

    rng = torch.Generator().manual_seed(4)
    for B, T, K, V in [(2, 5, 3, 4), (3, 3, 2, 1), (1, 4, 6, 2)]:
        k = normalize(torch.randn(B, T, K, generator=rng), dim=-1)
        v, beta = torch.randn(B, T, V, generator=rng), torch.rand(B, T, generator=rng)
        S = want = torch.zeros(B, K, V)
        for t in range(T):
            before, copy = S, S.clone()
            S = write_delta(k[:, t], v[:, t], beta[:, t], S)
            assert torch.equal(before, copy), "your function changes the matrix that it is given"
            old = torch.einsum("bk,bkv->bv", k[:, t], want)
            change = beta[:, t, None] * (v[:, t] - old)
            want = want + torch.einsum("bk,bv->bkv", k[:, t], change)
            message = f"pair {t} differs for B, T, K, V = {(B, T, K, V)}"
            assert torch.allclose(S, want, atol=1e-5), message


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "Answers to random queries."
"""  # END TEST CONFIG


def test_asking(ask):
    """Beside einsum."""
    import torch

    rng = torch.Generator().manual_seed(5)
    for B, K, V in [(2, 3, 4), (1, 1, 5), (3, 4, 4)]:
        q, S = torch.randn(B, K, generator=rng), torch.randn(B, K, V, generator=rng)
        got = ask(q, S)
        assert got.shape == (B, V), f"want answers {(B, V)}; got {tuple(got.shape)}"
        want = torch.einsum("bk,bkv->bv", q, S)
        assert torch.allclose(got, want, atol=1e-5), f"other answers for B, K, V = {(B, K, V)}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## Question 4. In chunks
#
# *About 30 minutes, ★★★.*
#
# All at once needs $T \times T$ scores, and token by token needs $T$ small products one after
# the other. Chunks are between: within a chunk of `size` tokens all is computed at once, and a
# state goes from chunk to chunk.
#
# `in_chunks(q, k, v, size)` returns the contexts `(B, T, V)` without a normaliser,
#
# $$
# c_i = \sum_{j \le i} (q_i \cdot k_j)\, v_j ,
# $$
#
# with a loop over chunks and none over tokens. `q` and `k` are `(B, T, K)`, `v` is `(B, T, V)`,
# and $\phi$ is already applied. The last chunk may be shorter than the others. `size` may be
# larger than $T$.
#
# <details><summary>Hint</summary>
#
# A token's context has two parts: what the state from before its chunk answers, $S^\top q_i$,
# and the sum over the tokens of its own chunk up to itself. After the chunk, $S$ grows by the
# sum of its keys times values, which is one matrix product.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def in_chunks(q, k, v, size):
    """Contexts (B, T, V)."""
    # BEGIN SOLUTION
    S, contexts = torch.zeros(q.shape[0], k.shape[2], v.shape[2], dtype=v.dtype), []
    for start in range(0, q.shape[1], size):
        of = slice(start, start + size)
        scores = (q[:, of] @ k[:, of].transpose(1, 2)).tril()
        contexts.append(q[:, of] @ S + scores @ v[:, of])
        S = S + k[:, of].transpose(1, 2) @ v[:, of]
    return torch.cat(contexts, dim=1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_chunks_of_two(in_chunks):
    """Keys and queries of 1: the context is the sum of the values so far."""
    import torch

    ones, v = torch.ones(1, 5, 1), torch.tensor([1.0, 2.0, 4.0, 8.0, 16.0]).view(1, 5, 1)
    try:
        got = in_chunks(ones, ones, v, 2)
    except Exception as error:
        message = f"in_chunks stopped at five tokens with {type(error).__name__}: {error}"
        raise AssertionError(message) from None
    assert isinstance(got, torch.Tensor), f"want a tensor; got a {type(got).__name__}"
    assert got.shape == (1, 5, 1), f"want shape (1, 5, 1); got {tuple(got.shape)}"
    shown = got.flatten().tolist()
    message = f"values 1, 2, 4, 8, 16 in chunks of 2: want [1, 3, 7, 15, 31]; got {shown}."
    if shown == [1.0, 3.0, 4.0, 12.0, 16.0]:
        message += " Every chunk begins with nothing: read the state of the chunks before."
    elif shown in ([3.0, 3.0, 15.0, 15.0, 31.0], [31.0] * 5):
        message += " Within a chunk, a token sees those after it: keep j up to i."
    elif shown == [4.0, 6.0, 19.0, 27.0, 47.0] or shown[0] == 4.0:
        message += " Read the state before the chunk is added to it: its own tokens count twice."
    elif shown == [1.0, 3.0, 7.0, 15.0, 28.0]:
        message += " The state must keep all chunks before, and not the last one alone."
    assert shown == [1.0, 3.0, 7.0, 15.0, 31.0], message


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_size_makes_no_difference(in_chunks):
    """Chunks of 1, 3, 4 and 99 of one text."""
    import torch

    rng = torch.Generator().manual_seed(6)
    q, k, v = (torch.randn(2, 7, 3, generator=rng) for _ in range(3))
    want = (q @ k.transpose(1, 2)).tril() @ v
    for size in (1, 3, 4, 7, 99):
        got = in_chunks(q, k, v, size)
        message = f"seven tokens in chunks of {size} differ from all at once"
        assert torch.allclose(got, want, atol=1e-4), message


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Other widths, and nothing that is given is changed."
"""  # END TEST CONFIG


def test_other_sizes(in_chunks):
    """Keys and values of different widths."""
    import torch

    rng = torch.Generator().manual_seed(7)
    for B, T, K, V, size in [(2, 9, 3, 5, 4), (1, 1, 2, 1, 3), (3, 8, 4, 2, 8), (1, 10, 1, 6, 5)]:
        q, k = (torch.randn(B, T, K, generator=rng) for _ in range(2))
        v = torch.randn(B, T, V, generator=rng)
        before = [x.clone() for x in (q, k, v)]
        got = in_chunks(q, k, v, size)
        same = [torch.equal(*pair) for pair in zip(before, (q, k, v), strict=True)]
        assert all(same), "your function changes what it is given"
        want = (q @ k.transpose(1, 2)).tril() @ v
        message = f"B, T, K, V, size = {(B, T, K, V, size)}"
        assert torch.allclose(got, want, atol=1e-4), message


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Gradients, and a long text: 30,000 tokens do not fit as T times T scores."
"""  # END TEST CONFIG


def test_a_long_text(in_chunks):
    """30,000 tokens; the last context is the whole sum; gradients of a short text."""
    import torch

    rng = torch.Generator().manual_seed(8)
    q, k, v = (torch.randn(1, 30_000, 2, generator=rng) / 50 for _ in range(3))
    got = in_chunks(q, k, v, 100)[0, -1]
    want = q[0, -1] @ (k[0].T @ v[0])
    assert torch.allclose(got, want, atol=1e-4), "the last of 30,000 contexts is wrong"
    parts = [torch.randn(1, 6, 2, generator=rng, requires_grad=True) for _ in range(3)]
    grads = torch.autograd.grad(in_chunks(*parts, 4).square().sum(), parts)
    q, k, v = parts
    wanted = torch.autograd.grad(((q @ k.transpose(1, 2)).tril() @ v).square().sum(), parts)
    for got, want in zip(grads, wanted, strict=True):
        assert torch.allclose(got, want, atol=1e-3), "the gradients differ from those all at once"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5. An experiment: how many pairs does a matrix keep?
#
# *About 30 minutes, ★★☆.*
#
# A matrix stores pairs of a key and a word, one after the other. How many come back?
#
# `pairs_of(pairs, width, seed)`, which is given, draws random keys of length 1, `(N, K)`, and
# the id of a word for each, `(N,)`. There are $V = 8$ words. The value of a word is its one-hot
# vector of 8 numbers. The matrix begins with zeros.
#
# `share_right(keys, words, rule, rounds)` stores all pairs in order, and does so `rounds`
# times. Then it asks for each key, and returns the share of pairs that come back, as a float: a
# pair comes back if the largest number of the answer is that of its own word. `rule` is
# `"add"`, which adds $k v^\top$, or `"delta"`, which is the delta rule with $\beta = 1$.
#
# `finding()` returns a dictionary with three lists of shares for 4, 8, 16, 32 and 64 pairs of
# `pairs_of(pairs, 16, seed=0)`: `"add"` and `"delta"`, each in one round, and `"ten rounds"`,
# the delta rule in ten. Its fourth entry, `"why"`, says in 20 words or more of your own which
# rule is better up to 16 pairs, which one beyond, and why.

# %% [raw]
# # BEGIN SOLUTION


# %%
def pairs_of(pairs, width, seed):
    """Random keys of length 1, (N, K), and the word of each, (N,)."""
    rng = torch.Generator().manual_seed(seed)
    keys = torch.nn.functional.normalize(torch.randn(pairs, width, generator=rng), dim=-1)
    return keys, torch.randint(8, (pairs,), generator=rng)


def share_right(keys, words, rule, rounds):
    """The share of pairs that come back, a float."""
    # BEGIN SOLUTION
    values = torch.nn.functional.one_hot(words, 8).to(keys.dtype)
    S = torch.zeros(keys.shape[1], 8, dtype=keys.dtype)
    for _ in range(rounds):
        for k, v in zip(keys, values, strict=True):
            if rule == "delta":
                v = v - k @ S
            S = S + k[:, None] * v
    right = (keys @ S).argmax(-1) == words
    return right.float().mean().item()
    # END SOLUTION


def finding():
    """What you found: three lists of five shares, and why."""
    # BEGIN SOLUTION
    ways = {"add": ("add", 1), "delta": ("delta", 1), "ten rounds": ("delta", 10)}
    shares = {
        name: [share_right(*pairs_of(n, 16, seed=0), *way) for n in (4, 8, 16, 32, 64)]
        for name, way in ways.items()
    }
    return {
        **shares,
        "why": "Up to as many pairs as a key has numbers, the delta rule in several rounds finds a "
        "matrix that answers every key, since there is one. Beyond, there is none: each new pair "
        "takes something out of the old ones, and the last ones remain, while the sum keeps a "
        "little of all pairs.",
    }
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_one_key_three_times(share_right):
    """One key, the words 3, 3 and 5."""
    import torch

    keys, words = torch.tensor([[0.6, 0.8]]).repeat(3, 1), torch.tensor([3, 3, 5])
    try:
        got = share_right(keys, words, "add", 1)
    except Exception as error:
        message = f"share_right stopped at three keys with {type(error).__name__}: {error}"
        raise AssertionError(message) from None
    assert isinstance(got, float), f"want a float; got a {type(got).__name__}"
    message = "one key with the words 3, 3, 5, rule 'add': the sum answers 3, so 2/3 are right; "
    message += f"got {got:.3f}."
    if got == 1.0:
        message += " Ask after all pairs are stored, and not after each."
    assert abs(got - 2 / 3) < 1e-4, message
    got = share_right(keys, words, "delta", 1)
    message = "one key with the words 3, 3, 5, rule 'delta': the last one, 5, replaces 3. "
    message += f"Want 1/3; got {got:.3f}."
    if abs(got - 2 / 3) < 1e-4:
        message += " Is that the sum? The delta rule takes the old answer out first."
    elif got == 1.0:
        message += " Ask after all pairs are stored, and not after each."
    assert abs(got - 1 / 3) < 1e-4, message


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_rounds(share_right):
    """Three keys near each other, which several rounds tell apart."""
    import torch
    from torch.nn.functional import normalize

    keys = normalize(torch.eye(3) + 0.6, dim=-1)
    words = torch.tensor([4, 4, 1])
    ways = ("add", 1, 2 / 3), ("delta", 1, 1 / 3), ("delta", 50, 1.0), ("add", 50, 2 / 3)
    for rule, rounds, want in ways:
        got = share_right(keys, words, rule, rounds)
        message = f"three keys near each other, rule {rule!r}, {rounds} rounds: "
        message += f"want {want:.3f}; got {got:.3f}."
        if rule == "delta" and rounds == 50:
            message += " In each round, store all pairs again in the matrix that is there."
        assert abs(got - want) < 1e-4, message


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random pairs of several widths, by both rules, in one round and in three."
"""  # END TEST CONFIG


def test_shares_beside_a_loop(share_right):
    """Beside a slow reckoning."""
    import torch
    from torch.nn.functional import normalize

    for seed, (N, K) in enumerate([(3, 2), (10, 4), (6, 6), (20, 5), (1, 3)]):
        rng = torch.Generator().manual_seed(seed)
        keys = normalize(torch.randn(N, K, generator=rng), dim=-1)
        words = torch.randint(8, (N,), generator=rng)
        before = keys.clone()
        for rule, rounds in (("add", 1), ("delta", 1), ("delta", 3)):
            S = torch.zeros(K, 8, dtype=torch.float64)
            for _ in range(rounds):
                for k, word in zip(keys.double(), words, strict=True):
                    new = torch.eye(8, dtype=torch.float64)[word]
                    S = S + torch.outer(k, new - (k @ S if rule == "delta" else 0 * new))
            want = ((keys.double() @ S).argmax(-1) == words).double().mean().item()
            got = share_right(keys, words, rule, rounds)
            assert torch.equal(keys, before), "your function changes the keys"
            message = f"{N} keys of {K} numbers, rule {rule!r}, {rounds} rounds: "
            assert abs(got - want) < 1e-4, message + f"want {want:.3f}; got {got:.3f}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "What you found, and a reason of 20 words or more."
"""  # END TEST CONFIG


def test_finding(finding):
    """Three lists of shares, and why."""
    import torch
    from torch.nn.functional import normalize, one_hot

    got = finding()
    assert isinstance(got, dict), f"want a dictionary; got a {type(got).__name__}"
    wanted = {"add", "delta", "ten rounds", "why"}
    assert wanted <= set(got), f"want {sorted(wanted)}; got {sorted(got)}"
    for name, rounds in (("add", 1), ("delta", 1), ("ten rounds", 10)):
        want = []
        for n in (4, 8, 16, 32, 64):
            rng = torch.Generator().manual_seed(0)
            keys = normalize(torch.randn(n, 16, generator=rng), dim=-1)
            words, S = torch.randint(8, (n,), generator=rng), torch.zeros(16, 8)
            for _ in range(rounds):
                for k, v in zip(keys, one_hot(words, 8).float(), strict=True):
                    S = S + torch.outer(k, v - (0 * v if name == "add" else k @ S))
            want.append(round(((keys @ S).argmax(-1) == words).float().mean().item(), 4))
        shares = [round(x, 4) for x in got[name]]
        assert shares == want, f"{name}: want {want}; got {shares}"
    assert len(str(got["why"]).split()) >= 20, "say why in 20 words or more"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it: the finale.** A small language model learns to write sentences of the grammar, in
# half a minute. Its layers mix the tokens by *your* `all_at_once`, so it learns through the
# gradients of your code. Then it writes by *your* `step`, with a state that does not grow.
# Change the beginning, and run the cell again.
#
# Answer questions 1 and 2 first. While one of their functions is still `...`, the cell stops
# and tells you which.

# %%
beginning = "the dog"

require_written(feature, all_at_once, step)

from course_lib.data.mini_world import grammar  # noqa: E402

torch.manual_seed(1)
pairs = grammar.sample("train", 800, seed=1, min_words=4, max_words=10, vocabulary="tiny")
text = [["<s>", *pair.source, "<s>"] for pair in pairs]
words = sorted({word for sentence in text for word in sentence})
ids = torch.tensor([words.index(word) for sentence in text for word in sentence])
size, heads, width = 24, 4, 16


class Layer(torch.nn.Module):
    """Your linear attention in four heads, behind a convolution over two words."""

    def __init__(self):
        super().__init__()
        self.before = torch.nn.Parameter(torch.zeros(heads * width))
        self.project = torch.nn.Linear(heads * width, 3 * heads * width)
        self.out = torch.nn.Sequential(
            torch.nn.Linear(heads * width, 128),
            torch.nn.GELU(),
            torch.nn.Linear(128, heads * width),
        )

    def parts(self, x, previous):
        mixed = self.project(x + self.before * previous)
        return (part.unflatten(-1, (heads, width)) for part in mixed.chunk(3, dim=-1))

    def forward(self, x):
        """All positions of (B, T, D) at once."""
        previous = torch.nn.functional.pad(x, (0, 0, 1, 0))[:, :-1]
        q, k, v = (part.transpose(1, 2).flatten(0, 1) for part in self.parts(x, previous))
        context = all_at_once(q, k, v).unflatten(0, (len(x), heads)).transpose(1, 2).flatten(2)
        x = x + context
        return x + self.out(x)

    def next(self, x, state):
        """One position (1, D), from state to state."""
        previous, S, z = state
        q, k, v = (part[0] for part in self.parts(x, previous))
        context, S, z = step(feature(q), feature(k), v, S, z)
        new = x + context.flatten()
        return new + self.out(new), (x, S, z)


embed = torch.nn.Embedding(len(words), heads * width)
layers = torch.nn.ModuleList([Layer(), Layer()])
output = torch.nn.Linear(heads * width, len(words))
parts = torch.nn.ModuleList([embed, layers, output])
optimiser = torch.optim.AdamW(parts.parameters(), lr=3e-3)
for update in range(1, 301):
    starts = torch.randint(len(ids) - size - 1, (32, 1))
    window = ids[starts + torch.arange(size + 1)]
    x = embed(window[:, :-1])
    for layer in layers:
        x = layer(x)
    loss = torch.nn.functional.cross_entropy(output(x).flatten(0, 1), window[:, 1:].flatten())
    optimiser.zero_grad()
    loss.backward()
    optimiser.step()
    if update % 100 == 0:
        print(f"update {update}: {loss.item():.2f} nats a word")

with torch.no_grad():
    empty = (
        torch.zeros(1, heads * width),
        torch.zeros(heads, width, width),
        torch.zeros(heads, width),
    )
    states, written = [empty, empty], []
    known = [word for word in beginning.split() if word in words]
    for number in range(len(known) + 40):
        word = ["<s>", *known][number] if number <= len(known) else written[-1]
        x = embed(torch.tensor([words.index(word)]))
        for i, layer in enumerate(layers):
            x, states[i] = layer.next(x, states[i])
        if number >= len(known):
            written.append(words[torch.multinomial(output(x)[0].softmax(-1), 1).item()])
    print(*known, *("/" if word == "<s>" else word for word in written))

# %% [markdown]
# You have written one function three times, and it was the same function. You have seen what a
# state of fixed size keeps, what it loses, and what the delta rule gives up for what it
# repairs. That is the question with which the course began: what does a recurrent net remember?
