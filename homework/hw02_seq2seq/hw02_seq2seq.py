# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw02_seq2seq
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
# # Homework 2: One vector
#
# This homework goes with chapter 2 of the book, *One vector*. When you are through, you will have
# built what stands around an encoder-decoder: the rows that it is trained on, the number that it is
# judged by, the loop that writes a whole batch of translations, and the order in which it reads.
# The last question asks once more what the chapter asks, this time without any training: how long a
# sentence fits into one vector?
#
# **How to work.** Run the cells in order. Write your answer in the place of `...`, run its cell,
# then the cell below it with `grader.check`, as often as you like. A failing check says what it
# wanted and what came. These *public* tests are not all tests. The *hidden* ones look at other
# sizes, at very short and very long sentences, at very large numbers and at what stands in the
# padding, and they compare your functions with the library's and PyTorch's on random input. So read
# what each question promises about input and output. A function leaves what it is given as it is:
# it returns something new.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# Five questions, 20 points, about two hours. Nothing is trained, and no cell runs for more than a
# few seconds. A mask is a boolean tensor, `True` at real tokens, as in the book.

# %%
import math

import matplotlib.pyplot as plt
import torch

from course_lab.experiments.lab.world import batch_of, vocabularies
from course_lib.data.mini_world.grammar import sample
from course_lib.data.tokens.tokenizer import END, PAD, START, UNKNOWN
from course_lib.evaluation.teacher_forcing import teacher_forced
from course_lib.models.cho import Cho, ChoConfig

torch.set_num_threads(1)
print(f"PAD {PAD}, UNKNOWN {UNKNOWN}, START {START}, END {END}; words from 4 on")

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 3

# %% [markdown]
# ## Question 1. What the decoder reads, and what it predicts
#
# *About 15 minutes, ★☆☆.*
#
# Teacher forcing needs three tensors (chapter 2, *Build it*, "Teacher forcing"). Make them from a
# batch of target sentences $y_1, \dots, y_{T-1}$, given as lists of token ids without any marks. As
# in the chapter, $y_T$ is the end mark, and padding stands at the end of a row.
#
# `teacher_forcing(sentences)` gets a list of $B$ lists of ids and returns
# `(target_in, target_out, mask)`, each of shape $(B, T)$, where $T$ is the length of the longest
# sentence plus one. The first two are `torch.long`, the mask is `torch.bool`: `True` where the
# model has something to predict, the end mark among it. The decoder never reads `END` and never
# predicts `START`, in no row. A sentence may be empty, and any word may be `UNKNOWN`.
#
# **Example.** The sentences `[5, 6, 7]` and `[8]` give
#
# | | first row | second row |
# |---|---|---|
# | `target_in` | 2 5 6 7 | 2 8 0 0 |
# | `target_out` | 5 6 7 3 | 8 3 0 0 |
# | `mask` | True True True True | True True False False |

# %% [raw]
# # BEGIN SOLUTION


# %%
def teacher_forcing(sentences):
    """Lists of ids, without marks, to (target_in, target_out, mask), each (B, T)."""
    # BEGIN SOLUTION
    width = max(len(ids) for ids in sentences) + 1
    padding = [[PAD] * (width - 1 - len(ids)) for ids in sentences]
    rows = list(zip(sentences, padding, strict=True))
    target_in = torch.tensor([[START, *ids, *pad] for ids, pad in rows])
    target_out = torch.tensor([[*ids, END, *pad] for ids, pad in rows])
    lengths = torch.tensor([len(ids) + 1 for ids in sentences])
    return target_in, target_out, torch.arange(width) < lengths[:, None]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_three_tensors(teacher_forcing):
    import torch

    got = teacher_forcing([[5, 6, 7], [8]])
    says = f"want three tensors (target_in, target_out, mask), got {got}"
    assert isinstance(got, tuple | list), says
    assert len(got) == 3, says
    for name, tensor in zip(("target_in", "target_out", "mask"), got, strict=True):
        assert isinstance(tensor, torch.Tensor), f"want a tensor as {name}, got {tensor!r}"
        shape = tuple(tensor.shape)
        says = f"want {name} of shape (2, 4), got {shape}"
        if shape == (2, 5):
            says += ". START and END in one row make it a place too long: each row has one of them"
        assert shape == (2, 4), says
        want = torch.bool if name == "mask" else torch.long
        assert tensor.dtype == want, f"want {name} of dtype {want}, got {tensor.dtype}"
    other = teacher_forcing([[9, 6, 7], [8]])
    says = "the shapes are right, but another first word changes nothing in target_in"
    assert not torch.equal(got[0], other[0]), says


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_example_of_rows(teacher_forcing):
    from course_lib.data.tokens.tokenizer import END, PAD, START

    read, predict, mask = (t.tolist() for t in teacher_forcing([[5, 6, 7], [8]]))
    says = f"target_in and target_out are the same, {read}: what does step i read, y_i or y_(i-1)?"
    assert read != predict, says
    says = (
        f"target_out is {predict}, with the start mark {START} in it: "
        "who would ever write a start mark?"
    )
    assert all(START not in row for row in predict), says
    says = (
        f"target_out is {predict}: each row has its end mark {END}. "
        "If the two are slices of one tensor, a change to one changes the other"
    )
    assert all(END in row for row in predict), says
    says = (
        f"target_in is {read}, with the end mark {END} in it. After the end there is nothing "
        "to predict, so nobody has to read it. Look at the shorter row"
    )
    assert all(END not in row for row in read), says
    says = f"target_out is {predict}: the end mark comes after the padding, not after the last word"
    assert predict[1] != [8, PAD, PAD, END], says
    assert read == [[START, 5, 6, 7], [START, 8, PAD, PAD]], f"target_in of the example is {read}"
    assert predict == [[5, 6, 7, END], [8, END, PAD, PAD]], (
        f"target_out of the example is {predict}"
    )
    says = (
        f"the mask is {mask}: the end mark is predicted too, and counts; "
        "a model that is not trained on it never stops"
    )
    assert mask != [[True, True, True, False], [True, False, False, False]], says
    assert mask == [[True] * 4, [True, True, False, False]], f"the mask of the example is {mask}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "An empty sentence, or unknown words, are not handled as the question says."
"""  # END TEST CONFIG


def test_empty_and_unknown_hidden(teacher_forcing):
    from course_lib.data.tokens.tokenizer import END, PAD, START, UNKNOWN

    read, predict, mask = (t.tolist() for t in teacher_forcing([[UNKNOWN, 4], [9, 8, UNKNOWN]]))
    says = (
        f"target_out is {predict}: each row has its end mark {END}. "
        "If the two are slices of one tensor, a change to one changes the other"
    )
    assert all(END in row for row in predict), says
    says = (
        f"target_out {predict} has the mask {mask}: UNKNOWN ({UNKNOWN}) is a word like others, "
        "and has to be predicted; only padding is left out"
    )
    assert mask == [[True, True, True, False], [True] * 4], says
    read, predict, mask = (t.tolist() for t in teacher_forcing([[], [5, 6]]))
    says = f"an empty sentence is START, then END at once: got {read[0]}, {predict[0]}, {mask[0]}"
    assert read == [[START, PAD, PAD], [START, 5, 6]], says
    assert predict == [[END, PAD, PAD], [5, 6, END]], says
    assert mask == [[True, False, False], [True] * 3], says
    read, predict, mask = (t.tolist() for t in teacher_forcing([[]]))
    says = f"one empty sentence alone: got {read}, {predict}, {mask}"
    assert (read, predict, mask) == ([[START]], [[END]], [[True]]), says


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "On random sentences the rows differ from those of the library's collate."
"""  # END TEST CONFIG


def test_rows_like_the_library_hidden(teacher_forcing):
    import torch

    from course_lib.data.batch import EncodedPair, collate

    generator = torch.Generator().manual_seed(3)
    for size in (1, 2, 7, 30):
        lengths = torch.randint(1, 13, (size,), generator=generator).tolist()
        ids = [torch.randint(4, 50, (n,), generator=generator).tolist() for n in lengths]
        wanted = collate([EncodedPair([4, 3], row) for row in ids], range(size))
        read, predict, mask = teacher_forcing(ids)
        says = f"for {size} sentences of {lengths} words "
        assert torch.equal(read, wanted.target_in), says + "target_in is not the library's"
        assert torch.equal(predict, wanted.target_out), says + "target_out is not the library's"
        assert torch.equal(mask, wanted.target_mask), says + "the mask is not the library's"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 5

# %% [markdown]
# ## Question 2. Perplexity of a test set
#
# *About 30 minutes, ★★☆.*
#
# A test set does not fit into one batch. Compute its cross-entropy and its perplexity from the
# scores of several batches (chapter 2, *Loss and perplexity*):
#
# $$
# \mathcal{L} = -\frac{1}{N} \sum \ln p(y_i \mid y_{<i}, x), \qquad
# \text{perplexity} = e^{\mathcal{L}}, \qquad
# p(y_i = w \mid y_{<i}, x) = \frac{\exp g_{iw}}{\sum_{v=1}^{V} \exp g_{iv}},
# $$
#
# where $g_{iw}$ is the score of word $w$ at step $i$, and the sum in $\mathcal{L}$ runs over all
# $N$ real target tokens of *all* batches.
#
# `perplexity(batches)` gets a list of tuples `(logits, target_out, mask)`, with the scores
# $(B, T, V)$, the true ids $(B, T)$ and the mask $(B, T)$. $B$ and $T$ differ from batch to batch.
# It returns `(nats, perplexity, tokens)`: two Python floats and $N$ as an int. How somebody has cut
# the data into batches must not change the result.
#
# Build the logarithm of the softmax yourself from `exp`, `log`, sums and maxima. It has to hold for
# scores of any size, such as $\pm 10^4$, where the logarithm of $p$ is finite although $p$ itself
# is not a number that a computer knows. A perplexity that is too large for a Python float (above
# $10^{308}$) is `math.inf`. At least one token is real. Do not rely on what stands in the *scores*
# at padded places: it may be anything, even not a number.
#
# **Example.** Two sentences over three words, one batch with $T = 2$. The first sentence is the one
# of the chapter's table, with the scores $(1.523, -1.523, 0)$ and $(-1.690, -1.284, 0)$ and the
# true ids 0 and 2. The second has one real token, with the scores $(0, 0, 0)$, and then padding.
# The sum is $0.236 + 0.379 + \ln 3 = 1.714$ nats, over $N = 3$ tokens. So $\mathcal{L} = 0.571$,
# and the perplexity is 1.77.
#
# <details><summary>First hint</summary>
#
# What happens to $p$ when the same number is taken off all scores of a step?
#
# </details>
#
# <details><summary>Second hint</summary>
#
# Pick the real tokens before you compute anything: zero times `nan` is `nan`. Then ask where you
# divide. A short batch must not weigh as much as a long one.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def perplexity(batches):
    """(logits, target_out, mask) of each batch to (nats, perplexity, tokens)."""
    # BEGIN SOLUTION
    total, tokens = 0.0, 0
    for logits, target_out, mask in batches:
        scores, wanted = logits[mask].double(), target_out[mask]  # (N, V), (N,)
        scores = scores - scores.amax(dim=-1, keepdim=True)
        own = scores.gather(1, wanted[:, None])[:, 0]
        total += (scores.exp().sum(dim=-1).log() - own).sum().item()
        tokens += len(wanted)
    nats = total / tokens
    try:
        return nats, math.exp(nats), tokens
    except OverflowError:
        return nats, math.inf, tokens
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_three_numbers(perplexity):
    import torch

    batch = (torch.zeros(2, 3, 5), torch.ones(2, 3).long(), torch.ones(2, 3).bool())
    got = perplexity([batch])
    says = f"want three numbers (nats, perplexity, tokens), got {got}"
    assert isinstance(got, tuple | list), says
    assert len(got) == 3, says
    kinds = [type(value).__name__ for value in got]
    says = f"want (float, float, int), got {kinds}: `.item()` makes a number of a tensor"
    assert kinds == ["float", "float", "int"], says
    sure = torch.zeros(2, 3, 5)
    sure[..., 1] = 2
    says = "three numbers, but a model that is surer of the right words gets the same nats"
    assert perplexity([(sure, *batch[1:])])[0] != got[0], says


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_example_of_perplexity(perplexity):
    import math

    import torch

    logits = torch.tensor(
        [
            [[1.523, -1.523, 0.0], [-1.690, -1.284, 0.0]],
            [[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]],
        ]
    )
    mask = torch.tensor([[True, True], [True, False]])
    nats, seems, tokens = perplexity([(logits, torch.tensor([[0, 2], [1, 0]]), mask)])
    says = f"want 3 tokens, got {tokens}"
    assert tokens == 3, says + (": one of the four is padding" if tokens == 4 else "")
    own = [0.236, 0.379, math.log(3)]
    says = f"want 0.571 nats per token, got {nats:.3f}"

    def near(value):
        return abs(nats - value) < 2e-3

    assert not near((sum(own) + 0.013) / 4), says + ": the padding is counted"
    assert not near((sum(own) + 0.013) / 3), says + ": the padding's loss is in the sum"
    per_sentence = says + ": a mean of two sentences' means. Each token should count the same"
    assert not near((sum(own[:2]) / 2 + own[2]) / 2), per_sentence
    assert not near(0.571 / math.log(2)), says + ": these are bits, from the logarithm to base 2"
    assert not near(sum(own)), says + ": the sum is right, but not divided by the tokens"
    assert near(0.571), says
    mean = sum(math.exp(value) for value in own) / 3
    says = f"want a perplexity of 1.771, got {seems:.3f}"
    wrong = says + ": it is e to the mean of the logarithms, not the mean of 1/p"
    assert abs(seems - mean) > 2e-3, wrong
    assert abs(seems - 1.771) < 3e-3, says


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_several_batches(perplexity):
    import math

    import torch
    import torch.nn.functional as F

    generator = torch.Generator().manual_seed(1)
    batches, losses = [], []
    for rows, width, scale in ((6, 5, 0.5), (1, 2, 6.0), (3, 9, 2.0)):
        logits = scale * torch.randn(rows, width, 11, generator=generator)
        target = torch.randint(0, 11, (rows, width), generator=generator)
        lengths = torch.randint(1, width + 1, (rows, 1), generator=generator)
        mask = torch.arange(width) < lengths
        batches.append((logits, target, mask))
        losses.append(F.cross_entropy(logits[mask], target[mask], reduction="none"))
    own = torch.cat(losses)
    want = own.mean().item()
    nats, seems, tokens = perplexity(batches)
    assert tokens == len(own), f"want {len(own)} tokens in the three batches, got {tokens}"
    says = f"want {want:.4f} nats per token over three batches, got {nats:.4f}"
    of_batches = sum(loss.mean().item() for loss in losses) / 3
    wrong = says + ": a mean of the batches' means, in which a token of a small batch counts more"
    assert abs(nats - of_batches) > 1e-3, wrong
    assert abs(nats - want) < 1e-3, says
    of_batches = sum(math.exp(loss.mean().item()) for loss in losses) / 3
    says = f"want a perplexity of {math.exp(want):.3f}, got {seems:.3f}"
    assert abs(seems - of_batches) > 1e-2, says + ": a mean of the batches' perplexities"
    assert abs(seems - math.exp(want)) < 1e-2, says


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Scores of 10000, or far apart, or a large perplexity, are not handled."
"""  # END TEST CONFIG


def test_large_scores_hidden(perplexity):
    import math

    import torch

    real = torch.ones(1, 2).bool()
    logits = torch.tensor([[[1e4, 1e4, 0.0], [-1e4, -1e4, -1e4]]])
    nats, _, _ = perplexity([(logits, torch.tensor([[0, 2]]), real)])
    want = (math.log(2) + math.log(3)) / 2
    says = f"for scores of 10000 and -10000: want {want:.4f} nats, got {nats}"
    if not math.isfinite(nats):
        says += ". exp(10000) is too large for a float, exp(-10000) too small: shift the scores"
    assert abs(nats - want) < 1e-3, says
    logits = torch.tensor([[[300.0, 0.0, 0.0], [0.0, 150.0, 0.0]]])
    nats, seems, _ = perplexity([(logits, torch.tensor([[1, 0]]), real)])
    says = f"true words 300 and 150 below the best score: want 225 nats, got {nats:.4f}"
    if not math.isfinite(nats) or nats < 224:
        says += (
            ". Is the softmax computed first, and then its logarithm? A p of exp(-300) is zero by "
            "then, and a small number added to it only hides that"
        )
    assert abs(nats - 225) < 1e-2, says
    says = f"the perplexity is exp(225), {math.exp(225):.3e}; got {seems}"
    if seems == math.inf:
        says += ". A float32 ends at e to the 88: take the exponential of a Python float"
    assert abs(seems / math.exp(225) - 1) < 1e-2, says


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "A perplexity too large for a float should be math.inf, and no other."
"""  # END TEST CONFIG


def test_hopeless_model_hidden(perplexity):
    import math

    import torch
    import torch.nn.functional as F

    logits = torch.tensor([[[5e3, 0.0]]])
    says = "5000 nats per token have a perplexity too large for a float: want inf, got "
    try:
        nats, seems, _ = perplexity([(logits, torch.tensor([[1]]), torch.ones(1, 1).bool())])
    except Exception as error:
        raise AssertionError(f"{says}an error ({error})") from None
    assert seems == math.inf, f"{says}{seems}"
    assert abs(nats - 5e3) < 1e-2, f"want 5000 nats, got {nats}"
    logits = torch.tensor([[[705.0, 0.0]]])
    _, seems, _ = perplexity([(logits, torch.tensor([[1]]), torch.ones(1, 1).bool())])
    says = f"705 nats per token: want a perplexity of {math.exp(705):.3e}, got {seems}. "
    says += "A Python float holds that: from which number on does it not?"
    assert abs(seems / math.exp(705) - 1) < 1e-2, says
    generator = torch.Generator().manual_seed(2)
    logits = 1e4 * torch.randn(5, 4, 9, generator=generator)
    target = torch.randint(0, 9, (5, 4), generator=generator)
    want = F.cross_entropy(logits.double().flatten(0, 1), target.flatten()).item()
    nats, seems, _ = perplexity([(logits, target, torch.ones(5, 4).bool())])
    says = f"random scores of 10000: want {want:.3f} nats, got {nats:.3f}"
    assert abs(nats / want - 1) < 1e-4, says
    assert seems == math.inf, f"random scores of 10000: want a perplexity of inf, got {seems}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "What stands in the padding changes the result."
"""  # END TEST CONFIG


def test_padding_is_anything_hidden(perplexity):
    import math

    import torch
    import torch.nn.functional as F

    generator = torch.Generator().manual_seed(4)
    logits = torch.randn(3, 4, 6, generator=generator)
    target = torch.randint(0, 6, (3, 4), generator=generator)
    mask = torch.arange(4) < torch.tensor([[4], [1], [2]])
    want = F.cross_entropy(logits[mask], target[mask]).item()
    for junk in (math.nan, math.inf, -math.inf, 1e30):
        dirty = torch.where(mask[..., None], logits, torch.tensor(junk))
        nats, _, tokens = perplexity([(dirty, target, mask)])
        says = f"with {junk} in the scores of the padding: want {want:.4f} nats, got {nats}"
        if math.isnan(nats):
            says += ". Zero times not-a-number is not a number: choose, do not multiply"
        assert abs(nats - want) < 1e-4, says
        assert tokens == 7, f"want 7 tokens, got {tokens}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "On random batches the numbers differ from PyTorch's cross_entropy."
"""  # END TEST CONFIG


def test_cut_otherwise_hidden(perplexity):
    import math

    import torch
    import torch.nn.functional as F

    generator = torch.Generator().manual_seed(5)
    logits = 3 * torch.randn(20, 7, 13, generator=generator)
    target = torch.randint(0, 13, (20, 7), generator=generator)
    mask = torch.arange(7) < torch.randint(1, 8, (20, 1), generator=generator)
    want = F.cross_entropy(logits[mask], target[mask]).item()
    for size in (20, 7, 1):
        cut = list(zip(logits.split(size), target.split(size), mask.split(size), strict=True))
        nats, seems, tokens = perplexity(cut)
        says = f"the same data in batches of {size}: want {want:.4f} nats, got {nats:.4f}"
        assert abs(nats - want) < 1e-4, says
        says = f"want perplexity {math.exp(want):.3f} of {int(mask.sum())} tokens, got "
        says += f"{seems:.3f} of {tokens}"
        assert abs(seems / math.exp(want) - 1) < 1e-3, says
        assert tokens == int(mask.sum()), says


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it**, when both checks pass. Your rows and your measure, on the scores of a library model
# that nobody has trained, for a hundred sentences in batches of any size. The last line is the
# library's own measure, on its own rows.

# %%
pairs = sample("test", 100, seed=0, min_words=4, max_words=12, vocabulary="tiny")
english, german = vocabularies(pairs)
config = ChoConfig(len(english), len(german), embedding=16, hidden=16)
model = Cho(config, torch.Generator().manual_seed(0)).eval()
for size in (1, 30, 100):
    scored = []
    for begin in range(0, len(pairs), size):
        part = pairs[begin : begin + size]
        read, predict, mask = teacher_forcing([german.encode(p.target).ids for p in part])
        batch = batch_of(part, (english, german))
        with torch.no_grad():
            logits = model(batch.source, batch.source_mask, read).logits
        scored.append((logits, predict, mask))
    print(f"batches of {size}: nats, perplexity, tokens", perplexity(scored))
whole = teacher_forced(model, [batch])
print("the library: ", whole.nats, whole.perplexity, whole.tokens)

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## Question 3. Reading backwards, with padding
#
# *About 20 minutes, ★★☆.*
#
# Sutskever's encoder reads $x_S, \dots, x_1$ (chapter 2, *Which end first*, and exercise 4). In the
# chapter the ids are reversed before they are embedded. Here you reverse a batch of *vectors*, such
# as embeddings, or the annotations $h_j$ of a net that has read from right to left and is to be
# laid beside one that has read from left to right.
#
# `reverse_real(vectors, mask)` gets floats of shape $(B, S, D)$ and a mask $(B, S)$ and returns a
# tensor $(B, S, D)$. If a row has $n$ real positions, its position $j = 1, \dots, n$ holds
# afterwards what stood at $n + 1 - j$. The padding, at the end of each row, stays where and as it
# is. A row may have no real position at all.
#
# You can do without a loop over the rows.
#
# **Example.** With $D = 1$, the row $(1, 2, 3, 0, 0)$ with three real positions becomes
# $(3, 2, 1, 0, 0)$, and $(4, 5, 6, 7, 8)$, all real, becomes $(8, 7, 6, 5, 4)$.
#
# <details><summary>Hint</summary>
#
# For each place of a row, write down from which place its vector comes. The table of these places
# has the shape `(B, S)`. What does it hold at the padding, and how does `gather` read a table that
# has no dimension $D$?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def reverse_real(vectors, mask):
    """(B, S, D) with each row's real positions reversed; mask (B, S)."""
    # BEGIN SOLUTION
    position = torch.arange(vectors.shape[1]).expand(mask.shape)
    source = torch.where(mask, mask.sum(dim=1, keepdim=True) - 1 - position, position)
    return vectors.gather(1, source[..., None].expand(vectors.shape))
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_shape(reverse_real):
    import torch

    vectors = torch.arange(24.0).reshape(2, 4, 3)
    got = reverse_real(vectors, torch.ones(2, 4).bool())
    assert isinstance(got, torch.Tensor), f"want a tensor of shape (2, 4, 3), got {got!r}"
    says = f"want a tensor of shape (2, 4, 3), got {tuple(got.shape)}"
    if tuple(got.shape) == (2, 4, 1):
        says += ": gather returns the shape of its index, and all D numbers of a vector should move"
    assert got.shape == (2, 4, 3), says
    assert got.dtype == vectors.dtype, f"want {vectors.dtype} like the input, got {got.dtype}"
    other = reverse_real(vectors + 1, torch.ones(2, 4).bool())
    assert not torch.equal(got, other), "the shape is right, but other vectors change nothing"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_example_of_reversing(reverse_real):
    import torch

    vectors = torch.tensor([[1.0, 2, 3, 0, 0], [4, 5, 6, 7, 8]])[..., None]
    given = vectors.clone()
    mask = torch.arange(5) < torch.tensor([[3], [5]])
    got = reverse_real(vectors, mask)[..., 0].tolist()
    says = f"want [3, 2, 1, 0, 0] and [8, 7, 6, 5, 4], got {got}"
    flip = (
        says + ": the short sentence now begins with its padding, and a net would read that first"
    )
    assert got[0] != [0, 0, 3, 2, 1], flip
    assert got != given.flip(0)[..., 0].tolist(), says + ": the sentences of the batch are swapped"
    assert got != given[..., 0].tolist(), says + ": nothing has moved"
    assert got == [[3, 2, 1, 0, 0], [8, 7, 6, 5, 4]], says
    says = "the result is right, but the tensor that you were given has changed with it: "
    assert torch.equal(vectors, given), says + "write into a new one"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "The padding is not as it was, or very short rows are wrong."
"""  # END TEST CONFIG


def test_padding_stays_hidden(reverse_real):
    import torch

    vectors = torch.arange(1.0, 37).reshape(3, 4, 3)
    mask = torch.arange(4) < torch.tensor([[2], [1], [0]])
    got = reverse_real(vectors.clone(), mask)
    kept, given = got[~mask], vectors[~mask]
    says = "the padding's vectors should stay as they are; yours "
    assert not (kept == 0).all(), says + "have become zeros"
    moved = says + f"have changed, in the first row from {vectors[0, 2:].tolist()} to "
    assert torch.equal(kept, given), moved + f"{got[0, 2:].tolist()}"
    says = "a row with one real position, or none, stays as it is"
    assert torch.equal(got[1:], vectors[1:]), says
    assert torch.equal(got[0, :2], vectors[0, :2].flip(0)), (
        "two real positions should change places"
    )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "On random rows the result differs from the library's reverse_padded."
"""  # END TEST CONFIG


def test_vectors_like_the_library_hidden(reverse_real):
    import torch

    from course_lib.models.parts import reverse_padded

    generator = torch.Generator().manual_seed(6)
    for rows, width, size in ((1, 1, 1), (5, 8, 3), (40, 21, 4)):
        ids = torch.randperm(rows * width, generator=generator).reshape(rows, width)
        table = torch.randn(rows * width, size, generator=generator)
        mask = torch.arange(width) < torch.randint(1, width + 1, (rows, 1), generator=generator)
        got = reverse_real(table[ids], mask)
        want = table[reverse_padded(ids, mask)]
        says = f"for vectors {tuple(want.shape)} of random lengths "
        flipped = says + "each vector is turned round in itself: only positions should move"
        assert size == 1 or not torch.equal(got, want.flip(-1)), flipped
        assert torch.equal(got, want), says + "the result is not the library's"
        again = says + "reversing twice should give back the input"
        assert torch.equal(reverse_real(got, mask), table[ids]), again


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 5

# %% [markdown]
# ## Question 4. Writing a whole batch
#
# *About 30 minutes, ★★☆.*
#
# The chapter's `write` translates one sentence (chapter 2, *Build it*, "Writing"). Write $B$
# sentences at once. The decoder is the one of *By hand*, with weights of any size,
#
# $$
# s_0 = c, \qquad s_i = \tanh(W_{hh} s_{i-1} + E y_{i-1}), \qquad g(s_i) = G s_i + b .
# $$
#
# Its step is given in the next cell. You write the loop around it.
#
# `write(weights, c, max_length)` gets the dictionary of weights, one vector a sentence as a tensor
# $c$ of shape $(B, D)$, and a number of 1 or more. It returns `(ids, finished)`: a list of $B$
# lists of ids, and a list of $B$ booleans. The rules, which are those of the library:
#
# - The decoder reads `START` first, then each row its own last word. The most probable word is
#   taken; of equally probable ones the one with the smallest id (as `argmax` does).
# - `PAD` and `START` are no words and are never written, whatever their scores. `UNKNOWN` may be.
# - A row is over when *it* chooses `END`. The ids are those before it, without marks. What the
#   decoder would say after its end is nobody's business, and a row's translation does not depend on
#   the other rows.
# - No row has more than `max_length` ids. A row is *finished* if its `END` came after at most
#   `max_length` ids, so also if it comes right after the last allowed one.
#
# **Example.** `by_hand` below holds the chapter's numbers, with *Hund* as 4 and *Katze* as 5. Told
# $c = (1, -1)$ and $(-1, 1)$, it writes `[[4], [5]]`, both finished.
#
# <details><summary>Hint</summary>
#
# Follow two rows on paper, the first of which ends after one word. What does each row read next?
# When `max_length` ids are written, one more step is needed: why?
#
# </details>


# %%
def step(word, state, weights):
    """Feeds one word a row, (B,); returns the scores (B, V) and the new state (B, D)."""
    state = torch.tanh(state @ weights["W_hh"].T + weights["E"][word])
    return state @ weights["G"].T + weights["b"], state


by_hand = {
    "E": torch.tensor([[0.0, 0], [0, 0], [0, 0], [0, 0], [-2, 0], [0, -2]]),  # (V, D)
    "W_hh": torch.eye(2),  # (D, D)
    "G": torch.tensor([[0.0, 0], [0, 0], [0, 0], [0, 0], [2, 0], [0, 2]]),  # (V, D)
    "b": torch.tensor([-9.0, -9, -9, 0, 0, 0]),  # (V,)
}
first = torch.full((1,), START)
scores, state = step(first, torch.tensor([[1.0, -1.0]]), by_hand)
print("s_1 =", state, "scores of Hund, Katze, end mark:", scores[0, [4, 5, END]])

# %% [raw]
# # BEGIN SOLUTION


# %%
def write(weights, c, max_length):
    """Greedy search for a batch: (ids, finished), lists of B entries."""
    # BEGIN SOLUTION
    word, state = torch.full((len(c),), START), c
    ids = [[] for _ in range(len(c))]
    finished = [False] * len(c)
    for _ in range(max_length + 1):
        scores, state = step(word, state, weights)
        scores[:, [PAD, START]] = -torch.inf
        word = scores.argmax(dim=-1)
        for row, chosen in enumerate(word.tolist()):
            finished[row] |= chosen == END
            if not finished[row] and len(ids[row]) < max_length:
                ids[row].append(chosen)
        if all(finished):
            break
    return ids, finished
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_two_lists(write):
    import torch

    weights = {"E": torch.zeros(6, 2), "W_hh": torch.eye(2), "G": torch.zeros(6, 2)}
    weights["b"] = torch.tensor([0.0, 0, 0, 0, 1, 0])
    got = write(weights, torch.ones(3, 2), 4)
    says = f"want two lists (ids, finished), got {got}"
    assert isinstance(got, tuple | list), says
    assert len(got) == 2, says
    ids, finished = got
    says = f"want a list of 3 lists of ints as ids, got {ids}"
    assert isinstance(ids, list), says
    assert len(ids) == 3, says
    assert all(isinstance(row, list) for row in ids), says
    assert all(type(word) is int for row in ids for word in row), says
    says = f"want a list of 3 booleans as finished, got {finished}"
    assert isinstance(finished, list), says
    assert [type(flag) for flag in finished] == [bool] * 3, says
    long = max(len(row) for row in ids)
    assert long <= 4, f"max_length is 4, and a row has {long} ids: {ids}"
    other, _ = write(weights | {"b": torch.tensor([0.0, 0, 0, 0, 0, 1])}, torch.ones(3, 2), 4)
    says = f"the word with the best score is 4, and then 5: both times your ids are {ids}"
    assert ids != other, says


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_example_of_writing(write):
    import torch

    from course_lib.data.tokens.tokenizer import END

    weights = {
        "E": torch.tensor([[0.0, 0], [0, 0], [0, 0], [0, 0], [-2, 0], [0, -2]]),
        "W_hh": torch.eye(2),
        "G": torch.tensor([[0.0, 0], [0, 0], [0, 0], [0, 0], [2, 0], [0, 2]]),
        "b": torch.tensor([-9.0, -9, -9, 0, 0, 0]),
    }
    ids, finished = write(weights, torch.tensor([[1.0, -1], [-1, 1]]), 6)
    says = f"want [[4], [5]] (Hund, Katze), got {ids}"
    assert all(END not in row for row in ids), says + ": the end mark is no word of the translation"
    again = says + ": the decoder seems to read START again at each step, not its own last word"
    assert ids != [[4] * 6, [5] * 6], again
    assert ids == [[4], [5]], says
    assert finished == [True, True], f"both rows came to their end mark, but finished is {finished}"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_each_its_own_end(write):
    """A decoder of one-word memory: `follow` says what comes after what."""
    import torch

    from course_lib.data.tokens.tokenizer import END

    first, follow = [4, 7, 9], {4: 5, 5: 6, 6: END, 7: END, 8: 9, 9: 8, END: 10, 10: 11, 11: 10}
    size, rows = 12, len(first)
    weights = {
        "E": 5 * torch.eye(size, size + rows),
        "W_hh": torch.diag(torch.tensor([0.0] * size + [5.0] * rows)),
        "G": torch.zeros(size, size + rows),
        "b": torch.zeros(size),
    }
    for row, word in enumerate(first):
        weights["G"][word, size + row] = 5
    for word, after in follow.items():
        weights["G"][after, word] = 20
    c = torch.eye(size + rows)[size:]
    ids, finished = write(weights, c, 5)
    want = [[4, 5, 6], [7], [9, 8, 9, 8, 9]]
    says = f"want {want}, got {ids}"
    kept = says + ": the end mark is no word of the translation"
    assert all(END not in row for row in ids), kept
    again = says + ": START is fed at each step, where each row's last word should be"
    assert ids != [[word] * 5 for word in first], again
    stopped = says + ": the first end mark in the batch has stopped all rows"
    assert len(ids[2]) not in (1, 2), stopped
    grown = says + ": a row went on writing after its own end mark"
    assert all(10 not in row for row in ids), grown
    assert ids == want, says
    says = f"the third row never ends, the others do: finished is {finished}"
    assert finished == [True, True, False], says


# %%
""" # BEGIN TEST CONFIG
points: 0.75
hidden: true
failure_message: "The shortest translations, or those of max_length words, are not as wanted."
"""  # END TEST CONFIG


def test_shortest_and_longest_hidden(write):
    import torch

    from course_lib.data.tokens.tokenizer import END

    first, follow = [END, 4, 5, 6], {4: 5, 5: 6, 6: END, END: 7, 7: 8, 8: END}
    size, rows = 9, len(first)
    weights = {
        "E": 5 * torch.eye(size, size + rows),
        "W_hh": torch.diag(torch.tensor([0.0] * size + [5.0] * rows)),
        "G": torch.zeros(size, size + rows),
        "b": torch.zeros(size),
    }
    for row, word in enumerate(first):
        weights["G"][word, size + row] = 5
    for word, after in follow.items():
        weights["G"][after, word] = 20
    c = torch.eye(size + rows)[size:]
    ids, finished = write(weights, c, 2)
    says = f"a row whose first choice is the end mark is an empty translation: got {ids[0]}"
    assert ids[0] == [], says
    assert max(len(row) for row in ids) <= 2, f"max_length is 2, got {ids}"
    assert ids == [[], [4, 5], [5, 6], [6]], f"want [[], [4, 5], [5, 6], [6]], got {ids}"
    says = (
        f"the third row writes 5, 6 and then the end mark: with max_length 2 it is finished, "
        f"the second is not; got {finished}. Who looks at the step after the last allowed word?"
    )
    assert finished == [True, False, True, True], says
    got = write(weights, c[:1], 1)
    assert list(got) == [[[]], [True]], f"one row, empty: want ([[]], [True]), got {got}"
    got = write(weights, c[3:], 1)
    assert list(got) == [[[6]], [True]], f"one row, one word: want ([[6]], [True]), got {got}"


# %%
""" # BEGIN TEST CONFIG
points: 0.75
hidden: true
failure_message: "PAD or START is written, or UNKNOWN is not, or a tie goes to the wrong word."
"""  # END TEST CONFIG


def test_no_words_hidden(write):
    import torch

    from course_lib.data.tokens.tokenizer import PAD, START

    weights = {"E": torch.zeros(6, 2), "W_hh": torch.eye(2), "G": torch.zeros(6, 2)}
    for name, mark in (("PAD", PAD), ("START", START)):
        weights["b"] = torch.tensor([0.0, 0, 0, 1, 0, 2])
        weights["b"][mark] = 3
        ids, _ = write(weights, torch.ones(2, 2), 3)
        says = f"{name} ({mark}) has the best score and is no word: want the next best, 5"
        assert all(mark not in row for row in ids), says + f"; got {ids}"
        assert ids == [[5] * 3] * 2, says + f"; got {ids}"
    weights["b"] = torch.tensor([-1e12, -2e12, -1e12, -4e12, -4e12, -3e12])
    ids, _ = write(weights, torch.ones(2, 2), 3)
    says = f"all scores are below -1e11; UNKNOWN (1) is the best and may be written; got {ids}"
    assert ids == [[1] * 3] * 2, says
    weights["b"] = torch.tensor([5.0, 0, 5, 0, 2, 2])
    before = weights["b"].clone()
    ids, _ = write(weights, torch.ones(2, 2), 3)
    says = f"4 and 5 are equally probable: want the smaller id, 4, each time; got {ids}"
    assert ids == [[4] * 3] * 2, says
    says = "the weights are not as they were: forbid PAD and START in the scores"
    assert torch.equal(weights["b"], before), says


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random decoders do not write what the library's greedy search writes."
"""  # END TEST CONFIG


def test_translations_like_the_library_hidden(write):
    from dataclasses import dataclass

    import torch

    from course_lib.data.tokens.tokenizer import END
    from course_lib.decoding.greedy import greedy
    from course_lib.models.protocol import EncoderDecoder, Memory, State, Step

    @dataclass(frozen=True)
    class Hidden(State):
        s: torch.Tensor
        c: torch.Tensor

    class ByHand(EncoderDecoder):
        def __init__(self, parts, c, forgets):
            super().__init__()
            self.parts, self.c, self.forgets = parts, c, forgets

        def encode(self, source, source_mask):
            return Memory(source_mask)

        def start(self, memory):
            return Hidden(self.c, self.c)

        def step(self, token, state, memory, *, return_attention=False):
            w, c = self.parts, state.c
            s = torch.tanh(state.s @ w["W_hh"].T + w["E"][token])
            return Step(s @ w["G"].T + w["b"], Hidden(c if self.forgets else s, c))

    generator = torch.Generator().manual_seed(7)
    told, ends = 0, 0
    for rows, size, width in ((1, 8, 4), (6, 12, 8), (50, 20, 16)):
        weights = {
            "E": torch.randn(size, width, generator=generator),
            "W_hh": torch.randn(width, width, generator=generator) * 1.5 / width**0.5,
            "G": torch.randn(size, width, generator=generator),
            "b": torch.randn(size, generator=generator),
        }
        weights["b"][END] += 2
        c = torch.tanh(torch.randn(rows, width, generator=generator))
        real = torch.ones(rows, 1).bool()
        for longest in (1, 9):
            want, forgetful = (
                greedy(ByHand(weights, c, forgets), real.long(), real, max_length=longest)
                for forgets in (False, True)
            )
            ids, finished = write(weights, c, longest)
            says = f"a random decoder, {rows} rows, {size} words, max_length {longest}: "
            if forgetful.ids != want.ids:
                told += 1
                lost = "the state after a step is not handed to the next step"
                assert ids != forgetful.ids, says + lost
            wrong = [i for i in range(rows) if ids[i] != want.ids[i]]
            if wrong:
                i = wrong[0]
                says += f"{len(wrong)} rows are not the library's; row {i} is {ids[i]}, "
                says += f"the library writes {want.ids[i]}"
            assert not wrong, says
            assert finished == want.finished, says + "the rows are right, finished is not"
            ends += sum(want.finished)
    assert min(told, ends) > 0, "this test's decoders never end"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5. Can one vector hold a sentence?
#
# *About 25 minutes, ★★★.*
#
# The chapter trains nets to answer this. Now be the net. Choose the code yourself by which a
# sentence becomes a vector and a vector a sentence. The numbers of the chapter's $c$ come out of a
# $\tanh$, and a decoder cannot tell two vectors apart that differ by next to nothing. So it is
# here: $c$ has $D = 8$ numbers between $-1$ and $1$, and between your two functions the test moves
# each of them by up to 0.04 (0.04 itself is possible), up or down.
#
# - `pack(words)` gets ids $(B, T)$ from 0 to 99 (a hundred words, no marks; all $T$-word sentences
#   are possible, and equally likely) and returns $c$, a tensor $(B, 8)$ of `torch.float32`.
# - `unpack(c, length)` gets vectors $(B, 8)$ and $T$ and returns ids $(B, T)$, `torch.long`. It
#   knows nothing of the sentences but the vectors.
#
# You need not use the same code for every length. It is tested in steps:
#
# 1. without noise, each length from one word to eight;
# 2. with noise, up to four words;
# 3. (hidden) with noise, five words; and eight words, which cannot survive it: there `unpack` may
#    return any ids, and the test looks whether the words have come to it by another way than the
#    vectors.
#
# No sentence is longer than eight words. Apart from eight words with noise, every sentence has to
# come back whole. No training is needed: the chapter's *perplexity* of 100 at each word is what you
# start from.
#
# <details><summary>Hint</summary>
#
# Count. How many sentences of $T$ words are there? How many vectors can you lay into the cube
# $[-1, 1]^8$ so that noise never mistakes one for another?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def pack(words):
    """Ids (B, T), each 0..99, to one vector a sentence, (B, 8) within [-1, 1]."""
    # BEGIN SOLUTION
    levels = levels_for(words.shape[1])
    number = torch.zeros(len(words), dtype=torch.long)
    for word in words.unbind(1):  # the sentence as one number, in base 100
        number = 100 * number + word
    digits = []
    for _ in range(8):  # the same number in base `levels`
        digits.append(number % levels)
        number = number // levels
    return torch.stack(digits, 1).float() * 2 / (levels - 1) - 1
    # END SOLUTION


def unpack(c, length):
    """Vectors (B, 8), moved by noise, to ids (B, length)."""
    # BEGIN SOLUTION
    levels = levels_for(length)
    digits = ((c + 1) * (levels - 1) / 2).round().long().clamp(0, levels - 1)
    number = torch.zeros(len(c), dtype=torch.long)
    for digit in reversed(digits.unbind(1)):
        number = levels * number + digit
    words = []
    for _ in range(length):
        words.append(number % 100)
        number = number // 100
    return torch.stack(words[::-1], 1)
    # END SOLUTION


# BEGIN SOLUTION NO PROMPT
def levels_for(length):
    """The fewest values a number must be able to take for all sentences of this length."""
    return next(n for n in range(2, 1000) if n**8 >= 100**length)


# END SOLUTION

# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_shapes(pack, unpack):
    import torch

    generator = torch.Generator().manual_seed(8)
    for length in (1, 4, 8):
        words = torch.randint(0, 100, (30, length), generator=generator)
        words[0], words[1] = 0, 99
        c = pack(words)
        assert isinstance(c, torch.Tensor), f"pack: want a tensor of shape (30, 8), got {c!r}"
        assert c.shape == (30, 8), f"pack: want a tensor of shape (30, 8), got {tuple(c.shape)}"
        assert c.dtype == torch.float32, f"pack: want torch.float32, got {c.dtype}"
        says = f"pack: the sentences {words[0].tolist()} and {words[1].tolist()} get one vector"
        assert length > 1 or not torch.equal(c[0], c[1]), says
        low, high = c.min().item(), c.max().item()
        says = (
            f"pack: the numbers run from {low:.3f} to {high:.3f}, and should stay within -1 and 1: "
            "in a larger vector the noise would be nothing"
        )
        assert max(-low, high) <= 1 + 1e-6, says
        got = unpack(c, length)
        says = f"unpack: want a tensor of shape (30, {length}), got "
        assert isinstance(got, torch.Tensor), says + repr(got)
        assert got.shape == (30, length), says + f"{tuple(got.shape)}"
        assert got.dtype == torch.long, f"unpack: want torch.long, got {got.dtype}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_without_noise(pack, unpack):
    import torch

    generator = torch.Generator().manual_seed(9)
    for length in range(1, 9):
        words = torch.randint(0, 100, (500, length), generator=generator)
        words[0], words[1] = 0, 99
        got = unpack(pack(words), length)
        share = (got == words).all(1).float().mean().item()
        bad = int((got != words).any(1).int().argmax())
        says = f"sentences of length {length}, no noise: {share:.0%} come back whole; "
        says += f"{words[bad].tolist()} comes back as {got[bad].tolist()}"
        assert share == 1, says


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_four_words_with_noise(pack, unpack):
    import torch

    generator = torch.Generator().manual_seed(10)
    for length in range(1, 5):
        words = torch.randint(0, 100, (2000, length), generator=generator)
        words[0], words[1] = 0, 99
        c = pack(words)
        says = f"sentences of length {length} do not come back even without noise: look there first"
        assert torch.equal(unpack(c, length), words), says
        little = all(torch.equal(unpack(c + move, length), words) for move in (-0.001, 0.001))
        says = (
            f"sentences of length {length}: a change of 0.001 in each number changes words. "
            "Is a number cut off where the nearest level is wanted?"
        )
        assert little, says
        noise = 0.08 * torch.rand(c.shape, generator=generator) - 0.04
        share = (unpack(c + noise, length) == words).all(1).float().mean().item()
        says = (
            f"sentences of length {length}, noise up to 0.04: {share:.1%} come back whole. "
            "How far apart are two neighbouring values of a number, and how far can each move?"
        )
        assert share == 1, says


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Five words do not survive the noise."
"""  # END TEST CONFIG


def test_five_words_with_noise_hidden(pack, unpack):
    import torch

    generator = torch.Generator().manual_seed(11)
    words = torch.randint(0, 100, (4000, 5), generator=generator)
    words[0], words[1] = 0, 99
    c = pack(words)
    says = f"the numbers of c run from {c.min():.3f} to {c.max():.3f}: want them within -1 and 1"
    assert c.abs().max() <= 1 + 1e-6, says
    whole = (unpack(c, 5) == words).all(1).float().mean().item()
    says = (
        f"5 words, no noise: {whole:.1%} come back whole. 100 to the power 5 has more digits than "
        "a float32: is anything counted in floats that should be counted in integers?"
    )
    assert whole == 1, says
    random = 0.08 * torch.rand(c.shape, generator=generator) - 0.04
    corner = 0.04 * (2 * torch.randint(0, 2, c.shape, generator=generator) - 1)
    for name, noise in (("random noise up to 0.04", random), ("noise of 0.04 exactly", corner)):
        share = (unpack(c + noise, 5) == words).all(1).float().mean().item()
        says = (
            f"5 words, {name}: {share:.1%} come back whole. If each word has numbers of its own, "
            "what is left over in them? The sentences have to share the vectors as a whole"
        )
        if name != "random noise up to 0.04":  # the random noise has passed
            says = (
                f"5 words: all come back after random noise, but only {share:.1%} when each number "
                "moves by 0.04 exactly. Two values that are 0.08 apart meet half-way"
            )
        assert share == 1, says


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "More comes back than the vectors can hold."
"""  # END TEST CONFIG


def test_nothing_beside_the_vector_hidden(pack, unpack):
    """A vector that may move by 0.04 holds at most 26 ** 8 sentences; there are 100 ** 8."""
    import torch

    generator = torch.Generator().manual_seed(12)
    words = torch.randint(0, 100, (300, 8), generator=generator)
    c = pack(words)
    noise = 0.08 * torch.rand(c.shape, generator=generator) - 0.04
    right = int((unpack(c + noise, 8) == words).all(1).sum())
    says = (
        f"{right} of 300 sentences of eight words survive the noise. Eight numbers cannot hold "
        "them: by which other way did the words come to unpack? It should know the vectors alone"
    )
    assert right <= 2, says
    words = torch.randint(0, 100, (50, 3), generator=generator)
    c = pack(words)
    order = torch.randperm(50, generator=generator)
    says = "the vectors were handed to unpack in another order, and the words did not follow"
    assert torch.equal(unpack(c[order], 3), words[order]), says


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it**, when the check passes. This is the chapter's length curve, for your code. It falls as
# well, and much faster: below a certain length everything comes back, above it nearly nothing. Look
# up in the chapter how long a sentence a vector of 32 trained numbers holds. What do you conclude
# about the width of the vector, and what about the net around it?

# %%
lengths = range(1, 9)
noise_source = torch.Generator().manual_seed(0)
for size in (0.0, 0.02, 0.04, 0.1):
    shares = []
    for length in lengths:
        words = torch.randint(0, 100, (500, length), generator=noise_source)
        c = pack(words)
        moved = c + size * (2 * torch.rand(c.shape, generator=noise_source) - 1)
        shares.append((unpack(moved, length) == words).all(1).float().mean().item())
    plt.plot(lengths, shares, marker="o", label=f"noise up to {size}")
plt.xlabel("words in the sentence")
plt.ylabel("exact match (share of sentences)")
_ = plt.legend()
