# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw03_alignment
# init_cell: true
# check_all_cell: true
# export_cell:
#   pdf: false
#   run_tests: true
#   force_save: false
#   ignore_log: true
# show_question_points: true
# tests:
#   files: true
#   ok_format: false
# generate:
#   pdf: false
#   show_stdout: false
#   show_hidden: false
# solutions_pdf: false
# template_pdf: false

# %% [markdown]
# # Homework 3: Which word came from which
#
# Chapter 3 counted with dictionaries, one sentence after the other. Here you build IBM Model 1 once
# more, with `NULL`, on whole batches of padded sentences. Afterwards you will have
#
# - the posterior, the expected counts and the M-step as a few tensor operations without a loop over
#   words;
# - the log-likelihood of a corpus, and an EM loop that it watches over;
# - links, and the error rate that judges them in the form in which annotators' files come;
# - EM in which places have a say, and with it an aligner that beats the chapter's intersection.
#
# **How to work.** Run the cells in order. Replace each `...` by your code; you may add functions of
# your own beside it. `grader.check("q1")` runs the public tests of question 1, as often as you
# like. The public tests are not all tests. Hidden tests, run when your work is graded, look at
# other sentences and other sizes, at words that stand twice, at padding that holds real word ids,
# at sentences of several hundred words, at rows where nothing can be normalised, and compare with
# `course_lib`. They call your functions as described in the question and with nothing else, so let
# a function use only what it is given. A function leaves what it is given as it is: it returns
# something new. Each question says which equation it is about; the letters are those of the chapter
# and of the page on notation.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# There are 20 points and no training that takes longer than a second or two. Plan for about
# two and a half hours. The last question is open-ended.

# %%
import torch

from course_lab.experiments.alignment import links as alignment

# %% [markdown]
# ## A corpus as tensors
#
# Words become numbers. The cell below is given. It turns sentence pairs into padded tensors:
#
# | name | shape | what it holds |
# |---|---|---|
# | `x` | (B, S) | source words. Ids start at 1: 0 is the id of `NULL`, which stands nowhere |
# | `y` | (B, T) | target words, ids from 0 |
# | `x_mask`, `y_mask` | (B, S), (B, T) | boolean, `True` = a real word, `False` = padding |
# | `size` | (E, F) | how many different source words (with `NULL`) and target words there are |
#
# S and T are the lengths of the longest sentences of the batch. What stands in `x` and `y` under a
# `False` is *some* valid id and means nothing. A translation table is a tensor `t` of shape (E, F)
# with `t[e, f]` $= t(f \mid e)$, in double precision (`torch.float64`). Each row sums to one; row 0
# is `NULL`'s. So the row comes first, as in the chapter's printed tables; the keys of its
# dictionaries were `(f, e)`. Some functions have the chapter's names and other arguments:
# `expected_counts` is given the posteriors, and `m_step` is the chapter's `normalise`.


# %%
def pack(pairs):
    """Sentence pairs (lists of words) as x, y, x_mask, y_mask, size, and both vocabularies."""
    english, german = {None: 0}, {}
    x = [[english.setdefault(w, len(english)) for w in source] for source, _ in pairs]
    y = [[german.setdefault(w, len(german)) for w in target] for _, target in pairs]
    padded = []
    for rows in (x, y):
        width = max(map(len, rows))
        ids = torch.tensor([row + [0] * (width - len(row)) for row in rows])
        real = torch.arange(width) < torch.tensor([[len(row)] for row in rows])
        padded.append((ids, real))
    (x, x_mask), (y, y_mask) = padded
    return x, y, x_mask, y_mask, (len(english), len(german)), (list(english), list(german))


pairs = [
    (["he", "laughs"], ["er", "lacht"]),
    (["she", "laughs"], ["sie", "lacht"]),
    (["today", "he", "waits"], ["heute", "wartet", "er"]),
]
x, y, x_mask, y_mask, size, words = pack(pairs)
print(x)
print(x_mask)
print(size, words[0])

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1: Who wrote it
#
# *About 25 minutes, ★★☆.*
#
# Write `posterior(t, x, y, x_mask, y_mask)`. For each target word it gives the probability that
# each source word, or `NULL`, wrote it (the chapter's section *IBM Model 1*):
#
# $$\alpha_{ij} = \frac{t(y_i \mid x_j)}{\sum_{k=0}^{S} t(y_i \mid x_k)}$$
#
# The sum runs over the real words of *this* sentence and over `NULL`. The result has shape
# `(B, T, S + 1)`. Column $j = 0$ is `NULL`'s (the library puts it last), column $j$ is that of the
# $j$-th source word. Three kinds of entries are zero: columns of padding, rows of padding, and the
# whole row of a target word that neither a word of the sentence nor `NULL` can write. Nothing is
# NaN.
#
# **Example.** A table for `NULL`, *he*, *laughs* and for *er*, *lacht*:
#
# ```
# t = [[0.2, 0.8],     NULL
#      [0.6, 0.4],     he
#      [0.2, 0.8]]     laughs
# ```
#
# For "he laughs", "er lacht" the numerators are 0.2, 0.6, 0.2 (sum 1) and 0.8, 0.4, 0.8 (sum 2), so
# the rows are 0.2, 0.6, 0.2 and 0.4, 0.2, 0.4. For "he", "er" in the same batch, padded to two
# words on both sides, they are 0.25, 0.75, 0 and 0, 0, 0.
#
# <details><summary>First hint</summary>
#
# Two index tensors that broadcast against each other read a whole table of entries from `t` at
# once.
#
# </details>
#
# <details><summary>Second hint</summary>
#
# Hide the padding before you divide, because a sum must not count it. Then look at the rows whose
# sum is zero.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def posterior(t, x, y, x_mask, y_mask):
    """The posterior of IBM Model 1 with NULL.

    t: (E, F) table; x: (B, S) and y: (B, T) word ids; x_mask, y_mask: True = a real word.
    Returns (B, T, S + 1), column 0 for NULL.
    """
    # BEGIN SOLUTION
    null = torch.zeros_like(x[:, :1])
    writers = torch.cat([null, x], dim=1)
    real = torch.cat([torch.ones_like(x_mask[:, :1]), x_mask], dim=1)
    weights = t[writers[:, None, :], y[:, :, None]]
    weights = weights * (real[:, None, :] & y_mask[:, :, None])
    totals = weights.sum(dim=-1, keepdim=True)
    return torch.where(totals > 0, weights / totals, 0.0)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_q1_shape(posterior):
    import torch

    t = torch.full((4, 6), 1 / 6, dtype=torch.float64)
    x, y = torch.tensor([[1, 2, 3], [3, 1, 1]]), torch.tensor([[0, 1, 2, 3, 5], [4, 4, 0, 0, 0]])
    x_mask, y_mask = torch.ones(2, 3).bool(), torch.ones(2, 5).bool()
    out = posterior(t, x, y, x_mask, y_mask)
    is_tensor = isinstance(out, torch.Tensor)
    got = tuple(out.shape) if is_tensor else out
    assert got != (2, 5, 3), (
        "want a tensor of shape (2, 5, 4), got (2, 5, 3): there is a column for each source word, "
        "but who writes the words that no source word accounts for? NULL needs a column as well"
    )
    assert got == (2, 5, 4), f"want a tensor of shape (B, T, S + 1) = (2, 5, 4), got {got}"
    assert out.dtype == torch.float64, f"want the table's dtype torch.float64, got {out.dtype}"
    other = t.clone()
    other[1] = torch.tensor([0.5, 0.1, 0.1, 0.1, 0.1, 0.1])
    same = torch.equal(out, posterior(other, x, y, x_mask, y_mask))
    assert not same, "the shape is right, but another table changes nothing"


# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_q1_example(posterior):
    import torch

    t = torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.2, 0.8]], dtype=torch.float64)
    x, y = torch.tensor([[1, 2], [1, 0]]), torch.tensor([[0, 1], [0, 0]])
    mask = torch.tensor([[True, True], [True, False]])
    out = posterior(t, x, y, mask, mask)
    want = torch.tensor(
        [[[0.2, 0.6, 0.2], [0.4, 0.2, 0.4]], [[0.25, 0.75, 0.0], [0.0, 0.0, 0.0]]],
        dtype=torch.float64,
    )

    def same(a, b):
        return torch.allclose(a, b, rtol=1e-6, atol=1e-9)

    first = out[0]
    weights = torch.tensor([[0.2, 0.6, 0.2], [0.8, 0.4, 0.8]], dtype=torch.float64)
    assert not same(first, weights / weights.sum(0)), (
        "each row of the posterior should sum to one over the writers j; yours sums to one over "
        "the target words i: over which letter does the sum in the denominator run?"
    )
    assert not same(first, weights.softmax(-1)), (
        "you took a softmax of the probabilities: entries of t are probabilities already, not "
        "scores, so nothing is to be exponentiated before dividing"
    )
    assert not same(first, weights), "these are the numerators alone; a row should sum to one"
    assert not same(
        first, weights * torch.tensor([0.0, 1.0, 1.0]) / weights[:, 1:].sum(1)[:, None]
    ), "column 0 is all zero: NULL offers t[0, f] for every target word and takes part in the sum"
    assert not same(first, want[0].roll(-1, 1)), (
        "NULL is in your last column, as in the library; here it is wanted in column 0"
    )
    assert same(first, want[0]), (
        f"example, first sentence: want {want[0].tolist()}, got {first.tolist()}"
    )
    assert not bool(out.isnan().any()), (
        "there is NaN in the second sentence: a target word of padding has nothing to divide, "
        "and zero by zero is not a number. Such a row should be all zero"
    )
    assert float(out[1, 0, 2]) == 0.0, (
        "second sentence of the example: a column of padding has weight. Padding is no writer: "
        "where does x_mask come in?"
    )
    assert not same(out[1, 0, :2], torch.tensor([0.2, 0.6], dtype=torch.float64)), (
        "second sentence of the example: the row sums to 0.8 and not to one. The share of padding "
        "has been taken away, but not given to those who remain: in which order do you mask and "
        "divide?"
    )
    assert float(out[1, 1].abs().sum()) == 0.0, (
        f"second sentence of the example: the row of a padded target word should be all zero, got "
        f"{out[1, 1].tolist()}: where does y_mask come in?"
    )
    assert same(out, want), f"example: want {want.tolist()}, got {out.tolist()}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random sentences against course_lib: repeated words, padding with real ids."
"""  # END TEST CONFIG


def test_q1_library(posterior):
    import torch

    from course_lib.alignment.ibm1 import IBMModel1

    for seed in range(5):
        torch.manual_seed(seed)
        t = torch.rand(7, 9, dtype=torch.float64).pow(3)
        t = t / t.sum(1, keepdim=True)
        x, y = torch.randint(1, 7, (4, 8)), torch.randint(0, 9, (4, 6))
        lengths = torch.tensor([[8, 6], [5, 6], [1, 3], [8, 1]])
        x_mask = torch.arange(8) < lengths[:, :1]
        y_mask = torch.arange(6) < lengths[:, 1:]
        rows = [{str(f): v for f, v in enumerate(row)} for row in t.tolist()]
        model = IBMModel1({str(e) if e else None: row for e, row in enumerate(rows)}, ())
        out = posterior(t, x, y, x_mask, y_mask)
        want = torch.zeros(4, 6, 9, dtype=torch.float64)
        merged = torch.zeros(4, 6, 9, dtype=torch.float64)
        for b, (s, n) in enumerate(lengths.tolist()):
            source, target = map(str, x[b, :s].tolist()), map(str, y[b, :n].tolist())
            part = torch.as_tensor(model.posterior(list(source), list(target))).roll(1, 1)
            want[b, :n, : s + 1] = part
            times = (x[b, :s, None] == x[b, None, :s]).sum(1)
            shared = part / torch.cat([torch.ones(1, dtype=torch.float64), times.double()])
            merged[b, :n, : s + 1] = shared / shared.sum(1, keepdim=True)
        assert out.shape == want.shape, f"want the shape (4, 6, 9), got {tuple(out.shape)}"
        pad = out[:, :, 1:][(~x_mask)[:, None, :].expand(4, 6, 8)]
        assert float(pad.abs().sum()) == 0.0, (
            "padding has weight where it holds the id of a real word: only the mask says what is "
            "padding, the id does not"
        )
        assert not torch.allclose(out, merged, rtol=1e-6, atol=1e-9), (
            "a source word that stands twice is two writers, and each offers its whole t(f | e); "
            "yours share one offer"
        )
        sums, real = out.sum(-1), y_mask.double()
        assert torch.allclose(sums, real, rtol=1e-6, atol=1e-9), (
            "in sentences of different lengths each row of a real target word should sum to one "
            "and each row of padding to zero; your rows sum to "
            f"{[round(s, 3) for s in sums[2].tolist()]} where {real[2].tolist()} is wanted"
        )
        assert torch.allclose(out, want, rtol=1e-6, atol=1e-9), (
            "random sentences: your posterior differs from course_lib's by up to "
            f"{float((out - want).abs().max()):.3g}"
        )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Target words that nobody can write, and entries of very different size."
"""  # END TEST CONFIG


def test_q1_nobody(posterior):
    import torch

    t = torch.tensor([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]], dtype=torch.float64)
    x, y = torch.tensor([[1], [2]]), torch.tensor([[2, 1], [2, 0]])
    x_mask, y_mask = torch.ones(2, 1).bool(), torch.ones(2, 2).bool()
    out = posterior(t, x, y, x_mask, y_mask)
    assert not bool(out.isnan().any()), (
        "there is NaN: a target word that nobody can write has a denominator of zero; its row "
        "should be all zero"
    )
    assert float(out[0, 0].abs().sum()) == 0.0, (
        f"a target word that nobody can write should have a row of zeros, got {out[0, 0].tolist()}"
    )
    want = torch.tensor([[[0, 0], [0, 1]], [[0, 1], [2 / 3, 1 / 3]]], dtype=torch.float64)
    assert torch.allclose(out, want), f"want {want.tolist()}, got {out.tolist()}"

    tiny = torch.tensor([[1e-13], [3e-13]], dtype=torch.float64)
    one = torch.ones(1, 1).bool()
    out = posterior(tiny, torch.tensor([[1]]), torch.tensor([[0]]), one, one)
    assert torch.allclose(out, torch.tensor([[[0.25, 0.75]]], dtype=torch.float64)), (
        "entries of 1e-13 and 3e-13 should give the posteriors 0.25 and 0.75, got "
        f"{out.flatten().tolist()}: a constant that you add to the denominator, or a floor under "
        "it, is large beside rare words"
    )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2: Count, and divide
#
# *About 20 minutes, ★★☆.*
#
# Two functions, the two halves of an iteration (the same section, and *By hand*). The first has the
# posteriors already:
#
# - `expected_counts(alpha, x, y, size)`: the expected counts $n(f, e)$, the sum of $\alpha_{ij}$
#   over all places of all sentences where $y_i$ is the word $f$ and $x_j$ is the word $e$. Shape
#   (E, F), with $n(f, e)$ in row $e$, as in the table. `alpha` is what question 1 gives, of shape
#   `(B, T, S + 1)`, so it is zero wherever there is padding.
# - `m_step(n)`: the new table, of shape (E, F),
#
# $$t(f \mid e) = \frac{n(f, e)}{n(e)}, \qquad n(e) = \sum_{f'} n(f', e)$$
#
# A word that wrote nothing, $n(e) = 0$, keeps a row of zeros.
#
# **Example.** The chapter's three pairs from the table that is 1/5 everywhere, without `NULL`: let
# `alpha` be 0 in its column, 1/2 everywhere else in pairs 1 and 2, and 1/3 in pair 3. Then
# $n(\text{er}, \text{he}) = 1/2 + 1/3 = 5/6$, all counts together make 7, and the new
# $t(\text{er} \mid \text{he})$ is 5/12.
#
# <details><summary>Hint</summary>
#
# Many places of the batch go to the same entry of $n$. Try on a vector of zeros what
# `v[torch.tensor([2, 2])] += 1` does, before you rely on it. PyTorch's documentation knows three
# ways that do add: `index_put`, `scatter_add` and `bincount`.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def expected_counts(alpha, x, y, size):
    """The expected counts n(f, e) of a batch.

    alpha: (B, T, S + 1) posteriors, column 0 for NULL; x: (B, S), y: (B, T) word ids; size: E, F.
    Returns (E, F), row 0 for NULL.
    """
    # BEGIN SOLUTION
    writers = torch.cat([torch.zeros_like(x[:, :1]), x], dim=1)
    e = writers[:, None, :].expand(alpha.shape)
    f = y[:, :, None].expand(alpha.shape)
    n = alpha.new_zeros(tuple(size))
    return n.index_put((e, f), alpha, accumulate=True)
    # END SOLUTION


def m_step(n):
    """The table (E, F) that expected counts n (E, F) make; zeros where a word wrote nothing."""
    # BEGIN SOLUTION
    total = n.sum(dim=1, keepdim=True)
    return torch.where(total > 0, n / total, 0.0)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_q2_shape(expected_counts, m_step):
    import torch

    alpha = torch.full((2, 4, 3), 1 / 3, dtype=torch.float64)
    x, y = torch.tensor([[1, 2], [3, 1]]), torch.tensor([[0, 1, 2, 3], [4, 5, 6, 0]])
    n = torch.ones(4, 7, dtype=torch.float64)
    for name, out, other in (
        (
            "expected_counts",
            expected_counts(alpha, x, y, (4, 7)),
            expected_counts(alpha / 2, x, y, (4, 7)),
        ),
        ("m_step", m_step(n), m_step(n.cumsum(0) + n.cumsum(1) ** 2)),
    ):
        got = tuple(out.shape) if isinstance(out, torch.Tensor) else out
        assert got == (4, 7), f"{name}: want a tensor of shape (E, F) = (4, 7), got {got}"
        assert out.dtype == torch.float64, f"{name}: want torch.float64, got {out.dtype}"
        says = f"{name}: the shape is right, but another first argument changes nothing"
        assert not torch.equal(out, other), says


# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_q2_example(expected_counts, m_step):
    import torch

    x = torch.tensor([[1, 2, 0], [3, 2, 0], [4, 1, 5]])
    y = torch.tensor([[0, 1, 0], [2, 1, 0], [3, 4, 0]])
    alpha = torch.zeros(3, 3, 4, dtype=torch.float64)
    alpha[:2, :2, 1:3] = 1 / 2
    alpha[2, :, 1:] = 1 / 3
    h, d = 1 / 2, 1 / 3
    want = torch.tensor(
        [
            [0, 0, 0, 0, 0],
            [h + d, h, 0, d, d],
            [h, 1, h, 0, 0],
            [0, h, h, 0, 0],
            [d, 0, 0, d, d],
            [d, 0, 0, d, d],
        ],
        dtype=torch.float64,
    )
    n = expected_counts(alpha, x, y, (6, 5))
    total = float(n.sum())
    assert total > 7 - 1e-6 or float(n.max()) > 0.9, (
        f"example: all counts together make {total:.3f} and should make 7. Where a place stands in "
        "your index several times, does the sum take each of them, or the last one only?"
    )
    assert abs(total - 7) < 1e-6, (
        f"example: all counts together make {total:.3f} and should make 7, the number of German "
        "words: each is handed out once"
    )
    last = torch.tensor(
        [[h + d, 1, h, d, d], [d, 0, 0, d, d], [h, 1, h, 0, 0], [0] * 5, [0] * 5, [d, 0, 0, d, d]],
        dtype=torch.float64,
    )
    says = "column 0 of alpha is NULL's; you give it to the first source word, and the last to NULL"
    assert not torch.allclose(n, last), says
    shifted = any(torch.allclose(n, want.roll(k, 0)) for k in (1, -1))
    assert not shifted, "the rows are shifted by one: which row of n belongs to column 0 of alpha?"
    assert torch.allclose(n, want), f"example: want the chapter's table of counts, got {n.tolist()}"

    t = m_step(want)
    assert not bool(t.isnan().any()), (
        "m_step gives NaN for a word that wrote nothing; such a word keeps a row of zeros"
    )
    over_e = want / want.sum(0)
    assert not torch.allclose(t, over_e), (
        "t(f | e) should sum to one over f, for each e; yours sums to one over the source words "
        "e: which word does n(e) belong to, and what is summed?"
    )
    assert not torch.allclose(t, want / 7), (
        "you divide all counts by one number; each source word e has an n(e) of its own"
    )
    rows = t.sum(1).tolist()
    assert rows[0] == 0.0, "m_step: a word that wrote nothing should keep a row of zeros"
    assert all(abs(r - 1) < 1e-6 for r in rows[1:]), (
        f"the rows of t should sum to one, got {rows[1:]}"
    )
    assert abs(float(t[1, 0]) - 5 / 12) < 1e-9, f"t(er | he): want 5/12, got {float(t[1, 0])}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Counts of random sentences against course_lib: NULL, repeated words, padding."
"""  # END TEST CONFIG


def test_q2_counts(expected_counts):
    import torch

    from course_lib.alignment.ibm1 import IBMModel1

    for seed in range(4):
        torch.manual_seed(seed)
        x, y = torch.randint(1, 6, (5, 7)), torch.randint(0, 6, (5, 4))
        lengths = [(7, 4), (3, 4), (1, 1), (6, 2), (2, 4)]
        pairs = [
            (list(map(str, x[b, :s].tolist())), list(map(str, y[b, :n].tolist())))
            for b, (s, n) in enumerate(lengths)
        ]
        model = IBMModel1.fit(pairs, seed)
        alpha = torch.zeros(5, 4, 8, dtype=torch.float64)
        want = torch.zeros(6, 6, dtype=torch.float64)
        for b, (source, target) in enumerate(pairs):
            part = torch.as_tensor(model.posterior(source, target)).roll(1, 1)
            alpha[b, : len(target), : len(source) + 1] = part
            for f, row in zip(target, part, strict=True):
                for e, share in zip(["0", *source], row, strict=True):
                    want[int(e), int(f)] += share
        before = alpha.clone()
        n = expected_counts(alpha, x, y, (6, 6))
        assert torch.equal(alpha, before), "expected_counts changes the alpha that it is given"
        assert float(n[0].sum()) > 0, (
            "row 0 is all zero: NULL's expected counts are column 0 of alpha, and they are missing"
        )
        assert not torch.allclose(n, want.T) or torch.allclose(want, want.T), (
            "your counts are turned: row e, column f is wanted, as in the table"
        )
        again = expected_counts(alpha, x, y, (6, 6))
        assert torch.allclose(n, again), (
            "called twice on the same batch the counts differ: each call has to begin at zero"
        )
        total, right = float(n.sum()), float(want.sum())
        says = (
            f"random sentences: all counts make {total:.4f}, wanted {right:.4f}; one entry differs "
            f"by {float((n - want).abs().max()):.3g}"
        )
        if abs(total - right) > 1e-6:
            says += ". Words that stand twice in a sentence count twice"
        assert torch.allclose(n, want, rtol=1e-6, atol=1e-9), says


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "The M-step on rare words, words that wrote nothing, and against course_lib."
"""  # END TEST CONFIG


def test_q2_m_step(m_step):
    import torch

    from course_lib.alignment.ibm1 import IBMModel1

    n = torch.tensor([[0.1, 0.3, 0.0], [0.0, 0.0, 0.0], [3e6, 1e6, 0.0]], dtype=torch.float64)
    t = m_step(n)
    assert not bool(t.isnan().any()), (
        "NaN in the row of a word that wrote nothing; zeros are wanted"
    )
    assert float(t[1].abs().sum()) == 0.0, (
        f"a word that wrote nothing: want zeros, got {t[1].tolist()}"
    )
    assert torch.allclose(t[0], torch.tensor([0.25, 0.75, 0.0], dtype=torch.float64)), (
        f"a row with counts 0.1 and 0.3 should become 0.25 and 0.75, got {t[0].tolist()}: expected "
        "counts may well be smaller than one"
    )
    tiny = m_step(n * 1e-12)
    assert torch.allclose(tiny[0], t[0]), (
        "counts of 1e-13 and 3e-13 should become 0.25 and 0.75, too, got "
        f"{tiny[0].tolist()}: a constant in the denominator, or a floor under it, spoils rare words"
    )
    pairs = [(["1", "2", "1"], ["0", "1", "2"]), (["2"], ["1", "1"]), (["3", "1"], ["2", "3"])]
    old, new = IBMModel1.fit(pairs, 2), IBMModel1.fit(pairs, 3)
    n, want = torch.zeros(4, 4, dtype=torch.float64), torch.zeros(4, 4, dtype=torch.float64)
    for source, target in pairs:
        for f, row in zip(target, old.posterior(source, target), strict=True):
            for e, share in zip([*source, "0"], row, strict=True):
                n[int(e), int(f)] += float(share)
    for e, row in new.table.items():
        for f, value in row.items():
            want[int(e or 0), int(f)] = value
    before = n.clone()
    assert torch.allclose(m_step(n), want), "the third iteration differs from course_lib's"
    assert torch.equal(n, before), "m_step changes the counts that it is given"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 4

# %% [markdown]
# ## Question 3: EM, and its watchdog
#
# *About 25 minutes, ★★☆.*
#
# `log_likelihood(t, x, y, x_mask, y_mask)`: the natural logarithm of the probability of *all*
# target sentences of the batch, as one number, with $\varepsilon = 1$ (the section *IBM Model 1*
# again):
#
# $$p(y \mid x) = \frac{1}{(S+1)^T} \prod_{i=1}^{T} \; \sum_{j=0}^{S} t(y_i \mid x_j)$$
#
# $S$ and $T$ are the lengths of the sentence in question, without padding. If a target word cannot
# be written by anybody, the result is $-\infty$. Sentences may be long; the probability itself may
# be too small for a floating-point number, its logarithm is not.
#
# `fit(x, y, x_mask, y_mask, size, iterations)`: EM from the table that is $1/F$ everywhere. It
# returns two things: the table after the last iteration, and a list of `iterations + 1` numbers,
# the log-likelihood before the first iteration and after each one. Use your functions of questions
# 1 and 2. The chapter proves (in the fold *the proof*) that the list never falls: should yours
# fall, stop and look.
#
# **Example.** With the table and the two sentence pairs of question 1 the log-likelihood is
# $\log\frac{1}{3} + \log\frac{2}{3} + \log\frac{0.8}{2} = -2.420$.
#
# <details><summary>Hint</summary>
#
# Take the logarithm of the equation on paper. Does it pass through the product, through the sum,
# or through both? Then ask which $S$ a short sentence of a padded batch has.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def log_likelihood(t, x, y, x_mask, y_mask):
    """log p of all target sentences given their sources: one number. Shapes as in question 1."""
    # BEGIN SOLUTION
    writers = torch.cat([torch.zeros_like(x[:, :1]), x], dim=1)
    real = torch.cat([torch.ones_like(x_mask[:, :1]), x_mask], dim=1)
    weights = t[writers[:, None, :], y[:, :, None]] * real[:, None, :]
    average = weights.sum(dim=-1) / real.sum(dim=1, keepdim=True)
    return average[y_mask].log().sum().item()
    # END SOLUTION


def fit(x, y, x_mask, y_mask, size, iterations):
    """The table (E, F) after EM, and the list of iterations + 1 log-likelihoods."""
    # BEGIN SOLUTION
    batch = x, y, x_mask, y_mask
    t = torch.full(tuple(size), 1 / size[1], dtype=torch.float64)
    values = [log_likelihood(t, *batch)]
    for _ in range(iterations):
        t = m_step(expected_counts(posterior(t, *batch), x, y, size))
        values.append(log_likelihood(t, *batch))
    return t, values
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_q3_shape(log_likelihood, fit):
    import torch

    t = torch.full((3, 4), 0.25, dtype=torch.float64)
    x, y = torch.tensor([[1, 2], [2, 1]]), torch.tensor([[0, 1, 2], [3, 3, 0]])
    x_mask, y_mask = torch.ones(2, 2).bool(), torch.ones(2, 3).bool()
    out = log_likelihood(t, x, y, x_mask, y_mask)
    if isinstance(out, torch.Tensor):
        got, good = f"a tensor of shape {tuple(out.shape)}", out.dim() == 0
    else:
        got, good = out, isinstance(out, float)
    assert good, (
        "log_likelihood: want one number for the whole batch (a float, or a tensor of shape ()), "
        f"got {got}"
    )
    other = log_likelihood(t / 2, x, y, x_mask, y_mask)
    says = "log_likelihood: with half of every probability it is the same"
    assert float(out) != float(other), says
    out = fit(x, y, x_mask, y_mask, (3, 4), 2)
    good = isinstance(out, (tuple, list)) and len(out) == 2
    assert good, f"fit: want two things, the table and a list of numbers, got {out}"
    table, values = out
    got = tuple(table.shape) if isinstance(table, torch.Tensor) else table
    assert got == (3, 4), f"fit: want a table of shape (E, F) = (3, 4), got {got}"
    says = f"fit: want a table in double precision (torch.float64), got {table.dtype}"
    assert table.dtype == torch.float64, says + ": of which type is the uniform table?"
    kind = type(values).__name__
    says = f"fit: want a list of iterations + 1 = 3 log-likelihoods, got {kind}"
    assert isinstance(values, (list, tuple)), says
    assert len(values) == 3, (
        "fit: want a list of iterations + 1 = 3 log-likelihoods, before the first iteration and "
        f"after each, got {len(values)}"
    )
    other, _ = fit(x, y.clamp(max=2), x_mask, y_mask, (3, 4), 2)
    says = "fit: the shapes are right, but other words in y leave the table as it was"
    assert not torch.equal(table, other), says


# %%
""" # BEGIN TEST CONFIG
points: 0.75
"""  # END TEST CONFIG


def test_q3_example(log_likelihood):
    import math

    import torch

    t = torch.tensor([[0.2, 0.8], [0.6, 0.4], [0.2, 0.8]], dtype=torch.float64)
    x, y = torch.tensor([[1, 2], [1, 2]]), torch.tensor([[0, 1], [0, 0]])
    mask = torch.tensor([[True, True], [True, False]])
    got = float(log_likelihood(t, x, y, mask, mask))

    def near(value):
        return abs(got - value) < 1e-6

    one, two, three = math.log(1.0), math.log(2.0), math.log(0.8)
    assert not near(one + two + three), (
        f"example: got {got:.3f}, which leaves out the choice of the positions: each of the T "
        "target words chooses one of how many writers?"
    )
    assert not near(one + two + three - 3 * math.log(2) + math.log(2)), (
        f"example: got {got:.3f}, as if a target word chose among S writers: who else may write it?"
    )
    assert not near(one + two + three - 3 * math.log(3)), (
        f"example: got {got:.3f}, with the padded length for S: the second sentence has one source "
        "word"
    )
    assert not near(one + two - 2 * math.log(3)), (
        f"example: got {got:.3f}, the value of the first sentence alone"
    )
    logs = t.log()[torch.tensor([0, 1, 2])].sum(0)
    inside_out = float(logs.sum() + t[:2, 0].log().sum())
    constants = (0.0, 2 * math.log(3) + math.log(2))
    assert not any(near(inside_out - value) for value in constants), (
        f"example: got {got:.3f}, the sum of the logarithms of all entries; the writers of one "
        "target word are alternatives: are their probabilities added or multiplied?"
    )
    want = math.log(1 / 3) + math.log(2 / 3) + math.log(0.4)
    assert not any(near(want / count) for count in (2, 3)), (
        f"example: got {got:.3f}, an average; the sum over all target words is wanted"
    )
    assert near(want), f"example: want {want:.4f}, got {got:.4f}"


# %%
""" # BEGIN TEST CONFIG
points: 0.75
"""  # END TEST CONFIG


def test_q3_fit(fit):
    import torch

    from course_lib.alignment.ibm1 import IBMModel1

    pairs = [
        ("he laughs", "er lacht"),
        ("she laughs", "sie lacht"),
        ("today he waits", "heute wartet er"),
    ]
    pairs = [(english.split(), german.split()) for english, german in pairs]
    x = torch.tensor([[1, 2, 0], [3, 2, 0], [4, 1, 5]])
    y = torch.tensor([[0, 1, 0], [2, 1, 0], [3, 4, 0]])
    mask = torch.tensor([[True, True, False], [True, True, False], [True, True, True]])
    table, values = fit(x, y, mask, mask, (6, 5), 1)
    model = IBMModel1.fit(pairs, 1)
    want = model.log_likelihoods
    assert abs(float(values[0]) - want[0]) < 1e-6, (
        f"the chapter's three pairs: the uniform table has log-likelihood {want[0]:.4f}, your list "
        f"begins with {float(values[0]):.4f}"
    )
    assert abs(float(table[1].sum()) - 1) < 1e-6, (
        f"row 1 of the table should sum to one, got {float(table[1].sum()):.4f}"
    )
    got, want = float(table[1, 0]), model.probability("er", "he")
    assert abs(got - want) < 1e-6, (
        f"after one iteration t(er | he) should be {want:.4f}, got {got:.4f}"
    )
    table, values = fit(x, y, mask, mask, (6, 5), 12)
    falls = [k for k in range(12) if float(values[k + 1]) < float(values[k]) - 1e-9]
    assert not falls, (
        f"the log-likelihood falls in iteration {falls[0] + 1}, which the proof forbids: look at "
        "the counts, and at what you divide by"
    )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Other corpora against course_lib, long sentences, impossible words."
"""  # END TEST CONFIG


def test_q3_log_likelihood(log_likelihood):
    import math

    import torch

    from course_lib.alignment.ibm1 import IBMModel1

    for seed in range(4):
        torch.manual_seed(seed)
        x, y = torch.randint(1, 6, (5, 7)), torch.randint(0, 6, (5, 4))
        lengths = torch.tensor([[7, 4], [3, 4], [1, 1], [6, 2], [2, 4]])
        x_mask = torch.arange(7) < lengths[:, :1]
        y_mask = torch.arange(4) < lengths[:, 1:]
        pairs = [
            (list(map(str, a[m].tolist())), list(map(str, b[n].tolist())))
            for a, m, b, n in zip(x, x_mask, y, y_mask, strict=True)
        ]
        model = IBMModel1.fit(pairs, seed)
        t = torch.zeros(6, 6, dtype=torch.float64)
        for e, row in model.table.items():
            for f, value in row.items():
                t[int(e or 0), int(f)] = value
        got, want = float(log_likelihood(t, x, y, x_mask, y_mask)), model.log_likelihoods[-1]
        assert math.isfinite(got), (
            f"sentences of different lengths, padded with real ids: got {got}, wanted {want:.4f}. "
            "Does a padded target word get into the sum?"
        )
        assert abs(got - want) < 1e-6, (
            f"random corpus: got {got:.4f}, course_lib has {want:.4f}. Look at padding on both "
            "sides"
        )
    t = torch.full((2, 300), 1 / 300, dtype=torch.float64)
    x, y = torch.ones(2, 2).long(), torch.arange(300).repeat(2, 1)
    x_mask, y_mask = torch.ones(2, 2).bool(), torch.ones(2, 300).bool()
    got, want = float(log_likelihood(t, x, y, x_mask, y_mask)), -600 * math.log(300)
    assert math.isfinite(got), (
        f"a sentence of 300 words: got {got}, wanted {want:.1f}. The product over its words is "
        "below the smallest floating-point number: when do you take the logarithm?"
    )
    assert abs(got - want) < 1e-6 * -want, (
        f"a sentence of 300 words: want {want:.4f}, got {got:.4f}"
    )
    t = torch.tensor([[1.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    one = torch.ones(1, 1).bool()
    got = float(log_likelihood(t, torch.tensor([[1]]), torch.tensor([[1]]), one, one))
    assert got == -math.inf, (
        f"a word that nobody can write: want -inf, got {got}. A small constant inside the "
        "logarithm hides that the sentence is impossible"
    )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "EM over several iterations against course_lib."
"""  # END TEST CONFIG


def test_q3_em(fit):
    import torch

    from course_lib.alignment.ibm1 import IBMModel1

    for seed in range(3):
        torch.manual_seed(seed)
        x, y = torch.randint(1, 8, (12, 7)), torch.randint(0, 6, (12, 5))
        y[0] = torch.arange(5)
        y[1] = 5
        lengths = torch.stack([torch.randint(1, 8, (12,)), torch.randint(1, 6, (12,))], 1)
        lengths[:2] = torch.tensor([7, 5])
        x_mask = torch.arange(7) < lengths[:, :1]
        y_mask = torch.arange(5) < lengths[:, 1:]
        pairs = [
            (list(map(str, a[m].tolist())), list(map(str, b[n].tolist())))
            for a, m, b, n in zip(x, x_mask, y, y_mask, strict=True)
        ]

        def as_tensor(table):
            t = torch.zeros(8, 6, dtype=torch.float64)
            for e, row in table.items():
                for f, value in row.items():
                    t[int(e or 0), int(f)] = value
            return t

        n = torch.zeros(8, 6, dtype=torch.float64)
        for k in range(2):
            model = IBMModel1.fit(pairs, k)
            for source, target in pairs:
                for f, row in zip(target, model.posterior(source, target), strict=True):
                    for e, share in zip([*source, "0"], row, strict=True):
                        n[int(e), int(f)] += float(share)
        carried = n / n.sum(1, keepdim=True).clamp(min=1e-300)
        second = fit(x, y, x_mask, y_mask, (8, 6), 2)[0]
        assert not torch.allclose(second, carried, rtol=1e-6, atol=1e-9), (
            "the second iteration still holds the counts of the first: the counts of an iteration "
            "begin at zero"
        )
        model = IBMModel1.fit(pairs, 8)
        table, values = fit(x, y, x_mask, y_mask, (8, 6), 8)
        got, want = [float(v) for v in values], list(model.log_likelihoods)
        late = max(abs(a - b) for a, b in zip(got[1:], want, strict=False))
        assert late > 1e-6, (
            "your log-likelihoods are one iteration late: number k is wanted *after* iteration k"
        )
        assert max(abs(a - b) for a, b in zip(got, want, strict=True)) < 1e-6, (
            f"log-likelihoods: want {[round(v, 4) for v in want]}, got {[round(v, 4) for v in got]}"
        )
        want = as_tensor(model.table)
        assert torch.allclose(table, want, rtol=1e-6, atol=1e-9), (
            "the table after 8 iterations differs from course_lib's by up to "
            f"{float((table - want).abs().max()):.3g}"
        )
    start, values = fit(x, y, x_mask, y_mask, (8, 6), 0)
    assert torch.allclose(start, torch.full((8, 6), 1 / 6, dtype=torch.float64)), (
        "no iteration at all: want the uniform table, 1/F = 1/6 everywhere, got "
        f"{start[0].tolist()}"
    )
    one = torch.ones(1, 1).bool()
    values = fit(torch.tensor([[1]]), torch.tensor([[0]]), one, one, (2, 1), 10)[1]
    got = len(values)
    says = f"want 11 log-likelihoods after 10 iterations, also where nothing changes; got {got}"
    assert got == 11, says


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it.** Run this when the check passes: ten iterations on 200 pairs of the mini-world, and
# what the table has learned. Compare with the chapter's table for 2,000 pairs.

# %%
world = alignment.mini_world("train", 200, seed=1)
*batch, size, words = pack(alignment.words(world))
table, values = fit(*batch, size, 10)
print("log-likelihood", [round(float(v)) for v in values])
for e in ("girl", "meet", "now", "not", None):
    row = table[words[0].index(e)]
    top = row.topk(3)
    found = [f"{words[1][f]} {v:.2f}" for v, f in zip(top.values, top.indices, strict=True)]
    print(f"{e or 'NULL':8}", "  ".join(found))

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## Question 4: Links and their judge
#
# *About 30 minutes, ★★☆.*
#
# From here on a link is a pair of numbers, (source position, target position), both counted from 0
# and without `NULL`, as in the chapter.
#
# `best_links(alpha)` takes the posterior of *one* sentence pair, of shape `(T, S + 1)` and without
# padding, column 0 for `NULL`. It returns the list of links, at most one for each target word, in
# the order of the target words. A target word is linked to its most probable source word. It gets
# no link if `NULL` is more probable than that, or if its row is all zero.
#
# Ties need care. `NULL` loses every tie. Among source words that tie, the one nearest to the
# diagonal wins: word $j$ of $S$ for target word $i$ of $T$ with the least
#
# $$\left| \frac{j - \frac{1}{2}}{S} - \frac{i - \frac{1}{2}}{T} \right|$$
#
# ($i$ and $j$ counted from 1 here). Of two that are equally near, take either. Two sums of the same
# numbers in another order differ in their last digits, and that is a tie, too: an entry within a
# relative $10^{-9}$ of the largest one counts as equal.
#
# `score(predicted, sure, possible)` judges a corpus. Each of the three is a list with one list of
# links per sentence. Annotators mark each link once, with an S or with a P. So `possible` holds
# here the links marked P *only*, and the chapter's set $\mathcal{P}$ has to be made of both. Return
# the three numbers, computed from sums over the whole corpus:
#
# $$\text{precision} = \frac{|\mathcal{A} \cap \mathcal{P}|}{|\mathcal{A}|}, \qquad
# \text{recall} = \frac{|\mathcal{A} \cap \mathcal{S}|}{|\mathcal{S}|}, \qquad
# \text{AER} = 1 - \frac{|\mathcal{A} \cap \mathcal{S}| + |\mathcal{A} \cap \mathcal{P}|}
# {|\mathcal{A}| + |\mathcal{S}|}$$
#
# If nothing is predicted, precision is 0; if nothing is sure, recall is 0. Both together do not
# occur.
#
# **Examples.** The rows (0.2, 0.7, 0.1), (0.6, 0.2, 0.2), (0.4, 0.2, 0.4), for $S = 2$ and $T = 3$,
# give the links (0, 0) and (1, 2): the second word is `NULL`'s, and the third is a tie that `NULL`
# loses. The chapter's sentence with predicted links (0, 0), (1, 1), (2, 2), (0, 3), sure ones
# (0, 0), (3, 1), (2, 2), (4, 3) and possible one (1, 1) gives 3/4, 2/4 and 3/8.
#
# <details><summary>Hint</summary>
#
# First find the entries of a row that count as the largest, and only then decide which of them is
# linked. In `score`, the same pair of numbers in two sentences is two links, so go through the
# sentences one by one.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def best_links(alpha):
    """Links (source position, target position) of one posterior (T, S + 1), column 0 for NULL."""
    # BEGIN SOLUTION
    links = []
    rows = alpha.tolist()
    for i, (_, *offers) in enumerate(rows):
        best = max(rows[i])
        tied = [j for j, value in enumerate(offers) if 0 < best <= value * (1 + 1e-9)]
        if tied:
            place, size = (i + 0.5) / len(rows), len(offers)
            links.append((min(tied, key=lambda j: abs((j + 0.5) / size - place)), i))
    return links
    # END SOLUTION


def score(predicted, sure, possible):
    """Precision, recall and alignment error rate of a corpus. possible: links marked P only."""
    # BEGIN SOLUTION
    links = sures = in_sure = in_possible = 0
    for a, s, p in zip(predicted, sure, possible, strict=True):
        a, s, p = ({tuple(link) for link in part} for part in (a, s, p))
        links, sures = links + len(a), sures + len(s)
        in_sure, in_possible = in_sure + len(a & s), in_possible + len(a & (s | p))
    precision = in_possible / links if links else 0.0
    recall = in_sure / sures if sures else 0.0
    return precision, recall, 1 - (in_sure + in_possible) / (links + sures)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_q4_shape(best_links, score):
    import torch

    out = best_links(torch.eye(3, dtype=torch.float64)[[1, 2]])
    assert isinstance(out, (list, tuple)), f"best_links: want a list of links, got {out}"
    good = all(isinstance(link, (list, tuple)) and len(link) == 2 for link in out)
    assert good, f"best_links: want pairs (source position, target position), got {out}"
    good = all(isinstance(place, int) for link in out for place in link)
    assert good, f"best_links: want positions as whole numbers (int), got {out}"
    other = best_links(torch.eye(3, dtype=torch.float64)[[2, 1]])
    same = [tuple(link) for link in out] == [tuple(link) for link in other]
    assert not same, f"best_links: with the two rows exchanged the links are the same, {out}"
    out = score([[(0, 0)]], [[(0, 0)]], [[]])
    good = isinstance(out, (list, tuple)) and len(out) == 3
    assert good, f"score: want three numbers (precision, recall, error rate), got {out}"
    other = score([[(0, 0), (1, 1)]], [[(0, 0)]], [[]])
    says = f"score: {list(out)} for one link, which is right, and with a wrong one beside it"
    assert list(out) != list(other), says


# %%
""" # BEGIN TEST CONFIG
points: 0.75
"""  # END TEST CONFIG


def test_q4_links(best_links):
    import torch

    def links(*rows):
        found = best_links(torch.tensor(rows, dtype=torch.float64))
        return [tuple(link) for link in found]

    got = links([0.1, 0.2, 0.1, 0.6], [0.1, 0.2, 0.6, 0.1], [0.6, 0.2, 0.1, 0.1])
    assert got != [(0, 2), (1, 1)], (
        f"want [(2, 0), (1, 1)], got {got}: a link is (source position, target position)"
    )
    assert (0, 2) not in got, (
        "NULL is the most probable writer of the third word, and you link the word all the same; "
        "such a word gets no link"
    )
    assert not any(j == -1 for j, _ in got), (
        "there is a source position -1: NULL is no word of the sentence, and its words get no link"
    )
    assert not {(3, 0), (2, 1)} & set(got), (
        f"want [(2, 0), (1, 1)], got {got}: columns are counted as source positions, but column 0 "
        "is NULL's"
    )
    assert got == [(2, 0), (1, 1)], f"want [(2, 0), (1, 1)], got {got}"
    got = links([0.2, 0.7, 0.1], [0.6, 0.2, 0.2], [0.4, 0.2, 0.4])
    assert (0, 2) not in got, (
        f"the example: got {got}. In its third row NULL and source position 1 tie, and source "
        "position 0 is less probable than both"
    )
    assert (1, 2) in got, f"the example: want [(0, 0), (1, 2)], got {got}: who loses every tie?"
    assert got == [(0, 0), (1, 2)], f"the example: want [(0, 0), (1, 2)], got {got}"
    tie = [0.1, 0.3, 0.3, 0.3]
    got = links(tie, tie, tie)
    assert got != [(0, 0), (0, 1), (0, 2)], (
        f"three words tie in all three rows: got {got}, always the first of them; the one nearest "
        "to the diagonal is wanted"
    )
    assert got == [(0, 0), (1, 1), (2, 2)], (
        f"three words tie in all three rows: want [(0, 0), (1, 1), (2, 2)], got {got}"
    )


# %%
""" # BEGIN TEST CONFIG
points: 0.75
"""  # END TEST CONFIG


def test_q4_score(score):
    predicted = [[(0, 0), (1, 1), (2, 2), (0, 3)]]
    sure, possible = [[(0, 0), (3, 1), (2, 2), (4, 3)]], [[(1, 1)]]
    precision, recall, rate = map(float, score(predicted, sure, possible))
    got = f"got {precision:.3f}, {recall:.3f}, {rate:.3f}"
    assert abs(precision - 1 / 4) > 1e-9, (
        f"the example: {got}. You judge precision by the links marked P only: a sure link is "
        "possible as well"
    )
    assert abs(precision - 2 / 4) > 1e-9, (
        f"the example: {got}. You judge precision by the sure links: a link is wrong only if it is "
        "not even possible"
    )
    assert abs(recall - 3 / 5) > 1e-9, (
        f"the example: {got}. You judge recall by the possible links: only a sure link can be "
        "missed"
    )
    assert abs(precision - 3 / 4) < 1e-9, f"the example: want precision 3/4, {got}"
    assert abs(recall - 2 / 4) < 1e-9, f"the example: want recall 2/4, {got}"
    balanced = 1 - 2 * precision * recall / (precision + recall)
    assert abs(rate - balanced) > 1e-9, (
        f"the example: {got}. One minus the harmonic mean of precision and recall is not the error "
        "rate once there are possible links: use the four counts"
    )
    assert abs(rate - 3 / 8) < 1e-9, f"the example: want error rate 3/8, {got}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Ties at other lengths, rows of zeros, random links against course_lib."
"""  # END TEST CONFIG


def test_q4_ties(best_links):
    import torch

    from course_lib.alignment.ibm1 import IBMModel1

    def links(rows):
        return [tuple(link) for link in best_links(torch.as_tensor(rows, dtype=torch.float64))]

    got = links([[0.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    assert 0 not in [i for _, i in got], (
        f"a row of zeros (a word that nobody can write) should give no link, got {got}"
    )
    assert got == [(0, 1), (1, 2)], f"want [(0, 1), (1, 2)], got {got}"
    tie = [[0.0] + [1 / 9] * 9] * 2
    got = links(tie)
    assert got != [(0, 0), (1, 1)], (
        f"2 target words, 9 source words, all tied: got {got}. The diagonal of a sentence pair "
        "runs from corner to corner: positions are compared relative to the lengths"
    )
    assert got == [(2, 0), (6, 1)], (
        f"2 target words, 9 source words, all tied: want [(2, 0), (6, 1)], got {got}"
    )
    got = links([[0.1, 0.3 - 1e-16, 0.3, 0.3], [0.1, 0.3, 0.3, 0.3 - 1e-16]])
    assert got == [(0, 0), (2, 1)], (
        "two rows in which all three words tie but for the last digits: want [(0, 0), (2, 1)], got "
        f"{got}. Entries within a relative 1e-9 are equal"
    )
    got = links([[0.3 + 1e-16, 0.3, 0.1]])
    assert got == [(0, 0)], f"NULL is ahead by its last digit only and loses the tie, got {got}"
    got = links([[0.1, 0.3, 0.3 + 1e-7, 0.3], [0.3 + 1e-7, 0.3, 0.3, 0.1]])
    assert got == [(1, 0)], (
        f"two rows in which one entry is ahead by 1e-7: that is no tie; want [(1, 0)], got {got}. "
        "Which tolerance does your comparison have?"
    )
    for seed in range(6):
        torch.manual_seed(seed)
        t = torch.randint(0, 3, (5, 6)).double() / 4
        rows = [{str(f): v for f, v in enumerate(row)} for row in t.tolist()]
        model = IBMModel1({str(e) if e else None: row for e, row in enumerate(rows)}, ())
        source = list(map(str, torch.randint(1, 5, (9,)).tolist()))
        target = list(map(str, torch.randint(0, 6, (8,)).tolist()))
        want = sorted(model.align(source, target), key=lambda link: link[1])
        got = links(torch.as_tensor(model.posterior(source, target)).roll(1, 1))
        assert got == want, f"random sentence with ties: want {want}, got {got}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "The error rate of a corpus: sentences of different sizes, nothing predicted."
"""  # END TEST CONFIG


def test_q4_corpus(score):
    import random

    from course_lib.alignment.error_rate import link_metrics

    for seed in range(5):
        draw = random.Random(seed)
        data = []
        for width in (2, 3, 6, 9):
            places = [(j, i) for j in range(width) for i in range(width)]
            chosen = draw.sample(places, width + 1)
            sure, possible = chosen[: width - 1], chosen[width - 1 :]
            predicted = draw.sample(chosen, width - 1) + [p for p in places if p not in chosen][:1]
            data.append((predicted, sure, possible))
        predicted, sure, possible = (list(part) for part in zip(*data, strict=True))
        sets = [(set(a), set(s), set(s) | set(p)) for a, s, p in data]
        want = link_metrics(*(list(part) for part in zip(*sets, strict=True)))
        single = [link_metrics([a], [s], [p]) for a, s, p in sets]
        macro = [sum(part) / len(single) for part in zip(*single, strict=True)]
        got = [float(value) for value in score(predicted, sure, possible)]
        assert abs(got[2] - macro[2]) > 1e-9, (
            "yours is the mean of the sentences' error rates; the rate of a corpus is computed "
            "from counts that are summed over all sentences first, so that a long sentence weighs "
            "more than a short one"
        )
        assert max(abs(a - b) for a, b in zip(got, want, strict=True)) < 1e-9, (
            f"four sentences: want {[round(v, 4) for v in want]}, got {[round(v, 4) for v in got]}"
        )
    for predicted, sure, want in (
        ([[], []], [[(0, 0)], [(1, 1)]], [0.0, 0.0, 1.0]),
        ([[(0, 0)], []], [[], []], [0.0, 0.0, 1.0]),
    ):
        what = "sure" if predicted[0] else "predicted"
        try:
            got = [float(value) for value in score(predicted, sure, [[], []])]
        except Exception as problem:
            raise AssertionError(
                f"a corpus in which nothing is {what}: want {want}, but your function stops with "
                f"{problem!r}"
            ) from None
        assert got == want, f"a corpus in which nothing is {what}: want {want}, got {got}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it.** Run this when the check passes: the links of one sentence, and the error rate of your
# table on the pairs that it was trained on.

# %%
alpha = posterior(table, *batch)
links = [
    best_links(a[: len(p.target), : len(p.source) + 1]) for a, p in zip(alpha, world, strict=True)
]
for j, i in links[0]:
    print(f"{world[0].target[i]:12} <- {world[0].source[j]}")
sure = [list(p.sure) for p in world]
possible = [list(p.possible - p.sure) for p in world]
precision, recall, rate = score(links, sure, possible)
print(f"precision {precision:.3f}, recall {recall:.3f}, error rate {rate:.3f}")

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5: Places have a say
#
# *About 50 minutes, ★★★.*
#
# First a small piece. A second model, trained on the pairs turned round, writes English from
# German. `combine(there, back)` puts the links of one sentence pair together: `there` are the links
# of the model that writes German, (English position, German position); `back` are those of the
# turned model as *it* gives them, (German position, English position). Return two sorted lists
# without repetitions, the intersection and the union, both as (English position, German position).
#
# **Example.** `there = [(0, 0), (2, 1)]` and `back = [(0, 0), (1, 0)]` give `[(0, 0)]` and
# `[(0, 0), (0, 1), (2, 1)]`.
#
# Now the model. To write word $i$, Model 1 chooses each of the $S + 1$ writers alike. Exercise 6 of
# the chapter lets places have a say when links are drawn, after EM. Here they have it inside:
# writer $j$ is chosen with a probability $\pi_{ij}$ that is given and never learned,
#
# $$\alpha_{ij} = \frac{\pi_{ij}\, t(y_i \mid x_j)}{\sum_{k=0}^{S} \pi_{ik}\, t(y_i \mid x_k)},
# \qquad
# p(y \mid x) = \prod_{i=1}^{T} \; \sum_{j=0}^{S} \pi_{ij}\, t(y_i \mid x_j)$$
#
# $\pi$ does not depend on $t$, so the proof stands: this likelihood never falls.
#
# `place_prior(x_mask, y_mask, kappa)` gives $\pi$, of shape `(B, T, S + 1)`, in double precision.
# `NULL` is chosen as in Model 1, and the words of a sentence share the rest, the more the nearer
# they are to the diagonal:
#
# $$\pi_{i0} = \frac{1}{S + 1}, \qquad
# \pi_{ij} = \frac{S}{S + 1} \cdot
# \frac{\exp(-\kappa\, d_{ij})}{\sum_{k=1}^{S} \exp(-\kappa\, d_{ik})}, \qquad
# d_{ij} = \left| \frac{j - \frac{1}{2}}{S} - \frac{i - \frac{1}{2}}{T} \right|$$
#
# $S$ and $T$ are the lengths of the sentence in question. Padding, in columns and in rows, is zero.
#
# `fit_with_prior(prior, x, y, y_mask, size, iterations)`: EM from the table that is $1/F$
# everywhere, with any such prior. It returns three things: the table after the last iteration, the
# posteriors under that table (as in question 1, padding is zero), and a list of `iterations + 1`
# log-likelihoods of *this* model.
#
# **Example.** Take one pair, "he laughs" and "er lacht", which Model 1 can never tell apart, and
# $\kappa = 2 \log 2$. The rows of the prior are (1/3, 4/9, 2/9) and (1/3, 2/9, 4/9). After one
# iteration $t(\text{er} \mid \text{he})$ is 2/3, and the log-likelihood has risen from
# $2 \log \frac{1}{2} = -1.386$ to $2 \log \frac{29}{54} = -1.243$. With $\kappa = 0$ you get
# Model 1 back: compare with your `fit`.
#
# Last the open part. `align_corpus(pairs)` gets a list of sentence pairs, each a list of English
# and a list of German words, and nothing else: no gold links, no dictionary. It learns from these
# pairs and returns their links, for each pair a list of (English position, German position). The
# bar is public: on 400 pairs of the mini-world, whose words have been replaced by made-up ones, its
# error rate has to be below three quarters of that of `course_lib`'s intersection. Use your
# functions, and nothing from `course_lib`. Can you get below two fifths? Stay below five seconds
# for a call, so that the checks do not keep you waiting; no test measures it.
#
# <details><summary>First hint</summary>
#
# A position is measured by the lengths of its own sentence, not by those of the padded batch. Hide
# the padding before the words share out their part.
#
# </details>
#
# <details><summary>Second hint</summary>
#
# For the open part, train both directions with the prior, and look at a few pairs in which they
# disagree. Exercise 4 of the chapter says how to add links to an intersection without taking the
# whole union.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def combine(there, back):
    """Intersection and union, sorted, as (English position, German position)."""
    # BEGIN SOLUTION
    there = {tuple(link) for link in there}
    turned = {(j, i) for i, j in back}
    return sorted(there & turned), sorted(there | turned)
    # END SOLUTION


def place_prior(x_mask, y_mask, kappa):
    """The probability pi of each writer by its place: (B, T, S + 1), column 0 for NULL."""
    # BEGIN SOLUTION
    source, target = x_mask.sum(1)[:, None, None], y_mask.sum(1)[:, None, None]
    at_x = (torch.arange(x_mask.shape[1], dtype=torch.float64) + 0.5) / source
    at_y = (torch.arange(y_mask.shape[1], dtype=torch.float64)[:, None] + 0.5) / target
    near = (-kappa * (at_x - at_y).abs()).masked_fill(~x_mask[:, None, :], -torch.inf).softmax(-1)
    null = torch.ones_like(near[:, :, :1]) / (source + 1)
    return torch.cat([null, near * source / (source + 1)], dim=-1) * y_mask[:, :, None]
    # END SOLUTION


def fit_with_prior(prior, x, y, y_mask, size, iterations):
    """EM with a prior (B, T, S + 1): the table (E, F), the last posteriors, log-likelihoods."""
    # BEGIN SOLUTION
    writers = torch.cat([torch.zeros_like(x[:, :1]), x], dim=1)[:, None, :]
    t = torch.full(tuple(size), 1 / size[1], dtype=torch.float64)
    values = []
    while True:
        weights = prior * t[writers, y[:, :, None]]
        totals = weights.sum(dim=-1, keepdim=True)
        alpha = torch.where(totals > 0, weights / totals, 0.0)
        values.append(totals[y_mask].log().sum().item())
        if len(values) > iterations:
            return t, alpha, values
        t = m_step(expected_counts(alpha, x, y, size))
    # END SOLUTION


def align_corpus(pairs):
    """For each pair (English words, German words) its links (English position, German position)."""

    # BEGIN SOLUTION
    def one_way(pairs):
        x, y, x_mask, y_mask, size, _ = pack(pairs)
        prior = place_prior(x_mask, y_mask, 2.0)
        _, alpha, _ = fit_with_prior(prior, x, y, y_mask, size, 5)
        lengths = [(len(german), len(english) + 1) for english, german in pairs]
        cut = zip(alpha, lengths, strict=True)
        return [best_links(a[:rows, :columns]) for a, (rows, columns) in cut]

    # Then from the intersection towards the union, link by link (exercise 4).
    def grow(kept, union):
        kept = list(kept)
        while True:
            done = {j for j, _ in kept}, {i for _, i in kept}
            for j, i in union:
                near = any(max(abs(j - a), abs(i - b)) == 1 for a, b in kept)
                if near and (j not in done[0] or i not in done[1]):
                    kept.append((j, i))
                    break
            else:
                return sorted(kept)

    forward = one_way(pairs)
    backward = one_way([(german, english) for english, german in pairs])
    return [grow(*combine(a, b)) for a, b in zip(forward, backward, strict=True)]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_q5_shape(combine, place_prior, fit_with_prior, align_corpus):
    import torch

    out = combine([(0, 0)], [(0, 0)])
    good = isinstance(out, (list, tuple)) and len(out) == 2
    assert good, f"combine: want two lists of links, the intersection and the union, got {out}"
    good = all(isinstance(part, (list, tuple)) for part in out)
    assert good, f"combine: want two lists of links, got {out}"
    other = combine([(1, 1)], [(1, 1)])
    same = [list(part) for part in out] == [list(part) for part in other]
    assert not same, f"combine: the same from the link (0, 0) and from (1, 1), {out}"
    x, y = torch.tensor([[1, 2, 3], [3, 1, 1]]), torch.tensor([[0, 1], [4, 4]])
    x_mask, y_mask = torch.ones(2, 3).bool(), torch.ones(2, 2).bool()
    prior = place_prior(x_mask, y_mask, 1.0)
    got = tuple(prior.shape) if isinstance(prior, torch.Tensor) else prior
    assert got == (2, 2, 4), f"place_prior: want a tensor (B, T, S + 1) = (2, 2, 4), got {got}"
    assert prior.dtype == torch.float64, f"place_prior: want torch.float64, got {prior.dtype}"
    same = torch.equal(prior, place_prior(x_mask, y_mask, 3.0))
    assert not same, "place_prior: another kappa changes nothing"
    even = torch.full((2, 2, 4), 0.25, dtype=torch.float64)
    out = fit_with_prior(even, x, y, y_mask, (4, 5), 2)
    good = isinstance(out, (tuple, list)) and len(out) == 3
    assert good, f"fit_with_prior: want table, posteriors and a list of numbers, got {out}"
    table, alpha, values = out
    shapes = [tuple(part.shape) for part in (table, alpha) if isinstance(part, torch.Tensor)]
    assert shapes == [(4, 5), (2, 2, 4)], (
        "fit_with_prior: want a table (E, F) = (4, 5) and posteriors (B, T, S + 1) = (2, 2, 4), "
        f"got {shapes}"
    )
    got = len(values) if isinstance(values, (list, tuple)) else values
    assert got == 3, f"fit_with_prior: want iterations + 1 = 3 log-likelihoods, got {got}"
    other = fit_with_prior(even, x, y.clamp(max=3), y_mask, (4, 5), 2)[0]
    assert not torch.equal(table, other), "fit_with_prior: other words leave the table as it was"
    pairs = [
        (["he", "laughs"], ["er", "lacht"]),
        (["she", "laughs"], ["sie", "lacht"]),
        (["today", "he", "waits"], ["heute", "wartet", "er"]),
    ]
    out = align_corpus(pairs)
    good = isinstance(out, (list, tuple)) and len(out) == 3
    assert good, f"align_corpus: want a list of 3 lists of links, one for each pair, got {out}"
    for links, (english, german) in zip(out, pairs, strict=True):
        assert isinstance(links, (list, tuple)), f"align_corpus: want a list of links, got {links}"
        for link in links:
            good = len(link) == 2 and 0 <= link[0] < len(english) and 0 <= link[1] < len(german)
            assert good, (
                f"align_corpus: {tuple(link)} is no link of {english} and {german}: (English "
                "position, German position) from 0 is wanted"
            )


# %%
""" # BEGIN TEST CONFIG
points: 0.25
"""  # END TEST CONFIG


def test_q5_combine(combine):
    both, either = combine([(0, 0), (2, 1)], [(0, 0), (1, 0)])
    both, either = ([tuple(link) for link in part] for part in (both, either))
    assert set(either) != {(0, 0), (2, 1), (1, 0)}, (
        f"the example: the union is {either}. A link of the second model names the German word "
        "first: the two are not the same kind of pair yet"
    )
    assert (both, either) != ([(0, 0), (0, 1), (2, 1)], [(0, 0)]), (
        "intersection and union are exchanged: the intersection comes first"
    )
    assert len(either) == len(set(either)), f"the example: the union has a link twice, got {either}"
    assert both == [(0, 0)], f"the example: want the intersection [(0, 0)], got {both}"
    want = [(0, 0), (0, 1), (2, 1)]
    assert either == want, f"the example: want the union {want}, sorted, got {either}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_q5_example(place_prior, fit_with_prior):
    import math

    import torch

    mask = torch.tensor([[True, True], [True, False]])
    kappa = 2 * math.log(2)
    got = place_prior(mask, mask, kappa)
    assert not bool(got.isnan().any()), "place_prior: there is NaN in a row of padding"
    want = torch.tensor(
        [[[1 / 3, 4 / 9, 2 / 9], [1 / 3, 2 / 9, 4 / 9]], [[1 / 2, 1 / 2, 0], [0, 0, 0]]],
        dtype=torch.float64,
    )

    def same(a, b):
        return torch.allclose(a, b, rtol=1e-6, atol=1e-9)

    assert not same(got[0].sum(-1), torch.full((2,), 4 / 3, dtype=torch.float64)), (
        "the example: NULL's third is added to words that sum to one already; they share the rest"
    )
    weights = torch.tensor([[0, 1, 0.5], [0, 0.5, 1]], dtype=torch.float64)
    assert not same(got[0], weights / 1.5), (
        "the example: column 0 is all zero: with which probability is NULL chosen?"
    )
    assert not same(got[0], torch.tensor([[0.4, 0.4, 0.2], [0.4, 0.2, 0.4]]).double()), (
        "the example: NULL takes part in the softmax. It has no place; it gets 1 / (S + 1), as in "
        "Model 1, and the words share the rest"
    )
    far = torch.tensor([[1 / 3, 8 / 15, 2 / 15], [1 / 3, 2 / 15, 8 / 15]], dtype=torch.float64)
    assert not same(got[0], far), (
        "the example: your places are counted in words; d compares places relative to the lengths "
        "S and T"
    )
    assert same(got[0], want[0]), (
        f"place_prior, the example: want {want[0].tolist()}, got {got[0].tolist()}"
    )
    assert same(got[1], want[1]), (
        f"place_prior, a pair of one word each beside the example: want {want[1].tolist()}, got "
        f"{got[1].tolist()}: which S and T does this sentence have, and where is its padding?"
    )

    x, y = torch.tensor([[1, 2]]), torch.tensor([[0, 1]])
    table, alpha, values = fit_with_prior(want[:1], x, y, mask[:1], (3, 2), 1)
    first, second = float(values[0]), float(values[1])
    assert abs(float(table[1, 0]) - 2 / 3) < 1e-9, (
        f"fit_with_prior, the example: after one iteration t(er | he) should be 2/3, got "
        f"{float(table[1, 0]):.4f}: where does the prior enter the E-step?"
    )
    assert abs(first - 2 * math.log(1 / 2)) < 1e-9, (
        f"fit_with_prior, the example: the log-likelihood begins at -1.3863, got {first:.4f}: the "
        "prior already says how a writer is chosen, so nothing is divided by S + 1 any more"
    )
    assert abs(second - 2 * math.log(29 / 54)) < 1e-9, (
        f"fit_with_prior, the example: after one iteration want -1.2434, got {second:.4f}"
    )
    want = want[0] * torch.tensor([[1 / 2, 2 / 3, 1 / 3], [1 / 2, 1 / 3, 2 / 3]]).double()
    want = want / want.sum(-1, keepdim=True)
    assert same(alpha[0], want), (
        f"fit_with_prior, the example: want the posteriors {want.tolist()} under the last table, "
        f"got {alpha[0].tolist()}"
    )


# %%
""" # BEGIN TEST CONFIG
points: 0.75
"""  # END TEST CONFIG


def test_q5_bar(align_corpus):
    import random

    from course_lab.experiments.alignment import links as alignment

    gold = alignment.mini_world("valid", 400, seed=1)
    draw, names = random.Random(11), {}

    def renamed(side, sentence):
        for word in sentence:
            names.setdefault((side, word), f"{side}{draw.randrange(10**9)}")
        return [names[side, word] for word in sentence]

    words = [(renamed("e", pair.source), renamed("f", pair.target)) for pair in gold]
    bar = alignment.judge(alignment.both_directions(words, words)["intersection"], gold).error_rate
    found = [{tuple(link) for link in links} for links in align_corpus(words)]
    rate = alignment.judge(found, gold).error_rate
    turned = alignment.judge([{(j, i) for i, j in links} for links in found], gold).error_rate
    assert rate <= bar + 0.005 or turned > rate / 2, (
        f"error rate {rate:.3f}, and {turned:.3f} with every link turned round: a link is (English "
        "position, German position)"
    )
    assert rate <= bar + 0.005, (
        f"error rate {rate:.3f} on 400 pairs; course_lib's intersection has {bar:.3f}. Do two "
        "directions agree on your links?"
    )
    assert rate < 0.75 * bar, (
        f"error rate {rate:.3f} on 400 pairs; the bar is three quarters of {bar:.3f}. Model 1 does "
        "not know where a word stands"
    )


# %%
""" # BEGIN TEST CONFIG
points: 0.25
hidden: true
failure_message: "Links of both directions on many sentences against course_lib."
"""  # END TEST CONFIG


def test_q5_combine_library(combine):
    from course_lab.experiments.alignment import links as alignment

    words = [
        (list(source), list(target))
        for source, target in alignment.words(alignment.mini_world("valid", 60, seed=3))
    ]
    ways = alignment.both_directions(words, words, iterations=3)
    rows = (
        ways[name] for name in ("source to target", "target to source", "intersection", "union")
    )
    for there, back, both, either in zip(*rows, strict=True):
        got = combine(sorted(there), sorted((i, j) for j, i in back))
        got = [[tuple(link) for link in part] for part in got]
        assert got[0] == sorted(both), f"intersection: want {sorted(both)}, got {got[0]}"
        assert got[1] == sorted(either), f"union: want {sorted(either)}, got {got[1]}"
    got = [list(part) for part in combine([], [(3, 1)])]
    assert got[0] == [], f"no links one way: the intersection should be empty, got {got[0]}"
    assert [tuple(link) for link in got[1]] == [(1, 3)], f"want the union [(1, 3)], got {got[1]}"


# %%
""" # BEGIN TEST CONFIG
points: 0.75
hidden: true
failure_message: "The prior in batches: other lengths, other kappa, padding."
"""  # END TEST CONFIG


def test_q5_prior(place_prior):
    import math

    import torch

    for kappa in (0.0, 1.0, 7.5, 2000.0):
        lengths = [(7, 4), (3, 5), (1, 1), (6, 2), (2, 5)]
        sizes = torch.tensor(lengths)
        x_mask = torch.arange(7) < sizes[:, :1]
        y_mask = torch.arange(5) < sizes[:, 1:]
        want = torch.zeros(5, 5, 8, dtype=torch.float64)
        padded = torch.zeros(5, 5, 8, dtype=torch.float64)
        for b, (s, n) in enumerate(lengths):
            for part, wide, high in ((want, s, n), (padded, 7, 5)):
                for i in range(n):
                    far = [abs((j + 0.5) / wide - (i + 0.5) / high) for j in range(s)]
                    near = [math.exp(-kappa * (d - min(far))) for d in far]
                    part[b, i, 0] = 1 / (s + 1)
                    for j in range(s):
                        part[b, i, j + 1] = s / (s + 1) * near[j] / sum(near)
        got = place_prior(x_mask, y_mask, kappa)
        assert not bool(got.isnan().any()), (
            f"kappa = {kappa}: there is NaN. Where kappa is large, every exponential may round to "
            "zero; what does softmax do about that?"
        )
        columns = got[:, :, 1:][(~x_mask)[:, None, :].expand(5, 5, 7)]
        assert float(columns.abs().sum()) == 0.0, "columns of padding are chosen with some chance"
        assert float(got[~y_mask].abs().sum()) == 0.0, "rows of padding should be all zero"
        sums = got.sum(-1)[y_mask]
        assert torch.allclose(sums, torch.ones_like(sums), rtol=1e-6), (
            "each row of a real target word should sum to one, also in a short sentence; yours sum "
            f"to {[round(v, 3) for v in sums.tolist()]}"
        )
        assert kappa == 0 or not torch.allclose(got, padded, rtol=1e-6, atol=1e-9), (
            "places are relative to the padded lengths; each sentence has an S and a T of its own"
        )
        assert torch.allclose(got, want, rtol=1e-6, atol=1e-9), (
            f"kappa = {kappa}: your prior differs by up to {float((got - want).abs().max()):.3g}"
        )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "EM with other priors: its table, its posteriors, and a likelihood that rises."
"""  # END TEST CONFIG


def test_q5_em(fit_with_prior):
    import math

    import torch

    from course_lib.alignment.ibm1 import IBMModel1

    def em(x, y, y_mask, priors):
        t, values = {}, []
        for step, prior in enumerate(priors):
            n, alpha, value = {}, torch.zeros(6, 4, 6, dtype=torch.float64), 0.0
            for b, i in y_mask.nonzero().tolist():
                f, writers = int(y[b, i]), [0, *x[b].tolist()]
                offers = [t.get((e, f), 0.0) if step else 1 / 6 for e in writers]
                weights = [p * q for p, q in zip(prior[b, i].tolist(), offers, strict=True)]
                value += math.log(sum(weights))
                for j, e in enumerate(writers):
                    alpha[b, i, j] = weights[j] / sum(weights)
                    n[e, f] = n.get((e, f), 0.0) + float(alpha[b, i, j])
            values.append(value)
            last = t
            of = [sum(c for (e, _), c in n.items() if e == word) for word in range(6)]
            t = {(e, f): c / of[e] for (e, f), c in n.items() if of[e]}
        table = torch.zeros(6, 6, dtype=torch.float64)
        for (e, f), value in last.items():
            table[e, f] = value
        return table, alpha, values

    for seed in range(3):
        torch.manual_seed(seed)
        x, y = torch.randint(1, 6, (6, 5)), torch.randint(0, 6, (6, 4))
        y[:2] = torch.tensor([[0, 1, 2, 3], [4, 5, 4, 5]])
        lengths = torch.stack([torch.randint(1, 6, (6,)), torch.randint(1, 5, (6,))], 1)
        lengths[:2] = torch.tensor([5, 4])
        x_mask = torch.arange(5) < lengths[:, :1]
        y_mask = torch.arange(4) < lengths[:, 1:]
        real = torch.cat([torch.ones(6, 1).bool(), x_mask], 1)[:, None, :] & y_mask[:, :, None]
        even = real / real.sum(-1, keepdim=True).clamp(min=1).double()
        drawn = torch.rand(6, 4, 6, dtype=torch.float64) ** 2 * real
        drawn = drawn / drawn.sum(-1, keepdim=True).clamp(min=1e-300)

        pairs = [
            (list(map(str, a[m].tolist())), list(map(str, b[n].tolist())))
            for a, m, b, n in zip(x, x_mask, y, y_mask, strict=True)
        ]
        values = fit_with_prior(even, x, y, y_mask, (6, 6), 5)[2]
        want = IBMModel1.fit(pairs, 5).log_likelihoods
        assert max(abs(float(a) - b) for a, b in zip(values, want, strict=True)) < 1e-6, (
            "a prior that is the same for all writers makes Model 1: want the log-likelihoods "
            f"{[round(v, 4) for v in want]}, got {[round(float(v), 4) for v in values]}"
        )

        before = drawn.clone()
        table, alpha, values = fit_with_prior(drawn, x, y, y_mask, (6, 6), 5)
        values = [float(value) for value in values]
        assert torch.equal(drawn, before), "fit_with_prior changes the prior that it is given"
        want = em(x, y, y_mask, [drawn] * 6)
        outside = em(x, y, y_mask, [even] * 5 + [drawn])
        assert not torch.allclose(table, outside[0], rtol=1e-6, atol=1e-9), (
            "the table knows nothing of the prior: it has a say in every E-step, not only in the "
            "posteriors of the end"
        )
        assert torch.allclose(table, want[0], rtol=1e-6, atol=1e-9), (
            "the table after 5 iterations differs from the reference by up to "
            f"{float((table - want[0]).abs().max()):.3g}"
        )
        falls = [k for k in range(5) if values[k + 1] < values[k] - 1e-9]
        assert not falls, (
            f"the log-likelihood falls in iteration {falls[0] + 1}, which the proof forbids: of "
            "which model is it? The prior belongs into it"
        )
        assert max(abs(a - b) for a, b in zip(values, want[2], strict=True)) < 1e-6, (
            f"log-likelihoods: want {[round(v, 4) for v in want[2]]}, got "
            f"{[round(v, 4) for v in values]}"
        )
        assert torch.allclose(alpha, want[1], rtol=1e-6, atol=1e-9), (
            "the posteriors should be those under the last table, and zero for padding; yours "
            f"differ by up to {float((alpha - want[1]).abs().max()):.3g}"
        )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it.** Run this when the check passes: your aligner beside the library's ways, on 400
# validation pairs.

# %%
gold = alignment.mini_world("valid", 400, seed=2)
plain = [(list(p.source), list(p.target)) for p in gold]
ways = alignment.both_directions(plain, plain)
ways["yours"] = [{tuple(link) for link in links} for links in align_corpus(plain)]
rates = {name: alignment.judge(found, gold).error_rate for name, found in ways.items()}
for name, rate in rates.items():
    print(
        f"{name:18} error rate {rate:.3f}, {rate / rates['intersection']:.2f} of the intersection's"
    )
