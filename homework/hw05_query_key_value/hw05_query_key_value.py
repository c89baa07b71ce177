# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw05_query_key_value
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
# # Homework 5: Query, key, value
#
# Chapter 5 took attention out of the network. Here you build the pieces once more, for whole
# batches of queries: the scores, a smoother that no bandwidth breaks, the nearest point that
# attention can reach, the moments of a dot product, and a soft dictionary whose temperature you
# choose by experiment.
#
# **How to work.** Run the cells in order. Replace each `...` by your code, run the cell, then run
# `grader.check` below it, as often as you like: it says what is wrong. The tests that you see are
# not all tests. The hidden ones look at other sizes, random numbers, zero vectors, very small
# bandwidths, points far from zero, and at what the text of a question promises. What your functions
# return has the dtype of what they are given, and what they are given they leave as it is. Five
# questions, 20 points, about two hours.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# Symbols are those of the chapter: queries $q$, keys $k_j$, values $v_j$, scores $e_j$, weights
# $\alpha_j$, context $c$. $Q$ is the number of queries, $S$ the number of pairs, $d$ the width of a
# query and of a key.

# %%
import math

import torch

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. Four scores
#
# *About 20 minutes, ★☆☆.*
#
# `scores(kind, queries, keys)` gets queries `(Q, d)` and keys `(S, d)` and returns scores `(Q, S)`,
# one row for each query. `kind` is one of four words:
#
# - `"dot"`: $q \cdot k_j$
# - `"scaled dot"`: $q \cdot k_j / \sqrt{d}$
# - `"cosine"`: $q \cdot k_j / (|q| \, |k_j|)$. A vector of length zero has no direction; its
#   cosine with anything is 0.
# - `"distance"`: $-\frac{1}{2} |q - k_j|^2$. Moving all queries and keys by the same vector must
#   change nothing, even if that vector is long.
#
# With the query $(1, 0)$ and the keys $(1, 0)$, $(0, 1)$, $(2, 2)$ of the chapter, the dot products
# are 1, 0, 2, the cosines 1, 0, 0.707, and the distances give 0, −1, −2.5.

# %% [raw]
# # BEGIN SOLUTION


# %%
def scores(kind, queries, keys):
    """Scores (Q, S) of queries (Q, d) and keys (S, d); kind says which."""
    # BEGIN SOLUTION
    if kind == "distance":
        return -(queries[:, None] - keys[None]).square().sum(dim=-1) / 2
    if kind == "cosine":
        queries, keys = (x / x.norm(dim=-1, keepdim=True).clamp(min=1e-12) for x in (queries, keys))
    products = queries @ keys.T
    return products / math.sqrt(keys.shape[-1]) if kind == "scaled dot" else products
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_shape(scores):
    """A row for each query, a column for each key."""
    import torch

    for kind in ("dot", "scaled dot", "cosine", "distance"):
        got = scores(kind, torch.ones(2, 3), torch.ones(5, 3))
        came = None if got is None else f"a {type(got).__name__}"
        if isinstance(got, torch.Tensor):
            came = f"a {got.dtype} tensor of shape {tuple(got.shape)}"
        told = (
            f"{kind!r}: want a torch.float32 tensor of shape (2, 5) for 2 queries and 5 keys, got "
            f"{came}"
        )
        is_right = isinstance(got, torch.Tensor) and got.dtype == torch.float32
        is_right = is_right and tuple(got.shape) == (2, 5)
        if isinstance(got, torch.Tensor) and tuple(got.shape) == (5, 2):
            told += ". Queries run down and keys across: yours is transposed"
        assert is_right, told
        turned = scores(kind, -torch.ones(2, 3), torch.ones(5, 3))
        told = f"{kind!r}: for queries that point the other way want other scores, got the same"
        assert not torch.allclose(got, turned), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_by_hand(scores):
    """The numbers of the question, and one key of four components."""
    import math

    import torch

    query, keys = torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
    half = math.sqrt(0.5)
    wanted = {
        "dot": [1, 0, 2],
        "scaled dot": [half, 0, 2 * half],
        "cosine": [1, 0, half],
        "distance": [0, -1, -2.5],
    }
    for kind, want in wanted.items():
        got = scores(kind, query, keys)[0]
        told = (
            f"{kind!r}: for the query (1, 0) and the keys of the question the scores should be "
            f"{[round(x, 3) for x in want]}, yours are {[round(x, 3) for x in got.tolist()]}."
        )
        want = torch.tensor(want, dtype=torch.float32)
        if kind == "scaled dot" and torch.allclose(got, want / 2**0.5, atol=1e-4):
            told += " You divide by d; the variance is d, so the spread is its root."
        elif kind == "scaled dot" and torch.allclose(got, want * math.sqrt(2 / 3), atol=1e-4):
            told += " You divide by the root of the number of keys. d is the width of a key."
        elif kind == "distance" and torch.allclose(got, -want, atol=1e-4):
            told += " The nearest key must have the highest score: there is a minus."
        elif kind == "distance" and torch.allclose(got, 2 * want, atol=1e-4):
            told += " It is half the squared distance."
        elif kind == "distance" and torch.allclose(got, -(-2 * want).sqrt(), atol=1e-3):
            told += " It is the distance squared."
        elif kind == "cosine" and torch.allclose(got, torch.tensor([1.0, 0.0, 2.0]), atol=1e-4):
            told += " Divide by the lengths of both, query and key."
        assert torch.allclose(got, want, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "A vector of length zero has the cosine 0 with anything."
"""  # END TEST CONFIG


def test_zero_vectors(scores):
    """A query or a key of length zero has the cosine 0 with everything."""
    import torch

    queries, keys = torch.tensor([[0.0, 0.0], [3.0, 4.0]]), torch.tensor([[0.0, 0.0], [4.0, 3.0]])
    got = scores("cosine", queries, keys)
    told = (
        "'cosine': for queries (0, 0), (3, 4) and keys (0, 0), (4, 3) want [[0, 0], [0, "
        "0.96]], got "
        f"{[[round(x, 3) for x in row] for row in got.tolist()]}."
    )
    if bool(got.isnan().any()):
        told += " 0 / 0 is nan: a length of zero must not be divided by."
    assert torch.allclose(got, torch.tensor([[0.0, 0.0], [0.0, 0.96]]), atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Distances far from zero lose their digits."
"""  # END TEST CONFIG


def test_far_from_zero(scores):
    """Distances do not change when everything is moved."""
    import torch

    queries, keys = torch.tensor([[0.0, 0.5]]), torch.tensor([[0.25, 0.5], [0.0, -0.5]])
    want, got = scores("distance", queries, keys), scores("distance", queries + 4096, keys + 4096)
    told = f"'distance': the second key is further away, your scores are {want[0].tolist()}"
    assert abs(want[0, 0] - want[0, 1]) > 0.1, told
    told = (
        "'distance': moved by 4096 in both directions the scores should stay "
        f"{want[0].tolist()}, yours "
        f"become {got[0].tolist()}. |q|² - 2 q·k + |k|² takes small differences of huge numbers: "
        "subtract before you square."
    )
    assert torch.allclose(want, got, atol=1e-5), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random numbers beside the library's scores."
"""  # END TEST CONFIG


def test_against_the_library(scores):
    """Random queries and keys of many sizes, in both precisions."""
    import torch

    from course_lib.attention import scores as library
    from course_lib.attention.smoothing import gaussian

    theirs = {
        "dot": library.dot,
        "scaled dot": library.scaled_dot,
        "cosine": library.cosine,
        "distance": gaussian,
    }
    rng = torch.Generator().manual_seed(5)
    for Q, S, d in [(1, 1, 1), (3, 5, 2), (4, 4, 4), (2, 7, 9)]:
        for dtype in (torch.float32, torch.float64):
            queries, keys = (torch.randn(n, d, generator=rng, dtype=dtype) for n in (Q, S))
            kept = queries.clone(), keys.clone()
            for kind, score in theirs.items():
                got, want = scores(kind, queries, keys), score(queries[None], keys[None])[0]
                told = f"{kind!r}, sizes {(Q, S, d)}: want {dtype}, got {got.dtype}"
                assert got.dtype == dtype, told
                told = (
                    f"{kind!r}, {Q} queries, {S} keys, d = {d}: your scores differ from the "
                    "library's by "
                    f"up to {(got - want).abs().max().item():.3g}."
                )
                assert torch.allclose(got, want, atol=1e-5), told
                told = (
                    f"{kind!r}: after the call the queries or keys that you were given are changed."
                )
                is_right = torch.equal(queries, kept[0]) and torch.equal(keys, kept[1])
                assert is_right, told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2. A smoother that no bandwidth breaks
#
# *About 25 minutes, ★★☆.*
#
# The estimate of Nadaraya and Watson is the average of all values, weighted by a kernel (chapter 5,
# *Build it*):
#
# $$c(q) = \sum_j \alpha_j v_j, \qquad \alpha_j \propto \exp\bigl(-|q - k_j|^2 / 2 b^2\bigr).$$
#
# - `smooth(queries, keys, values, bandwidth)`: queries `(Q, d)`, keys `(S, d)`, values `(S, m)`
#   give estimates `(Q, m)`. The bandwidth $b$ may be as small as you like: at $10^{-3}$ every
#   exponential is 0 in a computer, and the answer is still the nearest value.
# - `leave_one_out(keys, values, bandwidth)`: the estimate at each key from all *other* pairs,
#   `(S, m)`. By it one chooses a bandwidth: how well is each value foretold by its neighbours?
#
# With keys 0, 1, 3, values 10, 20, 40 and $b = 1$, the estimate at 0 has weights in proportion to
# $1$, $0.607$, $0.011$ and is 13.95. Without its own pair it is 20.36.
#
# <details><summary>Hint</summary>
#
# If every exponential is 0, the fraction is 0/0. For which scores does a softmax give these
# weights, and how does it avoid that? The pair itself must be gone before the softmax, not after
# it.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def smooth(queries, keys, values, bandwidth):
    """Estimates (Q, m) at the queries from pairs of key (S, d) and value (S, m)."""
    # BEGIN SOLUTION
    apart = (queries[:, None] - keys[None]) / bandwidth
    return (-apart.square().sum(dim=-1) / 2).softmax(dim=-1) @ values
    # END SOLUTION


def leave_one_out(keys, values, bandwidth):
    """The estimate at each key from all other pairs, (S, m)."""
    # BEGIN SOLUTION
    apart = (keys[:, None] - keys[None]) / bandwidth
    scores = -apart.square().sum(dim=-1) / 2
    scores = scores.masked_fill(torch.eye(len(keys), dtype=torch.bool), -torch.inf)
    return scores.softmax(dim=-1) @ values
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_sizes(smooth, leave_one_out):
    """An estimate for each query, as wide as a value."""
    import torch

    queries, keys, values = torch.zeros(2, 3), torch.ones(5, 3), torch.ones(5, 4)
    cases = {
        "smooth": (lambda v: smooth(queries, keys, v, 1.0), (2, 4)),
        "leave_one_out": (lambda v: leave_one_out(keys, v, 1.0), (5, 4)),
    }
    for name, (estimate, shape) in cases.items():
        got = estimate(values)
        came = None if got is None else f"a {type(got).__name__}"
        if isinstance(got, torch.Tensor):
            came = f"a {got.dtype} tensor of shape {tuple(got.shape)}"
        told = f"{name}: want a torch.float32 tensor of shape {shape}, got {came}"
        is_right = isinstance(got, torch.Tensor) and tuple(got.shape) == shape
        is_right = is_right and got.dtype == torch.float32
        assert is_right, told
        told = f"{name}: with values twice as large want other estimates, got the same"
        assert not torch.allclose(got, estimate(2 * values)), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_estimate_by_hand(smooth):
    """The estimate of the question, and a second bandwidth."""
    import torch

    keys, values = torch.tensor([[0.0], [1.0], [3.0]]), torch.tensor([[10.0], [20.0], [40.0]])
    for b, want in ((1.0, 13.951), (2.0, 18.410)):
        got = smooth(torch.zeros(1, 1), keys, values, b).item()
        told = (
            f"smooth: at 0 with bandwidth {b:g} the estimate should be {want:.2f}, yours is "
            f"{got:.2f}."
        )
        distance = keys[:, 0].square()
        others = {
            "You divide by b, not by b²: the distance is measured in bandwidths, then squared.": (
                -distance / (2 * b)
            ),
            "You multiply by b²: a wide kernel must make far keys count more.": -distance
            * b**2
            / 2,
            "The half in the exponent is missing.": -distance / b**2,
            "It is the squared distance, not the distance.": -distance.sqrt() / (2 * b**2),
        }
        for why, scores in others.items():
            if abs((scores.softmax(-1) @ values).item() - got) < 0.01 and abs(got - want) > 0.02:
                told += " " + why
                break
        assert abs(got - want) < 0.02, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_leave_one_out(leave_one_out):
    """The numbers of the question at each key."""
    import torch

    keys, values = torch.tensor([[0.0], [1.0], [3.0]]), torch.tensor([[10.0], [20.0], [40.0]])
    got = leave_one_out(keys, values, 1.0)[:, 0]
    want = torch.tensor([20.3597, 15.4728, 19.2414])
    told = (
        f"leave_one_out: with bandwidth 1 want {[round(x, 2) for x in want.tolist()]}, got "
        f"{[round(x, 2) for x in got.tolist()]}."
    )
    scores = -(keys - keys.T).square() / 2
    weights = scores.softmax(-1)
    if torch.allclose(got, (weights @ values)[:, 0], atol=1e-2):
        told += " Each key's own pair is still in the average, and it is the nearest of all."
    elif torch.allclose(got, ((weights - weights.diag().diag()) @ values)[:, 0], atol=1e-2):
        told += (
            " You took the own weight away after the softmax: what is left sums to less than "
            "one. The "
            "pair must be gone before."
        )
    elif torch.allclose(
        got, ((scores - scores.diag().diag()).softmax(-1) @ values)[:, 0], atol=1e-2
    ):
        told += " A score of 0 does not hide a pair: exp 0 is 1. Which score has the exponential 0?"
    assert torch.allclose(got, want, atol=1e-2), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Very small bandwidths: the nearest value, not nan."
"""  # END TEST CONFIG


def test_small_bandwidths(smooth, leave_one_out):
    """The nearest value, however small the bandwidth is."""
    import torch

    keys, values = torch.tensor([[0.0], [1.0], [3.0]]), torch.tensor([[10.0], [20.0], [40.0]])
    for b in (1e-2, 1e-4):
        got = smooth(torch.tensor([[0.4], [2.5]]), keys, values, b)[:, 0]
        told = (
            f"smooth: with bandwidth {b:g} the estimates at 0.4 and 2.5 are those of the "
            "nearest keys, "
            f"[10, 40]; yours are {got.tolist()}."
        )
        if bool(got.isnan().any()):
            told += (
                " All exponentials are 0, and 0/0 is nan. A softmax first takes the maximum away."
            )
        assert torch.allclose(got, torch.tensor([10.0, 40.0]), atol=1e-3), told
        got = leave_one_out(keys, values, b)[:, 0]
        told = (
            f"leave_one_out: with bandwidth {b:g} each key reads its nearest neighbour, [20, "
            "10, 20]; "
            f"yours are {got.tolist()}."
        )
        assert torch.allclose(got, torch.tensor([20.0, 10.0, 20.0]), atol=1e-3), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "Random pairs beside the library's smoother."
"""  # END TEST CONFIG


def test_against_the_librarys_smoother(smooth, leave_one_out):
    """Random pairs beside course_lib's smoother."""
    import torch

    from course_lib.attention import smoothing

    rng = torch.Generator().manual_seed(6)
    for Q, S, d, m in [(1, 2, 1, 1), (4, 6, 3, 2), (5, 5, 5, 5)]:
        parts = [
            torch.randn(n, w, generator=rng, dtype=torch.float64)
            for n, w in ((Q, d), (S, d), (S, m))
        ]
        got = smooth(*parts, 0.7)
        want = smoothing.smooth(*(part[None] for part in parts), bandwidth=0.7).context[0]
        told = f"smooth: sizes {(Q, S, d, m)}: off by up to {(got - want).abs().max().item():.3g}."
        assert torch.allclose(got, want, atol=1e-8), told
        keys, values = parts[1:]
        got = leave_one_out(keys, values, 0.7)
        mask = ~torch.eye(S, dtype=torch.bool)[None]
        want = smoothing.smooth(keys[None], keys[None], values[None], bandwidth=0.7, mask=mask)
        told = (
            f"leave_one_out: sizes {(S, d, m)}: differs from the library with the diagonal masked."
        )
        assert torch.allclose(got, want.context[0], atol=1e-8), told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 4

# %% [markdown]
# ## Question 3. As near as attention comes
#
# *About 30 minutes, ★★★.*
#
# An average of values never leaves their hull (chapter 5, *What an average cannot reach*). How near
# to a target can it come? `nearest_weights(values, target)` gets values `(S, d)` and a target
# `(d,)` and gives the weights `(S,)`, none negative and one in sum, whose average is nearest to the
# target. Any method will do. It is judged by the distance: at most 0.01 more than the best one.
# Values and targets lie between −5 and 5, and there are at most 12 values.
#
# For the values $(0, 0)$, $(4, 0)$, $(0, 3)$ and the target $(3.5, 3)$ the weights are
# $(0, 0.56, 0.44)$ and the distance is 2.1.
#
# <details><summary>Hint</summary>
#
# Softmax makes weights of any scores, so scores may be learned by following the gradient. The
# derivative of $\frac{1}{2} |c - t|^2$ to the weight $\alpha_j$ is $v_j \cdot (c - t)$. Near a
# corner the gradient that passes the softmax becomes tiny: then it helps to change the scores by
# the derivative to the *weights* itself.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def nearest_weights(values, target):
    """Weights (S,) of the average of values (S, d) that is nearest to the target (d,)."""
    # BEGIN SOLUTION
    points, aim = values.double(), target.double()
    weights = torch.full((len(values),), 1 / len(values), dtype=torch.float64)
    for _ in range(1000):  # weight goes from the worst value that has some to the best one
        missing = aim - weights @ points
        gain = points @ missing
        best, worst = gain.argmax(), gain.masked_fill(weights <= 0, torch.inf).argmin()
        way = points[best] - points[worst]
        if way @ missing < 1e-9:
            break
        step = torch.minimum((way @ missing) / (way @ way), weights[worst])
        weights[best] += step
        weights[worst] = (weights[worst] - step).clamp(min=0)
    return weights.to(values.dtype)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_weights(nearest_weights):
    """One weight for each value, none negative, one in sum."""
    import torch

    values, target = torch.tensor([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]]), torch.tensor([3.5, 3.0])
    got = nearest_weights(values, target)
    came = None if got is None else f"a {type(got).__name__}"
    if isinstance(got, torch.Tensor):
        came = f"a {got.dtype} tensor of shape {tuple(got.shape)}"
    told = f"want a torch.float32 tensor of shape (3,) for three values, got {came}"
    is_right = isinstance(got, torch.Tensor) and tuple(got.shape) == (3,)
    is_right = is_right and got.dtype == torch.float32
    assert is_right, told
    extra = ""
    if torch.allclose(got @ values, target, atol=1e-2):
        extra = (
            " They hit the target, but as a linear sum. What a softmax gives is never negative, "
            "and it sums to one."
        )
    told = f"Weights are not negative; yours are {[round(x, 3) for x in got.tolist()]}." + extra
    assert float(got.min()) >= -1e-5, told
    told = f"Weights sum to one; yours sum to {got.sum().item():.3f}." + extra
    assert abs(float(got.sum()) - 1) < 1e-3, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_triangle(nearest_weights):
    """The triangle of the question, from outside and from within."""
    import torch

    values = torch.tensor([[0.0, 0.0], [4.0, 0.0], [0.0, 3.0]])
    for target, want in (
        ([3.5, 3.0], 2.1),
        ([1.0, 1.0], 0.0),
        ([5.0, -1.0], 2**0.5),
        ([-3.0, 1.5], 3.0),
    ):
        weights = nearest_weights(values, torch.tensor(target))
        got = (weights @ values - torch.tensor(target)).norm().item()
        told = (
            f"For the target {target} the nearest average is {want:.3f} away, yours is "
            f"{got:.3f}, with "
            f"weights {[round(x, 3) for x in weights.tolist()]}."
        )
        if torch.allclose(weights, torch.full((3,), 1 / 3), atol=0.02):
            told += " They are nearly equal: do your scores move at all?"
        elif float(weights.max()) > 0.999 and want < got - 0.05:
            told += " All weight is on one value. Is there a better average of two?"
        elif got < want + 0.3:
            told += " That is near. More steps, or larger ones?"
        assert got < want + 0.01, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random values in the plane: not as near as their hull comes."
"""  # END TEST CONFIG


def test_in_the_plane(nearest_weights):
    """Random values in the plane, beside the distance to their hull."""
    import torch

    from course_lab.figures.touch.lookup import distance_outside, hull

    rng = torch.Generator().manual_seed(7)
    for S in (3, 5, 8, 12):
        values = 10 * torch.rand(S, 2, generator=rng) - 5
        target = 10 * torch.rand(2, generator=rng) - 5
        points = values.double().numpy()
        want = distance_outside(points[hull(points)], target.double().numpy())
        kept = values.clone()
        weights = nearest_weights(values, target)
        got = (weights @ values - target).norm().item()
        told = (
            f"{S} values in the plane: the hull is {want:.3f} from the target, your average "
            f"{got:.3f}."
        )
        is_right = float(weights.min()) >= -1e-5 and abs(float(weights.sum()) - 1) < 1e-3
        assert is_right, told
        assert got < want + 0.01, told
        assert torch.equal(values, kept), (
            "After the call the values that you were given are changed."
        )


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Values in more dimensions, a single value, equal values."
"""  # END TEST CONFIG


def test_in_space(nearest_weights):
    """More dimensions, one value alone, and values that are all the same."""
    import torch

    rng = torch.Generator().manual_seed(8)
    cases = [(1, 2), (4, 1), (6, 3), (12, 5), (7, 9)]
    for S, d in cases:
        values = 10 * torch.rand(S, d, generator=rng) - 5
        target = 10 * torch.rand(d, generator=rng) - 5
        weights = nearest_weights(values, target)
        told = f"{S} values of {d} components: want {S} weights, none negative, one in sum."
        assert tuple(weights.shape) == (S,), told
        is_right = float(weights.min()) >= -1e-5 and abs(float(weights.sum()) - 1) < 1e-3
        assert is_right, told
        context = weights.double() @ values.double()
        away = target.double() - context
        # No average is nearer than this: the target's side of the furthest value in its direction.
        distance = away.norm()
        best = distance - ((values.double() - context) @ away).max() / distance.clamp(min=1e-9)
        told = (
            f"{S} values of {d} components: your average is {distance:.3f} away. There may be "
            "one at "
            f"{max(float(best), 0):.3f}: a value lies further in the direction of the target."
        )
        assert float(distance) < 0.01 or float(distance - best) < 0.02, told
    values = torch.ones(3, 2)
    weights = nearest_weights(values, torch.zeros(2))
    told = f"Three times the same value: any weights will do, yours are {weights.tolist()}."
    is_right = bool(weights.isfinite().all()) and abs(float(weights.sum()) - 1) < 1e-3
    assert is_right, told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 3

# %% [markdown]
# ## Question 4. What spreads, and what is shared
#
# *About 20 minutes, ★★☆.*
#
# The components of a query are independent, each with mean `q_mean` and variance `q_var`; those of
# a key alike with `k_mean` and `k_var`; both have `d` of them.
#
# - `product_moments(d, q_mean, q_var, k_mean, k_var)` gives three plain numbers: the mean of
#   $q \cdot k$, its variance over all queries and keys, and its variance *among the keys of one
#   query*, on average over the queries.
# - `right_scale(d, q_mean, q_var, k_mean, k_var)` gives the number by which to multiply the
#   scores so that among the keys of one query they have variance 1.
#
# With means 0 and variances 1 the answers are `(0, d, d)` and $1/\sqrt{d}$. With all means 0.5 and
# variances 1 and $d = 64$ they are `(16, 96, 80)`.
#
# <details><summary>Hint</summary>
#
# First one component: $\mathrm{E}[(q k)^2] = \mathrm{E}[q^2] \, \mathrm{E}[k^2]$. For one query,
# $q$ is no longer random.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def product_moments(d, q_mean, q_var, k_mean, k_var):
    """Mean and variance of q·k, and its variance among the keys of one query."""
    # BEGIN SOLUTION
    mean = d * q_mean * k_mean
    among = d * k_var * (q_var + q_mean**2)
    return mean, among + d * q_var * k_mean**2, among
    # END SOLUTION


def right_scale(d, q_mean, q_var, k_mean, k_var):
    """The factor that gives the scores of one query variance 1."""
    # BEGIN SOLUTION
    return product_moments(d, q_mean, q_var, k_mean, k_var)[2] ** -0.5
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_types(product_moments, right_scale):
    """Three plain numbers, and one."""
    got = product_moments(64, 0.5, 1.0, 0.5, 1.0)
    told = f"product_moments: want three plain numbers such as (16.0, 96.0, 80.0), got {got!r}"
    is_three = isinstance(got, (tuple, list)) and len(got) == 3
    is_right = is_three and all(isinstance(x, (int, float)) for x in got)
    assert is_right, told
    got = right_scale(64, 0.0, 1.0, 0.0, 1.0)
    told = f"right_scale: want a plain number such as 0.125, got {got!r}"
    assert isinstance(got, (int, float)), told
    for name, function in (("product_moments", product_moments), ("right_scale", right_scale)):
        wide, narrow = (function(d, 0.5, 1.0, 0.5, 1.0) for d in (64, 16))
        told = f"{name}: d = 64 and d = 16 have different answers, yours are both {wide!r}"
        assert wide != narrow, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_the_two_cases(product_moments, right_scale):
    """The two cases of the question."""
    cases = [((64, 0.0, 1.0, 0.0, 1.0), (0, 64, 64)), ((64, 0.5, 1.0, 0.5, 1.0), (16, 96, 80))]
    for case, want in cases:
        got = product_moments(*case)
        told = f"product_moments{case}: want {want}, got {tuple(round(x, 3) for x in got)}."
        if abs(got[0] - want[0]) < 1e-6 and abs(got[1] - 64) < 1e-6 and want[1] == 96:
            told += " A mean that is not zero adds to the variance: E[q²] is q_var + q_mean²."
        elif want[1] == 96 and abs(got[1] - 100) < 1e-6:
            told += " E[(qk)²] is not yet the variance: the square of the mean goes off."
        elif want[1] == 96 and abs(got[2] - got[1]) < 1e-6:
            told += (
                " What all keys of a query share, q times the mean of the keys, is not among them."
            )
        assert all(abs(g - w) < 1e-6 for g, w in zip(got, want, strict=True)), told
    got = right_scale(64, 0.0, 1.0, 0.0, 1.0)
    told = f"right_scale: for means 0, variances 1 and d = 64 want 1/8 = 0.125, got {got:.4f}."
    if abs(got - 1 / 64) < 1e-6:
        told += " Multiplied by s, scores have s² times their variance."
    elif abs(got - 8) < 1e-6:
        told += " You would divide by it; the question asks what to multiply by."
    assert abs(got - 0.125) < 1e-6, told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Measured on random vectors with other means and variances."
"""  # END TEST CONFIG


def test_measured(product_moments, right_scale):
    """Random vectors with many means and variances, measured."""
    import torch

    rng = torch.Generator().manual_seed(9)
    for d, q_mean, q_var, k_mean, k_var in [
        (8, 1, 0.25, -2, 4),
        (16, 0, 2, 3, 0.5),
        (4, -1, 1, 0, 9),
        (32, 0.5, 1, 1, 1),
    ]:
        query = q_mean + q_var**0.5 * torch.randn(4000, 1, d, generator=rng)
        key = k_mean + k_var**0.5 * torch.randn(4000, 12, d, generator=rng)
        products = (query * key).sum(-1)
        measured = products.mean().item(), products.var().item(), products.var(dim=1).mean().item()
        case = {"d": d, "q_mean": q_mean, "q_var": q_var, "k_mean": k_mean, "k_var": k_var}
        got = product_moments(**case)
        names = ("the mean", "the variance", "the variance among the keys of one query")
        for name, found, seen in zip(names, got, measured, strict=True):
            room = 0.1 * abs(seen) + 0.06 * measured[1] ** 0.5
            told = f"For {case} {name} was measured as {seen:.1f}, yours is {found:.1f}."
            assert abs(found - seen) < room, told
        spread = (right_scale(**case) * products).var(dim=1).mean().item()
        told = (
            f"For {case} your scale leaves a variance of {spread:.2f} among the keys of one query."
        )
        if spread < 0.9:
            told += " Do you count what they share, too? The softmax does not see that."
        assert abs(spread - 1) < 0.12, told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 5

# %% [markdown]
# ## Question 5. An experiment: how sharp should a dictionary be?
#
# *About 25 minutes, ★★☆.*
#
# A dictionary holds $S$ pairs with keys of length one. Queries are noisy: each is one of the keys
# plus independent noise of standard deviation $\sigma$ in every component. The soft look-up is
# `softmax(queries @ keys.T / temperature) @ values`, and its error is the mean of $(c - v)^2$ over
# look-ups, $v$ being the value that should have been read.
#
# - `look_up_error(keys, values, queries, which, temperature)`: keys `(S, d)`, values `(S, m)`,
#   queries `(N, d)`, and `which` `(N,)`, the place of the right pair. It returns that error as a
#   plain number.
# - `choose_temperature(keys, values, queries, which)`: the temperature, a plain number, with the
#   smallest error. It is judged on *other* look-ups in the same dictionary with the same noise:
#   your error there may be at most 3 % above the best one. The noise lies between 0.2 and 1.
# - Then do the experiment: how does the best temperature change when the noise becomes twice as
#   large? Use many look-ups, and several $\sigma$. `finding()` returns your answer,
#   `{"factor": ..., "why": "..."}`: by what number the best temperature is multiplied when $\sigma$
#   is doubled, rounded to a whole number, and in one to three sentences of your own (15 words or
#   more) why it must be so.
#
# <details><summary>First hint</summary>
#
# Good temperatures lie far apart, from hundredths to above one, so try values with a constant
# ratio. Check that the best one is not at the end of your grid.
#
# </details>
#
# <details><summary>Second hint</summary>
#
# For the *why*: of which pair, and how surely, does a query tell that it comes from it, if the
# noise is Gaussian? Compare with question 1's distance.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def look_up_error(keys, values, queries, which, temperature):
    """Mean squared error of a soft look-up, a plain number."""
    # BEGIN SOLUTION
    context = (queries @ keys.T / temperature).softmax(dim=-1) @ values
    return (context - values[which]).square().mean().item()
    # END SOLUTION


def choose_temperature(keys, values, queries, which):
    """The temperature with the smallest error on these look-ups, a plain number."""
    # BEGIN SOLUTION
    tried = [0.003 * 1.1**power for power in range(75)]
    return min(tried, key=lambda t: look_up_error(keys, values, queries, which, t))
    # END SOLUTION


def finding():
    """By what the best temperature is multiplied when the noise is doubled, and why."""
    # BEGIN SOLUTION
    return {
        "factor": 4,
        "why": "The probability that a noisy query came from a key falls with the squared distance "
        "over twice the noise variance. With keys of one length that is the softmax of the dot "
        "product at a temperature of sigma squared, and its average of the values is the best "
        "guess.",
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


def test_plain_numbers(look_up_error, choose_temperature):
    """Plain numbers."""
    import torch

    keys, values = torch.eye(3), torch.tensor([[1.0], [2.0], [3.0]])
    got = look_up_error(keys, values, torch.eye(3), torch.arange(3), 1.0)
    told = f"look_up_error: want a plain number such as 0.31, got {got!r}"
    assert isinstance(got, float), told
    sharper = look_up_error(keys, values, torch.eye(3), torch.arange(3), 0.1)
    told = f"look_up_error: another temperature has another error, yours is {got!r} at both"
    assert abs(got - sharper) > 0.01, told
    got = choose_temperature(keys, values, torch.eye(3), torch.arange(3))
    told = f"choose_temperature: want a plain number above 0, got {got!r}"
    is_right = isinstance(got, (int, float)) and got > 0
    assert is_right, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_error_by_hand(look_up_error):
    """Two pairs, one query between them and one on a key."""
    import torch

    keys, values = torch.eye(2), torch.tensor([[0.0], [1.0]])
    queries, which = torch.tensor([[0.5, 0.5], [1.0, 0.0]]), torch.tensor([0, 0])
    # The first reads 0.5; the second 1 / (1 + e^2) at temperature 0.5.
    want = (0.25 + (1 / (1 + 2.718281828**2)) ** 2) / 2
    got = look_up_error(keys, values, queries, which, 0.5)
    told = (
        f"look_up_error: two pairs, two queries, temperature 0.5: want {want:.4f}, got {got:.4f}."
    )
    second = 1 / (1 + 2.718281828**0.5)
    if abs(got - (0.25 + second**2) / 2) < 1e-4:
        told += " You multiply by the temperature; scores are divided by it."
    elif abs(got - 2 * want) < 1e-4:
        told += " It is the mean over the look-ups, not the sum."
    elif abs(got - (0.5 + 1 / (1 + 2.718281828**2)) / 2) < 1e-4:
        told += " The error is squared."
    assert abs(got - want) < 1e-4, told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_chosen(choose_temperature):
    """A temperature that is good on other look-ups; the noise is 0.3."""
    import torch

    rng = torch.Generator().manual_seed(10)
    keys = torch.nn.functional.normalize(torch.randn(20, 16, generator=rng), dim=-1)
    values = torch.randn(20, 3, generator=rng)

    def look_ups(count, sigma):
        which = torch.randint(20, (count,), generator=rng)
        return keys[which] + sigma * torch.randn(count, 16, generator=rng), which

    def error(queries, which, t):
        context = (queries @ keys.T / t).softmax(-1) @ values
        return (context - values[which]).square().mean().item()

    got = choose_temperature(keys, values, *look_ups(2000, 0.3))
    other = look_ups(4000, 0.3)
    best = min(error(*other, 0.3**2 * factor) for factor in (0.7, 0.85, 1, 1.2, 1.4))
    found = error(*other, got)
    told = (
        f"With noise 0.3 your temperature is {got:.4g}; on other look-ups its error is "
        f"{found:.4f}, and "
        f"{best:.4f} can be had."
    )
    if got < 0.04:
        told += (
            " So sharp a look-up is often sure of the wrong pair. Did you count errors of the "
            "largest weight?"
        )
    elif got > 0.2:
        told += (
            " So flat a look-up reads nearly the mean of all. Does your search try small "
            "temperatures?"
        )
    assert found < 1.03 * best, told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Your temperature on other look-ups, with little noise and with much."
"""  # END TEST CONFIG


def test_chosen_for_other_noise(choose_temperature):
    """Little noise, much noise, other sizes."""
    import torch

    rng = torch.Generator().manual_seed(11)
    for S, d, sigma in [(10, 8, 0.3), (30, 12, 0.5), (12, 24, 0.9)]:
        keys = torch.nn.functional.normalize(torch.randn(S, d, generator=rng), dim=-1)
        values = torch.randn(S, 2, generator=rng)
        rows = []
        for count in (3000, 4000):
            which = torch.randint(S, (count,), generator=rng)
            rows.append((keys[which] + sigma * torch.randn(count, d, generator=rng), which))

        def error(t, keys=keys, values=values, there=rows[1]):
            context = (there[0] @ keys.T / t).softmax(-1) @ values
            return (context - values[there[1]]).square().mean().item()

        got = choose_temperature(keys, values, *rows[0])
        best = min(error(sigma**2 * factor) for factor in (0.5, 0.7, 0.85, 1, 1.2, 1.4, 2))
        told = (
            f"{S} pairs of width {d}, noise {sigma}: your temperature {got:.4g} has the error "
            f"{error(got):.4f} on other look-ups, {best:.4f} can be had. Is your grid wide and "
            "fine enough?"
        )
        assert error(got) < 1.03 * best + 1e-5, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "What your experiment found, and a reason of 15 words or more."
"""  # END TEST CONFIG


def test_finding(finding):
    """The result of the experiment, and a reason in words."""
    got = finding()
    told = f"finding: want a dictionary with 'factor' and 'why', got {got!r}"
    is_right = isinstance(got, dict) and {"factor", "why"} <= set(got)
    assert is_right, told
    words = len(str(got["why"]).split())
    told = f"finding: the why should be a sentence or more, 15 words at least; yours has {words}."
    is_right = isinstance(got["why"], str) and words >= 15
    assert is_right, told
    factor = got["factor"]
    told = f"finding: twice the noise, and the best temperature is not {factor!r} times as high."
    if factor == 2:
        told += (
            " Measure it at several sigma: it does not grow like the noise, but like its variance."
        )
    assert got["factor"] == 4, told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it.** Run this when the checks pass. The best temperature against the noise: which curve
# is it?

# %%
rng = torch.Generator().manual_seed(0)
keys = torch.nn.functional.normalize(torch.randn(20, 16, generator=rng), dim=-1)
values = torch.randn(20, 3, generator=rng)
for sigma in (0.1, 0.2, 0.4, 0.8):
    which = torch.randint(20, (3000,), generator=rng)
    queries = keys[which] + sigma * torch.randn(3000, 16, generator=rng)
    print(f"noise {sigma}: temperature {choose_temperature(keys, values, queries, which):.3f}")

# %% [markdown]
# You have now built attention without any network: scores, weights, averages, and what they can and
# can not reach. Chapter 6 asks whether a query must look at every key.
