# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw14_gpt
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
# # Homework 14: GPT
#
# Chapter 14 deleted the encoder and let a network write. Here you build the rest by your own
# hand: windows of a text with their answers, masked attention in which heads share keys, a draw
# from the nucleus, a cache that forgets, and an experiment about how much of the past counting
# can use.
#
# **How to work.** Run the cells in order. Replace each `...` by your code, run the cell, then run
# `grader.check` below it, as often as you like: it says what is wrong. The tests that you see are
# not all tests. The hidden ones look at other sizes and random numbers, and at what the text of a
# question promises. What your functions are given they leave as it is. Five questions, 20 points,
# about two hours.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# $B$ rows in a batch, $T$ tokens, $V$ words in the vocabulary, $H$ heads of queries, $G$ heads of
# keys and values, $d$ numbers in a query, key or value.

# %%
from functools import partial
from pathlib import Path

import torch

from course_lab.experiments.gpt import in_page
from course_lib.attention.attend import AttentionOutput
from course_lib.attention.position import rotate
from course_lib.data.characters import Characters
from course_lib.homework import require_written
from course_lib.models.language_model import LanguageModel, LanguageModelConfig

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. The shift and the loss
#
# *About 20 minutes, ★☆☆.*
#
# A text is its own teacher: each token's answer is the token after it.
#
# `windows(ids, size)` cuts a text, a list of ids, into windows of `size` tokens without overlap,
# from its beginning on, and returns two integer tensors `(N, size)`: what the model reads, and
# the answers, which are the same windows one token later. Every answer must be there: a rest that
# is too short for another window is left out.
#
# `text_loss(logits, answers)` is the mean of $-\ln p$ over all answers, a tensor without
# dimensions. `logits` is `(N, size, V)`, unnormalised. An answer of $-1$ does not count: neither
# in the sum nor in the number that it is divided by. There is at least one that counts. Logits
# may be as large as 1,000.

# %% [raw]
# # BEGIN SOLUTION


# %%
def windows(ids, size):
    """What is read and what is the answer: two tensors (N, size)."""
    # BEGIN SOLUTION
    count = (len(ids) - 1) // size
    read = torch.tensor(ids[: count * size], dtype=torch.long).view(count, size)
    answers = torch.tensor(ids[1 : count * size + 1], dtype=torch.long).view(count, size)
    return read, answers
    # END SOLUTION


def text_loss(logits, answers):
    """Nats a token, a tensor without dimensions."""
    # BEGIN SOLUTION
    log_p = logits.log_softmax(dim=-1)
    there = answers != -1
    chosen = log_p.gather(-1, answers.clamp(min=0)[..., None])[..., 0]
    return -chosen[there].sum() / there.sum()
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_windows_of_seven(windows):
    """Seven tokens in windows of three."""
    try:
        got = windows([5, 6, 7, 8, 9, 10, 11], 3)
    except Exception as error:
        told = f"windows stopped at seven ids with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = f"want two tensors (read, answers), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 2, "want two tensors (read, answers)"
    read, answers = (part.tolist() for part in got)
    told = f"seven ids in windows of 3: want to read [[5, 6, 7], [8, 9, 10]], got {read}."
    if read == [[5, 6, 7], [6, 7, 8], [7, 8, 9], [8, 9, 10]]:
        told += " Your windows overlap: the next one begins where the last one ended."
    assert read == [[5, 6, 7], [8, 9, 10]], told
    told = f"want the answers [[6, 7, 8], [9, 10, 11]], got {answers}."
    if answers == read:
        told += " The answer to a token is the one after it: shift by one."
    elif answers == [[6, 7, 8], [9, 10, 8]] or answers == [[6, 7, 5], [9, 10, 8]]:
        told += " The last answer of a window is the first token of the next one."
    assert answers == [[6, 7, 8], [9, 10, 11]], told
    read, answers = windows([5, 6, 7, 8, 9, 10], 3)
    told = f"six ids hold one window of 3 with its answers, yours are {read.tolist()}: the last "
    told += "window has no answer to its last token"
    assert read.tolist() == [[5, 6, 7]], told
    assert answers.tolist() == [[6, 7, 8]], "six ids: want the answers [[6, 7, 8]]"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_loss_by_hand(text_loss):
    """Probabilities 1/2 and 1/8, and an answer that does not count."""
    import torch

    p = torch.tensor([[[0.5, 0.25, 0.25], [0.125, 0.375, 0.5], [0.2, 0.2, 0.6]]])
    got = text_loss(p.log() + 3, torch.tensor([[0, 0, -1]]))
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (), f"want a tensor without dimensions, got shape {tuple(got.shape)}"
    ln2, got = 0.6931, got.item()
    told = f"answers of probability 1/2 and 1/8: want (ln 2 + ln 8) / 2 = {2 * ln2:.3f}, "
    told += f"got {got:.3f}."
    if abs(got - 4 * ln2 / 3) < 1e-3:
        told += " You divide by 3: an answer of -1 is not counted."
    elif abs(got - 4 * ln2) < 1e-3:
        told += " That is the sum; the mean is wanted."
    elif abs(got - (4 * ln2 - torch.tensor(0.6).log().item()) / 3) < 1e-3:
        told += " Your -1 picks the last word of the vocabulary."
    elif abs(got - 2) < 1e-3:
        told += " Those are bits: take the natural logarithm."
    elif abs(got - 2 * ln2 + 3) < 1e-3:
        told += " Logits are no log-probabilities: take log_softmax over the V words."
    assert abs(got - 2 * ln2) < 1e-3, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Other sizes, the types of the ids, and nothing that is written into."
"""  # END TEST CONFIG


def test_windows_of_other_sizes(windows):
    """Every token but the first is an answer once, as far as whole windows go."""
    import torch

    for count, size in [(20, 4), (21, 4), (9, 8), (5, 1), (100, 7)]:
        ids = torch.randint(50, (count,), generator=torch.Generator().manual_seed(count)).tolist()
        given = list(ids)
        read, answers = windows(ids, size)
        assert ids == given, "your function changes the text"
        whole = (count - 1) // size
        told = f"{count} ids, windows of {size}: want shape ({whole}, {size}), got "
        assert read.shape == (whole, size), told + f"{tuple(read.shape)}"
        assert answers.shape == (whole, size), told + f"{tuple(answers.shape)} for the answers"
        assert answers.dtype == torch.long, "answers are ids: want integers, torch.long"
        assert read.flatten().tolist() == ids[: whole * size], told + "other tokens"
        told = f"{count} ids, windows of {size}: the answers are not the text one token later"
        assert answers.flatten().tolist() == ids[1 : whole * size + 1], told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Beside PyTorch; large logits; batches in which windows differ in what counts."
"""  # END TEST CONFIG


def test_loss_beside_pytorch(text_loss):
    """Random logits, some answers that do not count."""
    import torch
    from torch.nn.functional import cross_entropy

    rng = torch.Generator().manual_seed(1)
    for N, T, V in [(3, 5, 7), (1, 1, 2), (4, 2, 30)]:
        logits = torch.randn(N, T, V, generator=rng)
        answers = torch.randint(V, (N, T), generator=rng)
        answers[torch.rand(N, T, generator=rng) < 0.4] = -1
        answers[0, 0] = 1
        given = answers.clone()
        got = text_loss(logits, answers)
        assert torch.equal(answers, given), "your function writes into the answers"
        want = cross_entropy(logits.flatten(0, 1), answers.flatten(), ignore_index=-1)
        assert torch.allclose(got, want, atol=1e-5), f"other than PyTorch for {(N, T, V)}"
    large = torch.tensor([[[1000.0, 0.0]]])
    got = text_loss(large, torch.tensor([[1]])).item()
    assert abs(got - 1000) < 1e-2, f"logits 1000 and 0: want a loss of 1000, got {got}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2. Masked attention with shared keys
#
# *About 20 minutes, ★★☆.*
#
# `grouped_attention(q, k, v)` returns the contexts `(B, H, T, d)` of masked self-attention, with
# the scale $1 / \sqrt{d}$. `q` is `(B, H, T, d)`; `k` and `v` are `(B, G, T, d)`, and $G$ divides
# $H$. The first $H / G$ heads of queries share the first head of keys and values, the next ones
# the second, and so on. Position $t$ attends to the positions up to $t$ and to none after it.
#
# `cache_bytes(layers, heads, width, tokens, bytes)` is the size of a cache as an integer: keys
# and values of `heads` heads of `width` numbers each, in every layer, for every token.
#
# <details><summary>Hint</summary>
#
# With four heads of queries and two of keys, the query heads 0 and 1 use the key head 0. `repeat`
# and `repeat_interleave` give different orders: print both for a list of two numbers.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def grouped_attention(q, k, v):
    """Contexts (B, H, T, d)."""
    # BEGIN SOLUTION
    shared = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(shared, dim=1), v.repeat_interleave(shared, dim=1)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return scores.masked_fill(later, -torch.inf).softmax(dim=-1) @ v
    # END SOLUTION


def cache_bytes(layers, heads, width, tokens, bytes):
    """How many bytes, an int."""
    # BEGIN SOLUTION
    return 2 * layers * heads * width * tokens * bytes
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_mask(grouped_attention):
    """Equal scores: each position reads the mean of the values so far."""
    import torch

    q = torch.zeros(1, 1, 4, 1)
    v = torch.tensor([6.0, 2.0, 4.0, 8.0]).view(1, 1, 4, 1)
    try:
        got = grouped_attention(q, q, v)
    except Exception as error:
        told = f"grouped_attention stopped at (1, 1, 4, 1) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (1, 1, 4, 1), f"want shape (1, 1, 4, 1), got {tuple(got.shape)}"
    got = [round(x, 3) for x in got.flatten().tolist()]
    told = f"values 6, 2, 4, 8 and equal scores: want [6, 4, 4, 5], got {got}."
    if got == [5.0] * 4:
        told += " Every position sees the future: the mask is missing."
    elif got == [5.0, 4.667, 6.0, 8.0]:
        told += " Your mask is the wrong way up: it hides the past."
    elif got[1] == 6.0:
        told += " A position attends to itself, too: begin the mask one above the diagonal."
    elif got == [1.5, 2.0, 3.0, 5.0]:
        told += " Mask before the softmax, so that what is left sums to one."
    assert got == [6.0, 4.0, 4.0, 5.0], told
    q = torch.tensor([1.0, 2.0, 0.0, 0.0]).expand(1, 1, 2, 4)
    k = torch.tensor([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]]).view(1, 1, 2, 4)
    v = torch.tensor([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]]).view(1, 1, 2, 4)
    got = round(grouped_attention(q, k, v)[0, 0, 1, 1].item(), 3)
    want = round(torch.tensor([1.0, 2.0]).softmax(0)[1].item(), 3)
    told = f"scores 2 and 4 over the root of 4: want a weight of {want}, got {got}."
    if abs(got - torch.tensor([2.0, 4.0]).softmax(0)[1].item()) < 2e-3:
        told += " The scale is missing."
    assert abs(got - want) < 2e-3, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_who_shares(grouped_attention):
    """Four heads of queries, two of keys and values."""
    import torch

    q, k = torch.zeros(1, 4, 1, 2), torch.zeros(1, 2, 1, 2)
    v = torch.tensor([1.0, 9.0]).view(1, 2, 1, 1).expand(1, 2, 1, 2)
    got = grouped_attention(q, k, v)
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    got = got[0, :, 0, 0].tolist()
    told = f"four heads, values 1 and 9: want the heads to read [1, 1, 9, 9], got {got}."
    if got == [1.0, 9.0, 1.0, 9.0]:
        told += " Neighbours share: repeat each head, not the whole row of heads."
    assert got == [1.0, 1.0, 9.0, 9.0], told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Random queries, keys and values beside PyTorch, several numbers of heads."
"""  # END TEST CONFIG


def test_heads_beside_pytorch(grouped_attention):
    """Values, and that no later position has influence."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    rng = torch.Generator().manual_seed(2)
    for B, H, G, T, d in [(2, 4, 2, 5, 3), (1, 6, 1, 7, 4), (3, 3, 3, 2, 8), (2, 6, 3, 1, 2)]:
        q = torch.randn(B, H, T, d, generator=rng)
        k, v = (torch.randn(B, G, T, d, generator=rng) for _ in range(2))
        given = [part.clone() for part in (q, k, v)]
        got = grouped_attention(q, k, v)
        same = [torch.equal(*pair) for pair in zip(given, (q, k, v), strict=True)]
        assert all(same), "your function writes into what it is given"
        whole = (part.repeat_interleave(H // G, dim=1) for part in (k, v))
        want = scaled_dot_product_attention(q, *whole, is_causal=True)
        assert torch.allclose(got, want, atol=1e-5), f"other than PyTorch for {(B, H, G, T, d)}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "The size of a cache."
"""  # END TEST CONFIG


def test_bytes(cache_bytes):
    """A key and a value a head."""
    got = cache_bytes(2, 3, 5, 7, 4)
    told = f"2 layers, 3 heads of 5 numbers, 7 tokens, 4 bytes: want 1680, got {got}."
    if got == 840:
        told += " Both a key and a value are kept."
    assert got == 1680, told
    assert cache_bytes(32, 8, 128, 8000, 2) == 1_048_576_000, "32 layers, 8 heads: another number"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 4

# %% [markdown]
# ## Question 3. A draw from the nucleus
#
# *About 30 minutes, ★★★.*
#
# `draw(logits, temperature, p, point)` draws one word for each row and returns integers `(B,)`.
#
# - `logits` is `(B, V)`. They are divided by the temperature before the softmax.
# - The *nucleus* of a row is the fewest words, most probable first, whose probabilities sum to
#   `p` or more. Of equal words those with the smaller numbers come first. At `p = 1` nothing is
#   cut.
# - `point` is `(B,)`, from 0 to below 1. Line the words of the nucleus up, the most probable
#   first, each as long as its share of the nucleus. The word is the one in whose stretch the
#   point is; where one ends and the next begins, it is the next.
#
# `write(model, ids, count, size, points)` continues a list of ids by `count` words and returns
# the whole list, as a new one. `model` is a function from tokens `(1, t)` to logits `(1, t, V)`,
# for at most `size` tokens: give it the last `size` words that there are. Word number $i$ is
# drawn with `points[i]`, temperature 1 and `p = 1`, by `draw`.
#
# <details><summary>First hint</summary>
#
# After you have sorted a row, the place of a word is not its number. Work through the shares 0.2,
# 0.5 and 0.3 with $p = 0.6$: which words stay, in which order do they line up, and how long is
# each?
#
# </details>
#
# <details><summary>Second hint</summary>
#
# In `write`, the model may never see more than `size` words, and the list that you return has all
# of them.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def draw(logits, temperature, p, point):
    """One word for each row: (B,)."""
    # BEGIN SOLUTION
    share = (logits / temperature).softmax(dim=-1)
    falling, order = share.sort(dim=-1, descending=True, stable=True)
    if p < 1:
        before = falling.cumsum(dim=-1) - falling
        falling = falling.masked_fill(before >= p, 0.0)
    reached = falling.cumsum(dim=-1)
    place = (reached <= point[:, None] * reached[:, -1:]).sum(dim=-1)
    return order.gather(-1, place[:, None])[:, 0]
    # END SOLUTION


def write(model, ids, count, size, points):
    """The list, and what was written behind it."""
    # BEGIN SOLUTION
    ids = list(ids)
    for i in range(count):
        logits = model(torch.tensor([ids[-size:]]))[:, -1]
        ids.append(draw(logits, 1.0, 1.0, torch.tensor([points[i]])).item())
    return ids
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_draws_by_hand(draw):
    """Shares 0.1, 0.5, 0.4, lined up as 0.5, 0.4, 0.1."""
    import torch

    logits = torch.tensor([[0.1, 0.5, 0.4]]).log().repeat(4, 1)
    points = torch.tensor([0.0, 0.45, 0.6, 0.95])
    try:
        got = draw(logits, 1.0, 1.0, points)
    except Exception as error:
        told = f"draw stopped at logits (4, 3) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (4,), f"want shape (4,), got {tuple(got.shape)}"
    told = "shares 0.1, 0.5, 0.4 and the points 0, 0.45, 0.6, 0.95: want words [1, 1, 2, 0], "
    told += f"got {got.tolist()}."
    if got.tolist() == [0, 1, 2, 2]:
        told += " The most probable word comes first in the line."
    elif got.tolist() == [0, 0, 1, 2]:
        told += " That is the place in the line: which word is at that place?"
    assert got.tolist() == [1, 1, 2, 0], told
    got = draw(logits[:2], 1.0, 0.6, torch.tensor([0.5, 0.6])).tolist()
    told = "p = 0.6 leaves 0.5 and 0.4, of which they are 5/9 and 4/9; points 0.5 and 0.6: want "
    told += f"[1, 2], got {got}."
    if got == [1, 1]:
        told += " The word that crosses p belongs to the nucleus."
    elif got == [2, 2]:
        told += " Points are for shares of the nucleus, so that these sum to one again."
    assert got == [1, 2], told
    got = draw(logits[:1], 0.5, 1.0, torch.tensor([0.58])).tolist()
    told = f"temperature 1/2 makes the shares 0.024, 0.595, 0.381; 0.58: want [1], got {got}."
    if got == [2]:
        told += " Divide the logits by the temperature, before the softmax."
    assert got == [1], told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_it_writes(write):
    """A model that is sure: the next word is the sum of the last two, and it takes two at most."""
    import torch

    def model(tokens):
        assert tokens.shape[0] == 1, "your model is given more than one row"
        told = f"this model reads at most 2 tokens, you gave it {tokens.shape[1]}"
        assert tokens.shape[1] <= 2, told
        total = tokens.sum(-1) % 5
        logits = torch.zeros(1, tokens.shape[1], 5)
        logits[0, -1, total] = 50.0
        return logits

    given = [1, 1]
    got = write(model, given, 4, 2, [0.3] * 4)
    assert isinstance(got, list), f"want a list, got {type(got).__name__}"
    told = f"from [1, 1], each word the sum of two mod 5: want [1, 1, 2, 3, 0, 3], got {got}."
    if got == [2, 3, 0, 3]:
        told += " What was given belongs to the list."
    elif len(got) == 6:
        told += " Give the model the newest words, and look at its last position."
    assert got == [1, 1, 2, 3, 0, 3], told
    assert given == [1, 1], "your function changes the list that it is given"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Beside the library: random logits, and as often as the shares say."
"""  # END TEST CONFIG


def test_draws_of_the_library(draw):
    """Even points give each word its share of the nucleus."""
    import torch

    from course_lib.decoding.sample import kept_probabilities

    rng = torch.Generator().manual_seed(4)
    points = (torch.arange(2000) + 0.5) / 2000
    for temperature, p in [(1.0, 1.0), (0.5, 0.8), (2.0, 0.5), (1.0, 0.05)]:
        logits = torch.randn(1, 6, generator=rng)
        given = logits.clone()
        got = draw(logits.expand(2000, -1), temperature, p, points)
        assert torch.equal(logits, given), "your function writes into the logits"
        share = got.bincount(minlength=6) / 2000
        want = kept_probabilities(logits, temperature=temperature, top_p=p)[0]
        told = f"other shares than the library's at temperature {temperature} and p = {p}"
        assert torch.allclose(share, want, atol=2e-3), told
    alike = draw(torch.zeros(3, 20), 1.0, 0.1, torch.tensor([0.0, 0.3, 0.99])).tolist()
    told = f"20 equal words, p = 0.1: words 0 and 1 are the nucleus, yours draws {alike}"
    assert alike == [0, 0, 1], told
    border = draw(torch.zeros(2, 2), 1.0, 1.0, torch.tensor([0.5, 0.49])).tolist()
    assert border == [1, 0], f"equal words, points 0.5 and 0.49: want [1, 0], got {border}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Other models: the crop, one point a word, and the last position."
"""  # END TEST CONFIG


def test_it_writes_by_its_points(write):
    """A model that copies the word from three places back, and one without a preference."""
    import torch

    def copies(tokens):
        logits = torch.zeros(1, tokens.shape[1], 9)
        back = tokens[0, -3] if tokens.shape[1] > 2 else 8
        logits[0, -1, back] = 60.0
        return logits

    got = write(copies, [4, 5, 6], 6, 3, [0.5] * 6)
    assert got == [4, 5, 6, 4, 5, 6, 4, 5, 6], f"a copy from three places back: got {got}"
    got = write(copies, [4, 5, 6], 2, 2, [0.5] * 2)
    assert got == [4, 5, 6, 8, 8], f"two tokens are too few to look three back: got {got}"
    even = write(lambda tokens: torch.zeros(1, tokens.shape[1], 4), [0], 4, 8, [0.9, 0.1, 0.6, 0.3])
    assert even == [0, 3, 0, 2, 1], f"four equal words, points 0.9, 0.1, 0.6, 0.3: got {even}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## Question 4. A cache that forgets
#
# *About 25 minutes, ★★☆.*
#
# A cache grows with every token. A text has no end, so at some length the oldest tokens must go.
#
# `cached_step(q, k, v, keys, values, size)` reads one more token and returns `(context, keys,
# values)`.
#
# - `q` is `(B, H, d)`, the queries of the newest token; `k` and `v` are `(B, H, d)`, its keys and
#   values.
# - `keys` and `values` are `(B, H, t, d)`, of the tokens before; at first $t = 0$.
# - The newest token is appended at the end. If there are more than `size` tokens then, the oldest
#   go.
# - The token attends to all that are left, itself among them, with the scale $1 / \sqrt{d}$.
#   `context` is `(B, H, d)`.
#
# `run(q, k, v, size)` does the same for a whole sequence at once, without a cache: `q`, `k` and
# `v` are `(B, H, T, d)`, and position $t$ attends to itself and the `size - 1` positions before
# it. It returns the contexts `(B, H, T, d)`.
#
# <details><summary>Hint</summary>
#
# Append the new token first, and cut afterwards. For `run`, make the table of all differences
# between two positions: for which differences may one attend to the other?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def cached_step(q, k, v, keys, values, size):
    """Context (B, H, d), and the cache with the newest token in it."""
    # BEGIN SOLUTION
    keys = torch.cat([keys, k[:, :, None]], dim=2)[:, :, -size:]
    values = torch.cat([values, v[:, :, None]], dim=2)[:, :, -size:]
    scores = q[:, :, None] @ keys.transpose(-2, -1) / q.shape[-1] ** 0.5
    return (scores.softmax(dim=-1) @ values)[:, :, 0], keys, values
    # END SOLUTION


def run(q, k, v, size):
    """The same for all positions at once: contexts (B, H, T, d)."""
    # BEGIN SOLUTION
    places = torch.arange(q.shape[2])
    back = places[:, None] - places
    seen = (back >= 0) & (back < size)
    scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
    return scores.masked_fill(~seen, -torch.inf).softmax(dim=-1) @ v
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_three_steps(cached_step):
    """Equal scores, a cache of two tokens."""
    import torch

    nothing, asks = torch.zeros(1, 1, 0, 1), torch.zeros(1, 1, 1)
    tokens = [torch.tensor([[[x]]]) for x in (2.0, 4.0, 10.0)]
    try:
        step = cached_step(asks, tokens[0], tokens[0], nothing, nothing, 2)
    except Exception as error:
        told = f"cached_step stopped at an empty cache with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = f"want three tensors (context, keys, values), got {type(step).__name__}"
    assert isinstance(step, (tuple, list)), told
    assert len(step) == 3, "want three tensors (context, keys, values)"
    context, keys, values = step
    assert context.shape == (1, 1, 1), f"want a context (1, 1, 1), got {tuple(context.shape)}"
    told = f"the first token reads itself: want 2, got {context.item():.3f}"
    assert abs(context.item() - 2) < 1e-4, told
    context, keys, values = cached_step(asks, tokens[1], tokens[1], keys, values, 2)
    told = f"values 2 and 4, equal scores: want 3, got {context.item():.3f}."
    if abs(context.item() - 2) < 1e-4:
        told += " The newest token attends to itself, too: append first."
    assert abs(context.item() - 3) < 1e-4, told
    context, keys, values = cached_step(asks, tokens[2], tokens[2], keys, values, 2)
    got, told = (
        keys.flatten().tolist(),
        "a cache of two after 2, 4, 10: want the keys [4, 10], got ",
    )
    told += f"{got}."
    if got == [2.0, 4.0]:
        told += " The oldest go, not the newest."
    elif got == [2.0, 4.0, 10.0]:
        told += " Nothing was forgotten."
    elif got == [10.0, 4.0]:
        told += " The newest comes last."
    assert got == [4.0, 10.0], told
    told = f"values 4 and 10, equal scores: want 7, got {context.item():.3f}."
    if abs(context.item() - 16 / 3) < 1e-3:
        told += " Forget before you attend."
    assert abs(context.item() - 7) < 1e-4, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_a_window_at_once(run):
    """Equal scores: means of the last two values."""
    import torch

    v = torch.tensor([2.0, 4.0, 10.0, 6.0]).view(1, 1, 4, 1)
    got = run(torch.zeros(1, 1, 4, 1), torch.zeros(1, 1, 4, 1), v, 2)
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    got = [round(x, 3) for x in got.flatten().tolist()]
    told = f"values 2, 4, 10, 6, a window of 2: want [2, 3, 7, 8], got {got}."
    if got == [2.0, 3.0, 5.333, 5.5]:
        told += " Nothing is forgotten: mask what is too far back."
    elif got == [2.0, 3.0, 5.333, 6.667]:
        told += " That is a window of 3: `size` counts the token itself."
    elif got[0] != 2.0:
        told += " The first position sees the future."
    assert got == [2.0, 3.0, 7.0, 8.0], told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Token by token beside all at once; the cache that is given stays as it is."
"""  # END TEST CONFIG


def test_steps_beside_a_window(cached_step):
    """Random numbers, several sizes."""
    import torch

    rng = torch.Generator().manual_seed(3)
    for B, H, T, d, size in [(2, 2, 6, 3, 4), (1, 3, 5, 4, 1), (2, 1, 4, 2, 9)]:
        q, k, v = (torch.randn(B, H, T, d, generator=rng) for _ in range(3))
        keys = values = torch.zeros(B, H, 0, d)
        for t in range(T):
            first = max(0, t + 1 - size)
            scores = (q[:, :, t, None] * k[:, :, first : t + 1]).sum(-1) / d**0.5
            want = (scores.softmax(-1)[..., None] * v[:, :, first : t + 1]).sum(2)
            before, held = keys, keys.clone()
            parts = q[:, :, t], k[:, :, t], v[:, :, t]
            context, keys, values = cached_step(*parts, keys, values, size)
            told = f"step {t} differs for B, H, d, size = {(B, H, d, size)}"
            assert torch.allclose(context, want, atol=1e-5), told
            assert torch.equal(before, held), "your function changes the cache that it is given"
            assert keys.shape[2] == values.shape[2] == min(t + 1, size), "another length of cache"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "All positions at once beside a loop, several sizes."
"""  # END TEST CONFIG


def test_windows_beside_a_loop(run):
    """Random numbers; a window as long as the text is the causal mask."""
    import torch
    from torch.nn.functional import scaled_dot_product_attention

    rng = torch.Generator().manual_seed(8)
    for B, H, T, d, size in [(2, 2, 6, 3, 3), (1, 2, 5, 4, 1), (2, 3, 4, 2, 4)]:
        q, k, v = (torch.randn(B, H, T, d, generator=rng) for _ in range(3))
        got = run(q, k, v, size)
        for t in range(T):
            first = max(0, t + 1 - size)
            scores = (q[:, :, t, None] * k[:, :, first : t + 1]).sum(-1) / d**0.5
            want = (scores.softmax(-1)[..., None] * v[:, :, first : t + 1]).sum(2)
            assert torch.allclose(got[:, :, t], want, atol=1e-5), f"position {t}, size {size}"
        if size == T:
            want = scaled_dot_product_attention(q, k, v, is_causal=True)
            assert torch.allclose(got, want, atol=1e-5), "a window of all is the causal mask"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5. An experiment: how much of the past can counting use?
#
# *About 25 minutes, ★★☆.*
#
# Before networks, language models *counted*: how often did each character follow these $n$
# characters in the training text? The probability of a next character is $(c + 1) / (N + V)$: $c$
# is how often it followed the same $n$ characters in training, $N$ how often these $n$ were
# followed by anything, and $V$ the number of different characters of the training text.
#
# `counted_loss(train, test, n, first)` returns, as a float, the mean of $-\ln p$ over the
# characters of `test` from position `first` on. `train` and `test` are strings, `first` is at
# least $n$, and every character of `test` occurs in `train`. With $n = 0$ nothing is looked at.
#
# More past should help. Does it, for counting? `texts()` gives two texts of the mini-world.
# `finding()` returns a dictionary: `"losses"`, the list of `counted_loss` for $n = 0, 1, \dots,
# 12$, all with `first=12`; `"best"`, the $n$ with the lowest loss; and `"why"`: in 20 words or
# more of your own, why the loss does not go on falling, and what a network does about it.
#
# <details><summary>Hint</summary>
#
# You need two counts from the training text: of $n + 1$ characters, and of $n$ characters that are
# followed by something. Which $n$ characters are followed by nothing?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def texts():
    """A text to count, and one to be judged by."""
    from course_lib.data.mini_world import grammar

    sizes = {"min_words": 4, "max_words": 10, "vocabulary": "tiny"}
    parts = (grammar.sample(split, 600, seed=1, **sizes) for split in ("train", "test"))
    return tuple("\n".join(" ".join(pair.source) for pair in pairs) for pairs in parts)


def counted_loss(train, test, n, first):
    """Nats a character, a float."""
    # BEGIN SOLUTION
    from collections import Counter
    from math import log

    size = len(set(train))
    pairs = Counter(train[i - n : i + 1] for i in range(n, len(train)))
    before = Counter(train[i - n : i] for i in range(n, len(train)))
    total = 0.0
    for i in range(first, len(test)):
        past = test[i - n : i]
        total -= log((pairs[past + test[i]] + 1) / (before[past] + size))
    return total / (len(test) - first)
    # END SOLUTION


def finding():
    """What you found: thirteen losses, the best n, and why."""
    # BEGIN SOLUTION
    train, test = texts()
    losses = [counted_loss(train, test, n, 12) for n in range(13)]
    return {
        "losses": losses,
        "best": losses.index(min(losses)),
        "why": "The longer the past, the rarer it is: most strings of twelve characters never came "
        "in training, and then counting knows nothing and gives all characters the same. A network "
        "does not look strings up. It gives similar pasts similar vectors, and attention picks the "
        "few characters of the past that matter.",
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


def test_counts_by_hand(counted_loss):
    """A text of two characters."""
    from math import log

    train = "abababaab"
    try:
        got = counted_loss(train, "ab", 1, 1)
    except Exception as error:
        told = f"counted_loss stopped at n = 1 with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, float), f"want a float, got {type(got).__name__}"
    want = -log(5 / 7)
    told = f"abababaab: b follows a 4 times of 5, so p = (4 + 1) / (5 + 2): want {want:.4f}, "
    told += f"got {got:.4f}."
    if abs(got + log(4 / 5)) < 1e-4:
        told += " The 1 and the V are missing: what never came must have a probability, too."
    elif abs(got + log(5 / 6)) < 1e-4:
        told += " Divide by N + V, not by N + 1."
    assert abs(got - want) < 1e-4, told
    got, want = counted_loss(train, "ab", 0, 0), -(log(6 / 11) + log(5 / 11)) / 2
    told = f"n = 0 counts characters, 5 a and 4 b of 9: want {want:.4f}, got {got:.4f}."
    if abs(got - 2 * want) < 1e-4:
        told += " That is the sum; the mean is wanted."
    assert abs(got - want) < 1e-4, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_same_characters_count(counted_loss):
    """Whatever n is, the loss is of the characters from `first` on."""
    from math import log

    train = "aab" * 4
    want = -(log(9 / 14) + log(5 / 14)) / 2
    got = counted_loss(train, "bbbbab", 0, 4)
    told = f"the last two of bbbbab with n = 0: want {want:.4f}, got {got:.4f}."
    whole = -(log(9 / 14) + 5 * log(5 / 14)) / 6
    if isinstance(got, float) and abs(got - whole) < 1e-4:
        told += " You count every character of the test; begin at `first`."
    assert isinstance(got, float), f"want a float, got {type(got).__name__}"
    assert abs(got - want) < 1e-4, told
    got = counted_loss(train, "bbbb", 3, 3)
    told = f"bbb never came in training: want ln 2 = 0.6931, got {got:.4f}"
    assert abs(got - log(2)) < 1e-4, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Other texts and lengths of the past, beside a slow count."
"""  # END TEST CONFIG


def test_counts_beside_a_loop(counted_loss):
    """Random texts of three characters."""
    import random
    from math import log

    rng = random.Random(5)
    for n, first in [(0, 3), (1, 1), (2, 5), (4, 4)]:
        train, test = ("".join(rng.choices("xyz", k=size)) for size in (60, 25))
        total = 0.0
        for i in range(first, len(test)):
            past = test[i - n : i]
            places = [j for j in range(n, len(train)) if train[j - n : j] == past]
            count = sum(train[j] == test[i] for j in places)
            total -= log((count + 1) / (len(places) + 3))
        want = total / (len(test) - first)
        got = counted_loss(train, test, n, first)
        assert abs(got - want) < 1e-6, f"n = {n}, first = {first}: want {want:.4f}, got {got:.4f}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "What you found, and a reason of 20 words or more."
"""  # END TEST CONFIG


def test_finding(finding):
    """The losses fall and rise again."""
    from collections import Counter
    from math import log

    from course_lib.data.mini_world import grammar

    sizes = {"min_words": 4, "max_words": 10, "vocabulary": "tiny"}
    parts = (grammar.sample(split, 600, seed=1, **sizes) for split in ("train", "test"))
    train, test = ("\n".join(" ".join(pair.source) for pair in pairs) for pairs in parts)
    size, losses = len(set(train)), []
    for n in range(13):
        pairs = Counter(train[i - n : i + 1] for i in range(n, len(train)))
        before = Counter(train[i - n : i] for i in range(n, len(train)))
        shares = (
            (pairs[test[i - n : i + 1]] + 1) / (before[test[i - n : i]] + size)
            for i in range(12, len(test))
        )
        losses.append(-sum(map(log, shares)) / (len(test) - 12))
    found = finding()
    assert isinstance(found, dict), f"want a dictionary, got {type(found).__name__}"
    assert {"losses", "best", "why"} <= set(found), f"want losses, best and why, got {set(found)}"
    yours = found["losses"]
    assert len(yours) == 13, f"want 13 losses, got {len(yours)}"
    for n, (got, want) in enumerate(zip(yours, losses, strict=True)):
        assert abs(got - want) < 1e-4, f"n = {n}: want {want:.4f}, got {got:.4f}"
    assert found["best"] == losses.index(min(losses)), "another n has the lowest loss"
    assert len(str(found["why"]).split()) >= 20, "say why in 20 words or more"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it: the finale of part IV.** The GPT of chapter 14 comes with trained weights: it has read
# Shakespeare, one character at a time. Here each of its layers is *your* `grouped_attention`, and
# *your* `write` continues what you write. Change the beginning and run the cell; another seed gives
# another continuation. A character that Shakespeare does not use is named.
#
# Answer questions 2 and 3 first. While one of their functions is still `...`, the cell stops and
# tells you which.

# %%
beginning = "ROMEO:\nI will not "

require_written(grouped_attention, draw, write)
model, alphabet = in_page.load()


def your_attention(own, x, cache, positions, **_):
    q = own.queries(x).unflatten(-1, (own.heads, -1)).transpose(1, 2)
    context = grouped_attention(rotate(q, positions), cache.keys, cache.values)
    return AttentionOutput(own.output(context.transpose(1, 2).flatten(2)), None)


@torch.no_grad()
def spoken(tokens):
    return model(tokens).index_fill(-1, torch.arange(4), -torch.inf)  # the first 4 are marks


for layer in model.layers:
    layer.self_attention.attend = partial(your_attention, layer.self_attention)
points = torch.rand(300, generator=torch.Generator().manual_seed(1)).tolist()
print(alphabet.decode(write(spoken, alphabet.encode(beginning or "\n"), 300, 128, points)))

# %% [markdown]
# **Try it: a text of your own.** Put 100,000 characters or more of plain text into a file, and give
# its name to `mine`. *Your* windows and *your* loss train a small network for about a minute, and
# *your* `write` lets it go on.

# %%
mine = None  # "mine.txt"

require_written(windows, text_loss, draw, write)
if mine:
    text = Path(mine).read_text(encoding="utf-8")
    alphabet = Characters(text)
    read, answers = windows(alphabet.encode(text), 64)
    model = LanguageModel(LanguageModelConfig(len(alphabet), width=64, layers=2))
    updates = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(1, 601):
        rows = torch.randint(len(read), (16,))
        loss = text_loss(model(read[rows]), answers[rows])
        updates.zero_grad()
        loss.backward()
        updates.step()
        if step % 100 == 0:
            print(f"{step} updates, loss {loss.item():.2f}")
    print(alphabet.decode(write(spoken, alphabet.encode(text[:40]), 300, 64, points)))

# %% [markdown]
# You have cut a text into exercises, hidden the future, drawn from a nucleus and forgotten what is
# too old. You also know what a model that only counts cannot do with a long past.
