# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw06_where_to_look
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
# # Homework 6: Where to look
#
# Chapter 6a laid a window over attention. Here you build it for padded batches, let a state predict
# where the window goes, write Luong's decoder with input feeding, and go one step further than the
# chapter: a reader that looks at *one* place, drawn at random, and still learns. At the end you
# measure with your own code what a monotone window misses.
#
# **How to work.** Run the cells in order. Replace each `...` by your code, run the cell, then run
# `grader.check` below it, as often as you like: it says what is wrong. The tests that you see are
# not all tests. The hidden ones look at other sizes, random numbers, sentences of one word, windows
# beyond the end of a sentence, and at what the text of a question promises. What your functions
# return has the dtype of what they are given, and what they are given they leave as it is. Five
# questions, 20 points, about two hours.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# Positions count from 0, in source and target. $B$ sentences, $T$ target words, $S$ source words,
# $H$ numbers in a state and in an annotation, $D$ the radius of the window. A mask is boolean, and
# `True` means "may be attended to".

# %%
import torch

from course_lib.data.mini_world import grammar

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. A window over a batch
#
# *About 20 minutes, ★☆☆.*
#
# `window(center, real, radius)` says which source positions each target position may see.
#
# - `center` is `(B, T)`, a position $p$ for each target word. It need not be whole, and it may lie
#   outside the sentence.
# - `real` is `(B, S)`, `True` at the real words of each source sentence.
# - The answer is boolean, `(B, T, S)`: `True` where the position $j$ is real and
#   $|j - p| \le D$, both ends included.
#
# `local_weights(scores, seen)` turns scores `(B, T, S)` into weights: a softmax over the positions
# that are seen, exactly zero elsewhere, and a row of zeros where nothing is seen.
#
# For a source of four real words, $p = 2$ and $D = 1$ the window is `[False, True, True, True]`,
# and scores $(9, 0, 0, 0)$ give the weights $(0, 1/3, 1/3, 1/3)$.

# %% [raw]
# # BEGIN SOLUTION


# %%
def window(center, real, radius):
    """Booleans (B, T, S) from positions (B, T), real words (B, S) and a radius."""
    # BEGIN SOLUTION
    place = torch.arange(real.shape[1])
    near = (place - center[:, :, None]).abs() <= radius
    return near & real[:, None, :]
    # END SOLUTION


def local_weights(scores, seen):
    """Weights (B, T, S) from scores and booleans of that shape."""
    # BEGIN SOLUTION
    some = seen.any(dim=-1, keepdim=True)
    scores = torch.where(seen | ~some, scores, -torch.inf)
    return torch.where(seen, scores.softmax(dim=-1), 0.0)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_window(window):
    """The window of the question, one that is not whole, and one beyond the end."""
    import torch

    real = torch.tensor([[True] * 4])
    got = window(torch.tensor([[2.0, 1.5, 9.0]]), real, 1)
    came = None if got is None else getattr(got, "dtype", type(got))
    is_right = isinstance(got, torch.Tensor) and got.dtype == torch.bool
    assert is_right, f"want a boolean tensor (B, T, S) = (1, 3, 4), got {came}"
    assert got.shape == (1, 3, 4), f"want the shape (B, T, S) = (1, 3, 4), got {tuple(got.shape)}"
    want = [[False, True, True, True], [False, True, True, False], [False] * 4]
    told = f"For p = 2, 1.5, 9 and D = 1 the windows should be {want}, yours are {got[0].tolist()}."
    if got[0, 0].tolist() in ([False, True, True, False], [False, False, True, False]):
        told += " Both ends of the window belong to it: a position at distance D is seen."
    if got[0, 0].tolist() == [not x for x in want[0]]:
        told += " True means that a position is seen."
    assert got[0].tolist() == want, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_weights(local_weights):
    """The numbers of the question."""
    import torch

    scores = torch.tensor([[[9.0, 0.0, 0.0, 0.0]]])
    seen = torch.tensor([[[False, True, True, True]]])
    got = local_weights(scores, seen)
    shape = getattr(got, "shape", None)
    assert shape == (1, 1, 4), f"want a tensor (1, 1, 4) of weights, got {shape}"
    row = [round(x, 3) for x in got[0, 0].tolist()]
    told = f"For scores (9, 0, 0, 0), the first unseen, want (0, 1/3, 1/3, 1/3), got {row}."
    if torch.allclose(got, scores.softmax(-1) * seen, atol=1e-4):
        told += " The softmax must not count what is unseen: 9 has taken nearly all the weight."
    elif torch.allclose(got, (scores * seen).softmax(-1), atol=1e-4):
        told += " A score of 0 is a score like any other; which one has the exponential 0?"
    assert torch.allclose(got, torch.tensor([[[0, 1, 1, 1]]]) / 3, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Padding, other radii, positions outside the sentence."
"""  # END TEST CONFIG


def test_window_and_padding(window):
    """Padding is never seen, whatever the position."""
    import torch

    from course_lib.attention.local import window_around

    rng = torch.Generator().manual_seed(3)
    for B, T, S, radius in [(2, 3, 5, 1), (3, 1, 1, 0), (1, 4, 9, 3), (3, 3, 3, 20)]:
        center = 12 * torch.rand(B, T, generator=rng) - 2
        real = torch.arange(S) < torch.randint(1, S + 1, (B, 1), generator=rng)
        got = window(center, real, radius)
        near = window_around(center, S, radius)
        told = f"For B, T, S, D = {B}, {T}, {S}, {radius} your window is not the right one."
        if torch.equal(got, near) and not torch.equal(got, near & real[:, None]):
            told += " You see padding: `real` says which words there are."
        assert torch.equal(got, near & real[:, None]), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Rows that see nothing, and random scores."
"""  # END TEST CONFIG


def test_nothing_seen(local_weights):
    """A window beyond the sentence reads zeros."""
    import torch

    from course_lib.attention.softmax import masked_softmax

    rng = torch.Generator().manual_seed(5)
    scores = torch.randn(2, 3, 4, generator=rng, dtype=torch.float64)
    seen = torch.rand(2, 3, 4, generator=rng) < 0.5
    seen[0, 1] = False
    kept = scores.clone()
    got = local_weights(scores, seen)
    told = f"A row that sees nothing should be zeros; yours is {got[0, 1].tolist()}."
    if bool(got[0, 1].isnan().any()):
        told += " A softmax over minus infinity alone is 0/0."
    assert torch.equal(got[0, 1], torch.zeros(4, dtype=torch.float64)), told
    assert torch.allclose(got, masked_softmax(scores, seen)), "other rows are wrong"
    assert torch.equal(scores, kept), "your function writes into the scores that it is given"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2. The state says where
#
# *About 15 minutes, ★☆☆.*
#
# Local-p predicts the position and weighs what is near it (chapter 6a, *Look nearby*).
#
# - `predicted_position(states, W_p, v_p, lengths)`: states `(B, T, H)`, $W_p$ `(H, H)`, $v_p$
#   `(H,)` and the number of real source words of each sentence, `(B,)`, give positions `(B, T)`:
#   $p_i = S \cdot \sigma(v_p^\top \tanh(W_p s_i))$.
# - `bell(center, size, radius)`: positions `(B, T)` give the factors `(B, T, S)`,
#   $\exp(-(j - p_i)^2 / 2\sigma^2)$ with $\sigma = D/2$, for $j = 0, \dots, S - 1$.
#
# With $D = 2$ a word at distance 0, 1, 2 keeps 1, 0.607, 0.135 of its weight.

# %% [raw]
# # BEGIN SOLUTION


# %%
def predicted_position(states, W_p, v_p, lengths):
    """Positions (B, T) from states (B, T, H)."""
    # BEGIN SOLUTION
    share = torch.sigmoid(torch.tanh(states @ W_p.T) @ v_p)
    return lengths[:, None] * share
    # END SOLUTION


def bell(center, size, radius):
    """Factors (B, T, S) around positions (B, T)."""
    # BEGIN SOLUTION
    away = torch.arange(size) - center[:, :, None]
    return torch.exp(-(away**2) / (2 * (radius / 2) ** 2))
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_position(predicted_position):
    """One state, W_p with zeros and a one."""
    import torch

    states = torch.tensor([[[1.0, 2.0]]])
    W_p, v_p = torch.tensor([[0.0, 1.0], [0.0, 0.0]]), torch.tensor([3.0, 5.0])
    got = predicted_position(states, W_p, v_p, torch.tensor([10]))
    shape = getattr(got, "shape", None)
    assert shape == (1, 1), f"want positions of shape (B, T) = (1, 1), got {shape}"
    want = 10 * torch.sigmoid(3 * torch.tanh(torch.tensor(2.0)))
    told = f"For state (1, 2), W_p = {W_p.tolist()}, v_p = (3, 5), S = 10: want {want:.3f}, "
    told += f"got {got.item():.3f}."
    if abs(got.item() - want / 10) < 1e-3:
        told += " That is a share: how many words has the sentence?"
    elif abs(got.item() - 10 * torch.sigmoid(torch.tensor(6.0))) < 1e-3:
        told += " The tanh is missing."
    elif abs(got.item() - 5) < 1e-3:
        told += " Is W_p transposed? Row k of W_p makes component k."
    assert abs(got.item() - want) < 1e-3, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_bell(bell):
    """The numbers of the question."""
    import torch

    got = bell(torch.tensor([[1.0]]), 4, 2)
    shape = getattr(got, "shape", None)
    assert shape == (1, 1, 4), f"want factors of shape (B, T, S) = (1, 1, 4), got {shape}"
    row = [round(x, 3) for x in got[0, 0].tolist()]
    told = f"Around p = 1 with D = 2 want 0.607, 1, 0.607, 0.135; got {row}."
    away = torch.arange(4) - 1.0
    if torch.allclose(got[0, 0], torch.exp(-(away**2) / 8), atol=1e-3):
        told += " σ is D/2, not D."
    elif torch.allclose(got[0, 0], torch.exp(-away.abs() / 2), atol=1e-3):
        told += " The distance is squared."
    want = torch.tensor([0.6065, 1.0, 0.6065, 0.1353])
    assert torch.allclose(got[0, 0], want, atol=1e-3), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Sentences of different lengths, random states."
"""  # END TEST CONFIG


def test_lengths(predicted_position):
    """Each sentence has its own length."""
    import torch

    rng = torch.Generator().manual_seed(7)
    states = torch.randn(3, 3, 4, generator=rng, dtype=torch.float64)
    W_p, v_p = (torch.randn(n, generator=rng, dtype=torch.float64) for n in ((4, 4), (4,)))
    lengths = torch.tensor([2, 9, 30])
    got = predicted_position(states, W_p, v_p, lengths)
    share = torch.sigmoid(
        torch.einsum("h,bth->bt", v_p, torch.tanh(torch.einsum("hk,btk->bth", W_p, states)))
    )
    told = "Positions for three sentences of 2, 9 and 30 words are not right."
    if torch.allclose(got, share * lengths):
        told += " The lengths meet the target positions, not the sentences: (B,) is not (B, 1)."
    assert torch.allclose(got, share * lengths[:, None]), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random positions, and the gradient that moves them."
"""  # END TEST CONFIG


def test_bell_moves(bell):
    """The factors beside the library's, and a gradient for the position."""
    import torch

    from course_lib.attention.local import gaussian_window

    rng = torch.Generator().manual_seed(9)
    center = (8 * torch.rand(2, 3, generator=rng, dtype=torch.float64)).requires_grad_()
    for radius in (1, 3, 10):
        got = bell(center, 6, radius)
        want = gaussian_window(torch.arange(6) - center[..., None], radius)
        assert torch.allclose(got, want), f"the factors for D = {radius} are not right"
    got.sum().backward()
    told = "the positions get no gradient: is something rounded, or detached?"
    assert center.grad is not None, told
    assert bool((center.grad != 0).all()), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 5

# %% [markdown]
# ## Question 3. Move, look, feed
#
# *About 30 minutes, ★★☆.*
#
# Luong's decoder with the dot score, global attention and input feeding (chapter 6a). Write the
# loop.
#
# `decode(words, state, annotations, real, parts)` gets the embedded words that the decoder reads,
# `(B, T, E)`; the LSTM's first state, a pair $(h, c)$ of `(B, H)` each; annotations `(B, S, H)`;
# the real words `(B, S)`; and a dictionary `parts` with the LSTM's `weight_ih` `(4H, E + H)`,
# `weight_hh` `(4H, H)`, `bias_ih`, `bias_hh` `(4H,)`, and `W_c` `(H, 2H)`. At each step
#
# $$s_i = \mathrm{LSTM}(s_{i-1}, [E y_{i-1}; \tilde s_{i-1}]), \quad
# c_i = \sum_j \alpha_{ij} h_j, \quad \tilde s_i = \tanh(W_c [c_i; s_i])$$
#
# with $\alpha_{ij}$ the softmax over the real words of $s_i^\top h_j$, and $\tilde s_0 = 0$. Return
# `{"attentional": (B, T, H), "weights": (B, T, S)}`.
#
# The step of the LSTM is given: `lstm_step(inputs, state, parts)` returns the new pair.
#
# <details><summary>Hint</summary>
#
# Two things travel from one step to the next. One is the LSTM's pair; which vector is the other?
# Then look at the index of the state in the score: has the LSTM moved already?
#
# </details>


# %%
def lstm_step(inputs, state, parts):
    """The pair (h, c) after reading inputs (B, E + H)."""
    names = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    return torch.lstm_cell(inputs, state, *(parts[name] for name in names))


# %% [raw]
# # BEGIN SOLUTION


# %%
def decode(words, state, annotations, real, parts):
    """Attentional states and weights of all steps, in a dictionary."""
    # BEGIN SOLUTION
    fed, found, maps = torch.zeros_like(state[0]), [], []
    for word in words.unbind(dim=1):
        state = lstm_step(torch.cat([word, fed], dim=-1), state, parts)
        scores = (annotations @ state[0][:, :, None])[:, :, 0]
        weights = scores.masked_fill(~real, -torch.inf).softmax(dim=-1)
        context = (weights[:, None, :] @ annotations)[:, 0]
        fed = torch.tanh(torch.cat([context, state[0]], dim=-1) @ parts["W_c"].T)
        found.append(fed)
        maps.append(weights)
    return {"attentional": torch.stack(found, 1), "weights": torch.stack(maps, 1)}
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_shapes(decode):
    """A dictionary with two tensors."""
    import torch

    B, T, S, E, H = 2, 3, 4, 5, 6
    sizes = {"weight_ih": (4 * H, E + H), "weight_hh": (4 * H, H), "bias_ih": (4 * H,)}
    sizes |= {"bias_hh": (4 * H,), "W_c": (H, 2 * H)}
    parts = {name: torch.zeros(size) for name, size in sizes.items()}
    given = torch.zeros(B, T, E), (torch.zeros(B, H), torch.zeros(B, H)), torch.zeros(B, S, H)
    got = decode(*given, torch.ones(B, S, dtype=torch.bool), parts)
    assert isinstance(got, dict), f"want a dictionary, got {None if got is None else type(got)}"
    for name, size in (("attentional", (B, T, H)), ("weights", (B, T, S))):
        came = getattr(got.get(name), "shape", None)
        assert came == size, f"want {name} of shape {size}, got {came}"
    told = "with nothing but zeros every word gets 1/4"
    assert torch.allclose(got["weights"], torch.full((B, T, S), 0.25)), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_first_step(decode):
    """One step beside the library's, then two."""
    import torch

    from course_lib.models.luong import Luong, LuongConfig

    rng = torch.Generator().manual_seed(11)
    model = Luong(LuongConfig(9, 9, 5, 6, score="dot"), rng).double().eval()
    source = torch.randint(1, 9, (2, 4), generator=rng)
    target = torch.randint(1, 9, (2, 2), generator=rng)
    with torch.no_grad():
        for weight in model.parameters():
            weight.copy_(torch.randn(weight.shape, generator=rng, dtype=torch.float64))
        memory = model.encode(source, source > 0)
        parts = {n.removesuffix("_l0"): p for n, p in model.decoder.named_parameters()}
        parts["W_c"] = model.combine.weight
        words = model.target_embed(target)
        start = model.start(memory)
        state = (start.hidden[:, 0], start.cell[:, 0])
        want = model.decode(target, memory, return_attention=True)
        got = decode(words, state, memory.annotations, source > 0, parts)
    notes = memory.annotations
    first = got["weights"][:, 0]
    rows = want.attention[0, 0].tolist(), first[0].tolist()
    told = f"The first step has the weights {rows[0]}, got {rows[1]}."
    early = (notes @ state[0][:, :, None])[..., 0].softmax(-1)
    if torch.allclose(first, early):
        told += " You look with the state before the step. Here the LSTM moves first."
    assert torch.allclose(first, want.attention[:, 0]), told
    logits = model.words(got["attentional"])
    told = "The first attentional state is not right."
    swapped = parts["W_c"].roll(6, dims=1)
    if not torch.allclose(logits[:, 0], want.logits[:, 0]):
        context = (first[:, None] @ notes)[:, 0]
        moved, _ = torch.lstm_cell(
            torch.cat([words[:, 0], 0 * context], -1), state, *list(parts.values())[:4]
        )
        if torch.allclose(
            got["attentional"][:, 0], torch.cat([context, moved], -1) @ parts["W_c"].T
        ):
            told += " The tanh is missing."
        elif torch.allclose(
            got["attentional"][:, 0], torch.tanh(torch.cat([context, moved], -1) @ swapped.T)
        ):
            told += " W_c meets [context; state], in this order."
    assert torch.allclose(logits[:, 0], want.logits[:, 0]), told
    told = (
        "The first step is right and the second is not. What does it read beside the word? The "
        "attentional state of the step before: not zeros, and not the LSTM's own state."
    )
    assert torch.allclose(logits[:, 1], want.logits[:, 1]), told


# %%
""" # BEGIN TEST CONFIG
points: 2
hidden: true
failure_message: "Whole sentences of random models, beside course_lib."
"""  # END TEST CONFIG


def test_against_the_library(decode):
    """All steps of random models, with padding."""
    import torch

    from course_lib.models.luong import Luong, LuongConfig

    rng = torch.Generator().manual_seed(13)
    for B, T, lengths in [(3, 6, [5, 2, 1]), (1, 1, [1]), (2, 4, [3, 3])]:
        model = Luong(LuongConfig(9, 9, 5, 6, score="dot"), rng).double().eval()
        source = torch.randint(1, 9, (B, max(lengths)), generator=rng)
        real = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        target = torch.randint(1, 9, (B, T), generator=rng)
        with torch.no_grad():
            memory = model.encode(source, real)
            parts = {n.removesuffix("_l0"): p for n, p in model.decoder.named_parameters()}
            parts["W_c"] = model.combine.weight
            start = model.start(memory)
            state = (start.hidden[:, 0], start.cell[:, 0])
            want = model.decode(target, memory, return_attention=True)
            words = model.target_embed(target)
            got = decode(words, state, memory.annotations, real, parts)
        told = f"Sentences of {lengths} words: the weights differ from the library's."
        if not bool((got["weights"].masked_select(~real[:, None].expand(B, T, -1)) == 0).all()):
            told += " Padding has weight."
        assert torch.allclose(got["weights"], want.attention), told
        logits = model.words(got["attentional"])
        assert torch.allclose(logits, want.logits), "the attentional states differ"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "What is given stays as it is, and gradients flow back through what is fed."
"""  # END TEST CONFIG


def test_gradient(decode):
    """The last attentional state depends on the first word, through what is fed."""
    import torch

    rng = torch.Generator().manual_seed(15)
    H, E = 4, 3
    sizes = {"weight_ih": (4 * H, E + H), "weight_hh": (4 * H, H), "bias_ih": (4 * H,)}
    sizes |= {"bias_hh": (4 * H,), "W_c": (H, 2 * H)}
    parts = {name: torch.randn(size, generator=rng) for name, size in sizes.items()}
    parts["weight_hh"].zero_()  # and nothing stays in the cell: the gates that forget are shut
    parts["weight_ih"][H : 2 * H] = 0
    parts["bias_ih"][H : 2 * H] = -1e4
    words = torch.randn(1, 2, E, generator=rng).requires_grad_()
    notes = torch.randn(1, 3, H, generator=rng)
    kept = notes.clone()
    state = (torch.zeros(1, H), torch.zeros(1, H))
    got = decode(words, state, notes, torch.ones(1, 3, dtype=torch.bool), parts)
    assert torch.equal(notes, kept), "your function writes into the annotations"
    (grad,) = torch.autograd.grad(got["attentional"][:, 1].sum(), words)
    assert bool((grad[:, 0] != 0).any()), "the first word has no influence on the second step"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## Question 4. One place, drawn
#
# *About 35 minutes, ★★★.*
#
# A window looks at a few places. *Hard* attention looks at one: place $j$ with probability
# $\alpha_j$, the softmax of the scores $e$. If place $j$ is looked at, the reward is $r_j$ (how
# well the word came out, say). The expected reward is $J = \sum_j \alpha_j r_j$, and
#
# $$\frac{\partial J}{\partial e_j} = \alpha_j \, \bigl(r_j - J\bigr).$$
#
# To compute this one must know the reward of *every* place, and a reader that looks at one place
# knows one reward. REINFORCE (Williams 1992) estimates it from drawn places $a_1, \dots, a_N$:
#
# $$\hat g = \frac{1}{N} \sum_{n=1}^{N} (r_{a_n} - b) \, \nabla_e \log \alpha_{a_n},$$
#
# where $b$ is a *baseline*, any number that does not depend on the draw. First work out
# $\partial \log \alpha_a / \partial e_j$ on paper. Then write, without autograd,
#
# - `exact(scores, rewards)`: the gradient `(S,)`, from both formulas above;
# - `estimate(scores, rewards, baseline, drawn)`: $\hat g$, `(S,)`, from places `drawn` `(N,)`. It
#   may read `rewards` at the drawn places only; the others may be `nan`;
# - `variance(scores, rewards, baseline)`: a number, the variance of $\hat g$ for one draw, summed
#   over its components: $\sum_a \alpha_a \lVert \hat g_a - g \rVert^2$. With few places one can
#   enumerate all draws.
#
# With scores $(0, 0)$ and rewards $(1, 3)$ the exact gradient is $(-0.5, 0.5)$. A single draw gives
# $(0.5, -0.5)$ for place 0 and $(-1.5, 1.5)$ for place 1, if $b = 0$: one points the wrong way, and
# their mean is right. With $b = 2$ both give the exact gradient.
#
# <details><summary>First hint</summary>
#
# Write $\log \alpha_a = e_a - \log \sum_k \exp e_k$ and differentiate both terms. Which scores
# does the first one contain, and which the second?
#
# </details>
#
# <details><summary>Second hint</summary>
#
# Check `estimate` without chance: draw each place once, and average the results, weighted by the
# probabilities $\alpha$. That must give `exact`. The variance is measured from that same average.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def exact(scores, rewards):
    """The gradient (S,) of the expected reward."""
    # BEGIN SOLUTION
    alpha = scores.softmax(dim=-1)
    return alpha * (rewards - alpha @ rewards)
    # END SOLUTION


def estimate(scores, rewards, baseline, drawn):
    """The estimate (S,) of the gradient from drawn places (N,)."""
    # BEGIN SOLUTION
    alpha = scores.softmax(dim=-1)
    direction = torch.eye(len(scores), dtype=scores.dtype)[drawn] - alpha  # (N, S)
    return ((rewards[drawn] - baseline)[:, None] * direction).mean(dim=0)
    # END SOLUTION


def variance(scores, rewards, baseline):
    """The variance of the estimate from one draw, summed over its components."""
    # BEGIN SOLUTION
    alpha, truth = scores.softmax(dim=-1), exact(scores, rewards)
    one = [estimate(scores, rewards, baseline, torch.tensor([a])) for a in range(len(scores))]
    away = (torch.stack(one) - truth).square().sum(dim=-1)
    return (alpha @ away).item()
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_by_hand(exact, estimate):
    """The numbers of the question."""
    import torch

    scores, rewards = torch.zeros(2), torch.tensor([1.0, 3.0])
    got = exact(scores, rewards)
    shape = getattr(got, "shape", None)
    assert shape == (2,), f"exact: want a tensor of shape (2,), got {shape}"
    told = f"exact: for scores (0, 0) and rewards (1, 3) want (-0.5, 0.5), got {got.tolist()}"
    assert torch.allclose(got, torch.tensor([-0.5, 0.5])), told
    for place, b, want in [(0, 0, [0.5, -0.5]), (1, 0, [-1.5, 1.5]), (0, 2, [-0.5, 0.5])]:
        got = estimate(scores, rewards, b, torch.tensor([place]))
        shape = getattr(got, "shape", None)
        assert shape == (2,), f"estimate: want a tensor of shape (2,), got {shape}"
        told = f"estimate: place {place}, b = {b}: want {want}, got {got.tolist()}."
        if got[place] == (rewards[place] - b) * 1.0 and got[1 - place] == 0:
            told += (
                " Of log α_a the derivative by e_a is 1 - α_a, and every other score has one too."
            )
        elif not b and torch.allclose(got, -torch.tensor(want)):
            told += " The sign: a reward is to grow, it is no loss."
        elif b and torch.allclose(got, torch.tensor([0.5, -0.5])):
            told += " Where is the baseline?"
        assert torch.allclose(got, torch.tensor(want)), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_unbiased_by_enumeration(estimate):
    """The mean over all draws, each by its probability, is the exact gradient."""
    import torch

    scores = torch.tensor([0.3, -1.0, 2.0], dtype=torch.float64)
    rewards = torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64)
    alpha = scores.softmax(-1)
    want = alpha * (rewards - alpha @ rewards)
    for b in (0.0, 1.5, -10.0):
        one = [estimate(scores, rewards, b, torch.tensor([a])) for a in range(3)]
        assert all(getattr(g, "shape", None) == (3,) for g in one), (
            "wrong shape: see the first test"
        )
        mean = sum(p * g for p, g in zip(alpha, one, strict=True))
        told = f"With b = {b} the mean over all draws is {mean.tolist()}, want {want.tolist()}."
        if b == 0:
            told += " Is the direction of a draw the gradient of log α, or that of α?"
        assert torch.allclose(mean, want), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Many draws at once; rewards that were not drawn are nan; autograd's gradient."
"""  # END TEST CONFIG


def test_many_draws(exact, estimate):
    """The mean of the estimates of single draws, and only drawn rewards are read."""
    import torch

    rng = torch.Generator().manual_seed(17)
    scores = torch.randn(5, generator=rng, dtype=torch.float64).requires_grad_()
    rewards = torch.randn(5, generator=rng, dtype=torch.float64)
    (scores.softmax(-1) @ rewards).backward()
    got = exact(scores.detach(), rewards)
    assert torch.allclose(got, scores.grad), "exact is not what autograd finds"
    drawn = torch.tensor([1, 3, 3, 0])
    hidden = rewards.clone()
    hidden[[2, 4]] = torch.nan
    free = scores.detach().clone().requires_grad_()
    log_alpha = free.log_softmax(-1)
    ((hidden[drawn] - 0.7) * log_alpha[drawn]).mean().backward()
    got = estimate(scores.detach(), hidden, 0.7, drawn)
    told = f"For draws {drawn.tolist()} want {free.grad.tolist()}, got {got.tolist()}."
    if bool(got.isnan().any()):
        told += " You read a reward that was not drawn."
    elif torch.allclose(got, 4 * free.grad):
        told += " It is a mean over the draws, not a sum."
    assert torch.allclose(got, free.grad), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "The variance, by enumeration, for good and bad baselines."
"""  # END TEST CONFIG


def test_variance(variance):
    """No variance where every draw says the same, and a good baseline lowers it."""
    import torch

    scores, rewards = torch.zeros(2), torch.tensor([1.0, 3.0])
    for b, want in ((2.0, 0.0), (0.0, 2.0), (-3.0, 12.5)):
        got = variance(scores, rewards, b)
        told = f"scores (0, 0), rewards (1, 3), b = {b}: want {want}, got {got}."
        if isinstance(got, float) and abs(got - want - 0.5) < 1e-5:
            told += " The exact gradient is taken away before squaring."
        assert isinstance(got, float), f"want a plain number, got {type(got)}"
        assert abs(got - want) < 1e-5, told
    rng = torch.Generator().manual_seed(19)
    scores, rewards = (torch.randn(4, generator=rng).double() for _ in range(2))
    alpha = scores.softmax(-1)
    truth = alpha * (rewards - alpha @ rewards)
    one = (rewards - 0.4)[:, None] * (torch.eye(4).double() - alpha)
    want = (alpha @ (one - truth).square().sum(-1)).item()
    got = variance(scores, rewards, 0.4)
    assert abs(got - want) < 1e-8, (
        f"four places: want {want}, got {got}; is each draw as probable as it is?"
    )


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 3

# %% [markdown]
# ## Question 5. An experiment: which way misses more?
#
# *About 20 minutes, ★★☆.*
#
# A monotone window misses what moves. Does it miss as much from German to English as from English
# to German? And does it matter how long the sentences are?
#
# - `missed(links, radius)`: `links` is a list of sentences, each a list of pairs (source position,
#   target position). The answer is a pair of shares: of all links those with $|j - i| > D$, and of
#   all sentences those that have such a link. A sentence without links counts as a sentence.
# - `radius_for(links, share)`: the smallest whole radius with which at most this share of
#   *sentences* misses a link.
#
# Then run the *Try it* cell below and write what you find into `written_answer`: which radius keeps
# nine in ten sentences whole when they have 20 to 24 words, English to German, and in one sentence
# why the other direction gives the same number. 20 to 120 words, with the radius as a number.
#
# <details><summary>Hint</summary>
#
# A link at a distance of exactly $D$ is inside the window. `radius_for` asks for one of the two
# shares of `missed`: which one? For the direction, write down the distance of one link before and
# after its pair is turned round.
#
# </details>


# %%
def experiment(low, high, turned):
    """The links of 400 sentences of so many English words; turned: German to English."""
    pairs = grammar.sample("valid", 400, seed=6, min_words=low, max_words=high, vocabulary="tiny")
    return [sorted((pair.turned() if turned else pair).sure) for pair in pairs]


# %% [raw]
# # BEGIN SOLUTION


# %%
def missed(links, radius):
    """Share of links outside the window, and share of sentences that have one."""
    # BEGIN SOLUTION
    out = [[abs(j - i) > radius for j, i in sentence] for sentence in links]
    count = sum(map(len, out))
    return sum(map(sum, out)) / count if count else 0.0, sum(map(any, out)) / len(out)
    # END SOLUTION


def radius_for(links, share):
    """The smallest radius with which at most this share of sentences misses a link."""
    # BEGIN SOLUTION
    radius = 0
    while missed(links, radius)[1] > share:
        radius += 1
    return radius
    # END SOLUTION


def written_answer():
    """What the experiment showed, in 20 to 120 words."""
    # BEGIN SOLUTION
    return (
        "With sentences of 20 to 24 words, a radius of "
        f"{radius_for(experiment(20, 24, False), 0.1)} "
        "keeps nine in ten whole: the verb of a relative clause and a participle travel across "
        "the clause. From German to English it is the same number, because turning a pair round "
        "exchanges j and i, and the distance between them has no direction."
    )
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_missed(missed):
    """Two sentences by hand."""
    links = [[(0, 0), (1, 3), (3, 1)], [(0, 1)]]
    got = missed(links, 1)
    is_pair = isinstance(got, (tuple, list)) and len(got) == 2
    assert is_pair, f"want a pair of shares, got {got!r}"
    told = f"Of 4 links 2 lie further than 1 away, in 1 of 2 sentences: want (0.5, 0.5), got {got}."
    if abs(got[0] - 0.25) < 1e-6:
        told += " A link may lie on either side of the window: |j - i|."
    elif abs(got[0] - 0.75) < 1e-6:
        told += " A link at distance D is seen."
    assert abs(got[0] - 0.5) < 1e-6, told
    assert abs(got[1] - 0.5) < 1e-6, told
    got = missed([[(0, 2)], [], [(0, 0)]], 1)
    told = f"One of two links, one of three sentences: want (1/2, 1/3), got {got}"
    assert abs(got[0] - 1 / 2) < 1e-6, told
    assert abs(got[1] - 1 / 3) < 1e-6, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_written_answer(written_answer):
    """It has a length, and a number."""
    got = written_answer()
    told = f"want a text of 20 to 120 words, got {got if got is None else type(got)}"
    assert isinstance(got, str), told
    assert 20 <= len(got.split()) <= 120, f"want 20 to 120 words, got {len(got.split())}"
    told = "name the radius that you found, as a number"
    assert any(letter.isdigit() for letter in got), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "The radius for other links and shares, and the one in your answer."
"""  # END TEST CONFIG


def test_radius_for(radius_for, written_answer):
    """The smallest radius, and the one that the answer names."""
    import re

    from course_lib.data.mini_world import grammar

    links = [[(0, n)] for n in range(10)]
    for share, want in ((0.0, 9), (0.1, 8), (0.5, 4), (1.0, 0)):
        got = radius_for(links, share)
        told = (
            f"Ten sentences with links at distance 0 to 9, share {share}: want {want}, got {got}."
        )
        if got == want + 1:
            told += " At most this share: exactly this share is good enough."
        assert got == want, told
    pairs = grammar.sample("valid", 400, seed=6, min_words=20, max_words=24, vocabulary="tiny")
    want = radius_for([sorted(pair.sure) for pair in pairs], 0.1)
    numbers = re.findall(r"\d+", written_answer())
    named = ", ".join(numbers)
    told = f"your answer names {named}; your own radius_for finds another radius"
    assert str(want) in numbers, told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it.** Run this when the first check passes.

# %%
for low, high in ((4, 8), (12, 16), (20, 24)):
    for turned in (False, True):
        links = experiment(low, high, turned)
        out, spoiled = missed(links, 3)
        way = "German to English" if turned else "English to German"
        print(
            f"{low:2} to {high} words, {way}, D = 3: {out:.2f} of links, {spoiled:.2f} of",
            "sentences;",
            "nine in ten whole with",
            radius_for(links, 0.1),
        )

# %% [markdown]
# You have now built every way to look that chapter 6a has, and the estimator on which chapter 6b
# rests: its reader draws places in a picture, and its rewards come from reading digits.
