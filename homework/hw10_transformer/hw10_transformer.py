# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw10_transformer
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
# # Homework 10: The Transformer
#
# Chapter 10 put the Transformer together. Here you build again what holds it together: what stands
# around each sub-layer, the three uses of attention in a layer of the decoder, the schedule and
# the smoothed labels of its training, the count of its parameters, and an experiment about where
# the norm should stand.
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
# $B$ sentences in a batch, $S$ source words, $T$ target words, vectors of width $D$. A mask is
# boolean; `True` means "may be looked at".

# %%
import torch

from course_lib.models.blocks import StackConfig
from course_lib.models.layers import SelfAttentionLayer
from course_lib.models.parts import initialise

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. Around every sub-layer
#
# *About 25 minutes, ★★☆.*
#
# `around(x, sublayer, gain, shift, order)` returns what leaves a sub-layer with its residual sum
# and its layer norm.
#
# - `x` is `(B, T, D)`; `sublayer` maps such a tensor to another; `gain` and `shift` are `(D,)`.
# - `order` is `"pre"`, $x + f(\mathrm{norm}(x))$, or `"post"`, $\mathrm{norm}(x + f(x))$.
# - The norm takes each vector by itself: minus its mean, divided by
#   $\sqrt{\mathrm{variance} + 10^{-5}}$, times `gain`, plus `shift`. The variance is that of
#   these $D$ numbers, divided by $D$.
# - Write the norm yourself, without PyTorch's layer norm.
#
# <details><summary>Hint</summary>
#
# `x.var(dim=-1)` divides by $D - 1$ unless it is told otherwise.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def around(x, sublayer, gain, shift, order):
    """What leaves a sub-layer: (B, T, D)."""

    # BEGIN SOLUTION
    def norm(z):
        centred = z - z.mean(dim=-1, keepdim=True)
        variance = (centred**2).mean(dim=-1, keepdim=True)
        return centred / (variance + 1e-5).sqrt() * gain + shift

    return x + sublayer(norm(x)) if order == "pre" else norm(x + sublayer(x))
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_by_hand(around):
    """Two numbers: the norm leaves which one is larger."""
    import torch

    x = torch.tensor([[[5.0, 1.0], [0.0, 2.0]]])
    one, zero = torch.ones(2), torch.zeros(2)
    try:
        got = around(x.clone(), lambda z: 10 * z, one, zero, "pre")
    except Exception as error:
        told = f"around stopped at x (1, 2, 2) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (1, 2, 2), f"want shape (1, 2, 2), got {tuple(got.shape)}"
    want = torch.tensor([[[15.0, -9.0], [-10.0, 12.0]]])
    told = f"pre, ten times: want {want[0].tolist()}, got {got[0].tolist()}."
    if torch.allclose(got, want - x, atol=1e-2):
        told += " The residual sum is missing: add x itself."
    elif torch.allclose(got - x, (want - x) / 2**0.5, atol=1e-2):
        told += " Your variance is divided by D - 1; divide by D."
    elif torch.allclose(got - x, torch.tensor([[[5.0, -5.0], [-10.0, 10.0]]]), atol=1e-2):
        told += " You divide by the variance: the root is missing."
    elif torch.allclose(got - (want - x) / 10, want - x, atol=1e-2):
        told += " You add the normed x. What passes by is x as it came in."
    assert torch.allclose(got, want, atol=1e-2), told
    gain, shift = torch.tensor([2.0, 3.0]), torch.tensor([10.0, 20.0])
    got = around(x[:, :1].clone(), lambda z: z, gain, shift, "pre")[0, 0]
    row = [round(number, 2) for number in got.tolist()]
    told = "(5, 1) is normed to (1, -1); times the gain (2, 3), plus the shift (10, 20) that is "
    told += f"(12, 17), and with x (17, 18); got {row}."
    hints = {
        (6.0, 0.0): " Gain and shift are missing.",
        (16.0, 20.0): " The gain is missing.",
        (7.0, -2.0): " The shift is missing.",
        (27.0, 58.0): " First times the gain, then plus the shift.",
    }
    for numbers, hint in hints.items():
        if torch.allclose(got, torch.tensor(numbers), atol=1e-2):
            told += hint
    assert torch.allclose(got, torch.tensor([17.0, 18.0]), atol=1e-2), told
    small = 1e-3 * torch.tensor([[[3.0, 1.0]]])
    got = (around(small.clone(), lambda z: z, one, zero, "pre") - small)[0, 0]
    row = [round(number, 2) for number in got.tolist()]
    told = f"(0.003, 0.001) has the variance 1e-6: want it normed to [0.3, -0.3], got {row}. "
    told += "1e-5 is added to the variance, and the root is of both"
    assert torch.allclose(got, torch.tensor([0.3015, -0.3015]), atol=1e-3), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_order(around):
    """Post-norm: the sum is normed, and the sub-layer reads x itself."""
    import torch

    x = torch.tensor([[[3.0, 1.0]]])
    read = []

    def sublayer(z):
        read.append(z.clone())
        return torch.tensor([[[0.0, 1.0]]])

    got = around(x.clone(), sublayer, torch.ones(2), torch.zeros(2), "post")
    want = torch.tensor([[[1.0, -1.0]]])
    told = f"post: the sum (3, 2) is normed: want {want[0].tolist()}, got {got[0].tolist()}."
    if torch.allclose(got, -want, atol=1e-2):
        told += " That is the normed sub-layer: the sum with x is missing."
    elif torch.allclose(got, torch.tensor([[[1.0, 0.0]]]), atol=1e-2):
        told += " You norm x before the sum; post-norm norms the sum."
    elif torch.allclose(got, torch.tensor([[[3.0, 2.0]]]), atol=1e-2):
        told += " That is the sum itself: post-norm norms it."
    assert torch.allclose(got, want, atol=1e-2), told
    told = f"the sub-layer is called once, by you {len(read)} times: only for the order that is "
    told += "asked for"
    assert len(read) == 1, told
    told = "with post-norm the sub-layer reads x as it came in, not the normed one"
    assert torch.allclose(read[0], x), told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Random numbers beside PyTorch's layer norm, with gain and shift."
"""  # END TEST CONFIG


def test_beside_torch(around):
    """Both orders, several sizes."""
    import torch
    from torch.nn.functional import layer_norm

    rng = torch.Generator().manual_seed(4)
    for B, T, D in [(2, 3, 4), (1, 1, 8), (3, 2, 5)]:
        x = torch.randn(B, T, D, generator=rng)
        gain, shift = torch.randn(D, generator=rng), torch.randn(D, generator=rng)

        def f(z):
            return torch.tanh(z).cumsum(-1)

        pre = x + f(layer_norm(x, (D,), gain, shift))
        post = layer_norm(x + f(x), (D,), gain, shift)
        for order, want in (("pre", pre), ("post", post)):
            got = around(x.clone(), f, gain, shift, order)
            assert torch.allclose(got, want, atol=1e-4), f"{order} differs for D = {D}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "What your function is given stays as it is; equal numbers give no NaN."
"""  # END TEST CONFIG


def test_inputs_stay(around):
    """Nothing is written into x; a vector of equal numbers has variance 0."""
    import torch

    x = torch.full((1, 1, 4), 2.0)
    given = x.clone()
    for order, want in (("pre", given + 1), ("post", torch.zeros(1, 1, 4))):
        got = around(x, lambda z: z + 1, torch.ones(4), torch.zeros(4), order)
        assert torch.equal(x, given), f"{order}: your function writes into x"
        told = "a vector of equal numbers should be normed to zeros; is the 1e-5 under the root?"
        assert torch.allclose(got, want), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2. Three uses of attention
#
# *About 20 minutes, ★★☆.*
#
# Two of the three stand in a layer of the decoder. `decoder_layer(y, memory, real, attend, think)`
# returns what leaves such a layer; norms are left out here.
#
# - `y` is `(B, T, D)`, the target so far; `memory` is `(B, S, D)`, what the encoder wrote; `real`
#   is `(B, S)`, `True` at real source words.
# - `attend(use, queries_from, keys_from, values_from, mask)` is an attention; `use` is `"self"` or
#   `"cross"`, and the result has the shape of `queries_from`. `think` is the feed-forward net.
# - First the target looks at itself, each word at itself and at earlier ones: `mask` is `(T, T)`.
#   Then it looks at the source, at real words: `mask` is `(B, 1, S)`. Then it thinks. What each of
#   the three finds is added.
#
# <details><summary>Hint</summary>
#
# For each of the two attentions ask: whose words ask, and whose words answer? Every part reads
# what the part before it has left, and none changes the `y` that you were given.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def decoder_layer(y, memory, real, attend, think):
    """What leaves a layer of the decoder: (B, T, D)."""
    # BEGIN SOLUTION
    T = y.shape[1]
    earlier = torch.ones(T, T, dtype=torch.bool).tril()
    y = y + attend("self", y, y, y, earlier)
    y = y + attend("cross", y, memory, memory, real[:, None, :])
    return y + think(y)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_who_is_asked(decoder_layer):
    """Which tensors enter which attention."""
    import torch

    y, memory = torch.ones(1, 3, 2), torch.full((1, 4, 2), 5.0)
    real = torch.ones(1, 4, dtype=torch.bool)
    calls = []

    def attend(use, queries_from, keys_from, values_from, mask):
        calls.append((use, queries_from, keys_from, values_from, mask))
        return torch.zeros_like(queries_from)

    try:
        got = decoder_layer(y, memory, real, attend, torch.zeros_like)
    except Exception as error:
        told = f"decoder_layer stopped with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    uses = [call[0] for call in calls]
    told = f"want a call of attend with 'self' and then one with 'cross', got {uses}"
    assert uses == ["self", "cross"], told
    for use, q, k, v, _ in calls:
        told = f"{use}: queries come from the target (B, T, D), yours are {tuple(q.shape)}"
        assert q.shape == y.shape, told
        wanted = memory if use == "cross" else y
        place = "the memory" if use == "cross" else "the target"
        for name, found in (("keys", k), ("values", v)):
            told = f"{use}: {name} come from {place}"
            assert found.shape == wanted.shape, told
            assert torch.equal(found, wanted), told
    assert torch.equal(got, y), "where nothing is found, y leaves as it came: add, don't replace"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_masks(decoder_layer):
    """Who may be looked at."""
    import torch

    y, memory = torch.arange(12.0).view(2, 3, 2), torch.zeros(2, 4, 2)
    real = torch.tensor([[True, True, True, False], [True, False, False, False]])
    masks = {}

    def attend(use, queries_from, keys_from, values_from, mask):
        masks[use] = mask
        return torch.zeros_like(queries_from)

    got = decoder_layer(y, memory, real, attend, torch.zeros_like)
    assert torch.equal(got, y), "where nothing is found, y leaves as it came: add, don't replace"
    for use, shape in (("self", (3, 3)), ("cross", (2, 1, 4))):
        mask = masks.get(use)
        told = f"{use}: want a boolean mask {shape}, got {mask}"
        assert isinstance(mask, torch.Tensor), told
    want = torch.tensor([[1, 0, 0], [1, 1, 0], [1, 1, 1]]).bool()
    own = masks["self"]
    told = f"self: want a boolean mask (3, 3), got {own.dtype} {tuple(own.shape)}"
    assert own.shape == (3, 3) and own.dtype == torch.bool, told  # noqa: PT018
    told = f"self: want {want.int().tolist()}, got {own.int().tolist()}."
    if torch.equal(own, want.T):
        told += " Your words look at later ones: turn the triangle round."
    elif torch.equal(own, ~want.T & want):
        told += " A word may look at itself too."
    elif torch.equal(own, ~want):
        told += " True means: may be looked at."
    assert torch.equal(own, want), told
    cross = masks["cross"]
    told = f"cross: want a mask (2, 1, 4), the same for every query, got {tuple(cross.shape)}"
    assert cross.shape == (2, 1, 4), told
    assert torch.equal(cross[:, 0], real), "cross: real words of the source may be looked at"


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_sums(decoder_layer):
    """What each part finds is added, and the next part reads the sum."""
    import torch

    y, memory = torch.ones(1, 1, 1), torch.zeros(1, 1, 1)
    real = torch.ones(1, 1, dtype=torch.bool)

    def attend(use, queries_from, keys_from, values_from, mask):
        # A plain 100, no multiple: three factors would give the same in any order.
        return 10 * queries_from if use == "self" else torch.full_like(queries_from, 100.0)

    got = decoder_layer(y, memory, real, attend, lambda x: 1000 * x).item()
    want = (1.0 + 10 + 100) * 1001
    told = f"1, plus 10 times, plus 100, plus 1000 times: want {want:.0f}, got {got:.0f}."
    if abs(got - 1111) < 1:
        told += " Each part reads the sum so far, not the y at the start."
    elif abs(got - 11111) < 1:
        told += " You think before you look at the source: the feed-forward net comes last."
    elif abs(got - 111000) < 1:
        told += " The residual sum around the feed-forward net is missing."
    elif abs(got - 1e5) < 1:
        told += " The residual sums are missing."
    assert abs(got - want) < 1, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Beside a layer of the library; what your function is given stays as it is."
"""  # END TEST CONFIG


def test_a_layer_of_the_library(decoder_layer):
    """A layer of the library without norms."""
    import torch

    from course_lib.models.blocks import StackConfig
    from course_lib.models.layers import DecoderLayer
    from course_lib.models.parts import initialise

    rng = torch.Generator().manual_seed(2)
    layer = DecoderLayer(StackConfig(width=8, heads=2, norm="none"))
    initialise(layer, rng)
    layer.eval()
    y, memory = torch.randn(2, 3, 8, generator=rng), torch.randn(2, 4, 8, generator=rng)
    real = torch.tensor([[True, True, True, False], [True, True, False, False]])
    uses = {"self": layer.self_attention, "cross": layer.cross_attention}

    def attend(use, queries_from, keys_from, values_from, mask):
        return uses[use](queries_from, keys_from, mask=mask.expand(2, -1, -1)).context

    given = [part.clone() for part in (y, memory, real)]
    with torch.no_grad():
        got = decoder_layer(y, memory, real, attend, layer.feed_forward)
        for name, part, before in zip(
            ("y", "memory", "real"), (y, memory, real), given, strict=True
        ):
            told = f"your function writes into {name}; y = y + ... makes a new tensor, y += ... not"
            assert torch.equal(part, before), told
        source = layer.cross_attention.project_kv(memory)
        earlier = torch.ones(1, 3, 3, dtype=torch.bool).tril()
        want = layer(y, source, mask=earlier, source_mask=real[:, None]).vectors
    assert torch.allclose(got, want, atol=1e-5), "other numbers than the library's layer"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 4

# %% [markdown]
# ## Question 3. Schedule and smoothed labels
#
# *About 25 minutes, ★★☆.*
#
# `rate(step, width, warmup)` is the learning rate of equation 3, for steps from 1 on:
#
# $$D^{-1/2} \cdot \min(\mathrm{step}^{-1/2},\ \mathrm{step} \cdot \mathrm{warmup}^{-3/2}).$$
#
# `smoothed_loss(logits, target, mask, e)` is the mean cross-entropy of the real positions with
# smoothed labels: the true word has probability $1 - \epsilon + \epsilon / V$ and every other one
# $\epsilon / V$.
#
# - `logits` is `(B, T, V)`, `target` is `(B, T)`, `mask` is `(B, T)`, `True` at real positions.
# - The mean is over the real positions of the whole batch. Padding counts for nothing, whatever
#   stands in its target or its logits.
#
# <details><summary>Hint</summary>
#
# The share $\epsilon$ goes to *all* $V$ words, the true one included. So the loss is a mixture of
# two averages of log-probabilities: which two? Choose the real positions before you compute them.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def rate(step, width, warmup):
    """The learning rate of a step."""
    # BEGIN SOLUTION
    return width**-0.5 * min(step**-0.5, step * warmup**-1.5)
    # END SOLUTION


def smoothed_loss(logits, target, mask, e):
    """A number: the mean smoothed cross-entropy, in nats."""
    # BEGIN SOLUTION
    log_p = logits[mask].log_softmax(dim=-1)
    true = log_p.gather(-1, target[mask][:, None])[:, 0]
    return -((1 - e) * true + e * log_p.mean(dim=-1)).mean()
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_rate(rate):
    """Before, at and after the end of the warm-up."""
    want = {1: 1.746928e-07, 4000: 6.987712e-04, 16000: 3.493856e-04}
    for step, number in want.items():
        try:
            got = float(rate(step, 512, 4000))
        except Exception as error:
            told = f"rate(1, 512, 4000) stopped with {type(error).__name__}: {error}"
            raise AssertionError(told) from None
        told = f"rate({step}, 512, 4000): want {number:.3e}, got {got:.3e}."
        if step == 1 and got > 1e-3:
            told += " At the first step the rise is the smaller one of the two: take min."
        assert abs(got - number) < 1e-3 * number, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_a_smoothed_label(smoothed_loss):
    """Four words, one position: the number can be checked on paper."""
    import math

    import torch

    logits = torch.tensor([[[0.5, 0.25, 0.125, 0.125]]]).log() + 1
    target, mask = torch.tensor([[0]]), torch.ones(1, 1, dtype=torch.bool)
    try:
        got = float(smoothed_loss(logits, target, mask, 0.4))
    except Exception as error:
        told = f"smoothed_loss stopped at logits (1, 1, 4) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    bits = math.log(2)
    want = (0.7 * 1 + 0.1 * 2 + 0.1 * 3 + 0.1 * 3) * bits
    told = f"labels (0.7, 0.1, 0.1, 0.1): want {want:.4f}, got {got:.4f}."
    if abs(got - (0.6 * 1 + 0.4 / 3 * 8) * bits) < 1e-3:
        told += " You give all of e to the other words; each word gets e / V, the true one too."
    elif abs(got - (want + 0.1 * bits)) < 1e-3:
        told += " The true word gets e / V twice: it has 1 - e + e / V in all."
    elif abs(got - (want - 1)) < 1e-3:
        told += " Logits are no log-probabilities: take log_softmax over the words."
    elif abs(got - bits) < 1e-3:
        told += " That is the cross-entropy without smoothing."
    elif abs(got - (0.6 * 1 + 0.4 * 9) * bits) < 1e-3:
        told += " Spread e over the V words: the mean of their log-probabilities, not the sum."
    assert abs(got - want) < 1e-3, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_padding_counts_for_nothing(smoothed_loss):
    """Loud padding, with a target that is no word."""
    import math

    import torch

    rng = torch.Generator().manual_seed(6)
    logits = torch.randn(2, 3, 5, generator=rng)
    target = torch.randint(5, (2, 3), generator=rng)
    first, words = logits[:, 0].log_softmax(dim=-1), target[:, :1]
    want = -(0.9 * first.gather(-1, words)[:, 0] + 0.1 * first.mean(dim=-1)).mean().item()
    alone = torch.tensor([[True, False, False], [True, False, False]])
    loud = logits.clone()
    loud[~alone] = float("inf")
    other = target.clone()
    other[~alone] = 0
    got = float(smoothed_loss(loud.clone(), other.clone(), alone, 0.1))
    told = f"two real positions among loud padding: want {want:.4f}, got {got:.4f}."
    if not math.isfinite(got):
        told += " Take the real positions out first: a product with 0 does not hide infinity."
    elif abs(got - 2 * want) < 1e-4:
        told += " That is the sum of the two; the mean is wanted."
    elif abs(got - want / 3) < 1e-4:
        told += " You divide by all six positions; the mean is over the two real ones."
    assert abs(got - want) < 1e-4, told
    other[~alone] = -100
    advice = "A padding's target may be no word: take the real positions out first"
    try:
        got = float(smoothed_loss(loud.clone(), other, alone, 0.1))
    except Exception as error:
        told = f"padding with the target -100: stopped with {type(error).__name__}: {error}. "
        raise AssertionError(told + advice) from None
    told = f"padding with the target -100: want {want:.4f}, got {got:.4f}. {advice}"
    assert abs(got - want) < 1e-4, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Both beside the library, a mean over positions; what is given stays as it is."
"""  # END TEST CONFIG


def test_losses_and_rates_of_the_library(rate, smoothed_loss):
    """Random batches and steps."""
    import torch

    from course_lib.training.config import paper_peak, warmup_inverse_sqrt
    from course_lib.training.objective import token_loss

    rng = torch.Generator().manual_seed(8)
    for B, T, V in [(3, 4, 6), (1, 1, 2), (2, 7, 30)]:
        logits = torch.randn(B, T, V, generator=rng)
        target = torch.randint(V, (B, T), generator=rng)
        mask = torch.rand(B, T, generator=rng) < 0.6
        mask[0, 0] = True
        want = token_loss(logits, target, mask, 0.1).mean.item()
        given = [part.clone() for part in (logits, target, mask)]
        got = float(smoothed_loss(logits, target, mask, 0.1))
        names, parts = ("logits", "target", "mask"), (logits, target, mask)
        for name, part, before in zip(names, parts, given, strict=True):
            assert torch.equal(part, before), f"your function writes into {name}"
        assert abs(got - want) < 1e-4, f"want {want:.4f}, got {got:.4f} for {(B, T, V)}"
    for step in (1, 7, 100, 101, 5000):
        want = paper_peak(64, 100) * warmup_inverse_sqrt(step, 100)
        assert abs(float(rate(step, 64, 100)) - want) < 1e-6 * want + 1e-12, f"step {step}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## Question 4. Where the numbers are
#
# *About 20 minutes, ★★☆.*
#
# `count(vocabulary, width, inner, layers, tied)` returns how many parameters the paper's
# Transformer has.
#
# - `layers` on each side; `inner` is the width of the feed-forward nets. Every linear layer of
#   attention and feed-forward net has a bias; a norm has a gain and a shift. Post-norm: one norm
#   around each sub-layer, none at the end of a stack.
# - Both languages have `vocabulary` words. `tied` is `"all"`: one table for source, target and
#   output; or `"none"`: three tables, the output's without a bias.
# - The sine positions have no parameters.
#
# `rows_for(total, width, inner, layers)` returns how many rows a table for all has in a model of
# `total` parameters, rounded down.
#
# <details><summary>Hint</summary>
#
# Count one attention, one feed-forward net and one norm. How many of each are in an encoder layer,
# and how many in a decoder layer? For `rows_for`, ask what is left of a model that has no words.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def count(vocabulary, width, inner, layers, tied):
    """The number of parameters, an int."""
    # BEGIN SOLUTION
    attention = 4 * (width * width + width)
    think = 2 * width * inner + inner + width
    norm = 2 * width
    encoder = attention + think + 2 * norm
    decoder = 2 * attention + think + 3 * norm
    tables = 1 if tied == "all" else 3
    return layers * (encoder + decoder) + tables * vocabulary * width
    # END SOLUTION


def rows_for(total, width, inner, layers):
    """How many rows the one table of a model of so many parameters has, an int."""
    # BEGIN SOLUTION
    return int((total - count(0, width, inner, layers, "all")) // width)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_the_base_model(count):
    """63,082,496 with 37,000 words; first with thinner feed-forward nets."""
    # With 2048 for 1536 the biases of the feed-forward nets are as many numbers as the norms.
    try:
        got = count(37_000, 512, 1536, 6, "all")
    except Exception as error:
        told = f"count stopped with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, int), f"want an int, got {type(got).__name__}"
    want = 56_784_896
    hints = {
        18 * 4 * 512: "the biases of the attentions, 4 times D each",
        12 * (1536 + 512): "the biases of the feed-forward nets",
        12 * 1536: "the first bias of the feed-forward nets, as wide as they are inside",
        30 * 1024: "the norms, 2 in a layer of the encoder and 3 in one of the decoder",
        6 * 1_050_624: "the second attention of the decoder's layers",
        -2 * 37_000 * 512: "two tables too many: tied is 'all'",
        6 * 1024: "the third norm of the decoder's layers, or D biases of each feed-forward net",
    }
    told = f"the base model with inner = 1536: want {want:,}, got {got:,}."
    if want - got in hints:
        told += f" What is missing or too much: {hints[want - got]}."
    assert got == want, told
    got, want = count(37_000, 512, 2048, 6, "all"), 63_082_496
    assert got == want, f"the base model, inner = 2048: want {want:,}, got {got:,}"
    more = count(1000, 512, 2048, 6, "none") - count(1000, 512, 2048, 6, "all")
    told = (
        f"1000 words of width 512: want 1,024,000 more with 'none' than with 'all', got {more:,}."
    )
    if more == 512_000:
        told += " That is one table more; 'none' has three: source, target and output."
    elif more == 1_025_000:
        told += " The output's table has no bias."
    assert more == 1_024_000, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_rows(count, rows_for):
    """The way back, and the 65 million of table 3."""
    for total, want in ((63_082_496, 37_000), (65_000_000, 40_745), (65_000_300, 40_745)):
        got = rows_for(total, 512, 2048, 6)
        assert isinstance(got, int), f"want an int, got {type(got).__name__}"
        told = f"{total:,} parameters: want {want} rows, rounded down, got {got}"
        if got != want:
            # It may well ask a count that errs; then it has to be right by that one.
            counted = count(37_000, 512, 2048, 6, "all")
            if isinstance(counted, int):
                got = rows_for(total + counted - 63_082_496, 512, 2048, 6)
        assert got == want, told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Other sizes, beside the library's models."
"""  # END TEST CONFIG


def test_models_of_the_library(count, rows_for):
    """What the library's models have."""
    import torch

    from course_lib.models.transformer import Transformer, TransformerConfig

    for V, D, F, N in [(50, 8, 12, 1), (31, 16, 16, 2), (99, 12, 48, 3)]:
        for tied in ("all", "none"):
            config = TransformerConfig(
                V, V, tied=tied, width=D, heads=2, feed_forward=F, layers=N, norm="post"
            )
            with torch.device("meta"):
                model = Transformer(config)
            want = sum(parameter.numel() for parameter in model.parameters())
            got = count(V, D, F, N, tied)
            assert got == want, f"tied {tied}, {(V, D, F, N)}: want {want}, got {got}"
        assert rows_for(count(V, D, F, N, "all"), D, F, N) == V


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5. An experiment: where should the norm stand?
#
# *About 30 minutes, ★★★.*
#
# With post-norm the paper needs a warm-up. Xiong et al. (2020) say why: before the first update
# the gradients near the output are large, however deep the stack; with pre-norm they get smaller
# with its depth. Is that so? Find out by experiment.
#
# `last_gradient(norm, layers, seed)` returns, as a float, the norm of the gradient of
# `feed_forward.outer.weight` in the **last** layer of `make_stack(norm, layers, seed)`.
#
# - Draw the input and then the target, both `(8, 6, 16)`, normal, from one generator with the
#   seed `seed + 1`.
# - Each layer gives `layer(x).vectors`, which the next one reads. With `"pre"`, and only then, a
#   layer norm without gain and shift follows the last one.
# - The loss is the mean of the squared differences from the target.
#
# Then `finding()` returns `{"post": ..., "pre": ..., "why": ...}`: for each the mean of
# `last_gradient` over the seeds 0 to 4 with 18 layers, divided by the same with 2 layers; and in
# 20 words or more what this has to do with the warm-up.
#
# <details><summary>Hint</summary>
#
# Use one generator, and draw the input before the target. With `"pre"`, the vectors pass a layer
# norm between the last layer and the loss. Is the gradient that you read that of the *last* layer?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def make_stack(norm, layers, seed):
    """Layers of an encoder with their first weights."""
    config = StackConfig(width=16, heads=2, feed_forward=32, norm=norm)
    stack = torch.nn.ModuleList(SelfAttentionLayer(config) for _ in range(layers))
    initialise(stack, torch.Generator().manual_seed(seed))
    return stack


def last_gradient(norm, layers, seed):
    """The size of the gradient in the last feed-forward net, a float."""
    # BEGIN SOLUTION
    stack, rng = make_stack(norm, layers, seed), torch.Generator().manual_seed(seed + 1)
    x, target = (torch.randn(8, 6, 16, generator=rng) for _ in range(2))
    for layer in stack:
        x = layer(x).vectors
    if norm == "pre":
        x = torch.nn.functional.layer_norm(x, (16,))
    ((x - target) ** 2).mean().backward()
    return stack[-1].feed_forward.outer.weight.grad.norm().item()
    # END SOLUTION


def finding():
    """What you found: two ratios, and what follows."""

    # BEGIN SOLUTION
    def ratio(norm):
        deep, flat = (sum(last_gradient(norm, n, s) for s in range(5)) for n in (18, 2))
        return deep / flat

    return {
        "post": ratio("post"),
        "pre": ratio("pre"),
        "why": "With post-norm the last layer's gradient stays as large in a deep stack as in a "
        "flat one, so that first steps with a full learning rate are wild, and a warm-up keeps "
        "them small. With pre-norm the gradient shrinks with the depth by itself.",
    }
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_one_gradient(last_gradient):
    """A flat stack of each kind, beside the same computation."""
    import torch

    from course_lib.models.blocks import StackConfig
    from course_lib.models.layers import SelfAttentionLayer
    from course_lib.models.parts import initialise

    def wanted(norm, layers, seed, last=True, closing=True):
        config = StackConfig(width=16, heads=2, feed_forward=32, norm=norm)
        stack = torch.nn.ModuleList(SelfAttentionLayer(config) for _ in range(layers))
        initialise(stack, torch.Generator().manual_seed(seed))
        rng = torch.Generator().manual_seed(seed + 1)
        x, target = (torch.randn(8, 6, 16, generator=rng) for _ in range(2))
        for layer in stack:
            x = layer(x).vectors
        if norm == "pre" and closing:
            x = torch.nn.functional.layer_norm(x, (16,))
        ((x - target) ** 2).mean().backward()
        return stack[-1 if last else 0].feed_forward.outer.weight.grad.norm().item()

    for norm in ("post", "pre"):
        try:
            got = last_gradient(norm, 3, 7)
        except Exception as error:
            told = f"last_gradient({norm!r}, 3, 7) stopped with {type(error).__name__}: {error}"
            raise AssertionError(told) from None
        assert isinstance(got, float), f"want a float, got {type(got).__name__}"
        want = wanted(norm, 3, 7)
        told = f"last_gradient({norm!r}, 3, 7): want {want:.4f}, got {got:.4f}."
        if abs(got - wanted(norm, 3, 7, last=False)) < 1e-4:
            told += " That is the first layer's; the last one's is wanted."
        elif abs(got - wanted(norm, 3, 7, closing=False)) < 1e-4:
            told += " With pre-norm a layer norm follows the last layer."
        assert abs(got - want) < 1e-4 * (1 + want), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Other depths and seeds; the same twice."
"""  # END TEST CONFIG


def test_other_depths(last_gradient):
    """The same arguments give the same number, and a seed makes a difference."""
    for norm in ("pre", "post"):
        one, same, other = (last_gradient(norm, 5, seed) for seed in (1, 1, 2))
        assert abs(one - same) < 1e-7, "the same seed should give the same gradient"
        assert abs(one - other) > 1e-6, "another seed should give another gradient"


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "What you found, and what follows in 20 words or more."
"""  # END TEST CONFIG


def test_finding(finding, last_gradient):
    """Two ratios, those of the student's own experiment, and a reason."""
    got = finding()
    told = "finding() should return a dictionary with post, pre and why"
    assert isinstance(got, dict), told
    assert {"post", "pre", "why"} <= set(got), told
    post, pre = float(got["post"]), float(got["pre"])
    assert 0.6 < post < 1.7, f"with post-norm the ratio is near 1; you found {post:.2f}"
    told = f"with pre-norm the deep stack's gradient is smaller; you found {pre:.2f}"
    assert 0.1 < pre < 0.55, told
    for norm in ("post", "pre"):
        deep, flat = (sum(last_gradient(norm, n, seed) for seed in range(5)) for n in (18, 2))
        told = f"{norm}: your last_gradient gives the ratio {deep / flat:.3f} over the seeds 0 to "
        told += f"4, you found {float(got[norm]):.3f}"
        assert abs(float(got[norm]) - deep / flat) < 0.02, told
    words = len(str(got["why"]).split())
    assert isinstance(got["why"], str), f"want 20 words or more, got {words}"
    assert words >= 20, f"want 20 words or more, got {words}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# You have now built what holds a Transformer together. Chapter 11 lets it write: with beams, and
# with a cache that spares it most of the work.
