# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw08_self_attention
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
# # Homework 8: Self-attention
#
# Chapter 8 let a sentence ask itself. Here you build that again: queries, keys and values from
# one matrix, three maps that you write by hand, places that are added or turned in, masks, and an
# experiment about a mask that comes too late.
#
# **How to work.** Run the cells in order. Replace each `...` by your code, run the cell, then run
# `grader.check` below it, as often as you like: it says what is wrong. The tests that you see are
# not all tests. The hidden ones look at other sizes and random numbers, and at what the text of a
# question promises. What your functions return has the dtype of what they are given, and what
# they are given they leave as it is. Five questions, 20 points, about two hours.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# $B$ sentences in a batch, $n$ words, $d$ the width of a word's vector, $d_k$ that of a query and
# a key, $d_v$ that of a value. Matrices stand to the right, as in the chapter: `X @ W`.

# %%
import torch

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. Three roles from one matrix
#
# *About 20 minutes, ★☆☆.*
#
# `self_attention(X, W, d_k)` returns the pair `(C, weights)`:
#
# $$Q = X W_Q, \quad K = X W_K, \quad V = X W_V, \qquad
# C = \operatorname{softmax}\Bigl(\frac{Q K^\top}{\sqrt{d_k}}\Bigr) V .$$
#
# - `X` is `(B, n, d)`. `W` holds the three matrices side by side, `(d, 2 * d_k + d_v)`: its first
#   $d_k$ columns are $W_Q$, the next $d_k$ are $W_K$, and the others are $W_V$.
# - `weights` is `(B, n, n)`: row $i$ is what word $i$ asks. `C` is `(B, n, d_v)`.
# - A value may be wider than a query, or narrower. Scores may be in the thousands.

# %% [raw]
# # BEGIN SOLUTION


# %%
def self_attention(X, W, d_k):
    """What each word reads (B, n, d_v), and from whom (B, n, n)."""
    # BEGIN SOLUTION
    Q, K, V = (X @ W).split([d_k, d_k, W.shape[1] - 2 * d_k], dim=-1)
    weights = (Q @ K.mT / d_k**0.5).softmax(dim=-1)
    return weights @ V, weights
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_dog_puppy_barks(self_attention):
    """The chapter's three words by hand, with queries of four numbers and the scale."""
    import torch

    words = torch.tensor([[2.0, 0.0], [1.0, 1.0], [0.0, 2.0]])
    X = torch.stack([words, words.flip(0)])
    W = torch.zeros(2, 9)
    W[0, 1] = 1.0  # queries: what stands first is asked for at the second place
    W[0, 4] = W[1, 5] = 1.0  # keys: the words as they are
    W[1, 8] = 1.0  # values: the second number
    try:
        got = self_attention(X, W, 4)
    except Exception as error:
        told = f"self_attention stopped at X (2, 3, 2), W (2, 9) with {type(error).__name__}: "
        raise AssertionError(f"{told}{error}") from None
    told = f"want a pair (C, weights), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, f"want a pair (C, weights), got {len(got)} things"
    shapes = [tuple(getattr(each, "shape", ())) for each in got]
    told = f"want C and weights of shapes (2, 3, 1) and (2, 3, 3), got {shapes}."
    if shapes == [(2, 3, 3), (2, 3, 1)]:
        told += " C comes first, then the weights."
    elif shapes[0] == (2, 3, 3):
        told += " Did you cut W into three equal parts? Q and K take d_k columns each, V the rest."
    elif shapes[0] == (2, 3, 2):
        told += " Do you average the words? It is their values that are read."
    assert shapes == [(2, 3, 1), (2, 3, 3)], told
    C, weights = got

    def shown(numbers):
        return [round(number, 3) for number in numbers.tolist()]

    sums = weights.sum(dim=-1)
    told = f"each row of weights should sum to one, yours sum to {shown(sums[0])}."
    if torch.allclose(weights.sum(dim=-2), torch.ones(2, 3), atol=1e-4):
        told += " Your columns do: your softmax runs over those who ask, not over those asked."
    elif torch.allclose(weights.sum(dim=0), torch.ones(3, 3), atol=1e-4):
        told += " Your softmax runs over the batch: no sentence should know of another."
    assert torch.allclose(sums, torch.ones(2, 3), atol=1e-4), told
    asks = words[:, :1] @ words[:, 1:].T  # the scores, before they are divided
    want, row = (asks / 2).softmax(dim=-1)[0], weights[0, 0]
    told = f"dog asks dog, puppy and barks: want {shown(want)}, got {shown(row)}."
    slips = [
        (asks, "The scale is missing: divide the scores by the root of d_k."),
        (asks / 4, "You divide by d_k; divide by its root."),
        (asks / 2**0.5, "You divide by the root of d, a word's width; a query's is d_k."),
        (asks.T / 2, "Queries and keys are exchanged: here barks asks dog, and dog nobody."),
    ]
    # The first column of W is zero. With values there, the weights can be those of another slip.
    values_first = "You read values from the first columns of W. The first columns are W_Q."
    if not C.any():
        told, slips = f"{told} {values_first}", []
    for slip, hint in slips:
        if torch.allclose(weights[0], slip.softmax(dim=-1), atol=1e-4):
            told += f" {hint}"
    assert torch.allclose(row, want, atol=1e-4), told
    want = torch.tensor([1.5752, 1.3194, 1.0])
    told = f"the words should read {shown(want)}, yours read {shown(C[0, :, 0])}."
    if torch.allclose(C, weights.mT @ X[..., 1:], atol=1e-4):
        told += " You add up with the columns of the weights; a word reads with its row."
    elif not C.any():
        told += f" {values_first}"
    assert torch.allclose(C[0, :, 0], want, atol=1e-3), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_what_is_read(self_attention):
    """Queries of zero ask all words alike, so that each word reads the mean of the values."""
    import torch

    X = torch.tensor([[[1.0, 2.0], [3.0, 6.0]]])
    W = torch.tensor([[0.0, 5.0, 1.0, 0.0, 2.0], [0.0, 7.0, 0.0, 1.0, 2.0]])
    got = self_attention(X, W, 1)
    told = f"want a pair (C, weights), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    shape, last = (tuple(getattr(got[place], "shape", ())) for place in (0, -1))
    told = f"with d_k = 1 and W (2, 5) values are 3 wide: want C (1, 2, 3), got {shape}."
    if shape == (1, 2, 2) and last == (1, 2, 3):
        told += " C comes first, then the weights."
    elif shape == (1, 2, 2):
        told += " Do you average the words? It is their values that are read."
    assert shape == (1, 2, 3), told
    want = torch.tensor([[[2.0, 4.0, 12.0]] * 2])
    told = f"want the mean of the values, {want[0, 0].tolist()}, got {got[0][0, 0].tolist()}."
    if torch.allclose(got[0], (X @ W[:, 1:4]).mean(dim=1, keepdim=True)):
        told += " You read from the columns of the keys; values begin after 2 * d_k columns."
    elif torch.allclose(got[0], 2 * want):
        told += " That is their sum: over which dimension is your softmax?"
    elif not got[0][..., 0].any():
        told += " You read values from the first columns of W. The first columns are W_Q."
    assert torch.allclose(got[0], want, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Random sentences beside the library, several sizes."
"""  # END TEST CONFIG


def test_beside_the_library(self_attention):
    """The library's attend with the same three matrices."""
    import torch

    from course_lib.attention.attend import attend

    rng = torch.Generator().manual_seed(1)
    for B, n, d, d_k, d_v in [(2, 5, 6, 4, 3), (1, 1, 2, 3, 4), (4, 4, 4, 4, 4), (3, 2, 5, 1, 2)]:
        X = torch.randn(B, n, d, generator=rng)
        W = [torch.randn(d, width, generator=rng) for width in (d_k, d_k, d_v)]
        want = attend(*(X @ each for each in W))
        C, weights = self_attention(X, torch.cat(W, dim=1), d_k)
        told = f"other than the library's for B, n, d, d_k, d_v = {(B, n, d, d_k, d_v)}"
        assert weights.shape == want.weights.shape, f"the shape of the weights is {told}"
        assert torch.allclose(weights, want.weights, atol=1e-4), f"weights are {told}"
        assert C.shape == want.context.shape, f"the shape of C is {told}"
        assert torch.allclose(C, want.context, atol=1e-3), f"C is {told}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "Scores in the thousands, quiet words, double precision; nothing is written."
"""  # END TEST CONFIG


def test_loud_words(self_attention):
    """Two words with scores of 4000 and 0: each asks itself alone. Then one word is quiet."""
    import torch

    X = 2**0.25 * torch.tensor([[[63.0, 0.0], [0.0, 63.0]]], dtype=torch.float64)
    eye = torch.eye(2, dtype=torch.float64)
    W = torch.cat([eye, eye, 3 * eye], dim=1)
    given = X.clone(), W.clone()
    C, weights = self_attention(X, W, 2)
    told = "scores in the thousands overflow: take the softmax of PyTorch, or subtract the largest"
    assert weights.isfinite().all(), told
    assert torch.allclose(weights[0].double(), eye), "with such scores each word asks itself alone"
    assert torch.allclose(C.double(), 3 * X), "C should be the words' own values here"
    told = f"your function was given torch.float64 and returns {C.dtype}, {weights.dtype}"
    assert C.dtype == weights.dtype == torch.float64, told
    assert torch.equal(X, given[0]), "your function writes into X"
    assert torch.equal(W, given[1]), "your function writes into W"
    X[0, 1] /= 63
    row, want = self_attention(X, W, 2)[1][0, 1].double(), eye[1].softmax(dim=0)
    got = [round(number, 3) for number in row.tolist()]
    told = "one word has a score of 4000 for itself, the other scores of 0 and 1: "
    told += f"want the weights [0.269, 0.731] of the other one, got {got}."
    if row.isnan().any():
        told += " Subtract the largest score of each row, not the largest of all."
    assert torch.allclose(row, want, atol=1e-4), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2. Why three?
#
# *About 30 minutes, ★★★.*
#
# Scores know $W_Q$ and $W_K$ as a product alone. `as_one(W_Q, W_K)` returns the one matrix $M$,
# `(d, d)`, with which the scaled scores are $X M X^\top$; both matrices are `(d, d_k)`. $M_{ab}$ is
# how loudly a word with a 1 at place $a$ asks a word with a 1 at place $b$. If $W_Q = W_K$, then
# $M$ is symmetric: who asks is asked, just as loudly.
#
# Now write all three by hand. `three_maps()` returns `(W_Q, W_K, W_V)` for words of four numbers,
# $(\text{blank}, \text{noun}, \text{verb}, \text{message})$. A blank has a 1 at the first place, a
# noun at the second, a verb at the third; other words have three zeros there. The message is a
# number that the word has to say. It may be loud, and nobody is found by it.
#
# - A blank gives all nouns together a weight of 0.99 or more.
# - A noun gives all verbs together a weight of 0.99 or more.
# - A verb gives every word the same weight. Other words ask as they like.
# - Each word says its message and nothing else: $d_v = 1$. The width $d_k$ is up to you.
#
# This has to hold for every sentence of 12 words or fewer with a noun and a verb, with the scores
# of question 1.
#
# <details><summary>First hint</summary>
#
# Begin with the blank. Choose one place in which its query and the keys of nouns meet, and let it
# be zero for all other words. Nouns and verbs meet in another place.
#
# </details>
#
# <details><summary>Second hint</summary>
#
# How large must a score be so that one noun among eleven other words gets 0.99? And what is the
# query of a word that gives every word the same weight?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def as_one(W_Q, W_K):
    """The matrix M with which scaled scores are X M Xᵀ: (d, d)."""
    # BEGIN SOLUTION
    return W_Q @ W_K.T / W_Q.shape[1] ** 0.5
    # END SOLUTION


def three_maps():
    """Three matrices by hand: W_Q and W_K (4, d_k), and W_V (4, 1)."""
    # BEGIN SOLUTION
    W_Q, W_K, W_V = torch.zeros(4, 2), torch.zeros(4, 2), torch.zeros(4, 1)
    W_Q[0, 0] = W_Q[1, 1] = 20.0  # a blank asks at the first place, a noun at the second
    W_K[1, 0] = W_K[2, 1] = 1.0  # where nouns answer, and verbs
    W_V[3, 0] = 1.0
    return W_Q, W_K, W_V
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_one_matrix(as_one):
    """Words of two numbers, queries of four."""
    import torch

    W_Q = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    W_K = torch.tensor([[1.0, 0.0, 0.0, 5.0], [3.0, 4.0, 0.0, 0.0]])
    try:
        got = as_one(W_Q, W_K)
    except Exception as error:
        told = f"as_one stopped at two matrices (2, 4) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    told = f"want M of shape (d, d) = (2, 2), got {tuple(got.shape)}."
    if got.shape == (4, 4):
        told += " Turn over the second matrix, not the first."
    assert got.shape == (2, 2), told
    want = torch.tensor([[1.0, 3.0], [0.0, 0.0]])
    told = f"want {want.tolist()}, got {[[round(m, 3) for m in row] for row in got.tolist()]}."
    slips = [
        (want.T, "Queries and keys are exchanged: the row of M is the word that asks."),
        (2 * want, "The scale is missing: divide by the root of d_k."),
        (want / 2, "You divide by d_k; divide by its root."),
        (2**0.5 * want, "You divide by the root of d; a query is d_k wide."),
    ]
    for slip, hint in slips:
        if torch.allclose(got, slip, atol=1e-4):
            told += f" {hint}"
    assert torch.allclose(got, want, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_who_asks_whom(three_maps):
    """heute rollt _ Ball, "today the ball rolls": a word, a verb, a blank, a noun."""
    import torch

    from course_lib.attention.attend import attend

    got = three_maps()
    told = f"want three matrices (W_Q, W_K, W_V), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 3, f"want three matrices (W_Q, W_K, W_V), got {len(got)}"
    shapes = [tuple(getattr(each, "shape", ())) for each in got]
    told = f"want W_Q and W_K of one shape (4, d_k), got {shapes[:2]}"
    assert len(shapes[0]) == 2, told
    assert shapes[0] == shapes[1], told
    assert shapes[0][0] == 4, told
    W_Q, W_K = (each.detach().double() for each in got[:2])
    X = torch.eye(4, dtype=torch.float64)[[3, 2, 0, 1]]
    X[:, 3] = 0.0
    weights = attend(X @ W_Q, X @ W_K, X).weights
    verb, blank, noun = 1, 2, 3
    M = W_Q @ W_K.T
    same = " Your scores are symmetric: whoever asks is asked, just as loudly."
    same = same if M.any() and torch.allclose(M, M.T) else ""
    told = f"the blank should give the noun 0.99 or more, yours gives {weights[blank, noun]:.3f}."
    told += same
    if weights[noun, blank] > 0.5 and weights[verb, noun] > 0.5:
        told += " Yours is asked by the noun: queries and keys are exchanged."
    elif weights[blank].argmax() == noun:
        told += " The right word, too faintly: make the queries or the keys larger."
    assert weights[blank, noun] >= 0.99, told
    told = f"the noun should give the verb 0.99 or more, yours gives {weights[noun, verb]:.3f}."
    told += same
    if weights[noun].argmax() == verb:
        told += " The right word, too faintly: make the queries or the keys larger."
    assert weights[noun, verb] >= 0.99, told
    found = [round(weight, 3) for weight in weights[verb].tolist()]
    told = f"the verb should give each of four words 0.25, yours gives {found}."
    if weights[verb, noun] > 0.5:
        told += " It asks back. Give the verb a query of zeros."
    assert torch.allclose(weights[verb], torch.full_like(weights[verb], 0.25)), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_what_is_said(three_maps):
    """Each word says its fourth number."""
    import torch

    got = three_maps()
    told = f"want three matrices (W_Q, W_K, W_V), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    shape = tuple(getattr(got[-1], "shape", ()))
    told = f"a value is one number, the message: want W_V of shape (4, 1), got {shape}"
    assert shape == (4, 1), told
    X = torch.tensor([[1.0, 0.0, 0.0, 7.0], [0.0, 1.0, 0.0, -3.0], [0.0, 0.0, 0.0, 2.0]])
    said = (X @ got[-1].detach().float())[:, 0].tolist()
    told = f"words with the messages 7, -3 and 2 should say them, yours say {said}."
    if said[1:] == [-2.0, 2.0]:
        told += " Nothing of what a word is found by should be in what it says."
    assert said == [7.0, -3.0, 2.0], told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "M beside the scores of the library."
"""  # END TEST CONFIG


def test_scores_of_the_library(as_one):
    """Random matrices of several sizes."""
    import torch

    from course_lib.attention.scores import scaled_dot

    rng = torch.Generator().manual_seed(2)
    for n, d, d_k in [(4, 5, 3), (1, 2, 7), (6, 3, 3)]:
        X = torch.randn(n, d, dtype=torch.float64, generator=rng)
        W_Q, W_K = (torch.randn(d, d_k, dtype=torch.float64, generator=rng) for _ in range(2))
        got, want = X @ as_one(W_Q, W_K) @ X.T, scaled_dot(X @ W_Q, X @ W_K)
        assert torch.allclose(got, want), f"X M Xᵀ are other scores for d = {d}, d_k = {d_k}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Twelve words, several nouns and verbs, and loud messages."
"""  # END TEST CONFIG


def test_long_sentences(three_maps):
    """The weights hold in every sentence that was promised."""
    import torch

    from course_lib.attention.attend import attend

    maps = [each.detach().double() for each in three_maps()]
    rng = torch.Generator().manual_seed(3)
    hint = "make queries or keys larger"
    if maps[0][3].any() or maps[1][3].any():
        hint = "the last rows of W_Q and W_K should be zeros, so that no message is heard there"
    for kinds in ([0, 1, 2], [0, 1, 2, *[3] * 9], [0, 0, 1, 1, 2, 2, 3], [2, *[0] * 10, 1]):
        n = len(kinds)
        X = torch.eye(4, dtype=torch.float64)[kinds]
        X[:, 3] = 100 * torch.randn(n, dtype=torch.float64, generator=rng)
        read = attend(*(X @ W for W in maps))
        blanks, nouns, verbs = ([i for i in range(n) if kinds[i] == kind] for kind in range(3))
        for names, asking, asked in (("nouns", blanks, nouns), ("verbs", nouns, verbs)):
            least = read.weights[asking][:, asked].sum(dim=-1).min()
            told = f"in a sentence of {n} words with loud messages {names} get {least:.3f} in all"
            assert least >= 0.99, f"{told}, want 0.99 or more: {hint}"
        even = torch.full((n,), 1 / n, dtype=torch.float64)
        told = f"in a sentence of {n} words a verb should ask all alike"
        assert torch.allclose(read.weights[verbs], even.expand(len(verbs), n)), told
        heard = (read.context[verbs] - X[:, 3].mean()).abs().max()
        assert heard < 1e-6, "a verb should read the mean of all messages"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 4

# %% [markdown]
# ## Question 3. Where a word stands
#
# *About 25 minutes, ★★☆.*
#
# `turned(x, t)` turns queries or keys by their places, as rotary positions do. `x` is
# `(..., n, d)` with an even $d$, `t` holds the places of the $n$ words as integers. They need not
# begin at 0, nor go up by one.
#
# - In the chapter neighbours make a pair. Many published models pair the two halves instead, and
#   so do you: pair $i$ is made of the numbers $i$ and $i + d/2$, for $i$ from 0 to $d/2 - 1$.
# - At place $t$ pair $i$ turns by the angle $\varphi = t \cdot 10000^{-2i/d}$: $(a, b)$ becomes
#   $(a \cos\varphi - b \sin\varphi,\ a \sin\varphi + b \cos\varphi)$, and its two numbers stay
#   where they stood.
#
# `with_places(X, W_Q, W_K, W_V, added, turn)` returns `(Q, K, V)` of words `(B, n, d)`, and puts
# the places in where they belong.
#
# - `added` is a table `(n, d)` of sinusoids, or `None`. It is added to the words, and queries, keys
#   and values are all made of the sum.
# - `turn` is a function such as `turned` with its places, or `None`. It is called on queries and
#   on keys. Values stay as they are.
#
# <details><summary>Hint</summary>
#
# Compute the angles as a table with a row for each place and a column for each pair. Take both
# halves of `x` before you change one of them, and put them back in the same order.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def turned(x, t):
    """Each pair of x turned by the angle of its place: the shape of x."""
    # BEGIN SOLUTION
    d = x.shape[-1]
    speed = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    angle = t[:, None] * speed
    cos, sin = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat([a * cos - b * sin, a * sin + b * cos], dim=-1)
    # END SOLUTION


def with_places(X, W_Q, W_K, W_V, added=None, turn=None):
    """Queries, keys and values that know their places."""
    # BEGIN SOLUTION
    if added is not None:
        X = X + added
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    return (Q, K, V) if turn is None else (turn(Q), turn(K), V)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_two_places(turned):
    """One word of four numbers at the places 0 and 1."""
    import torch

    x = torch.tensor([[3.0, 1.0, 0.5, 2.0]] * 2)
    t, given = torch.tensor([0, 1]), x.clone()
    try:
        got = turned(x, t)
    except Exception as error:
        told = f"turned stopped at x (2, 4), t (2,) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (2, 4), f"want the shape (2, 4) of x, got {tuple(got.shape)}"
    assert torch.equal(x, given), "your function writes into x: make a new tensor"

    def shown(numbers):
        return [round(number, 3) for number in numbers.tolist()]

    told = f"at place 0 nothing turns: want {shown(x[0])}, got {shown(got[0])}."
    if torch.allclose(got[0], torch.tensor([3.0, 0.5, 1.0, 2.0])):
        told += " Your pairs come back side by side; their numbers stay in the two halves."
    elif torch.allclose(got[0], torch.tensor([3.0, 1.0, -0.5, -2.0])):
        told += " A sign is wrong: the second number of a pair is a sin + b cos."
    assert torch.allclose(got[0], x[0], atol=1e-4), told

    def by(first, second, halves=True, sign=1):
        """The word at place 1, if its two pairs turn by these angles."""
        angle = sign * torch.tensor([first, second])
        a, b = (x[1, :2], x[1, 2:]) if halves else (x[1, 0::2], x[1, 1::2])
        pairs = a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()
        return torch.cat(pairs) if halves else torch.stack(pairs, dim=-1).flatten()

    want = by(1.0, 0.01)
    told = f"at place 1: want {shown(want)}, got {shown(got[1])}."
    slips = [
        (by(1.0, 0.01, sign=-1), "Your pairs turn the other way round: look at the signs."),
        (
            by(1.0, 0.01, halves=False),
            "Your pairs are neighbours, as in the chapter; here a "
            "number goes with the one d / 2 further on.",
        ),
        (by(1.0, 0.1), "Your second pair turns by 0.1: the exponent is -2i / d, not -i / d."),
        (by(1.0, 100.0), "Your second pair turns faster than the first: the exponent is negative."),
        (x[1], "Nothing has turned."),
    ]
    for slip, hint in slips:
        if torch.allclose(got[1], slip, atol=1e-4):
            told += f" {hint}"
    assert torch.allclose(got[1], want, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_places_are_added(with_places):
    """A table of places, and matrices that show where it came in."""
    import torch

    X = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    maps = [torch.tensor([[2.0, 1.0], [0.0, k]]) for k in (3.0, 4.0, 5.0)]
    added, given = torch.tensor([[10.0, 20.0], [30.0, 40.0]]), X.clone()
    try:
        got = with_places(X, *maps, added, None)
    except Exception as error:
        told = f"with_places stopped at X (1, 2, 2) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = f"want three tensors (Q, K, V), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 3, f"want three tensors (Q, K, V), got {len(got)}"
    assert torch.equal(X, given), "your function writes into X: make a new sum, X + added"
    for name, W, found in zip(("queries", "keys", "values"), maps, got, strict=True):
        want = (X + added) @ W
        shape = tuple(getattr(found, "shape", ()))
        assert shape == (1, 2, 2), f"want {name} of shape (1, 2, 2), got {shape}"
        told = f"{name}: want {want[0].tolist()}, got {found[0].tolist()}."
        if torch.allclose(found, X @ W + added):
            told += " You add the places after the projection; they belong to the words."
        elif torch.allclose(found, X @ W):
            told += " They know no places: all three are made of words and places together."
        assert torch.allclose(found, want), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_queries_and_keys_turn(with_places):
    """A turn that can be recognised: ten times, plus one."""
    import torch

    X = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    maps = [torch.tensor([[2.0, 1.0], [0.0, k]]) for k in (3.0, 4.0, 5.0)]

    def turn(x):
        return 10 * x + 1

    got = with_places(X, *maps, None, turn)
    told = f"want three tensors (Q, K, V), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    for name, W, found in zip(("queries", "keys", "values"), maps, got, strict=True):
        want = X @ W if name == "values" else turn(X @ W)
        told = f"{name}: want {want[0].tolist()}, got {found[0].tolist()}."
        if torch.allclose(found, turn(X) @ W):
            told += " You turn the words; turn what their matrix has made of them."
        elif torch.allclose(found, turn(X @ W)):
            told += " Values do not turn: what a word says is the same wherever it stands."
        elif torch.allclose(found, X @ W):
            told += " They have not turned: queries and keys both do."
        assert torch.allclose(found, want), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Any places, batches, and scores that know the distance alone."
"""  # END TEST CONFIG


def test_distance_alone(turned):
    """Beside the library's rotation, and the law of distance."""
    import torch

    from course_lib.attention.position import rotate

    def side_by_side(x):
        return x.unflatten(-1, (2, -1)).transpose(-1, -2).flatten(-2)

    def in_halves(x):
        return x.unflatten(-1, (-1, 2)).transpose(-1, -2).flatten(-2)

    rng = torch.Generator().manual_seed(5)
    t = torch.tensor([5, 9, 2, 30])
    for shape in ((4, 6), (2, 4, 2), (2, 3, 4, 8)):
        x = torch.randn(*shape, dtype=torch.float64, generator=rng)
        given = x.clone()
        got, want = turned(x, t), in_halves(rotate(side_by_side(x), t))
        told = f"other than the library's for x of shape {shape} at the places t = {t.tolist()}"
        assert got.shape == want.shape, told
        anew = in_halves(rotate(side_by_side(x), torch.arange(4)))
        if torch.allclose(got.double(), anew, atol=1e-4):
            told += ". You count the places anew from 0: take those of t"
        assert torch.allclose(got.double(), want, atol=1e-4), told
        assert got.dtype == torch.float64, f"x was torch.float64, you return {got.dtype}"
        assert torch.equal(x, given), "your function writes into x"
    q, k = (torch.randn(4, 8, generator=rng) for _ in range(2))
    near, far = (turned(q, t + by) @ turned(k, t + by).T for by in (0, 7))
    told = "scores should depend on the distance alone; yours change when all words move on by 7"
    assert torch.allclose(near, far, atol=1e-3), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random words with both, and with neither; X stays as it is."
"""  # END TEST CONFIG


def test_both_and_neither(with_places):
    """Values wider than queries, batches of several sentences."""
    import torch

    rng = torch.Generator().manual_seed(6)
    X, added = torch.randn(3, 4, 6, generator=rng), torch.randn(4, 6, generator=rng)
    given = X.clone()
    maps = [torch.randn(6, width, generator=rng) for width in (2, 2, 5)]
    for table in (None, added):
        for turn in (None, torch.tanh):
            got = with_places(X, *maps, table, turn)
            assert torch.equal(X, given), "your function writes into X"
            words = X if table is None else X + table
            for name, W, found in zip(("queries", "keys", "values"), maps, got, strict=True):
                want = words @ W
                if turn and name != "values":
                    want = turn(want)
                has = f"added: {table is not None}, turn: {turn is not None}"
                assert found.shape == want.shape, f"{name} of another shape ({has})"
                assert torch.allclose(found, want, atol=1e-4), f"{name} differ ({has})"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## Question 4. Who may ask whom
#
# *About 20 minutes, ★★☆.*
#
# `may_ask(real, causal)` returns a boolean mask `(B, n, n)`: `True` where the word of the row may
# ask the word of the column.
#
# - `real` is `(B, n)`, `True` at words, `False` at padding, which may stand anywhere. Nobody may
#   ask padding. Padding itself asks like any word; what it reads is thrown away.
# - If `causal` is true, a word may ask itself and those before it, and no word behind it.
#
# `weights_of(scores, mask)` returns the weights of such scores, both `(B, n, n)`.
#
# - Where the mask is `False`, the weight is exactly 0. The other weights of a row sum to one, as if
#   hidden words were not there, whatever their scores are: they may be infinite, or no numbers.
# - A row in which nobody may be asked is all zeros.
#
# <details><summary>Hint</summary>
#
# Draw the table for two words with padding *before* them. A score that is `nan` stays `nan` in a
# product with zero, and a softmax over nothing but minus infinities gives `nan`.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def may_ask(real, causal):
    """True where the row's word may ask the column's: (B, n, n)."""
    # BEGIN SOLUTION
    n = real.shape[1]
    mask = torch.ones(n, n, dtype=torch.bool)
    if causal:
        mask = mask.tril()
    return real[:, None, :] & mask
    # END SOLUTION


def weights_of(scores, mask):
    """A softmax over those who may be asked: (B, n, n)."""
    # BEGIN SOLUTION
    weights = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_mask(may_ask):
    """Two sentences of three and two words."""
    import torch

    real = torch.tensor([[True, True, True], [True, True, False]])
    past = torch.tensor([[1, 0, 0], [1, 1, 0], [1, 1, 1]]).bool()
    for causal in (False, True):
        try:
            got = may_ask(real, causal)
        except Exception as error:
            told = f"may_ask(real, {causal}) stopped with {type(error).__name__}: {error}"
            raise AssertionError(told) from None
        assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
        told = f"want a boolean mask (2, 3, 3), got {got.dtype} {tuple(got.shape)}."
        if got.dim() == 2:
            told += " Each sentence has a mask of its own, for each has its own padding."
        assert got.shape == (2, 3, 3), told
        assert got.dtype == torch.bool, told
        order = past if causal else torch.ones(3, 3, dtype=torch.bool)
        want = real[:, None, :] & order
        told = f"causal {causal}, sentence of two words: want {want[1].int().tolist()}, "
        told += f"got {got[1].int().tolist()}."
        slips = [
            (~want, "It is the other way: True means that a word may be asked."),
            (real[:, None, :] & order.T, "Words ask later ones: turn the triangle round."),
            (
                real[:, :, None] & order,
                "Padding may be asked: it is a column that has to be False, not a row.",
            ),
            (
                real[:, :, None] & real[:, None, :] & order,
                "Padding asks like any word: leave its row as it is.",
            ),
            (order.expand(2, 3, 3), "Padding may be asked: where is `real`?"),
            (want & ~torch.eye(3, dtype=torch.bool), "A word may ask itself, too."),
        ]
        for slip, hint in slips:
            if torch.equal(got, slip):
                told += f" {hint}"
        assert torch.equal(got, want), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_weights_by_hand(weights_of):
    """Scores that are logarithms of small numbers, and a triangle."""
    import torch

    parts = torch.tensor([[[3.0, 2.0, 1.0], [1.0, 3.0, 4.0], [2.0, 1.0, 1.0]]])
    mask = torch.tensor([[[1, 0, 0], [1, 1, 0], [1, 1, 1]]]).bool()
    try:
        got = weights_of(parts.log(), mask)
    except Exception as error:
        told = f"weights_of stopped at scores (1, 3, 3) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (1, 3, 3), f"want the shape (1, 3, 3) of the scores, got {tuple(got.shape)}"
    want = torch.tensor([[[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.25, 0.25]]])

    def shown(numbers):
        return [round(number, 3) for number in numbers.tolist()]

    told = f"two of three words may be asked: want {shown(want[0, 1])}, got {shown(got[0, 1])}."
    whole = parts.log().softmax(dim=-1)
    hidden = parts.log().masked_fill(~mask, -torch.inf)
    slips = [
        (whole, "The mask is not used."),
        (whole * mask, "Your mask comes after the softmax, and the row no longer sums to one."),
        ((parts.log() * mask).softmax(dim=-1), "A score of 0 is no mask: it is worth e^0 = 1."),
        (hidden.softmax(dim=-2), "Your columns sum to one; the softmax runs over the asked."),
    ]
    for slip, hint in slips:
        if torch.allclose(got, slip, atol=1e-4):
            told += f" {hint}"
    if got[0, 1, 2] > 0.99:
        told += " The hidden word gets it all: True means that it may be asked."
    assert torch.allclose(got[0, 1], want[0, 1], atol=1e-4), told
    assert torch.allclose(got, want, atol=1e-4), f"want {want[0].tolist()}, got {got[0].tolist()}"
    assert (got[~mask] == 0).all(), "hidden words should get exactly 0"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Rows in which nobody may be asked, and hidden words with wild scores."
"""  # END TEST CONFIG


def test_nobody_and_noise(weights_of):
    """The first word behind padding that stands in front, and scores that are no numbers."""
    import torch

    mask = torch.tensor([[[0, 0, 0], [0, 1, 0], [0, 1, 1]]]).bool()
    scores = torch.tensor([[[5.0, 1.0, 2.0], [900.0, 1.0, 7.0], [1.0, 3.0, 3.0]]])
    want = torch.tensor([[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]]])
    got = weights_of(scores, mask)

    def shown(numbers):
        return [round(number, 3) for number in numbers.tolist()]

    told = f"in the first row nobody may be asked: want zeros, got {shown(got[0, 0])}."
    if got[0, 0].isnan().any():
        told += " A softmax of nothing but -inf is no number; set hidden weights to 0 after it."
    elif torch.allclose(got[0, 0], torch.full((3,), 1 / 3), atol=1e-4):
        told += " Scores that are all hidden alike share the weight: set it to 0 after the softmax."
    assert torch.equal(got[0, 0], want[0, 0]), told
    told = "one word may be asked, a hidden one has a score of 900: want "
    told += f"{shown(want[0, 1])}, got {shown(got[0, 1])}. Hide it before the softmax"
    assert torch.allclose(got[0, 1], want[0, 1]), told
    assert torch.allclose(got, want), f"want {want[0].tolist()}, got {got[0].tolist()}"
    for noise in (float("inf"), float("nan"), -float("inf")):
        got = weights_of(scores.masked_fill(~mask, noise), mask)
        told = f"hidden words with the score {noise} change the weights of the others. Put -inf in "
        told += "their place; what is added to such a score does not hide it"
        assert torch.allclose(got, want), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Masks and weights of random batches beside the library; nothing is written."
"""  # END TEST CONFIG


def test_masks_of_the_library(may_ask, weights_of):
    """Padding in front, behind and between."""
    import torch

    from course_lib.attention.masks import causal_mask, combine, for_keys
    from course_lib.attention.softmax import masked_softmax

    rng = torch.Generator().manual_seed(7)
    for B, n in [(3, 4), (1, 1), (2, 6)]:
        real = torch.rand(B, n, generator=rng) < 0.6
        real[:, -1] = True
        given = real.clone()
        scores = torch.randn(B, n, n, dtype=torch.float64, generator=rng)
        for causal in (False, True):
            everyone = torch.ones(1, n, n, dtype=torch.bool)
            mask = combine(for_keys(real), causal_mask(n) if causal else everyone)
            got = may_ask(real, causal)
            told = f"causal {causal}, real words {real.int().tolist()}: another mask. "
            told += "Padding may stand in front, behind and between"
            assert got.shape == mask.shape, told
            assert torch.equal(got, mask), told
            before = scores.clone()
            weights = weights_of(scores, mask)
            assert weights.dtype == torch.float64, f"scores were double, you return {weights.dtype}"
            want = masked_softmax(scores, mask)
            assert torch.allclose(weights, want), f"causal {causal}: other weights for n = {n}"
            assert torch.equal(scores, before), "your function writes into the scores"
        assert torch.equal(real, given), "your function writes into `real`"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5. An experiment: is a weight of zero enough?
#
# *About 25 minutes, ★★☆.*
#
# Suppose the mask comes after the softmax. A later word then still gets the weight 0. Does an
# earlier word hear of it all the same? Write down your guess first.
#
# `hears(layer, X)` measures who hears whom. `layer` is a function from words `(n, d)` to what they
# read, `(n, d_v)`; call it $Y = f(X)$. Return a table `(n, n)`: row $i$, column $j$ holds the
# largest absolute derivative of any number that word $i$ reads by any number of word $j$,
#
# $$H_{ij} = \max_{a, b} \left| \frac{\partial Y_{ia}}{\partial X_{jb}} \right| .$$
#
# `make_layer(where)` gives you one and the same attention with a causal mask `"before"` the
# softmax, `"after"` it, or after it with the weights of each row `"shared"` out anew, so that they
# sum to one. `sentence()` gives you six words.
#
# Then `finding()` returns `{"before": ..., "after": ..., "shared": ..., "why": ...}`: for each
# layer the largest number of `hears` at a *later* word, and in 20 words or more of your own why the
# three are as they are.
#
# <details><summary>Hint</summary>
#
# `torch.autograd.functional.jacobian(layer, X)` holds them all, `(n, d_v, n, d)`.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def sentence():
    """Six words of four numbers."""
    rng = torch.Generator().manual_seed(8)
    return torch.randn(6, 4, dtype=torch.float64, generator=rng)


def make_layer(where):
    """Self-attention with a causal mask "before" the softmax, "after" it, or after and "shared"."""
    rng = torch.Generator().manual_seed(9)
    W_Q, W_K, W_V = (torch.randn(4, 4, dtype=torch.float64, generator=rng) for _ in range(3))

    def layer(X):
        earlier = torch.ones(len(X), len(X), dtype=torch.bool).tril()
        scores = (X @ W_Q) @ (X @ W_K).T / 2
        if where == "before":
            scores = scores.masked_fill(~earlier, -torch.inf)
        weights = scores.softmax(dim=-1) * earlier
        if where == "shared":
            weights = weights / weights.sum(dim=-1, keepdim=True)
        return weights @ (X @ W_V)

    return layer


def hears(layer, X):
    """How much what a word reads depends on each word: (n, n)."""
    # BEGIN SOLUTION
    slopes = torch.autograd.functional.jacobian(layer, X)
    return slopes.abs().amax(dim=(1, 3))
    # END SOLUTION


def finding():
    """What you found: three numbers, and why."""

    # BEGIN SOLUTION
    def leak(where):
        return hears(make_layer(where), sentence()).triu(1).max().item()

    return {
        "before": leak("before"),
        "after": leak("after"),
        "shared": leak("shared"),
        "why": "Before the softmax a hidden score never enters the sum below the fraction. After "
        "it the hidden word has weight zero, but its score is still in that sum and makes the "
        "other weights smaller, so a change of it is heard. Sharing out anew divides that sum "
        "away again.",
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


def test_a_known_mixture(hears):
    """What is read is A X, so that the derivatives stand in A."""
    import torch

    A = torch.tensor([[1.0, 0.0, 0.0], [-2.0, 0.5, 0.0], [0.0, 3.0, 4.0]]).double()
    X = torch.ones(3, 2).double()
    try:
        got = hears(lambda X: A @ X, X)
    except Exception as error:
        told = f"hears stopped at X (3, 2) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (3, 3), f"want a table (n, n) = (3, 3), got {tuple(got.shape)}"
    want = A.abs()
    told = f"what is read is A X with A = {A.tolist()}: want {want.tolist()}, got {got.tolist()}."
    slips = [
        (want.T, "Rows and columns are exchanged: the row is the word that hears."),
        (A.clamp(min=0), "Take absolute values before you look for the largest: one is negative."),
        (A, "A derivative may be negative: take its absolute value."),
        (2 * want, "You add up; the largest is wanted."),
        (want / 2, "You average; the largest is wanted."),
    ]
    for slip, hint in slips:
        if torch.allclose(got.double(), slip, atol=1e-4):
            told += f" {hint}"
    assert torch.allclose(got.double(), want, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_nothing_cancels(hears):
    """Two numbers that are read change in opposite directions."""
    import torch

    A = torch.tensor([[1.0, 0.0], [2.0, 3.0]]).double()
    W = torch.tensor([[1.0, -1.0], [0.0, 0.0]]).double()
    X = torch.zeros(2, 2).double()
    got = hears(lambda X: A @ X @ W, X)
    shape = tuple(getattr(got, "shape", ()))
    assert shape == (2, 2), f"want a table (2, 2), got {type(got).__name__} {shape}"
    told = f"want {A.tolist()}, got {got.tolist()}."
    if got.abs().max() < 1e-9:
        told += " Of what a word reads one number rises as the other falls: added up, they cancel."
    elif torch.allclose(got.double() * 4, A):
        told += " You average over a word's numbers; the largest derivative is wanted."
    assert torch.allclose(got.double(), A, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Attention with and without a mask; X stays as it is."
"""  # END TEST CONFIG


def test_attention_hears(hears):
    """Derivatives by small changes, one number at a time."""
    import torch

    from course_lib.attention.attend import attend
    from course_lib.attention.masks import causal_mask

    rng = torch.Generator().manual_seed(10)
    for n, d, d_v in [(4, 3, 2), (2, 1, 5), (5, 4, 4)]:
        X = torch.randn(n, d, dtype=torch.float64, generator=rng)
        W = torch.randn(d, d_v, dtype=torch.float64, generator=rng)
        given = X.clone()
        for mask in (None, causal_mask(n)[0]):

            def layer(X, mask=mask, W=W):
                return attend(X, X, X @ W, mask=mask).context

            want = torch.zeros(n, n, dtype=torch.float64)
            for j in range(n):
                for b in range(d):
                    step = torch.zeros_like(X)
                    step[j, b] = 1e-5
                    slope = (layer(X + step) - layer(X - step)) / 2e-5
                    want[:, j] = torch.maximum(want[:, j], slope.abs().amax(dim=1))
            got = hears(layer, X)
            told = f"n = {n}, d = {d}, d_v = {d_v}, mask {mask is not None}: another table"
            assert got.shape == want.shape, told
            assert torch.allclose(got.detach().double(), want, atol=1e-4), told
        assert torch.equal(X, given), "your function writes into X"
        assert not X.requires_grad, "your function leaves X with requires_grad: work on a copy"


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "What you found, and why in 20 words or more."
"""  # END TEST CONFIG


def test_finding(finding):
    """Three numbers and a reason."""
    import torch

    got = finding()
    told = "finding() should return a dictionary with before, after, shared and why"
    assert isinstance(got, dict), told
    assert {"before", "after", "shared", "why"} <= set(got), told
    seeded = torch.Generator().manual_seed  # as in the student's own cell, so never drawn anew
    X = torch.randn(6, 4, dtype=torch.float64, generator=seeded(8))
    rng = seeded(9)
    W_Q, W_K, W_V = (torch.randn(4, 4, dtype=torch.float64, generator=rng) for _ in range(3))

    def late(X):
        weights = ((X @ W_Q) @ (X @ W_K).T / 2).softmax(dim=-1)
        return weights.tril() @ (X @ W_V)

    slopes = torch.autograd.functional.jacobian(late, X).abs().amax(dim=(1, 3))
    want, whole = slopes.triu(1).max().item(), slopes.max().item()
    for name, why in (("before", "a hidden score enters nothing"), ("shared", "the sum cancels")):
        told = f"{name}: no word hears a later one, {why}; you found {float(got[name]):.4f}"
        assert abs(float(got[name])) < 1e-6, told
    after = float(got["after"])
    told = f"after: of a later word at most {want:.4f} is heard; you found {after:.4f}."
    if abs(after - whole) < 0.01:
        told += " That is the largest of all; later words stand above the diagonal."
    elif abs(after) < 1e-6:
        told += " Its weight is zero, but its score is still in the sum of the softmax."
    assert abs(after - want) < 0.05 * want, told
    assert isinstance(got["why"], str), "why: want a text of 20 words or more"
    words = len(got["why"].split())
    assert words >= 20, f"why: want 20 words or more, got {words}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it.** Run this when the checks pass: question 1 with your maps of question 2, on *heute
# rollt* _ *Ball* ("today the ball rolls"), and then your experiment.

# %%
words = torch.tensor([[0.0, 0, 0, 1], [0, 0, 1, 2], [1, 0, 0, 3], [0, 1, 0, 4]])
W_Q, W_K, W_V = three_maps()
C, weights = self_attention(words[None], torch.cat([W_Q, W_K, W_V], dim=1), W_Q.shape[1])
print("the blank asks", [round(weight, 2) for weight in weights[0, 2].tolist()])
print(f"and reads {C[0, 2, 0]:.2f}; the message of the noun is 4")
for where in ("before", "after", "shared"):
    print(f"{where:7} {hears(make_layer(where), sentence()).triu(1).max():.4f}")

# %% [markdown]
# You have now built what a word asks, what it is found by and what it says, told it where it
# stands, and kept it from what is not yet written. Chapter 9 lets every word ask several times.
