# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw01_recurrence
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
# # Homework 1: Recurrence
#
# This goes with chapter 1, *Recurrence*. Read the chapter first. Afterwards you will have built
#
# 1. a recurrent net that reads a padded batch as if each sentence stood alone,
# 2. its gradient by hand, with no autograd,
# 3. clipping by the norm of all gradients together,
# 4. a GRU from its equations,
# 5. and, with no training at all, the weights of a GRU that remembers what it is told to.
#
# Plan about two hours. No question needs the answer to another, so you can begin where you like.
#
# **How to work.** Run the cells in order. Where a function says `...`, write your answer. Then run
# the `grader.check` below it, as often as you like. If a check fails, read its last line: it says
# what was wanted and what came. The checks are *public* tests. When the homework is graded,
# *hidden* tests run too; each question says what they look at. All 20 points are given for
# functions that return the right thing, none for how the code looks. Your functions get tensors,
# leave them as they are and return new ones of the same dtype (`torch.zeros` makes float32 if
# nothing else is said); they may not rely on anything that another cell left behind, apart from
# imports and your own functions.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# The letters are those of the chapter: $B$ sentences in a batch, $S$ positions, inputs $x_j$ of
# width $D$, states $h_j$ of width $H$ with $h_0 = 0$, weights $W_{ih}$ of shape $(H, D)$ and
# $W_{hh}$ of shape $(H, H)$, and a bias $b$ of width $H$. A batch has the sentence first:
# `(B, S, D)`.

# %%
import torch

from course_lab.experiments.recurrence.gradient import make_cell
from course_lib.recurrent.unroll import run as library_run

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. Padding that changes nothing
#
# *About 30 minutes, ★★☆.*
#
# The sentences of a batch differ in length. To fit into one tensor the short ones are filled up on
# the right. This filling is called *padding*. Exercise 4 of the chapter shows the trouble: a net
# that runs on over the padding leaves the sentence behind. Write
#
# ```
# states, last = rnn(inputs, lengths, W_ih, W_hh, b)
# ```
#
# | | shape | |
# |---|---|---|
# | `inputs` | `(B, S, D)` | sentence `n` is the first `lengths[n]` positions of `inputs[n]` |
# | `lengths` | `(B,)` | whole numbers from 0 to $S$ |
# | `states` | `(B, S, H)` | the state after each word; zeros at the padding |
# | `last` | `(B, H)` | the state after the last *word* of each row |
#
# At each word it is the equation of section *The idea*:
#
# $$h_j = \tanh(W_{ih}\, x_j + W_{hh}\, h_{j-1} + b)$$
#
# A row of length 0 has read nothing, so its last state is $h_0$. What stands in the padding must
# have no influence, whatever it is. Build it from the equation, with tensor operations and a loop
# over positions (no `torch.nn`). The results have the dtype of `inputs`.
#
# **Example.** The weights of section *By hand*, and two sentences: *dog sees cat*, and *dog sees*
# with one position of padding.
#
# | row | length | `states` | `last` |
# |---|---|---|---|
# | dog sees cat | 3 | (0.762, 0), (0.363, 0.881), (−0.851, 0.553) | (−0.851, 0.553) |
# | dog sees – | 2 | (0.762, 0), (0.363, 0.881), (0, 0) | (0.363, 0.881) |
#
# *Hidden tests look at* random batches beside the library, empty sentences, other dtypes, and
# anything at all in the padding.
#
# <details><summary>First hint</summary>
#
# `torch.where` chooses row by row between two tensors.
#
# </details>
#
# <details><summary>Second hint</summary>
#
# For an empty sentence, the place of the last word would be $-1$. Which tensor holds the right
# `last` before the loop has taken its first step?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def rnn(inputs, lengths, W_ih, W_hh, b):
    """The states (B, S, H), zeros at the padding, and the last real state of each row (B, H)."""
    # BEGIN SOLUTION
    real = torch.arange(inputs.shape[1]) < lengths[:, None]  # (B, S)
    h = inputs.new_zeros(len(inputs), len(W_hh))
    states = []
    for x, here in zip(inputs.unbind(1), real.unbind(1), strict=True):
        step = torch.tanh(x @ W_ih.T + h @ W_hh.T + b)
        h = torch.where(here[:, None], step, h)  # where there is no word, the old state stays
        states.append(h)
    states = torch.stack(states, dim=1)
    return torch.where(real[..., None], states, 0.0), h
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_rnn_shapes(rnn):
    """Two tensors of the right shapes."""
    import torch

    draw = torch.Generator().manual_seed(0)
    inputs, W_ih, W_hh = (torch.randn(*n, generator=draw) for n in ((2, 4, 3), (5, 3), (5, 5)))
    out = rnn(inputs, torch.tensor([3, 2]), W_ih, W_hh, torch.zeros(5))
    came = None if out is None else type(out).__name__
    assert isinstance(out, (tuple, list)), f"want two tensors, states and last; got {came}"
    assert len(out) == 2, f"want two tensors, states and last; got {len(out)} things"
    for name, tensor, shape in zip(("states", "last"), out, ((2, 4, 5), (2, 5)), strict=True):
        is_tensor = isinstance(tensor, torch.Tensor)
        came = tuple(tensor.shape) if is_tensor else f"a {type(tensor).__name__}"
        why = " (the longest sentence has 3 words, and S is 4)" if came == (2, 3, 5) else ""
        assert came == shape, f"want {name} of shape {shape}; got {came}{why}"
    other, _ = rnn(-inputs, torch.tensor([3, 2]), W_ih, W_hh, torch.zeros(5))
    assert not torch.equal(out[0], other), "the shapes are right, but other inputs change nothing"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_rnn_example(rnn):
    """The two sentences of the example."""
    import torch

    turn = torch.tensor([[0.5, -0.5], [0.5, 0.5]])
    inputs = torch.tensor([[[1.0, 0], [0, 1], [-1, 0]], [[1, 0], [0, 1], [0, 0]]])
    out = rnn(inputs, torch.tensor([3, 2]), torch.eye(2), turn, torch.zeros(2))
    assert out is not None, "rnn returns nothing: got None"
    states, last = out
    want = torch.tensor([[0.762, 0.0], [0.363, 0.881], [-0.851, 0.553]])

    def near(a, b):
        return torch.allclose(a, torch.as_tensor(b, dtype=a.dtype), atol=1e-3)

    def show(tensor):
        return [round(value, 3) for value in tensor.flatten().tolist()]

    transposed = near(states[0, 1], (0.3634, 0.5506))
    assert not transposed, (
        "the second state of 'dog sees cat' comes out if the old state is multiplied by the "
        "transpose of W_hh: sentences are rows here, so on which side does the matrix stand, and "
        "which way up?"
    )
    assert near(states[0], want), (
        f"want the states {show(want)} for 'dog sees cat'; got {show(states[0])}"
    )
    assert near(last[0], want[2]), (
        f"want {show(want[2])} as last state of 'dog sees cat'; got {show(last[0])}"
    )
    assert not near(last[1], (0.0, 0.0)), (
        "the last state of 'dog sees' is zero: this is what stands at the padding, at the last "
        "position of the row. Where is the last word?"
    )
    ran_on = "the net ran on over the padding of 'dog sees': a zero is an input, too"
    assert not near(last[1], (-0.2535, 0.553)), f"{ran_on} (seen in last)"
    assert near(last[1], want[1]), (
        f"want {show(want[1])} as last state of 'dog sees'; got {show(last[1])}"
    )
    assert near(states[1, :2], want[:2]), (
        f"want the states {show(want[:2])} for 'dog sees'; got {show(states[1, :2])}"
    )
    assert not near(states[1, 2], (-0.2535, 0.553)), f"{ran_on} (seen in states)"
    assert near(states[1, 2], (0.0, 0.0)), (
        f"want zeros in states at the padding; got {show(states[1, 2])}"
    )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: Random sentences of many lengths, beside the library.
"""  # END TEST CONFIG


def test_rnn_random(rnn):
    """Random sentences of many lengths, in two dtypes, beside the library."""
    import torch

    from course_lib.attention.masks import padding_mask
    from course_lib.recurrent.cells import RNNCell
    from course_lib.recurrent.unroll import run

    draw = torch.Generator().manual_seed(5)
    lengths = torch.tensor([3, 9, 1, 6, 9])
    for dtype in (torch.float32, torch.float64):
        cell = RNNCell(4, 6, generator=draw).to(dtype)
        inputs = torch.randn(5, 9, 4, generator=draw, dtype=dtype)
        b = (cell.bias_ih + cell.bias_hh).detach()
        weights = (cell.weight_ih.detach(), cell.weight_hh.detach())
        with torch.no_grad():
            want_states, want_last = run(cell, inputs, mask=padding_mask(lengths))
        try:
            states, last = rnn(inputs, lengths, *weights, b)
        except Exception as error:
            raise AssertionError(
                f"with inputs of dtype {dtype} your function stops: {error}"
            ) from None
        for name, got in (("states", states), ("last", last)):
            assert got.dtype == dtype, f"want {name} of {dtype}, as the inputs; got {got.dtype}"
        without, _ = rnn(inputs, lengths, *weights, torch.zeros_like(b))
        assert not torch.equal(states, without), "the bias b makes no difference"
        for name, got, want in (("states", states, want_states), ("last", last, want_last)):
            rows = [i for i in range(5) if not torch.allclose(got[i], want[i], atol=1e-5)]
            assert not rows, (
                f"{name} differs from the library in rows {rows} of a batch with lengths "
                f"{lengths.tolist()} and S = 9"
            )


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: A sentence with no word in it.
"""  # END TEST CONFIG


def test_rnn_empty(rnn):
    """Sentences of length 0 among others, and a batch of nothing else."""
    import torch

    draw = torch.Generator().manual_seed(6)
    inputs, W_ih, W_hh, b = (
        torch.randn(*n, generator=draw) for n in ((3, 4, 2), (3, 2), (3, 3), (3,))
    )
    for lengths in ([0, 4, 0], [0, 0, 0]):
        states, last = rnn(inputs, torch.tensor(lengths), W_ih, W_hh, b)
        assert not states[0].any(), (
            "a sentence with no word has padding only, so its states are zero"
        )
        states_are = "zero" if lengths[1] else "not zero"
        assert bool(states[1].any()) == (lengths[1] > 0), (
            f"a sentence of {lengths[1]} words among empty ones: its states are {states_are}"
        )
        came = [round(value, 3) for value in last[0].tolist()]
        assert not last[0].any(), (
            f"want h_0, zeros, as last state of an empty sentence; got {came}. If you take the "
            "state at position lengths - 1: which one is that for a length of 0?"
        )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: Whatever stands in the padding has no influence.
"""  # END TEST CONFIG


def test_rnn_padding(rnn):
    """Other numbers in the padding, huge ones, nan and infinity."""
    import torch

    draw = torch.Generator().manual_seed(7)
    inputs, W_ih, W_hh, b = (
        torch.randn(*n, generator=draw) for n in ((3, 6, 4), (5, 4), (5, 5), (5,))
    )
    lengths = torch.tensor([2, 6, 4])
    real = torch.arange(6) < lengths[:, None]
    clean = rnn(torch.where(real[..., None], inputs, 0.0), lengths, W_ih, W_hh, b)
    assert clean[0][real].any(), "what stands in the words has no influence either: all is zero"
    for filling in (-3.0, 1e30, float("inf"), float("nan")):
        filled = torch.where(real[..., None], inputs, filling)
        for name, before, after in zip(
            ("states", "last"), clean, rnn(filled, lengths, W_ih, W_hh, b), strict=True
        ):
            assert not after.isnan().any(), (
                f"{filling} in the padding gets into {name}: 0 times nan is nan, so multiplying by "
                "a mask of zeros and ones does not remove it"
            )
            assert torch.allclose(before, after, atol=1e-6), (
                f"{name} changes when the padding holds {filling} in place of 0"
            )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 6

# %% [markdown]
# ## Question 2. The gradient by hand
#
# *About 35 minutes, ★★★.*
#
# Section *How far back does it reach?* follows one sentence whose loss is at the end. Now there is
# a batch, with padding, and a loss at every word, as a language model has it: $\mathcal{L}$ is the
# sum of $\mathcal{L}_j(h_j)$ over all words of all sentences. The number of the sentence is left
# out below.
#
# Let $d_j$ be the gradient of $\mathcal{L}_j$ with respect to its own $h_j$, with nothing else
# taken into account, and let $g_j$ be the gradient of the *whole* loss with respect to $h_j$, later
# words included. On the way back, the gradient of a state's own loss is added at that step. That
# makes, for a sentence of $S$ words (its own $S$, without the padding),
#
# $$g_S = d_S, \qquad g_{j-1} = d_{j-1} + W_{hh}^\top \bigl( (1 - h_j^2) \odot g_j \bigr).$$
#
# Write two functions. The first gives $g_j$ at every word, the second the gradients of the weights:
#
# ```
# g = state_gradients(states, lengths, W_hh, d)
# gradients = weight_gradients(inputs, states, lengths, g)
# ```
#
# | | shape | |
# |---|---|---|
# | `inputs`, `lengths`, `W_hh` | | as in question 1: in the padding of `inputs` may be anything |
# | `states` | `(B, S, H)` | as your `rnn` returns them: zeros at the padding |
# | `d` | `(B, S, H)` | $d_j$; at the padding it may be anything, and does not count |
# | `g` | `(B, S, H)` | $g_j$ for every word; zeros at the padding |
# | `gradients` | a dict | `"W_ih"`: `(H, D)`, `"W_hh"`: `(H, H)`, `"b"`: `(H,)` |
#
# For $W_{hh}$ the chapter has the sum, $\sum_j \bigl((1 - h_j^2) \odot g_j\bigr) h_{j-1}^\top$. The
# other two you find by asking what $x_j$ and $1$ do where $h_{j-1}$ stands. All three are sums over
# the sentences of the batch. No autograd: the functions get neither $W_{ih}$ nor $b$, and need
# neither. The second is given $g$, so it is right or wrong whatever your first one does.
#
# **Example.** One sentence, one dimension, $W_{ih} = 1$, $W_{hh} = 0.5$, $b = 0$, inputs $1, 0$.
# Then $h_1 = \tanh(1) = 0.762$ and $h_2 = \tanh(0.381) = 0.363$. The loss is $h_2$, so
# $d = (0, 1)$.
#
# | $j$ | $d_j$ | $g_j$ | slope $1 - h_j^2$ | slope times $g_j$ |
# |---|---|---|---|---|
# | 2 | 1 | 1 | 0.868 | 0.868 |
# | 1 | 0 | 0.5 · 0.868 = 0.434 | 0.420 | 0.182 |
#
# The gradients: $W_{hh}$ gets $0.868 \cdot 0.762 + 0.182 \cdot 0 = 0.661$, $W_{ih}$ gets
# $0.868 \cdot 0 + 0.182 \cdot 1 = 0.182$, and $b$ gets $0.868 + 0.182 = 1.050$.
#
# *Hidden tests look at* batches beside autograd, padding that holds nan, sentences of one word, of
# none, and of a hundred.
#
# <details><summary>First hint</summary>
#
# Get rid of what the padding holds first. With zeros there, can the loop run over it unharmed?
#
# </details>
#
# <details><summary>Second hint</summary>
#
# For $W_{hh}$, each step has two states: the one that it reads and the one that it makes. Which of
# them has the slope, and which one is multiplied by the gradient at the end? Check both on the two
# rows of the example.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def state_gradients(states, lengths, W_hh, d):
    """The gradient of the whole loss with respect to each state (B, S, H), zeros at the padding."""
    # BEGIN SOLUTION
    real = torch.arange(states.shape[1]) < lengths[:, None]
    d = torch.where(real[..., None], d, 0.0)
    from_later = torch.zeros_like(d[:, 0])
    g = []
    for h, own in zip(states.flip(1).unbind(1), d.flip(1).unbind(1), strict=True):
        g.append(own + from_later)
        from_later = ((1 - h**2) * g[-1]) @ W_hh
    return torch.stack(g[::-1], dim=1)
    # END SOLUTION


def weight_gradients(inputs, states, lengths, g):
    """A dict: the gradients of "W_ih" (H, D), "W_hh" (H, H) and "b" (H,)."""
    # BEGIN SOLUTION
    real = torch.arange(inputs.shape[1]) < lengths[:, None]
    inputs = torch.where(real[..., None], inputs, 0.0)
    slope_g = (1 - states**2) * g
    before = torch.cat([torch.zeros_like(states[:, :1]), states[:, :-1]], dim=1)
    return {
        "W_ih": torch.einsum("bsh,bsd->hd", slope_g, inputs),
        "W_hh": torch.einsum("bsh,bsk->hk", slope_g, before),
        "b": slope_g.sum(dim=(0, 1)),
    }
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_gradient_shapes(state_gradients, weight_gradients):
    """A tensor, and a dict of three tensors; what comes in is left as it is."""
    import torch

    draw = torch.Generator().manual_seed(0)
    inputs, W_hh, d = (
        torch.randn(*n, generator=draw, dtype=torch.float64) for n in ((2, 4, 3), (5, 5), (2, 4, 5))
    )
    lengths, states = torch.tensor([4, 4]), torch.tanh(d)
    given = {"inputs": inputs, "states": states, "W_hh": W_hh, "d": d, "g": 2 * d}
    before = {name: tensor.clone() for name, tensor in given.items()}

    def tell(thing):
        if isinstance(thing, torch.Tensor):
            return f"a {thing.dtype} tensor of shape {tuple(thing.shape)}"
        return None if thing is None else f"a {type(thing).__name__}"

    def want(shape):
        return f"a torch.float64 tensor of shape {shape}"

    ours = "for states of torch.float64 (torch.zeros makes float32 if nothing else is said)"
    g = state_gradients(states, lengths, W_hh, d)
    came = tell(g)
    assert came == want((2, 4, 5)), f"state_gradients: want {want((2, 4, 5))} {ours}; got {came}"
    out = weight_gradients(inputs, states, lengths, given["g"])
    assert isinstance(out, dict), f"want a dict from weight_gradients; got {tell(out)}"
    for name, shape in (("W_ih", (5, 3)), ("W_hh", (5, 5)), ("b", (5,))):
        assert name in out, f"want a gradient for {name!r} in the dict; got {sorted(out)}"
        came = tell(out[name])
        assert came == want(shape), f"the gradient of {name}: want {want(shape)} {ours}; got {came}"
    for name, tensor in given.items():
        assert torch.equal(tensor, before[name]), (
            f"after the call {name} is another: your function writes into the tensor that it was "
            "given. Write into a copy (clone)"
        )
    same = torch.equal(g, state_gradients(states, lengths, W_hh, -d))
    assert not same, "state_gradients: the shape is right, but another d changes nothing"
    other = weight_gradients(inputs, states, lengths, -2 * d)
    same = torch.equal(out["W_hh"], other["W_hh"])
    assert not same, "weight_gradients: the shapes are right, but another g changes nothing"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_gradient_example(state_gradients):
    """The example, in one dimension: what comes back."""
    import torch

    h1 = torch.tensor(1.0).tanh()
    states = torch.stack([h1, torch.tanh(0.5 * h1)]).reshape(1, 2, 1)
    d = torch.tensor([0.0, 1.0]).reshape(1, 2, 1)
    g = state_gradients(states, torch.tensor([2]), torch.tensor([[0.5]]), d)
    assert g is not None, "state_gradients returns nothing: got None"
    g = g.flatten().tolist()
    assert abs(g[1] - 1) < 1e-3, f"want g_2 = 1, for nothing comes after; got {g[1]:.3f}"
    assert abs(g[0]) > 1e-3, "want g_1 = 0.434; got 0: nothing came back from position 2"
    assert abs(g[0] - 0.5) > 1e-3, (
        "want g_1 = 0.434; got 0.5: on its way back g has to go through tanh as well as the matrix"
    )
    assert abs(g[0] - 0.210) > 1e-3, (
        "want g_1 = 0.434; got 0.210: the slope of the state h_1 was taken. Which step does the "
        "gradient go through on its way from h_2 to h_1, and which state comes out of it?"
    )
    assert abs(g[0] - 0.434) < 1e-3, f"want g_1 = 0.434; got {g[0]:.3f}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_weights_example(weight_gradients):
    """The example, in one dimension: the weights, from the g of its table."""
    import torch

    h1 = torch.tensor(1.0).tanh()
    states = torch.stack([h1, torch.tanh(0.5 * h1)]).reshape(1, 2, 1)
    inputs, g = (torch.tensor(x).reshape(1, 2, 1) for x in ([1.0, 0.0], [0.434, 1.0]))
    out = weight_gradients(inputs, states, torch.tensor([2]), g)
    assert out is not None, "weight_gradients returns nothing: got None"
    got = {name: out[name].item() for name in ("W_ih", "W_hh", "b")}
    assert abs(got["b"] - 1.434) > 1e-3, (
        "want 1.050 for b; got 1.434: that is g_1 + g_2. The bias stands inside the tanh"
    )
    bias = got["b"]
    assert abs(bias - 1.050) < 1e-3, f"want 1.050 for b; got {bias:.3f}"
    assert abs(got["W_hh"] - 0.454) > 1e-3, (
        "want 0.661 for W_hh; got 0.454: each step was multiplied by the state that it makes. "
        "Which state does W_hh act on in step j?"
    )
    assert abs(got["W_hh"] - 0.728) > 1e-3, (
        "want 0.661 for W_hh; got 0.728: the last state was taken for the one before the first. "
        "What is h_0? (torch.roll brings the end round to the front.)"
    )
    for name, want in (("W_hh", 0.661), ("W_ih", 0.182)):
        assert abs(got[name] - want) < 1e-3, f"want {want} for {name}; got {got[name]:.3f}"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_state_gradients_autograd(state_gradients):
    """The gradient at each state beside autograd, with a loss at every word."""
    import torch

    from course_lib.recurrent.cells import RNNCell

    draw = torch.Generator().manual_seed(1)
    cell = RNNCell(3, 4, generator=draw).double()
    inputs, d = (torch.randn(2, 5, n, generator=draw, dtype=torch.float64) for n in (3, 4))
    h, chain = torch.zeros(2, 4, dtype=torch.float64), []
    for x in inputs.unbind(1):
        h = cell(x, h)
        chain.append(h)
    states = torch.stack(chain, dim=1)
    want = torch.stack(torch.autograd.grad((states * d).sum(), chain), dim=1)
    states, W_hh = states.detach(), cell.weight_hh.detach()
    got = state_gradients(states, torch.tensor([5, 5]), W_hh, d.clone())
    assert got is not None, "state_gradients returns nothing: got None"

    def along(matrix, own):
        """The recursion with another matrix, or another d."""
        g = [own[:, 4]]
        for j in range(4, 0, -1):
            g.append(own[:, j - 1] + ((1 - states[:, j] ** 2) * g[-1]) @ matrix)
        return torch.stack(g[::-1], dim=1)

    only_last = d.clone()
    only_last[:, :4] = 0
    assert not torch.allclose(got, along(W_hh.T, d)), (
        "this comes out if the gradient goes back through W_hh and not through its transpose; "
        "sentences are rows here, so on which side does the matrix stand, and which way up?"
    )
    assert not torch.allclose(got, along(W_hh, only_last)), (
        "this is the gradient of the loss at the last word alone: every word has a loss, d_j"
    )
    assert not torch.allclose(got, d), "this is d: what comes back from later words is not in it"
    far = [j + 1 for j in range(5) if not torch.allclose(got[:, j], want[:, j])]
    assert not far, f"two sentences of 5 words: g_j differs from autograd's at j = {far}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: The gradients of the weights, for a batch with a loss at every word.
"""  # END TEST CONFIG


def test_weight_gradients_autograd(weight_gradients):
    """The gradients of the weights beside autograd."""
    import torch

    from course_lib.recurrent.cells import RNNCell

    for seed, sentences, words in ((2, 3, 6), (3, 4, 2), (4, 5, 1)):
        draw = torch.Generator().manual_seed(seed)
        cell = RNNCell(4, 5, generator=draw).double()
        inputs, d = (
            torch.randn(sentences, words, n, generator=draw, dtype=torch.float64) for n in (4, 5)
        )
        h, chain = torch.zeros(sentences, 5, dtype=torch.float64), []
        for x in inputs.unbind(1):
            h = cell(x, h)
            chain.append(h)
        states = torch.stack(chain, dim=1)
        loss = (states * d).sum()
        g = torch.stack(torch.autograd.grad(loss, chain, retain_graph=True), dim=1)
        loss.backward()
        want = {"W_ih": cell.weight_ih.grad, "W_hh": cell.weight_hh.grad, "b": cell.bias_ih.grad}
        lengths = torch.full((sentences,), words)
        out = weight_gradients(inputs, states.detach(), lengths, g)
        for name, gradient in want.items():
            where = f"a batch of {sentences} sentences of {words} words"
            assert words == 1 or not torch.allclose(out[name], gradient / sentences), (
                f"{where}: the gradient of {name} is the mean over the sentences; the loss is "
                "their sum"
            )
            turned = name == "W_hh" and torch.allclose(out[name], gradient.T)
            assert words == 1 or not turned, (
                f"{where}: the gradient of W_hh is transposed. Its row a, column b belongs to the "
                "weight that carries component b of the old state into component a of the new one"
            )
            assert torch.allclose(out[name], gradient), (
                f"{where}: the gradient of {name} differs from autograd's by up to "
                f"{(out[name] - gradient).abs().max():.2g}"
            )


# %%
""" # BEGIN TEST CONFIG
points: 0.75
hidden: true
failure_message: Gradients of the states of a padded batch.
"""  # END TEST CONFIG


def test_gradients_padding(state_gradients):
    """A padded batch with anything in the padding, beside autograd on each sentence alone."""
    import torch

    from course_lib.recurrent.cells import RNNCell

    draw = torch.Generator().manual_seed(8)
    cell = RNNCell(3, 4, generator=draw).double()
    with torch.no_grad():  # Which way up it stands is asked elsewhere: here either way will do.
        cell.weight_hh.copy_((cell.weight_hh + cell.weight_hh.T) / 2)
    inputs, d = (torch.randn(5, 6, n, generator=draw, dtype=torch.float64) for n in (3, 4))
    lengths = torch.tensor([2, 6, 1, 0, 4])
    states, want_g = torch.zeros_like(d), torch.zeros_like(d)
    for row, length in enumerate(lengths.tolist()):
        h, chain = torch.zeros(1, 4, dtype=torch.float64), []
        for j in range(length):
            h = cell(inputs[row : row + 1, j], h)
            chain.append(h)
        if chain:
            alone = torch.cat(chain)
            back = torch.autograd.grad((alone * d[row, :length]).sum(), chain)
            states[row, :length], want_g[row, :length] = alone.detach(), torch.cat(back)
    W_hh = cell.weight_hh.detach()

    real = (torch.arange(6) < lengths[:, None])[..., None]
    for filling in (0.0, 2.0, float("nan")):
        what = f"lengths {lengths.tolist()}, {filling} in the padding of d"
        g = state_gradients(states, lengths, W_hh, torch.where(real, d, filling))
        assert not g.isnan().any(), f"{what}: nan gets into g. Multiplying nan by zero leaves nan"
        assert not (g * ~real).any(), f"{what}: want g = 0 at the padding, which has no state"
        assert torch.allclose(g, want_g), (
            f"{what}: g differs from autograd's on each sentence alone. Does the loss at the "
            "padding count?"
        )


# %%
""" # BEGIN TEST CONFIG
points: 0.75
hidden: true
failure_message: Gradients of the weights, of a padded batch.
"""  # END TEST CONFIG


def test_weights_padding(weight_gradients):
    """A padded batch gives the sum of what its sentences give alone, whatever the padding holds."""
    import torch

    draw = torch.Generator().manual_seed(8)
    inputs, states, g = (
        torch.randn(5, 6, n, generator=draw, dtype=torch.float64) for n in (3, 4, 4)
    )
    lengths = torch.tensor([2, 6, 1, 0, 4])
    real = (torch.arange(6) < lengths[:, None])[..., None]
    states, g = states.tanh() * real, g * real
    want = {}
    for row, length in enumerate(lengths.tolist()):
        if length:
            one = (part[row : row + 1, :length] for part in (inputs, states))
            alone = weight_gradients(*one, torch.tensor([length]), g[row : row + 1, :length])
            want = {name: want.get(name, 0) + gradient for name, gradient in alone.items()}
    assert want["b"].any(), "each sentence alone: the gradient of b is zero"
    for filling in (0.0, 2.0, float("nan")):
        what = f"lengths {lengths.tolist()}, {filling} in the padding of inputs"
        out = weight_gradients(torch.where(real, inputs, filling), states, lengths, g)
        for name, gradient in want.items():
            assert not out[name].isnan().any(), (
                f"{what}: nan gets into the gradient of {name}. Multiplying nan by zero leaves "
                "nan: which of the tensors that come in has not been cleaned?"
            )
            assert torch.allclose(out[name], gradient), (
                f"{what}: the gradient of {name} differs from the sum of those that your function "
                "gives for each sentence alone"
            )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: Long sentences, where the gradient fades or explodes.
"""  # END TEST CONFIG


def test_gradients_long(state_gradients):
    """A hundred words: gradients that fade, and gradients that explode."""
    import torch

    from course_lab.experiments.recurrence.gradient import make_cell
    from course_lib.recurrent.unroll import run

    for scale in (0.5, 3.0):
        cell = make_cell("tanh", scale, seed=3)
        draw = torch.Generator().manual_seed(9)
        inputs = torch.randn(2, 100, 8, generator=draw, dtype=torch.float64).requires_grad_()
        states, last = run(cell, inputs)
        loss = last.sum()
        loss.backward()
        d = torch.zeros_like(states)
        d[:, -1] = 1
        rest = (states.detach(), torch.tensor([100, 100]), cell.weight_hh.detach(), d)
        # Autograd gives the gradient at the inputs; from g it is one product away.
        slope_g = (1 - states.detach() ** 2) * state_gradients(*rest)
        size = inputs.grad.norm(dim=-1)
        gap = (slope_g @ cell.weight_ih.detach() - inputs.grad).norm(dim=-1)
        wrong = (gap > 1e-6 * size).nonzero()[:, 1]
        assert not len(wrong), (
            f"weights times {scale}, a hundred words: g_j differs from autograd's, first (from the "
            f"end) {99 - wrong.max().item() if len(wrong) else 0} steps before the end. Every step "
            "back counts, as small or large as it is"
        )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it** (run this when the check passes). How far back does *your* gradient reach? A tanh net
# with an orthogonal $W_{hh}$ times a scale $\lambda$, so that all singular values are $\lambda$;
# the loss stands at the last of 51 words. Beside what is left 50 steps back stands the bound of
# section *How far back does it reach?*, which is $\lambda^{50}$. Where the bound is small it
# *decides*. Where it is large it decides nothing: compare 1.5 and 3.

# %%
for scale in (0.5, 0.9, 1.0, 1.5, 3.0):
    net = make_cell("tanh", scale, seed=0)
    draw = torch.Generator().manual_seed(0)
    with torch.no_grad():
        noise = torch.randn(1, 51, 8, generator=draw, dtype=torch.float64)
        states, _ = library_run(net, noise)
        d = torch.zeros_like(states)
        d[:, -1] = torch.randn(32, generator=draw, dtype=torch.float64)
        g = state_gradients(states, torch.tensor([51]), net.weight_hh, d)
    left = g[0, 0].norm() / g[0, -1].norm()
    print(f"scale {scale}: {left:.0e} of the gradient is left, the bound is {scale**50:.0e}")

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## Question 3. Clipping
#
# *About 10 minutes, ★☆☆.*
#
# The common slip in chapter 1 clips the gradient of one matrix. A net has many tensors of weights,
# and their gradients $G_1, \dots, G_n$ are *one* vector that happens to be stored in pieces. Write
#
# ```
# clipped, norm = clip(gradients, max_norm)
# ```
#
# `gradients` is a list of tensors of any shapes, `max_norm` a number above 0. `norm` is the length
# of the whole, *before* clipping, as a number; `clipped` is a new list of tensors of the same
# shapes and dtypes:
#
# $$\lVert G \rVert = \sqrt{\textstyle\sum_i \lVert G_i \rVert^2}, \qquad
# G_i' = \begin{cases} G_i & \text{if } \lVert G \rVert \le m \\
# \dfrac{m}{\lVert G \rVert}\, G_i & \text{otherwise} \end{cases}$$
#
# with $m$ for `max_norm`. You clip because gradients explode, so expect large ones. A float32 ends
# at about $3 \cdot 10^{38}$. From components of $2 \cdot 10^{19}$ on, their squares are beyond
# that, and `torch.nn.utils.clip_grad_norm_` then says that the norm is infinite and makes a
# gradient of zeros. Yours has to be right up to $10^{30}$. Do not call PyTorch's function.
#
# **Example.** The gradients $(3, -4)$ and $(12)$ have the norm 13. With `max_norm` 6.5 they become
# $(1.5, -2)$ and $(6)$. With `max_norm` 20 they stay as they are.
#
# *Hidden tests look at* several tensors of different shapes beside PyTorch, and at small, zero and
# exploded gradients.

# %% [raw]
# # BEGIN SOLUTION


# %%
def clip(gradients, max_norm):
    """The gradients, together no longer than max_norm, and their norm before that."""
    # BEGIN SOLUTION
    whole = torch.cat([gradient.flatten() for gradient in gradients])
    norm = whole.double().norm().item()  # a float64 can hold the squares
    if norm <= max_norm:
        return [gradient.clone() for gradient in gradients], norm
    return [gradient * (max_norm / norm) for gradient in gradients], norm
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_clip_shapes(clip):
    """A list of tensors and a number."""
    import torch

    out = clip([torch.ones(2, 3), torch.ones(4)], 1.0)
    came = None if out is None else type(out).__name__
    assert isinstance(out, (tuple, list)), f"want a list and a number, clipped and norm; got {came}"
    assert len(out) == 2, f"want a list and a number, clipped and norm; got {len(out)} things"
    clipped, norm = out
    assert isinstance(clipped, (list, tuple)), (
        f"want a list of tensors; got {type(clipped).__name__}"
    )
    came = [tuple(t.shape) if isinstance(t, torch.Tensor) else t for t in clipped]
    assert came == [(2, 3), (4,)], f"want tensors of shapes [(2, 3), (4,)]; got {came}"
    number = isinstance(norm, (int, float)) or (
        isinstance(norm, torch.Tensor) and norm.numel() == 1
    )
    assert number, f"want one number for the norm; got {norm}"
    _, other = clip([torch.ones(2, 3), 3 * torch.ones(4)], 1.0)
    assert float(other) != float(norm), "larger gradients have the same norm as smaller ones"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_clip_example(clip):
    """(3, -4) and (12), with max_norm 6.5 and 20."""
    import torch

    gradients = [torch.tensor([3.0, -4.0]), torch.tensor([12.0])]

    def values(tensors):
        return [[round(x, 3) for x in tensor.tolist()] for tensor in tensors]

    out = clip([t.clone() for t in gradients], 6.5)
    assert out is not None, "clip returns nothing: got None"
    clipped, norm = out
    got = values(clipped)
    mine = [t.clone() for t in gradients]
    clip(mine, 6.5)
    assert values(mine) == values(gradients), (
        f"after the call the gradients that you were given are {values(mine)}: want a new list of "
        "new tensors, and the old ones as they were"
    )
    assert abs(float(norm) - 6.5) > 1e-3, "norm is 6.5: that is the norm after clipping; want 13"
    assert abs(float(norm) - 17) > 1e-3, (
        "norm is 17 = 5 + 12: lengths add up by their squares; want 13"
    )
    assert abs(float(norm) - 13) < 1e-3, f"want a norm of 13; got {float(norm):.4g}"
    assert got != [[3.0, -4.0], [6.5]], (
        "got (3, -4) and (6.5). That is each tensor clipped by itself, or each number. Then the "
        "tensors are no longer in proportion and the whole has another direction: there is one "
        "norm and one factor"
    )
    want = [[1.5, -2.0], [6.0]]
    assert got == want, f"want {want} with max_norm 6.5; got {got}"
    kept = values(clip([t.clone() for t in gradients], 20.0)[0])
    longer = values([t * 20 / 13 for t in gradients])
    assert kept != longer, (
        "with max_norm 20 a gradient of norm 13 was made longer: clipping shortens only"
    )
    assert kept == values(gradients), f"want {values(gradients)} with max_norm 20; got {kept}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: Small gradients, and gradients of zero.
"""  # END TEST CONFIG


def test_clip_small(clip):
    """Small gradients stay as they are, and zeros stay zeros."""
    import torch

    draw = torch.Generator().manual_seed(1)
    for size in (0.0, 1e-30, 1e-3):
        gradients = [size * torch.randn(3, 2, generator=draw), torch.zeros(5)]
        clipped, norm = clip([t.clone() for t in gradients], 0.5)
        for got, want in zip(clipped, gradients, strict=True):
            assert not got.isnan().any(), (
                f"gradients of size {size} become nan: is something 0 / 0?"
            )
            assert torch.allclose(got, want, rtol=1e-5, atol=0), (
                f"gradients of size {size} are shorter than max_norm and stay as they are"
            )
        assert float(norm) < 0.5, f"gradients of size {size}: norm is {float(norm):.3g}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: Many tensors beside PyTorch, and exploded gradients.
"""  # END TEST CONFIG


def test_clip_random(clip):
    """Tensors of several shapes beside torch.nn.utils.clip_grad_norm_, up to gradients of 1e30."""
    import torch

    draw = torch.Generator().manual_seed(2)
    shapes = ((4, 3), (7,), (2, 3, 2), ())
    for size, max_norm in ((1.0, 2.0), (1.0, 100.0), (50.0, 0.25), (1e20, 1.0), (1e30, 1.0)):
        gradients = [size * torch.randn(shape, generator=draw) for shape in shapes]
        # In float64, where the squares of 1e30 are no trouble.
        holders = [torch.nn.Parameter(torch.zeros_like(t).double()) for t in gradients]
        for holder, gradient in zip(holders, gradients, strict=True):
            holder.grad = gradient.double()
        want_norm = torch.nn.utils.clip_grad_norm_(holders, max_norm).item()
        clipped, norm = clip([t.clone() for t in gradients], max_norm)
        what = f"gradients of size {size:g}, max_norm {max_norm:g}"
        assert float(norm) != float("inf"), (
            f"{what}: norm is infinite. In which dtype are the squares, and how large can it go?"
        )
        assert abs(float(norm) / want_norm - 1) < 1e-4, (
            f"{what}: want a norm of {want_norm:.5g}; got {float(norm):.5g}"
        )
        (double, *_), _ = clip([t.double() for t in gradients], max_norm)
        assert double.dtype == torch.float64, (
            f"{what}: want float64 back, as it came; got {double.dtype}"
        )
        for i, (got, holder) in enumerate(zip(clipped, holders, strict=True)):
            assert got.dtype == torch.float32, (
                f"{what}: want float32 back, as it came; got {got.dtype}"
            )
            assert torch.allclose(got.double(), holder.grad, rtol=1e-4, atol=0), (
                f"{what}: tensor {i} of {len(shapes)} differs from PyTorch's"
            )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 3

# %% [markdown]
# ## Question 4. A GRU from its weights
#
# *About 15 minutes, ★☆☆.*
#
# In section *Gates* a module held the weights and made the products of one step. Now you have the
# weights alone, as PyTorch stores them, and a whole batch of sentences (all of the same length).
# Write
#
# ```
# states = gru(inputs, h_0, W_ih, W_hh, b_ih, b_hh)
# ```
#
# | | shape | |
# |---|---|---|
# | `inputs` | `(B, S, D)` | |
# | `h_0` | `(B, H)` | the state before the first word, this time not zero |
# | `W_ih`, `W_hh` | `(3H, D)`, `(3H, H)` | three matrices, one below the other: $r$, $z$, $n$ |
# | `b_ih`, `b_hh` | `(3H,)`, `(3H,)` | the same for the biases |
# | `states` | `(B, S, H)` | $h_1, \dots, h_S$ |
#
# $$\begin{aligned}
# r &= \sigma(W_{ir}\, x_j + b_{ir} + W_{hr}\, h_{j-1} + b_{hr}) \\
# z &= \sigma(W_{iz}\, x_j + b_{iz} + W_{hz}\, h_{j-1} + b_{hz}) \\
# n &= \tanh\bigl(W_{in}\, x_j + b_{in} + r \odot (W_{hn}\, h_{j-1} + b_{hn})\bigr) \\
# h_j &= (1 - z) \odot n + z \odot h_{j-1}
# \end{aligned}$$
#
# Build it from the equations (no `torch.nn`).
#
# **Example.** One unit, one step, $h_0 = 1$, and the input is 0. The matrices are 0, but
# $W_{hn} = 1$; the biases are 0, but $b_{hz} = 1.0986$, which is $\ln 3$, and $b_{hn} = 1$. Then
# $r = 0.5$ and $z = 0.75$; $n = \tanh(0.5 \cdot 2) = 0.762$; and
# $h_1 = 0.25 \cdot 0.762 + 0.75 \cdot 1 = 0.940$.
#
# *Hidden tests look at* random batches beside `torch.nn.GRU`, sentences of many words, and gates
# that are wide open or shut (sums of 10,000).

# %% [raw]
# # BEGIN SOLUTION


# %%
def gru(inputs, h_0, W_ih, W_hh, b_ih, b_hh):
    """The states (B, S, H) of a GRU in PyTorch's form."""
    # BEGIN SOLUTION
    h, states = h_0, []
    for x in inputs.unbind(1):
        x_r, x_z, x_n = (x @ W_ih.T + b_ih).chunk(3, dim=-1)
        h_r, h_z, h_n = (h @ W_hh.T + b_hh).chunk(3, dim=-1)
        r, z = (x_r + h_r).sigmoid(), (x_z + h_z).sigmoid()
        n = torch.tanh(x_n + r * h_n)
        h = (1 - z) * n + z * h
        states.append(h)
    return torch.stack(states, dim=1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_gru_shapes(gru):
    """A tensor of the right shape."""
    import torch

    draw = torch.Generator().manual_seed(0)
    shapes = ((2, 4, 3), (2, 5), (15, 3), (15, 5), (15,), (15,))
    inputs, *rest = (torch.randn(*shape, generator=draw) for shape in shapes)
    out = gru(inputs, *rest)
    came = None if out is None else f"a {type(out).__name__}"
    came = tuple(out.shape) if isinstance(out, torch.Tensor) else came
    assert came == (2, 4, 5), f"want a tensor of shape (2, 4, 5); got {came}"
    same = torch.equal(out, gru(-inputs, *rest))
    assert not same, "the shape is right, but other inputs change nothing"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_gru_example(gru):
    """The example: one unit, one step."""
    import torch

    W_hh, b_hh = torch.tensor([[0.0], [0.0], [1.0]]), torch.tensor([0.0, 1.0986, 1.0])
    zeros = torch.zeros(1, 1, 1), torch.zeros(3, 1), torch.zeros(3)
    out = gru(zeros[0], torch.ones(1, 1), zeros[1], W_hh, zeros[2], b_hh)
    assert out is not None, "gru returns nothing: got None"
    got = out.item()
    for wrong, why in (
        (0.821, "z and 1 - z are swapped. Which of the two is the share of the old state?"),
        (0.953, "the update gate and the reset gate are swapped. In which order are they stacked?"),
        (0.976, "the reset gate does not act on all that it should: look at the brackets behind r"),
        (0.991, "the reset gate makes no difference to the candidate"),
        (0.116, "the net starts from 0, not from h_0"),
        (0.190, "the old state is missing in the last line of the equations"),
    ):
        assert abs(got - wrong) > 1e-3, f"want h_1 = 0.940; got {got:.3f}: {why}"
    assert abs(got - 0.940) < 1e-3, f"want h_1 = 0.940; got {got:.3f}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: Random batches of several words, beside torch.nn.GRU.
"""  # END TEST CONFIG


def test_gru_random(gru):
    """Random batches beside torch.nn.GRU."""
    import torch

    from course_lib.recurrent.cells import GRUCell
    from course_lib.recurrent.unroll import run

    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    for seed, (B, S, D, H) in enumerate(((3, 1, 4, 2), (2, 7, 3, 5), (4, 12, 6, 6))):
        draw = torch.Generator().manual_seed(seed)
        cell = GRUCell(D, H, generator=draw)
        with torch.no_grad():
            for p in cell.parameters():
                p.mul_(2)
        weights = {name: getattr(cell, name).detach() for name in names}
        layer = torch.nn.GRU(D, H, batch_first=True)
        layer.load_state_dict({name + "_l0": tensor for name, tensor in weights.items()})
        inputs, h_0 = torch.randn(B, S, D, generator=draw), torch.randn(B, H, generator=draw)
        got = gru(inputs, h_0.clone(), *weights.values())
        with torch.no_grad():
            want, _ = layer(inputs, h_0[None])
            from_zeros, _ = layer(inputs)
            alone = torch.cat([layer(inputs[:, j : j + 1], h_0[None])[0] for j in range(S)], dim=1)
            before = GRUCell(D, H, reset="before")
            before.load_state_dict(weights)
            papers, _ = run(before, inputs, h_0)
        what = f"B, S, D, H = {B}, {S}, {D}, {H}"
        assert not torch.allclose(got, from_zeros, atol=1e-5), (
            f"{what}: the net starts from 0, not from h_0"
        )
        assert S == 1 or not torch.allclose(got, alone, atol=1e-5), (
            f"{what}: every step starts from h_0. Is the new state carried to the next step?"
        )
        assert not torch.allclose(got, papers, atol=1e-5), (
            f"{what}: this is the form of Cho et al., with the reset gate before the matrix; want "
            "PyTorch's"
        )
        far = [j + 1 for j in range(S) if not torch.allclose(got[:, j], want[:, j], atol=1e-5)]
        assert not far, f"{what}: h_j differs from torch.nn.GRU's at j = {far}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: Gates wide open or shut.
"""  # END TEST CONFIG


def test_gru_saturated(gru):
    """Sums of 10,000 and -10,000 before the gates: no nan, and the values of torch.nn.GRU."""
    import torch

    draw = torch.Generator().manual_seed(4)
    layer = torch.nn.GRU(3, 4, batch_first=True)
    with torch.no_grad():
        for p in layer.parameters():
            p.copy_(torch.randn(p.shape, generator=draw))
        inputs = 1e4 * torch.randn(2, 6, 3, generator=draw)
        h_0 = torch.randn(2, 4, generator=draw)
        want, _ = layer(inputs, h_0[None])
    weights = [
        getattr(layer, n + "_l0").detach() for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    ]
    got = gru(inputs, h_0.clone(), *weights)
    assert not got.isnan().any(), (
        "nan where a gate is wide open or shut: in float32 e to the power of 10,000 is infinite, "
        "and inf / inf is nan. How are your sigmoid and your tanh computed?"
    )
    assert torch.allclose(got, want, atol=1e-5), (
        "gates wide open or shut: differs from torch.nn.GRU"
    )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5. Weights with a purpose (open)
#
# *About 30 minutes, ★★★.*
#
# A gate can refuse to write, says exercise 5 of the chapter. Show it, with no training: choose the
# weights of a GRU yourself, so that it keeps **the first letter** of a sequence.
#
# A sequence consists of *letters* (A, B, C, …) and *noise* (w, x, …) in any order. Noise may come
# before the first letter; after it anything may come, more letters included, for a thousand steps.
# Each symbol is a one-hot vector of width $D$ = `letters + noise`: the letters first, then the
# noise. With two letters and one noise symbol, A is $(1, 0, 0)$, B is $(0, 1, 0)$ and w is
# $(0, 0, 1)$. Write
#
# ```
# weights = first_letter_weights(letters, noise)
# ```
#
# It returns a dict with `"W_ih"` of shape $(3H, D)$, `"W_hh"` of shape $(3H, H)$, `"b_ih"` and
# `"b_hh"` of shape $(3H,)$, in the layout of question 4. You choose $H$, from `letters` to 64. The
# tests put the weights into `torch.nn.GRU`, start it from zeros and read the answer off the state:
#
# - **Until the first letter has come**, nobody asks.
# - **From then on**, after every symbol, the state must say which letter it was. Of its first
#   `letters` components, the one with the number of that letter must be larger than each of the
#   others by at least 0.5.
#
# **Example.** Two letters, one noise symbol, the sequence *w B A w*. After *w* anything goes. After
# *B*, after *A* and after the last *w* the second component is larger than the first by 0.5 or
# more.
#
# There are many solutions. In the *public* tests the numbers of letters and noise symbols are small
# and the sequences short. *Hidden tests look at* other numbers (up to 26 letters, down to no
# noise), at sequences of a thousand symbols, and at letters that come again.
#
# <details><summary>Hint</summary>
#
# Begin with an easier net: the first symbol is the letter and all others are noise. What has to be
# written, and when may $z$ be near 0? Then let a second letter come. What must $z$ know to refuse
# it?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def first_letter_weights(letters, noise):
    """A dict of the weights of a GRU that keeps the first letter: W_ih, W_hh, b_ih, b_hh."""
    # BEGIN SOLUTION
    H, D = letters, letters + noise
    strong = 20.0  # sigmoid(-20) is 2e-9: what a shut gate still lets through
    W_ih, W_hh = torch.zeros(3 * H, D), torch.zeros(3 * H, H)
    b_ih, b_hh = torch.zeros(3 * H), torch.zeros(3 * H)
    update, candidate = slice(H, 2 * H), slice(2 * H, 3 * H)
    # The candidate: 1 in the unit of the letter that is read, 0 elsewhere.
    W_ih[candidate, :letters] = strong * torch.eye(letters)
    # Keep the old state, z near 1, at noise or if any unit is 1 already; else write.
    b_ih[update] = -strong
    W_ih[update, letters:] = 2 * strong
    W_hh[update] = 2 * strong
    return {"W_ih": W_ih, "W_hh": W_hh, "b_ih": b_ih, "b_hh": b_hh}
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_weights_shapes(first_letter_weights):
    """A dict of four tensors whose shapes fit together."""
    import torch

    for letters, noise in ((4, 4), (2, 1)):
        out = first_letter_weights(letters, noise)
        came = None if out is None else type(out).__name__
        assert isinstance(out, dict), f"want a dict of four tensors; got {came}"
        for name in ("W_ih", "W_hh", "b_ih", "b_hh"):
            got = out.get(name)
            what = None if got is None else type(got).__name__
            assert isinstance(got, torch.Tensor), f"want a tensor for {name!r}; got {what}"
        H = out["W_hh"].shape[-1]
        assert letters <= H <= 64, f"want a width H from {letters} to 64; W_hh says {H}"
        D = letters + noise
        for name, shape in (("W_ih", (3 * H, D)), ("W_hh", (3 * H, H)), ("b_ih", (3 * H,))):
            came = tuple(out[name].shape)
            assert came == shape, f"H is {H} and D is {D}: want {name} of shape {shape}; got {came}"
        came = tuple(out["b_hh"].shape)
        assert came == (3 * H,), f"H is {H}: want b_hh of shape {(3 * H,)}; got {came}"
        assert not torch.equal(out["W_ih"][:, 0], out["W_ih"][:, 1]), (
            "the first two columns of W_ih are the same: A and B go into the net alike, so what "
            "could it know them by?"
        )


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_weights_noise_after(first_letter_weights):
    """One letter, and then noise for twenty steps."""
    import torch

    out = first_letter_weights(4, 4)
    assert out is not None, "first_letter_weights returns nothing: got None"
    W_ih, W_hh, b_ih, b_hh = (out[n].float() for n in ("W_ih", "W_hh", "b_ih", "b_hh"))
    H = W_hh.shape[1]
    layer = torch.nn.GRU(8, H)
    layer.load_state_dict(
        {"weight_ih_l0": W_ih, "weight_hh_l0": W_hh, "bias_ih_l0": b_ih, "bias_hh_l0": b_hh}
    )
    draw = torch.Generator().manual_seed(0)
    for letter in range(4):
        noise = torch.randint(4, 8, (20,), generator=draw)
        symbols = torch.cat([torch.tensor([letter]), noise])
        x = torch.eye(8)[symbols]
        with torch.no_grad():
            states, _ = layer(x)
        old = torch.cat([torch.zeros(1, H), states[:-1]])
        z = (x @ W_ih.T + b_ih + old @ W_hh.T + b_hh).sigmoid()[:, H : 2 * H][:, letter]
        answers = states[:, :4]
        others = answers.clone()
        others[:, letter] = -2
        margin = answers[:, letter] - others.amax(1)
        name = "ABCD"[letter]
        start = [round(value, 2) for value in answers[0].tolist()]
        assert margin[0] >= 0.5, (
            f"right after the letter {name} the first four components are {start}: it is not "
            f"written. In unit {letter} the update gate z is {z[0]:.2f}, and z is the share of the "
            "old state that stays"
        )
        low = margin.argmin().item()
        assert margin.min() >= 0.5, (
            f"{name} was written, but after {low} symbols of noise its lead is {margin[low]:.2f}; "
            f"want 0.5. In unit {letter} the update gate z goes down to {z[1:].min():.2f} at "
            "noise: only that share of the old state stays in such a step"
        )


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_weights_noise_before(first_letter_weights):
    """Noise before the letter, and another letter behind it."""
    import torch

    out = first_letter_weights(4, 4)
    assert out is not None, "first_letter_weights returns nothing: got None"
    layer = torch.nn.GRU(8, out["W_hh"].shape[1])
    names = (("weight_ih", "W_ih"), ("weight_hh", "W_hh"), ("bias_ih", "b_ih"), ("bias_hh", "b_hh"))
    layer.load_state_dict({torchs + "_l0": out[name].float() for torchs, name in names})
    for text, first in (("wzB", 1), ("yyyyyyA", 0), ("AB", 0), ("wCxAy", 2), ("DCBA", 3)):
        x = torch.eye(8)[torch.tensor(["ABCDwxyz".index(symbol) for symbol in text])]
        with torch.no_grad():
            answers = layer(x)[0][-1, :4].tolist()
        lead = answers[first] - max(a for i, a in enumerate(answers) if i != first)
        shown = [round(value, 2) for value in answers]
        later = sum(symbol in "ABCD" for symbol in text) > 1
        why = (
            "A later letter gets in. The gate can tell it from the first by what it sees beside "
            "the input"
            if later
            else "Noise came first. Did it leave something in the state, or shut the gate?"
        )
        assert lead >= 0.5, (
            f"after {text} the first four components are {shown}; want number {first} (counted "
            f"from 0) ahead by 0.5. {why}"
        )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: A thousand symbols.
"""  # END TEST CONFIG


def test_weights_long(first_letter_weights):
    """A thousand symbols: noise alone, then letters, too."""
    import torch

    out = first_letter_weights(4, 4)
    layer = torch.nn.GRU(8, out["W_hh"].shape[1])
    names = (("weight_ih", "W_ih"), ("weight_hh", "W_hh"), ("bias_ih", "b_ih"), ("bias_hh", "b_hh"))
    layer.load_state_dict({torchs + "_l0": out[name].float() for torchs, name in names})
    draw = torch.Generator().manual_seed(3)
    for kind, low in (("noise", 4), ("letters and noise", 0)):
        symbols = torch.randint(low, 8, (1000,), generator=draw)
        symbols[:500] = torch.randint(4, 8, (500,), generator=draw)  # noise, 500 steps of it ...
        symbols[100] = 2  # ... but for one letter
        with torch.no_grad():
            answers = layer(torch.eye(8)[symbols])[0][100:, :4]
        others = answers.clone()
        others[:, 2] = -2
        lost = ((answers[:, 2] - others.amax(1)) < 0.5).nonzero().flatten()
        assert not len(lost), (
            f"{kind} for a thousand steps, the first letter after 100: it is lost "
            f"{lost[0].item() if len(lost) else 0} steps later. How much of the state is left "
            "after a thousand steps if z is 0.99, and which sum before the gate makes z 0.99?"
        )


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: Random sequences, with other numbers of letters and noise symbols.
"""  # END TEST CONFIG


def test_weights_random(first_letter_weights):
    """Random sequences with other alphabets; letters come again."""
    import torch

    names = (("weight_ih", "W_ih"), ("weight_hh", "W_hh"), ("bias_ih", "b_ih"), ("bias_hh", "b_hh"))
    for letters, noise in ((2, 1), (3, 7), (26, 4), (5, 0)):
        out = first_letter_weights(letters, noise)
        D = letters + noise
        layer = torch.nn.GRU(D, out["W_hh"].shape[1])
        layer.load_state_dict({torchs + "_l0": out[name].float() for torchs, name in names})
        draw = torch.Generator().manual_seed(D)
        symbols = torch.randint(0, D, (40, 64), generator=draw)
        with torch.no_grad():
            answers = layer(torch.eye(D)[symbols])[0][..., :letters]
        for b in range(64):
            row = symbols[:, b].tolist()
            begin = next((j for j, symbol in enumerate(row) if symbol < letters), 40)
            lead = answers[begin:, b].clone()
            own = lead[:, row[begin]].clone() if begin < 40 else lead.sum(1)
            if begin < 40:
                lead[:, row[begin]] = -2
            lost = (own - lead.amax(1) < 0.5).nonzero().flatten().tolist()
            again = lost and row[begin + lost[0]] == row[begin]
            assert not lost, (
                f"{letters} letters and {noise} noise symbols: letter {row[begin]} comes first, "
                f"and its lead is below 0.5 {lost[0]} steps later, after the symbol "
                f"{row[begin + lost[0]]}"
                + (" (the same letter again)" if again and lost[0] else "")
            )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it** (run this when the check passes). Write a text of your own out of `ABCDwxyz` and watch
# the state.

# %%
text = "wxCyAzBwwC"
out = first_letter_weights(4, 4)
layer = torch.nn.GRU(8, out["W_hh"].shape[1])
names = {"weight_ih": "W_ih", "weight_hh": "W_hh", "bias_ih": "b_ih", "bias_hh": "b_hh"}
layer.load_state_dict({name + "_l0": out[ours].float() for name, ours in names.items()})
with torch.no_grad():
    states, _ = layer(torch.eye(8)[["ABCDwxyz".index(symbol) for symbol in text]])
print("        A     B     C     D")
for symbol, state in zip(text, states[:, :4].tolist(), strict=True):
    print(f"  {symbol}" + "".join(f"{round(value, 2) + 0.0:6.2f}" for value in state))
