# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw07_decomposable
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
# # Homework 7: Attention alone
#
# Chapter 7 built attend, compare and aggregate for pairs of sentences. Here you build the core
# again for whole batches: partners on both sides from one table of scores, sums that padding
# cannot enter, the exact reduction to a bag of vectors, the bias by distance of the
# intra-sentence variant, and an experiment about what such a model can see.
#
# **How to work.** Run the cells in order. Replace each `...` by your code, run the cell, then run
# `grader.check` below it, as often as you like: it says what is wrong. The tests that you see are
# not all tests. The hidden ones look at other sizes, random numbers, sentences of one word, and
# at what the text of a question promises. What your functions return has the dtype of what they
# are given, and what they are given they leave as it is. Five questions, 20 points, about two
# hours.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# Symbols are those of the chapter: premise words $a_1, \dots, a_M$, hypothesis words $b_1, \dots,
# b_N$, scores $e_{ij}$, partners $\beta_i$ and $\alpha_j$. $B$ pairs in the batch, $H$ numbers in a
# vector. A mask is boolean; `True` means "a real word".

# %%
import random

import torch

from course_lab.charts import attention_map
from course_lab.experiments.decomposable import in_page
from course_lib.data.inference_pairs import LABELS
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.homework import known_words, require_written
from course_lib.models.decomposable import Decomposable, DecomposableConfig

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. Partners on both sides
#
# *About 25 minutes, ★★☆.*
#
# From one table of scores $e$ come both kinds of partners (chapter 7, *Attend*):
#
# $$\beta_i = \sum_{j} \frac{\exp e_{ij}}{\sum_k \exp e_{ik}}\, b_j, \qquad
# \alpha_j = \sum_{i} \frac{\exp e_{ij}}{\sum_k \exp e_{kj}}\, a_i.$$
#
# `partners(e, a, b, mask_a, mask_b)` returns the pair `(beta, alpha)`.
#
# - `e` is `(B, M, N)`, `a` is `(B, M, H)`, `b` is `(B, N, H)`; `mask_a` is `(B, M)`, `mask_b` is
#   `(B, N)`. `beta` is `(B, M, H)`, `alpha` is `(B, N, H)`.
# - Nobody looks at padding: changing a padded vector or a padded score changes no partner of a
#   real word.
# - Every sentence has one real word or more. What stands in the rows of padded words does not
#   matter.
#
# <details><summary>Hint</summary>
#
# Two softmaxes over one table, over different dimensions, with different masks.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def partners(e, a, b, mask_a, mask_b):
    """What each premise word sees (B, M, H), and what each hypothesis word sees (B, N, H)."""
    # BEGIN SOLUTION
    rows = e.masked_fill(~mask_b[:, None, :], -torch.inf).softmax(dim=2)
    columns = e.masked_fill(~mask_a[:, :, None], -torch.inf).softmax(dim=1)
    return rows @ b, columns.transpose(1, 2) @ a
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_shapes(partners):
    """Two tensors, one for each sentence."""
    import torch

    e, a, b = torch.zeros(2, 3, 4), torch.ones(2, 3, 5), torch.ones(2, 4, 5)
    masks = torch.ones(2, 3, dtype=torch.bool), torch.ones(2, 4, dtype=torch.bool)
    try:
        got = partners(e, a, b, *masks)
    except Exception as error:
        told = f"partners stopped at e (2, 3, 4) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = f"want two tensors, (beta, alpha), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, told
    shapes = [tuple(getattr(g, "shape", ())) for g in got]
    want = [(2, 3, 5), (2, 4, 5)]
    assert shapes == want, f"want beta and alpha of shapes {want}, got {shapes}"
    other = partners(e, 2 * a, 2 * b, *masks)
    for name, before, after in zip(("beta", "alpha"), got, other, strict=True):
        told = f"{name}: with words twice as large want other partners, got the same"
        assert not torch.allclose(before, after), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_numbers_of_the_chapter(partners):
    """The two sentences of the chapter's table, without padding."""
    import torch

    a = torch.tensor([[[2.0, 0.0], [0.0, 2.0]]])
    b = torch.tensor([[[1.0, 0.0], [0.0, 2.0]]])
    e = torch.tensor([[[2.0, 0.5], [0.0, 4.0]]])  # not symmetric: rows and columns differ
    real = torch.ones(1, 2, dtype=torch.bool)
    got = partners(e, a, b, real, real)
    assert isinstance(got, (tuple, list)), "no pair: see the first test"
    assert len(got) == 2, "no pair: see the first test"
    beta, alpha = got
    want_beta, want_alpha = e.softmax(2) @ b, e.softmax(1).transpose(1, 2) @ a

    def row(x):
        return [[round(v, 3) for v in r] for r in x[0].tolist()]

    told = f"beta should be {row(want_beta)}, yours is {row(beta)}."
    if torch.allclose(beta, e.softmax(1) @ b, atol=1e-4):
        told += (
            " Your softmax runs over the premise (dimension 1). beta_i is an average of the "
            "hypothesis' words: its weights sum to one over j, along the row."
        )
    assert torch.allclose(beta, want_beta, atol=1e-4), told
    told = f"alpha should be {row(want_alpha)}, yours is {row(alpha)}."
    if torch.allclose(alpha, e.softmax(2).transpose(1, 2) @ a, atol=1e-4):
        told += (
            " You turn the weights of beta round. Those sum to one over j; alpha_j needs weights "
            "that sum to one over i, down the column."
        )
    elif torch.allclose(alpha, e.softmax(1) @ a, atol=1e-4):
        told += " The weights of alpha must be transposed before they meet the premise's words."
    assert torch.allclose(alpha, want_alpha, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_nobody_looks_at_padding(partners):
    """A padded word that is very loud."""
    import torch

    rng = torch.Generator().manual_seed(3)
    e = torch.randn(2, 3, 3, generator=rng)
    a, b = torch.randn(2, 3, 4, generator=rng), torch.randn(2, 3, 4, generator=rng)
    mask_a = torch.tensor([[True, True, False], [True, True, True]])
    mask_b = torch.tensor([[True, True, True], [True, False, False]])
    quiet = partners(e, a, b, mask_a, mask_b)
    assert isinstance(quiet, (tuple, list)), "no pair: see the first test"
    assert len(quiet) == 2, "no pair: see the first test"
    e2, a2, b2 = e.clone(), a.clone(), b.clone()
    a2[~mask_a], b2[~mask_b] = 100.0, -100.0
    e2[~mask_a] = 9.0
    e2.transpose(1, 2)[~mask_b] = 9.0
    loud = partners(e2, a2, b2, mask_a, mask_b)
    both = zip(quiet, loud, (mask_a, mask_b), ("beta", "alpha"), ("b", "a"), strict=True)
    for before, after, mask, name, other in both:
        told = (
            f"{name} of a real word changes when padding of {other} changes. For {name} the mask "
            f"that counts is that of the sentence that is looked at, mask_{other}, and it "
            "belongs before the softmax."
        )
        assert torch.allclose(before[mask], after[mask], atol=1e-4), told
    moved = partners(e, a + 1, b + 1, mask_a, mask_b)
    both = zip(quiet, moved, (mask_a, mask_b), ("beta", "alpha"), strict=True)
    for before, after, mask, name in both:
        told = f"{name} stays the same when the real words that are looked at change"
        assert not torch.allclose(before[mask], after[mask]), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random batches beside the library, gradients too."
"""  # END TEST CONFIG


def test_against_the_library(partners):
    """The same as two calls of the library's attend."""
    import torch

    from course_lib.attention.attend import attend
    from course_lib.attention.masks import for_keys, padding_mask

    rng = torch.Generator().manual_seed(11)
    for B, M, N in [(3, 5, 4), (1, 1, 6), (2, 6, 1)]:
        e = torch.randn(B, M, N, generator=rng)
        a, b = torch.randn(B, M, 3, generator=rng), torch.randn(B, N, 3, generator=rng)
        mask_a = padding_mask(torch.randint(1, M + 1, (B,), generator=rng), M)
        mask_b = padding_mask(torch.randint(1, N + 1, (B,), generator=rng), N)
        beta, alpha = partners(e.clone(), a, b, mask_a, mask_b)
        one = attend(a, b, b, score=lambda *_, e=e: e, mask=for_keys(mask_b)).context
        turned = e.transpose(1, 2)
        score = lambda *_, e=turned: e  # noqa: E731
        other = attend(b, a, a, score=score, mask=for_keys(mask_a)).context
        told = f"other than the library's for M = {M}, N = {N}"
        assert torch.allclose(beta[mask_a], one[mask_a], atol=1e-5), f"beta is {told}"
        assert torch.allclose(alpha[mask_b], other[mask_b], atol=1e-5), f"alpha is {told}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "What your function is given stays as it is."
"""  # END TEST CONFIG


def test_inputs_stay(partners):
    """Nothing is written into the arguments."""
    import torch

    e, a, b = torch.randn(1, 2, 3), torch.randn(1, 2, 2), torch.randn(1, 3, 2)
    masks = torch.tensor([[True, False]]), torch.tensor([[True, True, False]])
    given = e.clone()
    got = partners(e, a, b, *masks)
    assert isinstance(got, (tuple, list)), "no pair: see the first test"
    assert torch.equal(e, given), "your function writes into the scores that it is given"
    moved = partners(e, a + 1, b + 1, *masks)
    told = "the partners stay the same when the words that are looked at change"
    assert not torch.allclose(got[0][masks[0]], moved[0][masks[0]]), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2. A sum that padding cannot enter
#
# *About 20 minutes, ★☆☆.*
#
# `aggregate(compare, words, found, mask)` applies `compare` (the network $G$) to each word beside
# its partner, $v_i = G([a_i; \beta_i])$, and adds up the $v_i$ of the real words.
#
# - `words` and `found` are `(B, M, H)`, `mask` is `(B, M)`; the result is `(B, K)`, where `compare`
#   maps `(..., 2H)` to `(..., K)`.
# - A padded position adds nothing, whatever it holds, and gets no gradient.
# - The word stands first in the pair, its partner second.
# - A sum, not a mean: two words that are the same count twice.

# %% [raw]
# # BEGIN SOLUTION


# %%
def aggregate(compare, words, found, mask):
    """The sum of the real words' comparisons: (B, K)."""
    # BEGIN SOLUTION
    compared = compare(torch.cat([words, found], dim=-1))
    return compared.masked_fill(~mask.unsqueeze(-1), 0.0).sum(dim=1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_a_sum_over_words(aggregate):
    """Without padding, with a network that only adds one."""
    import torch

    words = torch.tensor([[[1.0, 2.0], [3.0, 4.0]]])
    found = torch.tensor([[[10.0, 20.0], [30.0, 40.0]]])
    try:
        got = aggregate(lambda x: x + 1, words, found, torch.ones(1, 2, dtype=torch.bool))
    except Exception as error:
        told = f"aggregate stopped at words (1, 2, 2) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    told = f"want shape (1, 4): one vector a sentence, got {tuple(got.shape)}"
    assert got.shape == (1, 4), told
    want = torch.tensor([[6.0, 8.0, 42.0, 62.0]])
    told = f"the sum should be {want[0].tolist()}, yours is {got[0].tolist()}."
    if torch.allclose(got, want[:, [2, 3, 0, 1]]):
        told += " The word stands first in the pair, and its partner second."
    elif torch.allclose(2 * got, want):
        told += " That is the mean of the two words; a sum is wanted."
    elif torch.allclose(got, want - 1):
        told += " You add up first and compare then. G is applied to each word by itself."
    assert torch.allclose(got, want), told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_padding_adds_nothing(aggregate):
    """A network with a bias makes something even of zeros."""
    import torch

    words, found = torch.zeros(2, 3, 1), torch.zeros(2, 3, 1)
    mask = torch.tensor([[True, False, False], [True, True, True]])
    got = aggregate(lambda x: x + 1, words, found, mask)
    assert getattr(got, "shape", None) == (2, 2), "wrong shape: see the first test"
    told = (
        f"G(0) is 1 here. With one real word the sum is 1, with three it is 3; yours are "
        f"{got[:, 0].tolist()}."
    )
    if torch.allclose(got, torch.full((2, 2), 3.0)):
        told += (
            " Padding is counted. Zeros in its place before G do not help: a network with a "
            "bias makes something of them. Clear what comes out of G."
        )
    elif torch.allclose(got, torch.ones(2, 2)):
        told += " That is a mean over the real words."
    assert torch.allclose(got[:, 0], torch.tensor([1.0, 3.0])), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Padding that is nan, and the gradient of padding."
"""  # END TEST CONFIG


def test_padding_may_be_anything(aggregate):
    """nan times zero is nan: to multiply by the mask is not enough."""
    import torch

    words = torch.randn(1, 3, 2, generator=torch.Generator().manual_seed(0))
    found = torch.ones(1, 3, 2)
    mask = torch.tensor([[True, True, False]])
    clean = aggregate(torch.tanh, words, found, mask)
    other = aggregate(torch.tanh, -words, found, mask)
    assert not torch.allclose(clean, other), "the sum stays the same when the words change"
    spoiled = words.clone()
    spoiled[0, 2] = torch.nan
    got = aggregate(torch.tanh, spoiled, found, mask)
    told = "with nan in the padding the sum is nan: 0 times nan is nan. Put zeros there instead"
    assert torch.allclose(got, clean, equal_nan=False), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "A real network on random batches beside the library."
"""  # END TEST CONFIG


def test_sums_against_the_library(aggregate):
    """The library's model adds up the same."""
    import torch

    from course_lib.attention.masks import padding_mask
    from course_lib.models.decomposable import Decomposable, DecomposableConfig

    rng = torch.Generator().manual_seed(5)
    net = Decomposable(DecomposableConfig(9, 4, 4), rng).eval()
    for B, M in [(3, 5), (1, 1), (4, 2)]:
        words = torch.randn(B, M, 4, generator=rng)
        found = torch.randn(B, M, 4, generator=rng)
        mask = padding_mask(torch.randint(1, M + 1, (B,), generator=rng), M)
        want = net.compared(words, found, mask).sum(1).detach()
        got = aggregate(lambda x: net.compare(x).detach(), words, found, mask)
        assert torch.allclose(got, want, atol=1e-5), f"other than the library's for M = {M}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 4

# %% [markdown]
# ## Question 3. Down to a bag of vectors
#
# *About 25 minutes, ★★☆.*
#
# The first layer of $G$ is linear: $W [a_i; \beta_i] + c$, with `weight` $W$ of `(K, 2H)` and
# `bias` $c$ of `(K,)`. Two models are hidden in it.
#
# - `blind(weight)` returns the matrix $W_1$ of `(K, H)` of the layer on $a_i$ alone that is left if
#   no word sees its partner ($W_2 = 0$).
# - `equal(weight, bias, other, mask)`: if $F = 0$, all scores are equal, and each $\beta_i$ is the
#   same vector, the mean of the other sentence's *real* words. Then the layer is one on $a_i$ alone
#   as well, with a bias for each pair. Return `(W1, biases)`, of shapes `(K, H)` and `(B, K)`.
#   `other` is `(B, N, H)`, `mask` is `(B, N)`.
#
# <details><summary>Hint</summary>
#
# Which columns of $W$ multiply $a_i$, and which multiply $\beta_i$? A product that is the same for
# every word of a sentence can be moved into another term of the layer.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def blind(weight):
    """The part of the layer that sees the word itself: (K, H)."""
    # BEGIN SOLUTION
    return weight[:, : weight.shape[1] // 2].clone()
    # END SOLUTION


def equal(weight, bias, other, mask):
    """The layer with equal weights: (K, H), and a bias for each pair (B, K)."""
    # BEGIN SOLUTION
    half = weight.shape[1] // 2
    real = mask.unsqueeze(-1).to(other.dtype)
    mean = (other * real).sum(dim=1) / real.sum(dim=1)
    return weight[:, :half].clone(), bias + mean @ weight[:, half:].T
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_blind(blind):
    """The half of the matrix that meets the word."""
    import torch

    weight = torch.tensor([[1.0, 2.0, 30.0, 40.0]])
    got = blind(weight)
    shape = getattr(got, "shape", type(got).__name__)
    assert shape == (1, 2), f"want a tensor of shape (1, 2), got {shape}"
    told = f"the part of {weight.tolist()} that meets the word is [[1, 2]], yours is {got.tolist()}"
    if torch.equal(got, torch.tensor([[30.0, 40.0]])):
        told += ". That half meets the partner: the word stands first in the pair"
    assert torch.equal(got, torch.tensor([[1.0, 2.0]])), told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_equal(equal):
    """One pair, of whose words one is padding."""
    import torch

    weight = torch.tensor([[1.0, 2.0, 10.0, 20.0]])
    bias = torch.tensor([0.5])
    other = torch.tensor([[[1.0, 0.0], [3.0, 2.0], [90.0, 90.0]]])
    mask = torch.tensor([[True, True, False]])
    got = equal(weight, bias, other, mask)
    assert isinstance(got, (tuple, list)), "want a pair (W1, biases)"
    assert len(got) == 2, "want a pair (W1, biases)"
    first, biases = got
    assert getattr(first, "shape", None) == (1, 2), "the matrix should have shape (1, 2)"
    shape = getattr(biases, "shape", None)
    assert shape == (1, 1), f"want one bias for the pair, shape (1, 1); got {shape}"
    value = biases.item()
    told = (
        "The mean of the real words (1, 0) and (3, 2) is (2, 1). The bias is 0.5 + 10 * 2 + "
        f"20 * 1 = 40.5; yours is {value:.2f}."
    )
    if abs(value - (0.5 + 10 * 94 / 3 + 20 * 92 / 3)) < 0.1:
        told += " You average the padding too."
    elif abs(value - (0.5 + 10 * 4 / 3 + 20 * 2 / 3)) < 0.1:
        told += " You divide by all positions, and not by the real words."
    elif abs(value - 40) < 1e-3:
        told += " The layer's own bias is lost."
    elif abs(value - 80.5) < 1e-3:
        told += " That is the sum of the words, not their mean."
    assert abs(value - 40.5) < 1e-3, told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Random layers: both reductions against the whole layer."
"""  # END TEST CONFIG


def test_both_reductions(blind, equal):
    """The layer on pairs and the layer on words give the same numbers."""
    import torch

    from course_lib.attention.masks import padding_mask

    rng = torch.Generator().manual_seed(7)
    for B, M, N, H, K in [(2, 3, 4, 3, 5), (1, 1, 1, 2, 2), (3, 2, 6, 4, 1)]:
        weight, bias = torch.randn(K, 2 * H, generator=rng), torch.randn(K, generator=rng)
        a, b = torch.randn(B, M, H, generator=rng), torch.randn(B, N, H, generator=rng)
        mask = padding_mask(torch.randint(1, N + 1, (B,), generator=rng), N)
        nothing = torch.cat([a, torch.zeros_like(a)], -1) @ weight.T
        told = f"for H = {H} the layer without a partner is another one"
        assert torch.allclose(a @ blind(weight).T, nothing, atol=1e-4), told
        means = torch.stack([row[real].mean(0) for row, real in zip(b, mask, strict=True)])
        pairs = torch.cat([a, means[:, None].expand(B, M, H)], -1)
        first, biases = equal(weight, bias, b, mask)
        got = a @ first.T + biases[:, None]
        told = f"for B = {B}, N = {N} the layer with equal weights is another one"
        assert torch.allclose(got, pairs @ weight.T + bias, atol=1e-4), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## Question 4. A bias for each distance
#
# *About 20 minutes, ★★☆.*
#
# The intra-sentence variant adds a learned bias $d_{i-j}$ to the score of word $i$ for word $j$.
# With `most` $= D$ there are $2D + 1$ of them: `bias[D + k]` belongs to $i - j = k$, and words
# further apart than $D$ share the outermost ones.
#
# `distance_bias(bias, size)` returns the matrix of `(size, size)` whose entry in row $i$ and column
# $j$ is $d_{i-j}$. `bias` is a vector of $2D + 1$ numbers; $D$ follows from its length. Gradients
# reach `bias`.
#
# With `bias = [10, 20, 30]` ($D = 1$) and three words:
#
# $$\begin{pmatrix} 20 & 10 & 10 \\ 30 & 20 & 10 \\ 30 & 30 & 20 \end{pmatrix}$$
#
# <details><summary>Hint</summary>
#
# Make the table of all differences $i - j$ first. Which entry of `bias` belongs to the difference
# 0, and what happens to a difference that is larger than $D$?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def distance_bias(bias, size):
    """The matrix of d_{i-j}: (size, size)."""
    # BEGIN SOLUTION
    most = len(bias) // 2
    place = torch.arange(size)
    apart = (place[:, None] - place[None, :]).clamp(-most, most)
    return bias[apart + most]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_the_example(distance_bias):
    """Three words, biases for -1, 0 and 1."""
    import torch

    got = distance_bias(torch.tensor([10.0, 20.0, 30.0]), 3)
    shape = getattr(got, "shape", type(got).__name__)
    assert shape == (3, 3), f"want a tensor of shape (3, 3), got {shape}"
    want = torch.tensor([[20.0, 10, 10], [30, 20, 10], [30, 30, 20]])
    told = f"want {want.tolist()}, got {got.tolist()}."
    if torch.equal(got, want.T):
        told += " Yours is turned round: the row is i, the column j, and the bias that of i - j."
    elif torch.equal(got.diagonal(), torch.full((3,), 20.0)):
        told += " Words further apart than the biases go share the outermost one."
    assert torch.equal(got, want), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_far_words_share(distance_bias):
    """Six words with two biases on each side."""
    import torch

    got = distance_bias(torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0]), 6)
    assert getattr(got, "shape", None) == (6, 6), "wrong shape: see the first test"
    row = got[5].tolist()
    told = f"the last of six words sees [2, 2, 2, 2, 1, 0], yours {row}"
    assert row == [2.0, 2.0, 2.0, 2.0, 1.0, 0.0], told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Other sizes, one word, and the gradient of each bias."
"""  # END TEST CONFIG


def test_sizes_and_gradients(distance_bias):
    """Every bias is counted as often as pairs of words are so far apart."""
    import torch

    for most in (0, 1, 4):
        for size in (1, 2, 7):
            bias = torch.randn(2 * most + 1, generator=torch.Generator().manual_seed(most))
            got = distance_bias(bias.clone().requires_grad_(), size)
            assert got.requires_grad, "no gradient reaches the biases: index the tensor itself"
            for i in range(size):
                for j in range(size):
                    want = bias[most + max(-most, min(most, i - j))]
                    told = f"for D = {most} and {size} words entry ({i}, {j}) is another one"
                    assert torch.allclose(got[i, j], want), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5. An experiment: what can it see?
#
# *About 30 minutes, ★★☆.*
#
# Does the verdict of a model depend on the order of words? Find out by experiment, not by thought.
#
# `share_moved(model, pairs, seed)` shuffles the *hypothesis* of each pair and returns the share of
# pairs whose logits move by more than $10^{-4}$ in any class.
#
# - `model(premise, hypothesis)` takes two lists of word ids and returns three logits as a list.
# - `pairs` is a list of pairs of such lists. A hypothesis of one word, or of words that are all the
#   same, cannot be shuffled: such pairs are left out of the share. A shuffle that changes nothing
#   is no shuffle: draw again.
# - The same `seed` gives the same result. Use `random.Random(seed)`.
#
# Then `finding()` returns your answer: `{"plain": ..., "intra": ..., "why": ...}`, with the shares
# that you measured for the library's model without and with intra-sentence attention (the cell
# below makes them), and a reason in your own words, 20 words or more: why can the one not see
# order, and what in the other can?
#
# <details><summary>Hint</summary>
#
# Compare the two lists of words to see whether a shuffle has changed anything, and draw again if
# it has not. Which hypotheses can never change? They must not be counted, nor stop the loop.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def as_function(net):
    """A library model as a function of two lists of ids."""

    def model(premise, hypothesis):
        inputs = []
        for ids in (premise, hypothesis):
            row = torch.tensor([ids])
            inputs += [row, torch.ones_like(row, dtype=torch.bool)]
        with torch.no_grad():
            return net(*inputs)[0].tolist()

    return model


def make_models():
    """The library's model without and with intra-sentence attention, with first weights."""
    models = []
    for intra in (False, True):
        rng = torch.Generator().manual_seed(1)
        net = Decomposable(DecomposableConfig(30, 8, 16, intra=intra), rng).eval().double()
        if intra:
            torch.nn.init.normal_(net.intra.bias.weight, std=2.0, generator=rng)
        models.append(as_function(net))
    return models


def share_moved(model, pairs, seed):
    """The share of pairs whose verdict moves when the hypothesis is shuffled."""
    # BEGIN SOLUTION
    draw, moved, tried = random.Random(seed), 0, 0
    for premise, hypothesis in pairs:
        if len(set(hypothesis)) < 2:
            continue
        shuffled = list(hypothesis)
        while shuffled == list(hypothesis):
            draw.shuffle(shuffled)
        before, after = model(premise, list(hypothesis)), model(premise, shuffled)
        moved += max(abs(x - y) for x, y in zip(before, after, strict=True)) > 1e-4
        tried += 1
    return moved / tried
    # END SOLUTION


def finding():
    """What you found: two shares, and why."""
    # BEGIN SOLUTION
    return {
        "plain": 0.0,
        "intra": 1.0,
        "why": "Every step of the plain model treats words one by one and then adds them up, "
        "and a sum does not know the order of its terms. Only the bias of distance in the "
        "intra-sentence attention depends on positions.",
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


def test_what_is_counted(share_moved):
    """A model that looks at the first word, and one that counts words."""

    def first(premise, hypothesis):
        return [float(hypothesis[0]), 0.0, 0.0]

    def bag(premise, hypothesis):
        return [float(sum(hypothesis)), 0.0, 0.0]

    pairs = [([1], [1, 2]), ([1], [3, 4]), ([2], [5, 6])]
    got = share_moved(bag, pairs, 0)
    assert isinstance(got, float), f"want a share as a float, got {type(got).__name__}"
    told = f"a model that adds up ids sees no order: want 0.0, got {got}"
    assert got == 0.0, told
    got = share_moved(first, pairs, 0)
    told = f"two words have one other order, so the first word changes: want 1.0, got {got}."
    if got == 0:
        told += " Do you shuffle the hypothesis, and give the shuffled one to the model?"
    elif got < 1:
        told += " A shuffle that changes nothing is no shuffle: draw again until it does."
    assert got == 1.0, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_what_cannot_be_shuffled(share_moved):
    """Pairs that have only one order are left out of the share."""

    def first(premise, hypothesis):
        return [float(hypothesis[0]), 0.0, 0.0]

    pairs = [([1], [1, 2]), ([1], [3]), ([2], [5, 5])]
    try:
        got = share_moved(first, pairs, 0)
    except Exception as error:
        told = f"share_moved stopped with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = (
        f"of three pairs one can be shuffled, and it moves: want 1.0, got {got:.2f}. Hypotheses of "
        "one word, or of one word again and again, are left out of the share"
    )
    assert got == 1.0, told
    kept = [([1], [1, 2])]
    share_moved(first, kept, 0)
    assert kept == [([1], [1, 2])], "your function shuffles the list that it was given: copy it"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Another model, another seed."
"""  # END TEST CONFIG


def test_another_model(share_moved):
    """A model that moves only if the premise says so; a small move is none; seeds repeat."""

    def model(premise, hypothesis):
        return [0.0, float(hypothesis[0]) * premise[0], 0.0]

    pairs = [([1], [1, 2]), ([0], [1, 2]), ([0], [3, 4]), ([1], [3, 4])]
    assert share_moved(model, pairs, 3) == 0.5, "half of the pairs move here"

    def hardly(premise, hypothesis):
        return [1e-6 * hypothesis[0], 0.0, 0.0]

    assert share_moved(hardly, pairs, 3) == 0.0, "a move of less than 1e-4 is none"
    longer = [([1], list(range(7)))] * 9

    def some(premise, hypothesis):
        return [float(hypothesis[0] > 2), 0.0, 0.0]

    told = "the same seed should give the same share"
    assert share_moved(some, longer, 5) == share_moved(some, longer, 5), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "What you found, and a reason of 20 words or more."
"""  # END TEST CONFIG


def test_finding(finding):
    """Two shares and a reason."""
    got = finding()
    told = "finding() should return a dictionary with plain, intra and why"
    assert isinstance(got, dict), told
    assert {"plain", "intra", "why"} <= set(got), told
    plain, intra = got["plain"], got["intra"]
    told = f"without intra-sentence attention no verdict moves; you found {plain}"
    assert abs(float(plain)) < 1e-9, told
    assert float(intra) > 0.8, f"with it most verdicts move; you found {intra}"
    words = len(str(got["why"]).split())
    assert isinstance(got["why"], str), f"want 20 words or more, got {words}"
    assert words >= 20, f"want 20 words or more, got {words}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it.** Run this when the check passes: your experiment on the two models, with made-up
# sentences.

# %%
rng = random.Random(0)
made = [
    ([rng.randrange(4, 30) for _ in range(6)], [rng.randrange(4, 30) for _ in range(5)])
    for _ in range(50)
]
plain, intra = make_models()
print("without intra-sentence attention:", share_moved(plain, made, 0))
print("with intra-sentence attention:", share_moved(intra, made, 0))

# %% [markdown]
# **Try it: the finale of part II.** The network of chapter 7 comes with trained weights. Here
# *your* `partners` and `aggregate` are called between its layers, and it judges two sentences of
# your own: does the second follow from the first, contradict it, or neither? The map shows where
# each word of the second sentence looks. If the network has not learned one of your words, the cell
# names it and lists the words that you can use.
#
# Answer questions 1 and 2 first. While one of their functions is still `...`, the cell stops and
# tells you which.

# %%
premise, hypothesis = "two doctors rescue a small dog .", "two doctors rescue an animal ."

require_written(partners, aggregate)
model, (start, *vocabulary) = in_page.load()
known = WordVocabulary(vocabulary)
first, second = known_words(premise, known), known_words(hypothesis, known)
a_ids, mask_a, b_ids, mask_b = in_page.inputs_of([start, *vocabulary], first, second)
a, b = model.represent(a_ids, mask_a), model.represent(b_ids, mask_b)
e = model.attend(a) @ model.attend(b).mT
beta, alpha = partners(e, a, b, mask_a, mask_b)


def with_contrast(pairs):
    """G of this network also sees the difference and the product of a word and its partner."""
    x, y = pairs.chunk(2, dim=-1)
    return model.compare(torch.cat([x, y, x - y, x * y], dim=-1))


sums = aggregate(with_contrast, a, beta, mask_a), aggregate(with_contrast, b, alpha, mask_b)
shares = model.verdict(model.aggregate(torch.cat(sums, dim=-1)))[0].softmax(dim=-1)
print(*(f"{label} {share:.2f}" for label, share in zip(LABELS, shares, strict=True)), sep=", ")
# An average of one-hot vectors is the list of its weights.
looks = partners(e, *(torch.eye(x.shape[1])[None] for x in (a, b)), mask_a, mask_b)[1][0].detach()
names = {"source_name": "premise", "target_name": "hypothesis"}
attention_map(looks, [start, *first], [start, *second], **names)

# %% [markdown]
# You have now built attention that stands alone, and seen what it pays: order. Chapter 8 lets a
# sentence attend to itself, and gives it positions.
