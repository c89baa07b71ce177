# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw12_at_scale
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
# # Homework 12: What it costs
#
# Chapter 12 counted operations, compared them with the clock, and computed attention without its
# table of scores. Here you do the same in other forms: a count for several heads, a softmax that
# reads a whole block of scores at once, exact attention for the past alone with its gradient, and
# an experiment about time: when does attention cost less than recurrence?
#
# **How to work.** Run the cells in order. Replace each `...` by your code, run the cell, then run
# `grader.check` below it, as often as you like: it says what is wrong. The tests that you see are
# not all tests. The hidden ones look at other sizes and random numbers, and at what the text of a
# question promises. Your functions must not change what they are given. Four questions, 20 points,
# about two hours.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# A text has $n$ words with $d$ numbers each. An *operation* is a multiplication or an addition: a
# product of an $n \times k$ matrix with a $k \times m$ matrix has $2 n k m$. A number has four
# bytes.

# %%
import torch

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. Count
#
# *About 20 minutes, ★☆☆.*
#
# `attention_cost(n, d, heads, output)` returns a pair of whole numbers for one self-attention
# layer:
#
# - its operations: the products that make all queries, keys and values of width $d$; scores and
#   averages of `heads` heads, each of width $d / \text{heads}$; and one more product with a $d
#   \times d$ matrix $W_O$ where `output` is `True`;
# - how many numbers there are in its tables of attention weights, over all heads.
#
# `crossing(d, products, output)` returns a float: the length $n$ at which this layer and a
# recurrent one do the same number of operations. The recurrent layer multiplies `products` matrices
# of $d \times d$ with one vector each for every word (a GRU has 6). Where attention never does
# fewer operations, return 0.0.

# %% [raw]
# # BEGIN SOLUTION


# %%
def attention_cost(n, d, heads, output):
    """Operations, and numbers in the tables of weights."""
    # BEGIN SOLUTION
    matrices = 4 if output else 3
    return matrices * 2 * n * d * d + 4 * n * n * d, heads * n * n
    # END SOLUTION


def crossing(d, products, output):
    """The length at which both do the same, a float."""
    # BEGIN SOLUTION
    matrices = 4 if output else 3
    return max(0.0, (products - matrices) * d / 2)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_six_words(attention_cost):
    """The example of chapter 12, then with heads and an output matrix."""
    try:
        got = attention_cost(6, 4, 1, False)
    except Exception as error:
        told = f"attention_cost(6, 4, 1, False) stopped with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = f"want a pair of whole numbers, got {got!r}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, told
    assert all(isinstance(part, int) for part in got), told
    told = f"6 words of width 4, one head, no W_O: want 1152 operations, got {got[0]}."
    if got[0] == 576:
        told += " A multiplication comes with an addition: both count."
    elif got[0] == 864:
        told += " There are two products of words with words: scores, and weights times values."
    elif got[0] == 1344:
        told += " No W_O is asked for here."
    assert got[0] == 1152, told
    assert got[1] == 36, f"one table of 6 by 6 has 36 numbers, you say {got[1]}"
    got = attention_cost(6, 4, 2, True)
    told = f"two heads and W_O: want 1344 operations, got {got[0]}."
    if got[0] == 1920:
        told += (
            " Each head is only d / heads wide: all heads together cost what one wide head does."
        )
    elif got[0] == 1152:
        told += " The product with W_O is missing."
    assert got[0] == 1344, told
    told = f"two heads have two tables of 36 numbers, want 72, got {got[1]}"
    assert got[1] == 72, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_where_the_lines_cross(crossing):
    """A GRU and an LSTM."""
    got = crossing(256, 6, False)
    assert isinstance(got, float), f"crossing should return a float, got {type(got).__name__}"
    told = f"a GRU has 6 products: want 1.5 widths, 384.0, got {got}."
    if got == 256.0:
        told += " That is with an output matrix, or without constants."
    elif got == 768.0:
        told += " Scores and averages are 4 n² d operations: two products, two operations each."
    assert got == 384.0, told
    got = crossing(256, 6, True)
    assert got == 256.0, f"with W_O the lines cross at one width, 256.0, got {got}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Other sizes, beside PyTorch's own count."
"""  # END TEST CONFIG


def test_beside_pytorch(attention_cost):
    """What `FlopCounterMode` counts."""
    import torch
    from torch.utils.flop_counter import FlopCounterMode

    for n, d, heads, output in [(5, 8, 2, True), (17, 12, 3, False), (1, 6, 6, True)]:
        x, W = torch.randn(n, d), torch.randn(d, d)
        with FlopCounterMode(display=False) as counter:
            q, k, v = ((x @ W).view(n, heads, -1).transpose(0, 1) for _ in range(3))
            weights = (q @ k.mT).softmax(-1)
            read = (weights @ v).transpose(0, 1).reshape(n, d)
            if output:
                read = read @ W
        want = counter.get_total_flops(), weights.numel()
        got = tuple(attention_cost(n, d, heads, output))
        assert got == want, f"n, d, heads, W_O = {(n, d, heads, output)}: want {want}, got {got}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "Recurrent layers of other kinds; one that is always cheaper."
"""  # END TEST CONFIG


def test_other_recurrent_layers(crossing):
    """An LSTM, a plain cell with two products."""
    for d, products, output, want in [
        (100, 8, False, 250.0),
        (3, 8, True, 6.0),
        (7, 2, False, 0.0),
    ]:
        got = crossing(d, products, output)
        told = f"d = {d}, {products} products, W_O {output}: want {want}, got {got}"
        assert abs(got - want) < 1e-9, told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 5

# %% [markdown]
# ## Question 2. A softmax that reads in blocks
#
# *About 35 minutes, ★★☆.*
#
# The state of $Q$ queries is a triple `(m, total, mixed)`: `m` is `(Q,)`, the largest score so far;
# `total` is `(Q,)`, the sum of $e^{s - m}$; `mixed` is `(Q, D)`, the sum of $e^{s - m}$ times the
# values. Before the first block, `m` is minus infinity and the sums are zero.
#
# - `step(state, scores, values)` returns the state after one more block of keys. `scores` is `(Q,
#   B)`, where minus infinity hides a key; `values` is `(B, D)`. A query may see *no* key of a
#   block, or of all blocks so far: its sums then stay zero, and nothing becomes `nan`.
# - `merge(one, two)` returns the state of all keys, where `one` and `two` have each read some of
#   them.
# - `finish(state)` returns the contexts `(Q, D)`. A query that has seen no key gets zeros.
#
# <details><summary>First hint</summary>
#
# Minus infinity less minus infinity is `nan`. What may you subtract in its place?
#
# </details>
#
# <details><summary>Second hint</summary>
#
# Two sums can be added only if both are measured from the same largest score. By which factor does
# a sum change when its $m$ becomes larger?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def step(state, scores, values):
    """The state after one more block of keys."""
    # BEGIN SOLUTION
    m = scores.amax(dim=1)
    origin = m.masked_fill(m == -torch.inf, 0.0)
    shares = (scores - origin[:, None]).exp()
    return merge(state, (m, shares.sum(dim=1), shares @ values))
    # END SOLUTION


def merge(one, two):
    """The state of all keys that either of two has read."""
    # BEGIN SOLUTION
    m = torch.maximum(one[0], two[0])
    origin = m.masked_fill(m == -torch.inf, 0.0)
    first, second = (one[0] - origin).exp(), (two[0] - origin).exp()
    total = first * one[1] + second * two[1]
    mixed = first[:, None] * one[2] + second[:, None] * two[2]
    return m, total, mixed
    # END SOLUTION


def finish(state):
    """The context of each query (Q, D)."""
    # BEGIN SOLUTION
    _, total, mixed = state
    return mixed / total.masked_fill(total == 0, 1.0)[:, None]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_by_hand(step):
    """One query; two blocks; numbers to check on paper."""
    import torch

    begun = torch.tensor([-torch.inf]), torch.zeros(1), torch.zeros(1, 1)
    first = torch.tensor([[2.0, 1.0]]), torch.tensor([[10.0], [20.0]])
    try:
        state = step(begun, *first)
    except Exception as error:
        told = f"step stopped at the first block with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = f"want a triple (m, total, mixed), got {type(state).__name__}"
    assert isinstance(state, (tuple, list)), told
    assert len(state) == 3, told
    shapes = [tuple(getattr(part, "shape", ())) for part in state]
    assert shapes == [(1,), (1,), (1, 1)], f"want shapes (1,), (1,), (1, 1), got {shapes}"
    got = [round(part.item(), 3) for part in state]
    want = [2.0, 1.368, 17.358]
    told = f"scores 2, 1 and values 10, 20: want (m, total, mixed) = {want}, got {got}"
    if any(part != part for part in got):
        told += ". The first maximum is minus infinity: what do you subtract?"
    assert got == want, told
    state = step(state, torch.tensor([[4.0, 3.0]]), torch.tensor([[20.0], [30.0]]))
    got = [round(part.item(), 3) for part in state]
    want = [4.0, 1.553, 33.385]
    told = f"then scores 4, 3 and values 20, 30: want {want}, got {got}."
    if got[1] == 2.736:
        told += " What was summed before was measured from 2, not from 4: rescale it by exp(2 - 4)."
    elif got[1] == 1.553:
        told += " The sum of the values is not rescaled, or not by the same factor."
    elif got[1] == 1.368:
        told += " The sums of the block before are lost."
    elif got[0] == 2.0:
        told += " m is the largest score of *all* blocks so far."
    assert got == want, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_two_halves(merge):
    """The states of two processes that have read half of the keys each."""
    import torch

    one = torch.tensor([2.0, 0.0]), torch.tensor([1.0, 2.0]), torch.tensor([[10.0], [4.0]])
    two = torch.tensor([4.0, 0.0]), torch.tensor([1.5, 1.0]), torch.tensor([[30.0], [5.0]])
    m, total, mixed = merge(one, two)
    told = f"want m = [4, 0], the larger of both, got {m.tolist()}"
    assert torch.allclose(m, torch.tensor([4.0, 0.0])), told
    want, got = [1.635, 3.0], [round(x, 3) for x in total.tolist()]
    told = f"want total = exp(2 - 4) · 1 + 1.5 and 2 + 1, {want}, got {got}"
    assert got == want, told
    want, got = [31.353, 9.0], [round(x, 3) for x in mixed[:, 0].tolist()]
    assert got == want, f"want mixed = {want}, got {got}: each query has a factor of its own"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Several blocks, beside a softmax of the whole row; large scores."
"""  # END TEST CONFIG


def test_beside_the_whole_row(step, finish):
    """Random blocks of other sizes, in single precision."""
    import torch

    rng = torch.Generator().manual_seed(12)
    for Q, D, sizes, large in [(3, 2, (4, 1, 5), 1), (1, 4, (2, 2), 200), (5, 1, (1, 1, 7), 50)]:
        scores = [large * torch.randn(Q, size, generator=rng) for size in sizes]
        values = [torch.randn(size, D, generator=rng) for size in sizes]
        state = torch.full((Q,), -torch.inf), torch.zeros(Q), torch.zeros(Q, D)
        kept = [part.clone() for part in (*scores, *values)]
        want = torch.cat(scores, 1).softmax(1) @ torch.cat(values)
        for block in zip(scores, values, strict=True):
            state = step(state, *block)
        got = finish(state)
        told = f"blocks of {sizes}, scores up to {large}: other than the softmax of the whole row"
        assert got.shape == want.shape, told
        assert torch.allclose(got, want, atol=1e-4), told
        same = [torch.equal(*pair) for pair in zip(kept, (*scores, *values), strict=True)]
        assert all(same), "your function writes into what it is given"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Hidden keys; blocks that a query may not see at all."
"""  # END TEST CONFIG


def test_hidden_keys(step, finish):
    """Query 0 sees nothing at first, query 1 nothing later, query 2 nothing at all."""
    import torch

    no = -torch.inf
    blocks = [
        (torch.tensor([[no, no], [1.0, no], [no, no]]), torch.tensor([[1.0], [2.0]])),
        (torch.tensor([[0.0, 0.0], [no, no], [no, no]]), torch.tensor([[3.0], [5.0]])),
    ]
    state = torch.full((3,), no), torch.zeros(3), torch.zeros(3, 1)
    for block in blocks:
        state = step(state, *block)
        told = f"a query that sees no key of a block makes nan: total {state[1].tolist()}"
        assert not state[1].isnan().any(), told
        assert not state[2].isnan().any(), told
    got = finish(state)[:, 0]
    told = f"want the contexts [4, 1, 0], got {got.tolist()}"
    assert torch.allclose(got, torch.tensor([4.0, 1.0, 0.0])), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "Merging in any order; a half that has read nothing."
"""  # END TEST CONFIG


def test_merged_in_any_order(merge):
    """Both orders are the same, and an empty half changes nothing."""
    import torch

    rng = torch.Generator().manual_seed(2)
    one, two = (
        (
            torch.randn(4, generator=rng),
            torch.rand(4, generator=rng),
            torch.randn(4, 3, generator=rng),
        )
        for _ in range(2)
    )
    empty = torch.full((4,), -torch.inf), torch.zeros(4), torch.zeros(4, 3)
    there, back = merge(one, two), merge(two, one)
    same = [torch.allclose(*pair) for pair in zip(there, back, strict=True)]
    assert all(same), "merge(one, two) and merge(two, one) differ"
    larger = torch.maximum(one[0], two[0])
    assert torch.allclose(there[0], larger), "m is the larger of both"
    for pair in ((one, empty), (empty, one)):
        same = [torch.allclose(*both) for both in zip(merge(*pair), one, strict=True)]
        assert all(same), "merged with a half that has read nothing, a state should stay as it is"
    assert not any(part.isnan().any() for part in merge(empty, empty)), "two empty halves make nan"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 5

# %% [markdown]
# ## Question 3. Attention to the past, and its gradient
#
# *About 35 minutes, ★★★.*
#
# `causal_attention(Q, K, V, block)` returns `(C, L)`: the contexts `(n, d_v)` of causal attention,
# $\mathrm{softmax}(Q K^\top / \sqrt{d})\, V$ in which word $i$ sees the words up to $i$ and none
# after it, and for each word the number $L_i = \log \sum_j e^{s_{ij}}$ over the scores that it
# sees, `(n,)`. `Q` and `K` are `(n, d)`, `V` is `(n, d_v)`. Compare `block` queries with `block`
# keys at a time, and leave out the blocks that lie in the future altogether. The last block may be
# smaller. You may use `step` and `finish`.
#
# `gradients(Q, K, V, C, L, dC)` returns `(dQ, dK, dV)`, where `dC` is the gradient of the loss with
# respect to `C`. Nobody kept the weights, so make them again: $w_{ij} = e^{s_{ij} - L_i}$ where $j
# \le i$, and zero elsewhere. Here you may use whole tables. With $dw_{ij} = dC_i \cdot V_j$, the
# softmax passes back
#
# $$ ds_{ij} = w_{ij} \Bigl( dw_{ij} - \sum_k w_{ik}\, dw_{ik} \Bigr), \qquad
#    \sum_k w_{ik}\, dw_{ik} = dC_i \cdot C_i . $$
#
# Do not use autograd, nor PyTorch's own attention.
#
# <details><summary>First hint</summary>
#
# The first key that a word sees is always in the first block, so begin there. Which is the last
# block that a block of queries needs? Number rows and columns by their places in the whole text.
#
# </details>
#
# <details><summary>Second hint</summary>
#
# In a finished state, the sum is measured from the largest score. What is missing for $L$? On the
# way back, the scores carry the scale, so it appears in `dQ` and in `dK`.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def causal_attention(Q, K, V, block):
    """Contexts (n, d_v), and the log of each row's sum (n,)."""
    # BEGIN SOLUTION
    n, scale = len(Q), Q.shape[1] ** -0.5
    contexts, logs = [], []
    for first in range(0, n, block):
        q = Q[first : first + block] * scale
        row = torch.arange(first, first + len(q))
        state = (
            torch.full((len(q),), -torch.inf),
            torch.zeros(len(q)),
            q.new_zeros(len(q), V.shape[1]),
        )
        for start in range(0, first + len(q), block):
            k, v = K[start : start + block], V[start : start + block]
            column = torch.arange(start, start + len(k))
            scores = (q @ k.T).masked_fill(column > row[:, None], -torch.inf)
            state = step(state, scores, v)
        contexts.append(finish(state))
        logs.append(state[0] + state[1].log())
    return torch.cat(contexts), torch.cat(logs)
    # END SOLUTION


def gradients(Q, K, V, C, L, dC):
    """dQ, dK, dV of the shapes of Q, K, V."""
    # BEGIN SOLUTION
    scale = Q.shape[1] ** -0.5
    weights = (Q @ K.T * scale - L[:, None]).exp().tril()
    d_weights = dC @ V.T
    d_scores = weights * (d_weights - (dC * C).sum(dim=1, keepdim=True))
    return d_scores @ K * scale, d_scores.T @ Q * scale, weights.T @ dC
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_four_words(causal_attention):
    """Four words, blocks of two, beside the whole table."""
    import torch

    rng = torch.Generator().manual_seed(4)
    Q, K, V = (torch.randn(4, 4, generator=rng) for _ in range(3))
    try:
        got = causal_attention(Q, K, V, 2)
    except Exception as error:
        told = f"causal_attention stopped at 4 words with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = f"want a pair (C, L), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, told
    C, L = got
    shapes = [tuple(getattr(part, "shape", ())) for part in got]
    assert shapes == [(4, 4), (4,)], f"want shapes (4, 4) and (4,), got {shapes}"
    s = Q @ K.T / 2
    future = torch.ones(4, 4, dtype=torch.bool).triu(1)
    want = s.masked_fill(future, -torch.inf).softmax(1) @ V
    told = "the contexts differ from those of the whole table."
    if torch.allclose(C, s.softmax(1) @ V, atol=1e-4):
        told += " Your words see the future: hide the keys after each query."
    elif torch.allclose(C, (2 * s).masked_fill(future, -torch.inf).softmax(1) @ V, atol=1e-4):
        told += " The scale, 1 over the root of d, is missing."
    elif torch.allclose(C[0], torch.zeros(4)):
        told += " Word 0 sees itself: hide only the keys *after* a query."
    elif torch.allclose(C[:2], want[:2], atol=1e-4):
        told += " The first block of queries is right, the second is not: where do its rows begin?"
    assert torch.allclose(C, want, atol=1e-4), told
    want = s.masked_fill(future, -torch.inf).logsumexp(1)
    told = (
        f"L: want {[round(x, 3) for x in want.tolist()]}, got {[round(x, 3) for x in L.tolist()]}:"
    )
    told += " the largest score, plus the log of the sum"
    assert torch.allclose(L, want, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_way_back(gradients):
    """Beside autograd; C and L are right ones."""
    import torch

    rng = torch.Generator().manual_seed(5)
    Q, K, V, dC = (torch.randn(4, 4, generator=rng) for _ in range(4))
    leaves = [part.clone().requires_grad_() for part in (Q, K, V)]
    s = (leaves[0] @ leaves[1].T / 2).masked_fill(torch.ones(4, 4).triu(1).bool(), -torch.inf)
    C, L = s.softmax(1) @ leaves[2], s.logsumexp(1)
    want = torch.autograd.grad(C, leaves, dC, retain_graph=True)
    got = gradients(Q, K, V, C.detach(), L.detach(), dC)
    told = f"want a triple (dQ, dK, dV), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 3, told
    for name, one, two in zip(
        ("dV", "dQ", "dK"), (got[2], *got[:2]), (want[2], *want[:2]), strict=True
    ):
        told = f"{name} differs from autograd's."
        if torch.allclose(one, 2 * two, atol=1e-4):
            told += " It is √d times as large: the scale acts on the way back, too."
        elif name == "dV":
            told += " It is the transposed weights times dC; weights of the future are zero."
        else:
            told += " Look at ds: from each dw the sum of its row is subtracted, then times w."
        assert one.shape == two.shape, told
        assert torch.allclose(one, two, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Other sizes and blocks; a last block that is smaller."
"""  # END TEST CONFIG


def test_other_blocks(causal_attention):
    """Blocks of one, of all, of more, and a rest."""
    import torch

    rng = torch.Generator().manual_seed(6)
    for n, d, d_v, block in [(7, 3, 2, 3), (5, 2, 4, 1), (6, 4, 4, 6), (3, 4, 1, 9), (1, 2, 2, 4)]:
        Q, K = (3 * torch.randn(n, d, generator=rng) for _ in range(2))
        V = torch.randn(n, d_v, generator=rng)
        s = (Q @ K.T / d**0.5).masked_fill(torch.ones(n, n).triu(1).bool(), -torch.inf)
        C, L = causal_attention(Q, K, V, block)
        told = f"{n} words, d = {d}, d_v = {d_v}, blocks of {block}: other than the whole table"
        assert C.shape == (n, d_v), told
        assert torch.allclose(C, s.softmax(1) @ V, atol=1e-4), told
        assert torch.allclose(L, s.logsumexp(1), atol=1e-4), told + " in L"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Gradients at other sizes; nothing flows back from the future."
"""  # END TEST CONFIG


def test_no_gradient_from_the_future(gradients):
    """A loss of the first word alone reaches nothing after it."""
    import torch

    rng = torch.Generator().manual_seed(7)
    for n, d, d_v in [(6, 3, 2), (9, 5, 5)]:
        Q, K = (torch.randn(n, d, generator=rng) for _ in range(2))
        V, dC = (torch.randn(n, d_v, generator=rng) for _ in range(2))
        leaves = [part.clone().requires_grad_() for part in (Q, K, V)]
        s = (leaves[0] @ leaves[1].T / d**0.5).masked_fill(
            torch.ones(n, n).triu(1).bool(), -torch.inf
        )
        C, L = s.softmax(1) @ leaves[2], s.logsumexp(1)
        want = torch.autograd.grad(C, leaves, dC)
        got = gradients(Q, K, V, C.detach(), L.detach(), dC)
        for name, one, two in zip(("dQ", "dK", "dV"), got, want, strict=True):
            told = f"{n} words of width {d}, values of {d_v}: {name} differs from autograd's"
            assert one.shape == two.shape, told
            assert torch.allclose(one, two, atol=1e-4), told
        dC = torch.zeros_like(dC).index_fill(0, torch.tensor([0]), 1.0)
        _, dK, dV = gradients(Q, K, V, C.detach(), L.detach(), dC)
        told = "a loss of word 0 gives later keys or values a gradient, and none to its own value"
        assert not dK[1:].any(), told
        assert not dV[1:].any(), told
        assert dV[0].any(), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 6

# %% [markdown]
# ## Question 4. When does attention cost less than recurrence?
#
# *About 30 minutes, ★★☆.*
#
# Chapter 12 found that the clock's lines cross much later than those of the counts. A model of a
# machine with two numbers says why. It does `rate` operations a second and moves `bandwidth` bytes
# a second, both at the same time.
#
# `seconds(operations, moved, rate, bandwidth)` returns the time of one piece of work under this
# roof: the longer one of both.
#
# Each piece of work waits for the one before. `batch` texts are read side by side and share the
# weights.
#
# - A GRU does $n$ pieces of work, one for each word. Each piece multiplies six $d \times d$
#   matrices with a vector of each text. It moves the $6 d^2$ weights once, and $3 d$ numbers for
#   each text. `gru_seconds(n, d, batch, rate, bandwidth)` is the time of all.
# - Attention is one piece of work with $6 n d^2 + 4 n^2 d$ operations for each text. It moves the
#   $3 d^2$ weights once, and $8 n d + 4 n^2$ numbers for each text. `attention_seconds(n, d, batch,
#   rate, bandwidth)` is its time.
#
# `crossing_length(d, batch, rate, bandwidth)` returns the smallest whole $n \ge 1$ at which
# attention takes at least as long as the GRU.
#
# Then use them, with $d = 256$, 50 billion operations and 10 billion bytes a second. `finding()`
# returns a dictionary: `"alone"`, the crossing for one text; `"batch"`, the crossing for 64 texts
# at once; `"faster"`, the crossing for one text on a processor that does ten times as many
# operations a second with the same memory; and `"why"`, at least 20 words: what does the GRU wait
# for in each of the three cases?
#
# <details><summary>Hint</summary>
#
# Compute one step of the GRU with round numbers on paper: $d = 10$, a batch of 2. What is moved
# once for all texts, and what once for each text? A number has four bytes.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def seconds(operations, moved, rate, bandwidth):
    """Time of one piece of work, a float."""
    # BEGIN SOLUTION
    return max(operations / rate, moved / bandwidth)
    # END SOLUTION


def gru_seconds(n, d, batch, rate, bandwidth):
    """Time of n steps, a float."""
    # BEGIN SOLUTION
    numbers = 6 * d * d + 3 * batch * d
    return n * seconds(12 * batch * d * d, 4 * numbers, rate, bandwidth)
    # END SOLUTION


def attention_seconds(n, d, batch, rate, bandwidth):
    """Time of the whole layer, a float."""
    # BEGIN SOLUTION
    operations = batch * (6 * n * d * d + 4 * n * n * d)
    numbers = 3 * d * d + batch * (8 * n * d + 4 * n * n)
    return seconds(operations, 4 * numbers, rate, bandwidth)
    # END SOLUTION


def crossing_length(d, batch, rate, bandwidth):
    """The smallest length at which attention is not faster."""
    # BEGIN SOLUTION
    machine = rate, bandwidth
    n = 1
    while attention_seconds(n, d, batch, *machine) < gru_seconds(n, d, batch, *machine):
        n += 1
    return n
    # END SOLUTION


def finding():
    """Three lengths and a reason."""
    # BEGIN SOLUTION
    return {
        "alone": crossing_length(256, 1, 5e10, 1e10),
        "batch": crossing_length(256, 64, 5e10, 1e10),
        "faster": crossing_length(256, 1, 5e11, 1e10),
        "why": "Alone the GRU waits for its weights, which every step moves for one state. In a "
        "batch of 64 the weights are shared and it waits for arithmetic, so the counts decide. A "
        "faster processor does not help a GRU that waits for memory, and it helps attention.",
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


def test_under_the_roof(seconds):
    """Work that waits for arithmetic, and work that waits for memory."""
    try:
        got = seconds(100, 10, 50.0, 10.0)
    except Exception as error:
        told = f"seconds(100, 10, 50, 10) stopped with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, float), f"seconds should return a float, got {type(got).__name__}"
    told = f"100 operations at 50 a second, 10 bytes at 10: want 2.0, got {got}."
    if got == 3.0:
        told += " Both happen at the same time: the longer one counts, not the sum."
    elif got == 1.0:
        told += " The longer one counts: work is done when both are."
    elif got == 0.5:
        told += " Seconds are operations over operations a second."
    assert got == 2.0, told
    got = seconds(100, 50, 50.0, 10.0)
    assert got == 5.0, f"with 50 bytes it waits for memory: want 5.0, got {got}"


# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_two_layers(gru_seconds, attention_seconds):
    """Three words of width 2, one text and four, on machines of either kind."""
    thinks, moves = (1.0, 1e9), (1e9, 1.0)
    for batch, work, bytes_moved in [(1, 144.0, 360.0), (4, 576.0, 576.0)]:
        got = gru_seconds(3, 2, batch, *thinks)
        told = (
            f"a GRU, 3 words of width 2, batch {batch}: want {work:.0f} operations, got {got:.0f}."
        )
        if batch == 4 and got == 144:
            told += " Each text of the batch has its own products."
        assert abs(got - work) < 1e-6, told
        got = gru_seconds(3, 2, batch, *moves)
        told = f"a GRU, batch {batch}: want {bytes_moved:.0f} bytes moved, got {got:.0f}."
        if abs(got - bytes_moved / 4) < 1e-6:
            told += " A number has four bytes."
        elif got > bytes_moved and batch == 4:
            told += " The texts share the weights: each step moves them once."
        elif got < bytes_moved:
            told += " Every step moves the weights again."
        assert abs(got - bytes_moved) < 1e-6, told
    for batch, work, bytes_moved in [(1, 144.0, 384.0), (4, 576.0, 1392.0)]:
        got = attention_seconds(3, 2, batch, *thinks)
        told = f"attention, batch {batch}: want {work:.0f} operations, got {got:.0f}"
        assert abs(got - work) < 1e-6, told
        got = attention_seconds(3, 2, batch, *moves)
        told = f"attention, batch {batch}: want {bytes_moved:.0f} bytes moved, got {got:.0f}"
        assert abs(got - bytes_moved) < 1e-6, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "The crossing of machines that only think, and of others."
"""  # END TEST CONFIG


def test_crossings(crossing_length):
    """With memory for nothing it is chapter 12's crossing."""
    for d, want in [(4, 6), (16, 24), (10, 15)]:
        got = crossing_length(d, 1, 1.0, 1e12)
        told = f"d = {d}, memory as fast as you like: want n = {want}, 1.5 widths, got {got}"
        assert got == want, told
    d, batch, rate, bandwidth = 8, 2, 100.0, 3.0

    def times(n):
        gru = n * max(12 * batch * d * d / rate, 4 * (6 * d * d + 3 * batch * d) / bandwidth)
        work = batch * (6 * n * d * d + 4 * n * n * d)
        numbers = 3 * d * d + batch * (8 * n * d + 4 * n * n)
        return max(work / rate, 4 * numbers / bandwidth), gru

    want = next(n for n in range(1, 10_000) if times(n)[0] >= times(n)[1])
    got = crossing_length(d, batch, rate, bandwidth)
    assert got == want, (
        f"d = 8, batch 2, 100 operations and 3 bytes a second: want {want}, got {got}"
    )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Time grows as it should with length, batch and machine."
"""  # END TEST CONFIG


def test_other_machines(gru_seconds, attention_seconds):
    """A GRU alone gains nothing from a faster processor; attention does."""
    slow, fast = (5e10, 1e10), (5e11, 1e10)
    alone = [gru_seconds(1000, 256, 1, *machine) for machine in (slow, fast)]
    told = f"a GRU with one text waits for memory: want equal times, got {alone}"
    assert alone[0] == alone[1] > 0, told
    gain = attention_seconds(4096, 256, 1, *slow) / attention_seconds(4096, 256, 1, *fast)
    told = f"attention to 4,096 words: a processor ten times as fast gains {gain:.1f}"
    assert 7 < gain <= 10.001, told
    twice = gru_seconds(2000, 256, 1, *slow) / alone[0]
    assert abs(twice - 2) < 1e-6, f"twice the words take a GRU {twice:.1f} times as long, want 2"


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "What you found, and a reason of 20 words or more."
"""  # END TEST CONFIG


def test_finding(finding):
    """Three lengths and a reason."""
    got = finding()
    told = "finding() should return a dictionary with alone, batch, faster and why"
    assert isinstance(got, dict), told
    assert {"alone", "batch", "faster", "why"} <= set(got), told
    alone, batch, faster = (int(got[name]) for name in ("alone", "batch", "faster"))
    told = f"one text: want a crossing near 7,300 words, you found {alone:,}"
    assert 7200 < alone < 7450, told
    told = f"64 texts share the weights: want the crossing of the counts, 384, you found {batch:,}"
    assert batch == 384, told
    told = (
        f"on a faster processor attention wins for longer: want more than {alone:,}, got {faster:,}"
    )
    assert faster > 3 * alone, told
    assert isinstance(got["why"], str), "want 20 words or more, as a text"
    words = len(got["why"].split())
    assert words >= 20, f"want 20 words or more, got {words}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# You have counted a layer and been confirmed by PyTorch, written exact attention that never holds
# its table, and explained with two numbers why a recurrent net waits.
