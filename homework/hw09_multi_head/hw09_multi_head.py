# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw09_multi_head
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
# # Homework 9: Several heads
#
# Chapter 9 cut one attention into several heads and took them apart again. Here you build that
# yourself: the cut and the join, the layer, the map of each head, a head that is silenced or set
# to its average, and an experiment about heads that look and heads that are needed.
#
# **How to work.** Run the cells in order. Replace each `...` by your code, run the cell, then run
# `grader.check` below it, as often as you like: it says what is wrong. The tests that you see are
# not all tests. The hidden ones look at other sizes, random numbers, and at what the text of a
# question promises. What your functions return has the dtype of what they are given, and what
# they are given they leave as it is. Five questions, 20 points, about two hours.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# $B$ sentences in a batch, $T$ words, $D$ the width of a word's vector, $H$ heads; a head is
# $D / H$ wide. Matrices are as in `nn.Linear`: `x @ W.T`. There are no biases.

# %%
from functools import partial

import torch

from course_lab.charts import attention_map
from course_lab.experiments.multi_head import gaps, heads, in_page
from course_lib.attention.attend import AttentionOutput
from course_lib.homework import known_words, require_written
from course_lib.models.cloze import without_heads

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. Cut and join
#
# *About 20 minutes, ★★☆.*
#
# `cut(vectors, heads)` cuts each word's vector into $H$ pieces, one for each head:
# `(B, T, D)` becomes `(B, H, T, D / H)`. Head $h$ gets the numbers $h D/H$ to $(h + 1) D/H - 1$ of
# *every word*. `joined(pieces)` is the way back.
#
# <details><summary>Hint</summary>
#
# `view` fills a shape in the order of memory. Which dimension must be cut first, and what comes
# after that?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def cut(vectors, heads):
    """One piece of each vector for each head: (B, H, T, D / H)."""
    # BEGIN SOLUTION
    batch, tokens, width = vectors.shape
    return vectors.reshape(batch, tokens, heads, width // heads).transpose(1, 2)
    # END SOLUTION


def joined(pieces):
    """The pieces of each word side by side: (B, T, D)."""
    # BEGIN SOLUTION
    return pieces.transpose(1, 2).flatten(2)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_pieces_of_every_word(cut):
    """Three words of four numbers, two heads."""
    import torch

    vectors = torch.tensor([[[1.0, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]])
    try:
        got = cut(vectors, 2)
    except Exception as error:
        told = f"cut stopped at (1, 3, 4) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    told = f"want (B, H, T, D / H) = (1, 2, 3, 2), got {tuple(got.shape)}"
    assert got.shape == (1, 2, 3, 2), told
    want = torch.tensor([[[[1.0, 2], [5, 6], [9, 10]], [[3, 4], [7, 8], [11, 12]]]])
    told = f"head 0 should get {want[0, 0].tolist()}, yours gets {got[0, 0].tolist()}."
    if torch.equal(got, vectors.view(1, 2, 3, 2)):
        told += " The shape is right, but your heads get other words, not other numbers of each"
    elif torch.equal(got, vectors.view(1, 3, 2, 2).permute(0, 3, 1, 2)):
        told += " A head's numbers stand side by side, not every second one"
    assert torch.equal(got, want), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_back_again(cut, joined):
    """Joined undoes the cut."""
    import torch

    vectors = torch.arange(48.0).view(2, 4, 6)
    got = joined(cut(vectors, 3))
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    told = f"joined(cut(x, 3)) should have the shape {(2, 4, 6)} of x, got {tuple(got.shape)}"
    assert got.shape == (2, 4, 6), told
    told = f"the first word should come back as 0 to 5, yours is {got[0, 0].tolist()}"
    assert torch.equal(got, vectors), told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Other sizes beside a loop over heads."
"""  # END TEST CONFIG


def test_against_a_loop(cut, joined):
    """Each head's numbers, read off one by one."""
    import torch

    rng = torch.Generator().manual_seed(1)
    for B, T, H, K in [(2, 5, 4, 3), (1, 1, 2, 1), (3, 4, 1, 5)]:
        x = torch.randn(B, T, H * K, generator=rng)
        want = torch.stack([x[..., h * K : (h + 1) * K] for h in range(H)], dim=1)
        told = f"other than a loop over the heads for T = {T}, H = {H}"
        assert torch.equal(cut(x, H), want), told
        assert torch.equal(joined(want), x), f"joined is other for T = {T}, H = {H}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "The dtype of what it is given, and the numbers to the last digit."
"""  # END TEST CONFIG


def test_dtype_stays(cut, joined):
    """Double precision comes back as it was."""
    import torch

    x = torch.randn(2, 3, 4, generator=torch.Generator().manual_seed(8), dtype=torch.float64)
    for name, got in (("cut", cut(x, 2)), ("joined", joined(cut(x, 2)))):
        told = f"{name} was given torch.float64 and returns {got.dtype}"
        assert got.dtype == torch.float64, told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2. The layer
#
# *About 30 minutes, ★★☆.*
#
# `several_heads(x, W_q, W_k, W_v, W_o, heads, mask)` returns the pair `(y, weights)`:
#
# $$\text{head}_h = \operatorname{softmax}\Bigl(\frac{Q_h K_h^\top}{\sqrt{d_k}}\Bigr) V_h,
# \qquad y = [\text{head}_1; \dots; \text{head}_H]\, W_o^\top .$$
#
# - `x` is `(B, T, D)`, the matrices are `(D, D)`, `y` is `(B, T, D)`, `weights` is `(B, H, T, T)`.
# - `mask` is `(B, T, T)`, `True` where a word (row) may look at a word (column). Every word may
#   look at one word or more.
#
# Write it with `cut` and `joined`, without a loop over the heads.
#
# <details><summary>Hint</summary>
#
# `mask` has no dimension for the heads, and the scores have one: where must it be inserted? Every
# head has its own softmax, so the scale belongs to the width of one head.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def several_heads(x, W_q, W_k, W_v, W_o, heads, mask):
    """Multi-head self-attention: what comes out (B, T, D), and the weights (B, H, T, T)."""
    # BEGIN SOLUTION
    q, k, v = (cut(x @ W.T, heads) for W in (W_q, W_k, W_v))
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    weights = scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(dim=-1)
    return joined(weights @ v) @ W_o.T, weights
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_shapes(several_heads):
    """A pair, and the weights of every head."""
    import torch

    x, eye = torch.ones(2, 3, 4), torch.eye(4)
    try:
        got = several_heads(x, eye, eye, eye, eye, 2, torch.ones(2, 3, 3, dtype=torch.bool))
    except Exception as error:
        told = f"several_heads stopped at x (2, 3, 4) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, (tuple, list)), f"want a pair (y, weights), got {type(got).__name__}"
    assert len(got) == 2, "want a pair (y, weights)"
    shapes = [tuple(getattr(g, "shape", ())) for g in got]
    want = [(2, 3, 4), (2, 2, 3, 3)]
    assert shapes == want, f"want y and weights of shapes {want}, got {shapes}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_one_small_sentence(several_heads):
    """Two words, two heads of width 3, numbers to check by hand."""
    import torch

    x = torch.zeros(1, 2, 6)
    x[0, 0, 0], x[0, 1, 5] = 2.0, 3.0
    eye, real = torch.eye(6), torch.ones(1, 2, 2, dtype=torch.bool)
    got = several_heads(x, eye, eye, eye, eye, 2, real)
    assert isinstance(got, (tuple, list)), "no pair: see the first test"
    weights = got[1]
    assert getattr(weights, "shape", None) == (1, 2, 2, 2), "no weights: see the first test"
    told = "your weights are no numbers (NaN), so everybody is hidden. Here the mask is True "
    told += "everywhere: True means that a word may be looked at"
    assert not weights.isnan().any(), told
    share = weights[0, 0, 0, 0].item()

    def over(scale):
        """The first word's weight for itself, if its score of 4 is divided by this."""
        return torch.tensor([4 / scale, 0.0]).softmax(0)[0].item()

    want = over(3**0.5)
    told = f"head 0 gives the first word the weight {want:.3f} for itself, yours {share:.3f}."
    slips = [
        (6**0.5, "You divide by the root of D. A head's keys are d_k = D / H wide"),
        (2**0.5, "You divide by the root of H. A head's keys are d_k = D / H wide"),
        (3, "You divide by d_k; divide by its root"),
        (1, "The scale, the root of d_k, is missing"),
        (float("inf"), "Are all hidden alike? True means that a word may be looked at"),
    ]
    for scale, hint in slips:
        if abs(share - over(scale)) < 1e-3:
            told += f" {hint}"
    assert abs(share - want) < 1e-4, told
    sums = weights.sum(-1)
    told = "the weights of a word (a row) should sum to one. Over which dimension is your softmax?"
    assert torch.allclose(sums, torch.ones_like(sums)), told
    told = "y is other than weights times values, joined: is W_o applied once, to the joined heads?"
    want = torch.cat([weights[:, 0] @ x[..., :3], weights[:, 1] @ x[..., 3:]], -1)
    assert torch.allclose(got[0], want, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_each_matrix_turned_over(several_heads):
    """Four matrices that are not symmetric, beside a loop over the heads."""
    import torch

    rng = torch.Generator().manual_seed(3)
    x = torch.randn(1, 3, 4, generator=rng)
    W_q, W_k, W_v, W_o = (torch.randn(4, 4, generator=rng) for _ in range(4))

    def looks(Q, K):
        """The weights of both heads."""
        pairs = zip((x @ Q.T).split(2, dim=-1), (x @ K.T).split(2, dim=-1), strict=True)
        return torch.stack([(q @ k.mT / 2**0.5).softmax(dim=-1) for q, k in pairs], dim=1)

    def read(V):
        """What both heads read, side by side."""
        values = (x @ V.T).split(2, dim=-1)
        return torch.cat([looks(W_q, W_k)[:, h] @ values[h] for h in range(2)], dim=-1)

    got = several_heads(x, W_q, W_k, W_v, W_o, 2, torch.ones(1, 3, 3, dtype=torch.bool))
    assert isinstance(got, (tuple, list)), "no pair: see the first test"
    y, weights = got
    told = "the weights are other than those of a loop over the heads."
    slips = [
        (looks(W_q.T, W_k.T), "W_q and W_k are not turned over: x @ W.T, as in nn.Linear"),
        (looks(W_q.T, W_k), "W_q is not turned over: x @ W_q.T, as in nn.Linear"),
        (looks(W_q, W_k.T), "W_k is not turned over: x @ W_k.T, as in nn.Linear"),
        (looks(W_k, W_q), "Queries and keys are exchanged: the row is the word that looks"),
    ]
    for slip, hint in slips:
        if torch.allclose(weights, slip, atol=1e-4):
            told += f" {hint}"
    assert torch.allclose(weights, looks(W_q, W_k), atol=1e-4), told
    told = "the weights are right, y is other than that of a loop over the heads."
    slips = [
        (read(W_v.T) @ W_o, "W_v and W_o are not turned over: x @ W.T, as in nn.Linear"),
        (read(W_v.T) @ W_o.T, "W_v is not turned over: x @ W_v.T, as in nn.Linear"),
        (read(W_v) @ W_o, "W_o is not turned over: the joined heads @ W_o.T"),
        (read(W_v), "W_o is not used: the joined heads @ W_o.T"),
    ]
    for slip, hint in slips:
        if torch.allclose(y, slip, atol=1e-4):
            told += f" {hint}"
    assert torch.allclose(y, read(W_v) @ W_o.T, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_the_mask(several_heads):
    """A word that nobody may look at."""
    import torch

    x = torch.randn(1, 3, 4, generator=torch.Generator().manual_seed(2))
    eye = torch.eye(4)
    mask = torch.ones(1, 3, 3, dtype=torch.bool)
    mask[..., 2] = False
    got = several_heads(x, eye, eye, eye, eye, 2, mask)
    assert isinstance(got, (tuple, list)), "no pair: see the first test"
    seen = got[1][..., 2].abs().max().item()
    told = f"nobody may look at the last word here; your heads give it up to {seen:.2f}."
    if got[1][..., :2].abs().max().item() < 1e-6:
        told += " Your mask is turned round: True means may be looked at"
    assert seen < 1e-6, told
    sums = got[1].sum(-1)
    told = "with a mask the weights no longer sum to one: mask the scores, before the softmax"
    assert torch.allclose(sums, torch.ones_like(sums)), told


# %%
""" # BEGIN TEST CONFIG
points: 2
hidden: true
failure_message: "Random batches beside the library, double precision; nothing is written."
"""  # END TEST CONFIG


def test_layer_against_the_library(several_heads):
    """The library's MultiHeadAttention with the same matrices."""
    import torch

    from course_lib.attention.multihead import MultiHeadAttention

    rng = torch.Generator().manual_seed(4)
    for B, T, D, H in [(2, 5, 12, 4), (1, 1, 2, 2), (3, 4, 6, 1)]:
        layer = MultiHeadAttention(D, H, bias=False).double()
        names = ("queries", "keys", "values", "output")
        matrices = [torch.randn(D, D, dtype=torch.float64, generator=rng) for _ in names]
        layer.load_state_dict({f"{n}.weight": m for n, m in zip(names, matrices, strict=True)})
        x = torch.randn(B, T, D, dtype=torch.float64, generator=rng)
        mask = torch.rand(B, T, T, generator=rng) > 0.5
        mask |= torch.eye(T, dtype=torch.bool)
        read = layer(x, mask=mask, return_attention=True)
        given = [x, *matrices, mask]
        before = [each.clone() for each in given]
        y, weights = several_heads(x, *matrices, H, mask)
        told = f"your function was given torch.float64 and returns {y.dtype}, {weights.dtype}"
        assert y.dtype == weights.dtype == torch.float64, told
        told = f"other than the library's for D = {D}, H = {H}"
        assert torch.allclose(weights, read.weights.detach(), atol=1e-4), f"weights are {told}"
        assert torch.allclose(y, read.context.detach(), atol=1e-3), f"y is {told}"
        names = ("x", "W_q", "W_k", "W_v", "W_o", "mask")
        for name, each, was in zip(names, given, before, strict=True):
            assert torch.equal(each, was), f"your function writes into {name}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 4

# %% [markdown]
# ## Question 3. One map a head
#
# *About 25 minutes, ★★★.*
#
# The layer is a sum (chapter 9, *A sum of one matrix per head*): $Y = \sum_h A_h\, X\, M_h$, with
# the weights $A_h$ and one matrix $M_h$ of `(D, D)` for each head. `head_maps(W_v, W_o, heads)`
# returns all of them: `(H, D, D)`.
#
# The matrices are as in `nn.Linear`, $V = X W_v^\top$ and $Y = \dots W_o^\top$, while $M_h$ stands
# to the right of $X$ as it is. Mind what is a row, and what a column.
#
# <details><summary>Hint</summary>
#
# Follow one head on paper for a single word. Which rows of $W_v$ make its values, and which
# columns of $W_o$ read them? Then turn the whole product over so that the word stands on the left.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def head_maps(W_v, W_o, heads):
    """What each head does to a vector that it looks at: (H, D, D), to be used as x @ M."""
    # BEGIN SOLUTION
    size = W_v.shape[0] // heads
    pieces = [slice(h * size, (h + 1) * size) for h in range(heads)]
    return torch.stack([W_v[own].T @ W_o[:, own].T for own in pieces])
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_maps_by_hand(head_maps):
    """Two heads of width one."""
    import torch

    W_v = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    W_o = torch.tensor([[5.0, 6.0], [0.0, 7.0]])
    got = head_maps(W_v, W_o, 2)
    shape = getattr(got, "shape", type(got).__name__)
    assert shape == (2, 2, 2), f"want a tensor of shape (2, 2, 2), got {shape}"
    want = torch.tensor([[[5.0, 0.0], [10.0, 0.0]], [[18.0, 21.0], [24.0, 28.0]]])
    rows = torch.stack([W_v[h : h + 1].T @ W_o[h : h + 1] for h in range(2)])
    told = f"head 0's map should be {want[0].tolist()}, yours is {got[0].tolist()}."
    if torch.allclose(got, want.transpose(1, 2)):
        told += " That is the transpose: M stands to the right of X, as in x @ M"
    elif torch.allclose(got, rows):
        told += " A head owns rows of W_v, but columns of W_o"
    elif torch.allclose(got, torch.stack([W_v.T @ W_o.T] * 2)):
        told += " That is the map of all heads together. Head h owns D / H rows of W_v"
    assert torch.allclose(got, want), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_ranks(head_maps):
    """A head of width two has a map of rank two."""
    import torch

    rng = torch.Generator().manual_seed(0)
    W_v, W_o = torch.randn(6, 6, generator=rng), torch.randn(6, 6, generator=rng)
    got = head_maps(W_v, W_o, 3)
    assert getattr(got, "shape", None) == (3, 6, 6), "wrong shape: see the first test"
    ranks = [int(torch.linalg.matrix_rank(m.double(), tol=1e-4)) for m in got]
    told = f"a head of width 2 passes two numbers on: want ranks [2, 2, 2], got {ranks}"
    assert ranks == [2, 2, 2], told


# %%
""" # BEGIN TEST CONFIG
points: 2
hidden: true
failure_message: "The sum of the maps beside a whole layer, double precision; nothing is written."
"""  # END TEST CONFIG


def test_the_sum_is_the_layer(head_maps):
    """Looks times words times maps, added up."""
    import torch

    from course_lib.attention.multihead import MultiHeadAttention

    rng = torch.Generator().manual_seed(9)
    for D, H in [(8, 4), (6, 1), (6, 6)]:
        layer = MultiHeadAttention(D, H, bias=False).double()
        x = torch.randn(2, 5, D, dtype=torch.float64, generator=rng)
        read = layer(x, return_attention=True)
        W_v, W_o = layer.values.weight.detach(), layer.output.weight.detach()
        given = W_v.clone(), W_o.clone()
        maps = head_maps(W_v, W_o, H)
        told = f"your function was given torch.float64 and returns {maps.dtype}"
        assert maps.dtype == torch.float64, told
        assert torch.equal(W_v, given[0]), "your function writes into W_v"
        assert torch.equal(W_o, given[1]), "your function writes into W_o"
        total = sum(read.weights[:, h].detach() @ x @ maps[h] for h in range(H))
        told = f"the sum of the maps is not the layer for D = {D}, H = {H}"
        assert torch.allclose(total, read.context.detach(), atol=1e-4), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## Question 4. Silent, or as always
#
# *About 20 minutes, ★★☆.*
#
# To see what a head is worth one takes it out. `taken_out(W_o, heads, off, usual)` returns
# `(W, bias)`, an output matrix and a bias `(D,)`, with which the heads in the list `off`
#
# - say nothing, if `usual` is `None`: `W` is `W_o` without them, `bias` is zero;
# - say what they say on average, if `usual` is a tensor `(H, D / H)`, the average of each head's
#   output: `W` is the same, and `bias` is what the averages of the heads in `off` add.
#
# The matrix that you are given stays as it is.
#
# <details><summary>Hint</summary>
#
# Does a head own rows or columns of `W_o`? Compute what the averages add before you change
# anything, and make sure that you change a copy.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def taken_out(W_o, heads, off, usual=None):
    """The output matrix without these heads (D, D), and a bias in their place (D,)."""
    # BEGIN SOLUTION
    W, bias = W_o.clone(), torch.zeros_like(W_o[:, 0])
    size = W_o.shape[1] // heads
    for h in off:
        own = slice(h * size, (h + 1) * size)
        if usual is not None:
            bias = bias + W_o[:, own] @ usual[h]
        W[:, own] = 0.0
    return W, bias
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_silent(taken_out):
    """Head 1 of two."""
    import torch

    W_o = torch.arange(1.0, 17.0).view(4, 4)
    given, off = W_o.clone(), [1]
    got = taken_out(W_o, 2, off, None)
    assert isinstance(got, (tuple, list)), f"want a pair (W, bias), got {type(got).__name__}"
    assert len(got) == 2, "want a pair (W, bias)"
    assert torch.equal(W_o, given), "your function writes into the matrix that it is given"
    told = f"your function changes the list `off` that it is given: it was [1] and is {off}"
    assert off == [1], told
    want = given.clone()
    want[:, 2:] = 0.0
    told = f"want columns 2 and 3 zero, got {got[0].tolist()}."
    if torch.equal(got[0][2:], torch.zeros(2, 4)):
        told += " A head owns columns of the output matrix, you cleared its rows"
    elif torch.equal(got[0][:, :2], torch.zeros(4, 2)):
        told += " Heads are counted from 0"
    assert torch.equal(got[0], want), told
    told = f"without averages the bias is zero: (4,) zeros, got {got[1]}"
    assert getattr(got[1], "shape", None) == (4,), told
    assert torch.equal(got[1], torch.zeros(4)), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_as_always(taken_out):
    """The average of a head that is taken out stays."""
    import torch

    W_o = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [0, 0, 2, 0], [3, 0, 0, 0]])
    usual = torch.tensor([[1.0, 2.0], [30.0, 40.0]])
    got = taken_out(W_o.clone(), 2, [1], usual)
    assert isinstance(got, (tuple, list)), "no pair: see the first test"
    assert len(got) == 2, "no pair: see the first test"
    shapes = [tuple(getattr(each, "shape", ())) for each in got]
    assert shapes == [(4, 4), (4,)], f"want shapes (4, 4) and (4,), got {shapes}"
    want = torch.tensor([30.0, 40.0, 60.0, 0.0])  # 30 times column 2 and 40 times column 3
    told = f"head 1 says (30, 40) on average, through W_o = {W_o.tolist()}: "
    told += f"want the bias {want.tolist()}, got {got[1].tolist()}."
    slips = [
        (W_o @ usual.flatten(), "Only the heads in `off` are replaced: the other one still speaks"),
        (torch.zeros(4), "Did you clear the columns before you used them?"),
        (torch.tensor([0.0, 0.0, 30.0, 40.0]), "An average goes through W_o, as the head did"),
        (W_o[2:].T @ usual[1], "A head owns columns of the output matrix, you used its rows"),
    ]
    for slip, hint in slips:
        if torch.allclose(got[1], slip):
            told += f" {hint}"
    assert torch.allclose(got[1], want), told
    want = W_o.clone()
    want[:, 2:] = 0.0
    told = f"with an average, too, columns 2 and 3 of W are zero; you return {got[0].tolist()}."
    if torch.equal(got[0], W_o):
        told += " Head 1 still speaks, and its average is added"
    assert torch.equal(got[0], want), told


# %%
""" # BEGIN TEST CONFIG
points: 2
hidden: true
failure_message: "Several heads, none, constant heads, double precision; nothing is written."
"""  # END TEST CONFIG


def test_out_against_a_layer(taken_out):
    """If a head always says the same, its average is all that it says."""
    import torch

    rng = torch.Generator().manual_seed(3)
    for H, K, off in [(3, 2, [0, 2]), (2, 3, []), (4, 1, [3]), (1, 4, [0])]:
        D = H * K
        W_o, usual, said = (
            torch.randn(*shape, dtype=torch.float64, generator=rng)
            for shape in ((D, D), (H, K), (5, H, K))
        )
        said[:, off] = usual[off]
        given = W_o.clone(), usual.clone(), [*off]
        W, bias = taken_out(W_o, H, off, usual)
        told = f"your function was given torch.float64 and returns {W.dtype}, {bias.dtype}"
        assert W.dtype == bias.dtype == torch.float64, told
        assert torch.equal(W_o, given[0]), "your function writes into W_o"
        assert torch.equal(usual, given[1]), "your function writes into `usual`"
        assert off == given[2], "your function changes the list `off`"
        told = f"for H = {H} and off = {off} a head that always says the same is needed"
        got, want = said.flatten(1) @ W.T + bias, said.flatten(1) @ W_o.T
        assert torch.allclose(got, want, atol=1e-4), told
        W, bias = taken_out(W_o, H, off, None)
        told = f"without averages your function returns {W.dtype}, {bias.dtype} for torch.float64"
        assert W.dtype == bias.dtype == torch.float64, told
        said[:, off] = 0.0
        told = f"for H = {H} and off = {off} a silent head still says something"
        got, want = said.flatten(1) @ W.T + bias, said.flatten(1) @ W_o.T
        assert torch.allclose(got, want, atol=1e-4), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5. An experiment: does the head that looks matter?
#
# *About 25 minutes, ★★☆.*
#
# `most_needed(share, heads)` removes each head by itself. `share(off)` is the probability of the
# right word with the heads in the list `off` at their means. Return the number of the head without
# which it is lowest (the first of several), and the fall, as a pair `(head, fall)`. A head that is
# not needed has a fall of zero or less.
#
# Then `finding()` returns your answer for the network at the top of chapter 9 and the sentence
# *young women who ___ slept wait*: `{"looks": ..., "needed": ..., "why": ...}`. Heads are
# numbered from 0 to 7, the first layer's first. `looks` is the head that looks most at *women* from
# the gap, `needed` the head that is most needed, and `why`, in 20 words or more of your own, says
# what you would and would not conclude from a map of attention. `make_network()` gives you eight
# weights and the function `share_of_have(off)`; the last cell calls it.
#
# <details><summary>Hint</summary>
#
# Compare each head with the network from which nothing has been removed, and remove one head at a
# time. The fall is a difference, so it can be negative.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def make_network():
    """For each head its weight on women from the gap, and the share of `have` without heads."""
    page = in_page.load()
    reads = in_page.mean_reads(page)
    words, gap = ["young", "women", "who", "have", "slept", "wait", "."], 3
    batch = gaps.batch_of([words], [gap], page.vocabulary)
    places = [(n, h) for n in range(gaps.LAYERS) for h in range(gaps.HEADS)]

    def share_of_have(off):
        model = without_heads(page.model, [places[number] for number in off], reads)
        shares = in_page.filled(page._replace(model=model), words, gap)
        return shares[batch.label[0]].item()

    return heads.from_gap(page.model, batch)[0, :, :, 1].flatten().tolist(), share_of_have


def most_needed(share, heads):
    """The head without which the share is lowest, and by how much it falls."""
    # BEGIN SOLUTION
    whole = share([])
    falls = [whole - share([head]) for head in range(heads)]
    worst = max(range(heads), key=lambda head: falls[head])
    return worst, falls[worst]
    # END SOLUTION


def finding():
    """What you found: two heads, and what follows."""
    # BEGIN SOLUTION
    return {
        "looks": 7,
        "needed": 0,
        "why": "The head that looks hardest at the subject can be switched off without harm, and "
        "another one can not. A map shows where a head looks, not what the network uses: only a "
        "change of the network and a look at its output tells that.",
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


def test_the_lowest(most_needed):
    """Three heads, of which the middle one carries the answer."""

    def share(off):
        return 0.9 - 0.1 * (0 in off) - 0.5 * (1 in off) - 0.2 * (2 in off)

    got = most_needed(share, 3)
    assert isinstance(got, (tuple, list)), f"want a pair (head, fall), got {type(got).__name__}"
    assert len(got) == 2, "want a pair (head, fall)"
    told = f"head 1 is needed most, by 0.5; you say {got[0]} and {got[1]:.2f}."
    if got[0] == 0:
        told += " That is the head that is needed least"
    assert got[0] == 1, told
    assert abs(got[1] - 0.5) < 1e-6, told + " The fall is the whole share minus what is left"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_each_by_itself(most_needed):
    """Two heads that know the same: either can go, both can not."""
    asked = []

    def share(off):
        asked.append(sorted(off))
        return 0.9 - 0.8 * ({0, 1} <= set(off)) - 0.1 * (2 in off)

    got = most_needed(share, 3)
    told = f"each head is silenced by itself, the others speak; you asked for {asked}"
    assert all(len(off) < 2 for off in asked), told
    told = f"heads 0 and 1 stand in for each other, so 2 is needed most; you say {got[0]}"
    assert got[0] == 2, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Ties, a network that is better without a head."
"""  # END TEST CONFIG


def test_ties_and_gains(most_needed):
    """The first of several; a fall may be negative."""

    def even(off):
        return 0.5 - 0.1 * len(off)

    got = most_needed(even, 4)
    assert got[0] == 0, f"of heads that are needed alike the first is wanted, got {got[0]}"

    def better(off):
        return 0.5 + 0.1 * (0 in off) + 0.2 * (1 in off)

    got = most_needed(better, 2)
    told = f"without head 0 the share rises by 0.1, without head 1 by 0.2; you say {got}"
    assert got[0] == 0, told
    assert abs(got[1] + 0.1) < 1e-6, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "What you found, and a reason of 20 words or more."
"""  # END TEST CONFIG


def test_finding(finding):
    """Two heads and a reason."""
    from course_lab.experiments.multi_head import gaps, heads, in_page
    from course_lib.models.cloze import without_heads

    got = finding()
    told = "finding() should return a dictionary with looks, needed and why"
    assert isinstance(got, dict), told
    assert {"looks", "needed", "why"} <= set(got), told
    page = in_page.load()
    reads = in_page.mean_reads(page)
    words, gap = ["young", "women", "who", "have", "slept", "wait", "."], 3
    batch = gaps.batch_of([words], [gap], page.vocabulary)
    looks = heads.from_gap(page.model, batch)[0, :, :, 1].flatten()
    left = []
    for number in range(8):
        model = without_heads(page.model, [divmod(number, gaps.HEADS)], reads)
        shares = in_page.filled(page._replace(model=model), words, gap)
        left.append(shares[batch.label[0]].item())
    hardest, needed = got["looks"], got["needed"]
    assert hardest == int(looks.argmax()), f"head {hardest} does not look hardest"
    assert needed == left.index(min(left)), f"head {needed} is not needed most"
    assert isinstance(got["why"], str), "want 20 words or more, as a text"
    words = len(got["why"].split())
    assert words >= 20, f"want 20 words or more, got {words}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it.** Run this when the check passes: your experiment on the network of the chapter.

# %%
looks_at_women, share_of_have = make_network()
print("looks at women:", [round(weight, 2) for weight in looks_at_women])
print("most needed:", most_needed(share_of_have, 8)[0])

# %% [markdown]
# **Try it: a finale for self-attention.** The network of chapter 9 comes with trained weights. Here
# both of its layers are *your* `several_heads`. Write a sentence of your own with a gap, `___`, and
# run the cell. It prints the three words that the network finds most probable there, and draws
# where the four heads of the second layer look from the gap. If the network has not learned one of
# your words, the cell names it and lists the words that you can use.
#
# Answer questions 1 and 2 first. While one of their functions is still `...`, the cell stops and
# tells you which.

# %%
sentence = "the young woman that she visits ___ slept ."

require_written(cut, joined, several_heads)
model, english = in_page.load()
words = known_words(sentence, english, gap="___")
batch = gaps.batch_of([words], [words.index("___")], english)


def your_attention(own, x, cache, mask, **_):
    # The library's layer has biases: one more column of each matrix, for a 1 after each vector.
    W = [torch.cat([m.weight, m.bias[:, None]], 1) for m in (own.queries, own.keys, own.values)]
    x = torch.cat([x, torch.ones_like(x[..., :1])], dim=-1)
    y, weights = several_heads(x, *W, own.output.weight, own.heads, mask.expand(-1, x.shape[1], -1))
    return AttentionOutput(y + own.output.bias, weights)


for layer in model.layers:
    layer.self_attention.attend = partial(your_attention, layer.self_attention)
best = model(*batch.inputs)[0].softmax(dim=-1).topk(3)
print(*(f"{english.decode([int(i)])} {p:.2f}" for p, i in zip(*best, strict=True)), sep=", ")
attention_map(heads.from_gap(model, batch)[0, 1], words, list("4567"), target_name="head")

# %% [markdown]
# You have built several heads, taken them apart, and asked each of them what it is for. Chapter 10
# puts what is still missing around them.
