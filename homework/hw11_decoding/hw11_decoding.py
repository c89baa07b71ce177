# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw11_decoding
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
# # Homework 11: Decoding
#
# Chapter 11 searched for a sentence, drew one by chance, and kept what it had read. Here you build
# that again in other forms: a step of beam search for a whole batch, a search that knows when to
# stop, the three dials of sampling, a step of attention with a cache that follows its beams, and
# an experiment about temperature and search.
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
# $N$ sentences in a batch, $K$ beams for each, $V$ words in the vocabulary, vectors of width $D$.
# A log-probability is a natural logarithm. `END` is the token that ends a sentence.

# %%
import torch

from course_lab.charts import attention_map
from course_lab.experiments.transformer import in_page
from course_lib.data.tokens.tokenizer import END, PAD, START
from course_lib.evaluation.teacher_forcing import forced_attention
from course_lib.homework import known_words, require_written

torch.set_num_threads(1)  # small products: a second thread would wait

# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. One step for a whole batch
#
# *About 25 minutes, ★★☆.*
#
# In chapter 11 a beam that ended left the table. In a batch that is awkward: all sentences need the
# same number of rows. So here it stays, and stands still.
#
# `beam_step(logits, sums, ended, end)` returns `(sums, parent, token, ended)` after one step, each
# of shape `(N, K)`.
#
# - `logits` is `(N, K, V)`, the unnormalised scores of the next word of each beam. `sums` is
#   `(N, K)`, the log-probability of each hypothesis so far; minus infinity where none stands yet.
#   `ended` is `(N, K)`, `True` where a hypothesis has its `END`, which is the token number `end`.
# - A hypothesis that has not ended goes on by each of the $V$ words. One that has ended has a
#   single continuation: `END` once more, at no cost.
# - Of all continuations of a sentence the $K$ most probable are kept, the best first. `parent` is
#   the beam that is continued, from 0 to $K - 1$, `token` the word it is continued by.
#
# <details><summary>First hint</summary>
#
# `topk` over the flattened table finds all $K$. What do quotient and remainder say?
#
# </details>
#
# <details><summary>Second hint</summary>
#
# Which row of $V$ log-probabilities says "END once more, at no cost, and nothing else"? A
# hypothesis that has ended gets this row in place of its own.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def beam_step(logits, sums, ended, end):
    """The K best continuations of each sentence: sums, parent, token, ended, each (N, K)."""
    # BEGIN SOLUTION
    log_p = logits.log_softmax(dim=-1)
    stays = torch.full_like(log_p, -torch.inf)
    stays[..., end] = 0.0
    total = sums[..., None] + torch.where(ended[..., None], stays, log_p)
    best, where = total.flatten(1).topk(sums.shape[1], dim=1)
    words = logits.shape[-1]
    token = where % words
    return best, where // words, token, token == end
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1.5
"""  # END TEST CONFIG


def test_by_hand(beam_step):
    """Two beams, four words, numbers to check on paper."""
    import torch

    p = torch.tensor([[[0.05, 0.25, 0.10, 0.60], [0.10, 0.45, 0.40, 0.05]]])
    logits, sums = p.log() + torch.tensor([[[2.0], [-1.0]]]), torch.tensor([[0.3, 0.5]]).log()
    going = torch.zeros(1, 2, dtype=torch.bool)
    try:
        got = beam_step(logits, sums, going, 0)
    except Exception as error:
        told = f"beam_step stopped at logits (1, 2, 4) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = f"want four tensors (sums, parent, token, ended), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 4, "want four tensors (sums, parent, token, ended)"
    shapes = [tuple(getattr(g, "shape", ())) for g in got]
    assert shapes == [(1, 2)] * 4, f"want four tensors of shape (1, 2), got {shapes}"
    total, parent, token, ended = got
    chosen = list(zip(parent[0].tolist(), token[0].tolist(), strict=True))
    told = f"want the (beam, word) pairs [(1, 1), (1, 2)], got {chosen}."
    if chosen == [(1, 1), (2, 1)]:
        told += " In the flattened table the quotient by V is the beam, the remainder the word."
    elif chosen == [(2, 1), (3, 0)]:
        told += " You divide by K. Each beam has V places in the flattened table: divide by V."
    elif chosen == [(1, 2), (1, 1)]:
        told += " The best comes first."
    elif chosen == [(1, 1), (0, 3)]:
        told += " You take one continuation of each beam; both of the best may be of one beam."
    elif chosen == [(0, 3), (1, 1)]:
        told += " What the hypotheses had before the step is not added."
    elif chosen == [(0, 3), (0, 1)]:
        told += " Logits are no log-probabilities: take log_softmax over the V words of each beam."
    assert chosen == [(1, 1), (1, 2)], told
    got, want = [round(s, 3) for s in total.exp()[0].tolist()], [0.225, 0.2]
    told = f"sums, as probabilities: want {want}, got {got}: what was there, plus the step's"
    assert torch.allclose(total.exp()[0], torch.tensor(want), atol=1e-3), told
    assert not ended.any(), "none of the two wrote END, so none has ended"
    twice = logits.repeat(2, 1, 1), sums.repeat(2, 1), going.repeat(2, 1)
    _, parent, token, _ = beam_step(*twice, 0)
    told = f"the same sentence twice: want the parents [1, 1] for both, got {parent.tolist()}."
    if parent.tolist() == [[1, 1], [3, 3]]:
        told += " The beams of each sentence are counted from 0: parents go from 0 to K - 1."
    assert parent.tolist() == [[1, 1], [1, 1]], told
    told = f"the same sentence twice: want the words [1, 2] for both, got {token.tolist()}."
    told += " Each sentence has a table of its own"
    assert token.tolist() == [[1, 2], [1, 2]], told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_what_has_ended_stands_still(beam_step):
    """One hypothesis has its END, the other goes on."""
    import torch

    p = torch.tensor([[[0.35, 0.60, 0.05], [0.08, 0.80, 0.12]]])
    sums, ended = torch.tensor([[0.3, 0.5]]).log(), torch.tensor([[True, False]])
    step = beam_step(p.log(), sums, ended, 0)
    assert isinstance(step, (tuple, list)), f"no tensors but {type(step).__name__}: see above"
    total, parent, token, after = step
    got = [round(s, 3) for s in total.exp()[0].tolist()]
    chosen = list(zip(parent[0].tolist(), token[0].tolist(), strict=True))
    told = "beam 0 has ended at 0.3, beam 1 goes on from 0.5: want the (beam, word) pairs "
    told += f"[(1, 1), (0, 0)] with [0.4, 0.3], got {chosen} with {got}."
    if (0, 1) in chosen:
        told += " A hypothesis that has ended does not go on: nothing but END may follow."
    elif chosen == [(1, 1), (0, 0)] and got == [0.4, 0.105]:
        told += " It pays for END a second time: what has ended costs nothing more."
    elif 0 not in parent[0].tolist():
        told += " The one that has ended is dropped: it stays, with END once more at no cost."
    assert chosen == [(1, 1), (0, 0)], told
    assert got == [0.4, 0.3], told
    told = f"want ended [False, True], got {after[0].tolist()}: it belongs to the new rows"
    assert after.tolist() == [[False, True]], told
    p = torch.tensor([[[0.70, 0.20, 0.10], [0.05, 0.90, 0.05]]])
    going = torch.tensor([[False, False]])
    after = beam_step(p.log(), torch.tensor([[0.5, 0.3]]).log(), going, 0)[3]
    told = "beam 0 takes END in this step, beam 1 the word 1: want ended [True, False], got "
    told += f"{after[0].tolist()}: who takes END has ended"
    assert after.tolist() == [[True, False]], told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Several sentences, each by itself, beside a loop over all continuations."
"""  # END TEST CONFIG


def test_against_a_loop(beam_step):
    """Random batches; the K best of each sentence out of a list of all."""
    import torch

    rng = torch.Generator().manual_seed(11)
    for N, K, V in [(3, 2, 4), (2, 4, 9), (1, 1, 5), (4, 3, 3)]:
        logits, end = 2 * torch.randn(N, K, V, generator=rng), V - 1
        sums = -3 * torch.rand(N, K, generator=rng)
        ended = torch.rand(N, K, generator=rng) < 0.4
        ended[:, 0] = False
        total, parent, token, after = beam_step(logits, sums, ended, end)
        for n in range(N):
            every = []
            for k in range(K):
                if ended[n, k]:
                    every.append((sums[n, k].item(), k, end, True))
                    continue
                log_p = (logits[n, k] - logits[n, k].logsumexp(0)).tolist()
                every += [(sums[n, k].item() + p, k, v, v == end) for v, p in enumerate(log_p)]
            best = sorted(every, reverse=True)[:K]
            told = f"other than the list of all continuations for N, K, V = {(N, K, V)}"
            assert torch.allclose(total[n], torch.tensor([b[0] for b in best]), atol=1e-4), told
            assert parent[n].tolist() == [b[1] for b in best], told
            assert token[n].tolist() == [b[2] for b in best], told
            assert after[n].tolist() == [b[3] for b in best], told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "One hypothesis at first; a long sentence; what is given stays as it is."
"""  # END TEST CONFIG


def test_the_first_step(beam_step):
    """Where none stands none goes on; nothing is written; a probability may be tiny."""
    import torch

    logits = torch.tensor([0.0, 3.0, 1.0, 2.0]).expand(1, 4, 4).clone()
    sums = torch.tensor([[0.0, -torch.inf, -torch.inf, -torch.inf]])
    ended = torch.tensor([[False, False, False, True]])
    given = [part.clone() for part in (logits, sums, ended)]
    total, parent, token, _ = beam_step(logits, sums, ended, 2)
    told = f"only beam 0 stands, your parents are {parent.tolist()}"
    assert parent.tolist() == [[0, 0, 0, 0]], told
    told = f"want the words [1, 3, 2, 0] of beam 0, got {token.tolist()}"
    assert token.tolist() == [[1, 3, 2, 0]], told
    assert abs(total.exp().sum().item() - 1) < 1e-4, "all its words have a probability of one"
    same = [torch.equal(*pair) for pair in zip(given, (logits, sums, ended), strict=True)]
    assert all(same), "your function writes into what it is given"
    step = beam_step(torch.zeros(1, 1, 4), torch.tensor([[-200.0]]), torch.tensor([[False]]), 2)
    want, got = -200 - torch.tensor(4.0).log().item(), step[0].item()
    told = f"a long sentence at -200, four equal words: want {want:.2f}, got {got:.2f}. "
    told += "As a probability it would be zero in a computer: add logarithms"
    assert abs(got - want) < 1e-3, told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 4

# %% [markdown]
# ## Question 2. The whole search, and when to stop
#
# *About 30 minutes, ★★★.*
#
# `score(log_p, length, alpha)` is the log-probability of a finished sentence over GNMT's length
# penalty, $((5 + |Y|) / (5 + 1))^\alpha$. `length` is $|Y|$, the number of its tokens, `END`
# counted.
#
# A search need not go on to the end. A log-probability only falls, and no sentence is longer than
# `longest`, `END` counted. `hopeless(live, best, longest, alpha)` returns `True` if no hypothesis
# that is still live can get a higher score than `best`; an equal score is no hope. Think of the
# highest score that each of them could reach. `live` is the list of their log-probabilities, `best`
# the score of the best finished sentence. Where none is live, there is no hope.
#
# `search(after, beams, worth, stop, longest, end)` is a beam search for one sentence. It returns
# the finished sentence with the highest score, as a pair `(ids, score)`; `ids` is a list without
# `end`.
#
# - `after(ids)` is a tensor `(V,)`: the log-probability of every word behind this list. The list is
#   empty at first.
# - `worth(log_p, length)` is the score of a finished sentence, and `stop(live, best)` says whether
#   it is hopeless to go on: your two functions for some `alpha` and `longest`, or others like them.
# - Hypotheses are compared by their log-probabilities, finished sentences by their scores.
# - A hypothesis that takes `end` is finished and not continued. It keeps its place: from then on
#   there is one beam less.
# - The search ends when no beam is left, when it is hopeless to go on, or after `longest` steps.
#   What has not ended then counts for nothing. If nothing has, the answer is `([], -torch.inf)`.
#
# <details><summary>First hint</summary>
#
# A log-probability is negative and can only fall, and a larger penalty brings it closer to zero.
# What is the best that can happen to a live hypothesis, and at which length does it happen?
#
# </details>
#
# <details><summary>Second hint</summary>
#
# A finished sentence takes up one of the beams. In `search`, how many hypotheses may stay in a
# step after two sentences have finished?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def score(log_p, length, alpha):
    """Log-probability over length penalty, a float."""
    # BEGIN SOLUTION
    return log_p / ((5 + length) / 6) ** alpha
    # END SOLUTION


def hopeless(live, best, longest, alpha):
    """Whether nothing that is live can still win, a bool."""
    # BEGIN SOLUTION
    return all(score(log_p, longest, alpha) <= best for log_p in live)
    # END SOLUTION


def search(after, beams, worth, stop, longest, end):
    """The best finished sentence that is found, and its score."""
    # BEGIN SOLUTION
    live, done = [(0.0, [])], []
    for length in range(1, longest + 1):
        longer = [
            (p + q, [*ids, token]) for p, ids in live for token, q in enumerate(after(ids).tolist())
        ]
        kept = sorted(longer, reverse=True)[: beams - len(done)]
        done += [(worth(p, length), ids[:-1]) for p, ids in kept if ids[-1] == end]
        live = [(p, ids) for p, ids in kept if ids[-1] != end]
        best, written = max(done, default=(-torch.inf, []))
        if stop([p for p, _ in live], best):
            break
    return written, best
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_one_score(score):
    """Nine tokens, END among them."""
    lp = (14 / 6) ** 0.6
    try:
        got = score(-3.6, 9, 0.6)
    except Exception as error:
        told = f"score(-3.6, 9, 0.6) stopped with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, float), f"score should return a float, got {type(got).__name__}"
    told = f"score(-3.6, 9, 0.6): want -3.6 / {lp:.3f} = {-3.6 / lp:.3f}, got {got:.3f}."
    if abs(got + 3.6 * lp) < 1e-3:
        told += " You multiply. A log-probability is negative: to make up for length, divide."
    elif abs(got + 3.6 / 9**0.6) < 1e-3:
        told += " That is the length itself to the power of α; GNMT's penalty adds 5, over 6."
    elif abs(got + 3.6 / 14**0.6) < 1e-3:
        told += " The denominator of the penalty, (5 + 1) to the power of α, is missing."
    elif min(abs(got + 3.6 / (n / 6) ** 0.6) for n in (13, 15)) < 1e-3:
        told += " Your length is off by one: 9 is |Y| already, END counted."
    assert abs(got + 3.6 / lp) < 1e-3, told
    got = score(-3.6, 9, 0.0)
    assert abs(got + 3.6) < 1e-6, f"with α = 0 nothing changes: want -3.6, got {got:.3f}"


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_when_there_is_hope(hopeless):
    """Two live hypotheses, sentences of 19 tokens at most: the penalty goes up to 4."""
    got = hopeless([-3.0, -2.0], -1.6, 19, 1.0)
    told = f"-2 / 4 = -0.5 can still be reached, and -1.6 is less: want False, got {got}."
    told += " A hypothesis that loses now may win when it is longer: take the penalty of longest"
    assert not got, told
    assert got is not None, "want True or False, got None"
    got = hopeless([-3.0, -2.0], -0.4, 19, 1.0)
    told = f"-2 / 4 = -0.5 is the best that can be reached, -0.4 is more: want True, got {got}"
    assert got, told
    assert hopeless([], -9.0, 19, 1.0), "where none is live there is no hope: want True"
    told = "-3 / 4 is no hope against -0.6, but -2 / 4 is: ask for the best that is live"
    assert not hopeless([-2.0, -3.0], -0.6, 19, 1.0), told
    told = "-2 / 4 = -0.5 can still be reached, and -0.51 is less: want False, got True."
    told += " Take the penalty of longest itself, not of one token less"
    assert not hopeless([-2.0], -0.51, 19, 1.0), told
    told = "-2 / 4 = -0.5 is the best that can be reached, -0.49 is more: want True, got False."
    told += " Take the penalty of longest itself, not of one token more"
    assert hopeless([-2.0], -0.49, 19, 1.0), told
    told = "-2 / 4 = -0.5 is the best that can be reached, against -0.5: want True, got False."
    told += " An equal score is no hope"
    assert hopeless([-2.0], -0.5, 19, 1.0), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_greedy_and_two_beams(search):
    """A tree in which greedy search misses the best sentence; α = 0."""
    import math

    import torch

    tree = {
        (): [0.02, 0.58, 0.40],
        (1,): [0.35, 0.33, 0.32],
        (2,): [0.90, 0.06, 0.04],
    }

    def after(ids):
        told = f"you ask what follows {list(ids)}; that sentence has ended and does not go on"
        assert 0 not in ids, told
        return torch.tensor(tree.get(tuple(ids), [0.90, 0.06, 0.04])).log()

    def worth(log_p, length):
        return log_p

    def stop(live, best):
        return all(log_p <= best for log_p in live)

    for beams, want, p in ((1, [1], 0.203), (2, [2], 0.36)):
        got = search(after, beams, worth, stop, 5, 0)
        told = f"want a pair (ids, score), got {type(got).__name__}"
        assert isinstance(got, (tuple, list)), told
        assert len(got) == 2, "want a pair (ids, score)"
        told = "want a pair (ids, score), got the list last: ids come first, then the score"
        assert not isinstance(got[1], (list, tuple)), told
        ids, value = list(got[0]), float(got[1])
        told = (
            f"{beams} beam(s): want {want}, of probability {p}, got {ids}, {math.exp(value):.3f}."
        )
        if ids and ids[-1] == 0:
            told += " The list is without END."
        elif beams == 2 and ids == [1]:
            told += " With two beams [2] is kept, and its END makes it 0.36."
        elif not ids and value == -math.inf:
            told += " A hypothesis that takes END is a finished sentence: keep it, with its score."
        elif len(ids) > 1:
            told += " That one is less probable. Did a sentence that had ended get lost?"
        assert ids == want, told
        told += " Is END's probability in the sum?"
        assert abs(math.exp(value) - p) < 1e-3, told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_a_score_is_taken_once(search):
    """One way, three tokens, α = 1: the penalty is 8 / 6."""
    import math

    import torch

    def after(ids):
        told = f"you ask what follows {list(ids)}; that sentence has ended and does not go on"
        assert 0 not in ids, told
        p = ([0.1, 0.5, 0.4], [0.1, 0.8, 0.1], [0.9, 0.05, 0.05])
        return torch.tensor(p[min(len(ids), 2)]).log()

    def worth(log_p, length):
        return log_p / ((5 + length) / 6)

    def stop(live, best):
        return all(worth(log_p, 6) <= best for log_p in live)

    found = search(after, 1, worth, stop, 6, 0)
    assert isinstance(found, (tuple, list)), f"no pair but {type(found).__name__}: see above"
    ids, got = found
    assert not isinstance(got, (list, tuple)), "ids come first, then the score: see above"
    log_p = math.log(0.5 * 0.8 * 0.9)
    want = log_p / (8 / 6)
    told = f"[1, 1] and END: want {log_p:.3f} / (8 / 6) = {want:.3f}, got {got:.3f} for {ids}."
    carried = ((math.log(0.5) + math.log(0.8)) / (7 / 6) + math.log(0.9)) / (8 / 6)
    if abs(got - carried) < 1e-3:
        told += " You normalise twice: carry log-probabilities, and divide once, at the end."
    elif abs(got - want / (8 / 6)) < 1e-3:
        told += " You normalise twice: one division by the penalty is enough."
    elif abs(got - log_p / (7 / 6)) < 1e-3:
        told += " |Y| counts END: the sentence has three tokens."
    elif abs(got - log_p) < 1e-3:
        told += " That is the log-probability: finished sentences are compared by their scores."
    assert abs(got - want) < 1e-3, told
    assert list(ids) == [1, 1], told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Random models, several widths and penalties, beside another search."
"""  # END TEST CONFIG


def test_beside_another_search(search):
    """Sentences and scores on tables of random numbers."""
    import torch

    def rules(alpha, longest):
        def worth(log_p, length):
            return log_p / ((5 + length) / 6) ** alpha

        return worth, lambda live, best: all(worth(p, longest) <= best for p in live)

    def reference(after, beams, alpha, longest, end):
        live, done = {(): 0.0}, {}
        for length in range(1, longest + 1):
            longer = {}
            for ids, p in live.items():
                for token, q in enumerate(after(list(ids)).tolist()):
                    longer[(*ids, token)] = p + q
            falling = sorted(longer, key=longer.get, reverse=True)[: beams - len(done)]
            live = {ids: longer[ids] for ids in falling if ids[-1] != end}
            for ids in falling:
                if ids[-1] == end:
                    done[ids] = longer[ids] / ((5 + length) / 6) ** alpha
        best = max(done, key=done.get, default=None)
        return ([], -torch.inf) if best is None else (list(best[:-1]), done[best])

    rng = torch.Generator().manual_seed(3)
    for number in range(24):
        V, end = 5, number % 5
        table = torch.randn(6, V, V, generator=rng, dtype=torch.float64)

        def after(ids, table=table):
            return table[min(len(ids), 5), ids[-1] if ids else 0].log_softmax(-1)

        beams, alpha = (1, 2, 3, 5)[number % 4], (0.0, 0.7, 2.0)[number % 3]
        ids, got = search(after, beams, *rules(alpha, 6), 6, end)
        best, want = reference(after, beams, alpha, 6, end)
        told = f"{beams} beam(s), α = {alpha}: want {best}, {want:.4f}, got {list(ids)}, {got:.4f}"
        assert list(ids) == best, told
        assert got == want or abs(got - want) < 1e-4, told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "No step more than is needed; a search that finds no end."
"""  # END TEST CONFIG


def test_it_stops(search):
    """What is hopeless is not asked for, and what may still win is."""
    import torch

    def rules(alpha, longest):
        def worth(log_p, length):
            return log_p / ((5 + length) / 6) ** alpha

        return worth, lambda live, best: all(worth(p, longest) <= best for p in live)

    asked = []

    def after(ids):
        asked.append(list(ids))
        p = [0.8, 0.15, 0.05] if len(ids) < 1 else [0.1, 0.5, 0.4]
        return torch.tensor(p).log()

    ids, _ = search(after, 2, *rules(0.0, 9), 9, 0)
    assert list(ids) == [], f"the empty sentence has 0.8: want [], got {list(ids)}"
    told = f"after END at 0.8 nothing can win, and you went on: you asked for {asked}"
    assert len(asked) == 1, told

    def long(ids):
        return torch.tensor([0.52, 0.48] if len(ids) < 1 else [0.02, 0.98]).log()

    ids, _ = search(long, 2, *rules(3.0, 9), 9, 0)
    told = f"two beams, α = 3: want [], got {list(ids)}. What has ended keeps its place: behind "
    told += "[] one beam is left, and it never takes END"
    assert list(ids) == [], told

    def later(ids):
        return torch.tensor([0.52, 0.48] if len(ids) < 1 else [0.98, 0.02]).log()

    ids, _ = search(later, 2, *rules(3.0, 9), 9, 0)
    assert list(ids) == [1], f"α = 3 makes up for one more word: want [1], got {list(ids)}"

    read = []

    def too_late(ids):
        read.append(len(ids))
        return torch.tensor([0.01, 0.99] if len(ids) < 4 else [0.99, 0.01]).log()

    ids, got = search(too_late, 1, *rules(0.6, 4), 4, 0)
    told = "longest = 4: want 4 steps, behind 0, 1, 2 and 3 words, but you ask what follows "
    told += f"{max(read, default=0)}. The search ends after `longest` steps, END counted"
    assert max(read, default=0) < 4, told
    assert got == -torch.inf, f"no sentence ended: want ([], -inf), got {(list(ids), got)}"
    assert list(ids) == [], f"no sentence ended: want ([], -inf), got {(list(ids), got)}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 4

# %% [markdown]
# ## Question 3. Three dials and a draw
#
# *About 25 minutes, ★★☆.*
#
# `dials(logits, temperature, k, p)` returns the probabilities `(B, V)` to draw from, for `logits`
# of shape `(B, V)`. Three things happen, in this order:
#
# - the logits are divided by the temperature, and become probabilities;
# - *top-k*: the $k$ most probable words stay. Of words that are equally probable at the border
#   those with the smaller numbers stay, so that it is never more than $k$. The rest gets zero, and
#   what stays is made to sum to one;
# - *top-p*: of these the fewest words stay, the most probable first, whose probabilities sum to
#   $p$ or more. The rest gets zero, and what stays is made to sum to one.
#
# With $k = V$ and $p = 1$ every word stays. All words keep their places in the row.
#
# `drawn(share, point)` draws a word from each row of `share`, `(B, V)`: lay the probabilities side
# by side from 0 to 1, and take the word on which the point falls. `point` is `(B,)`, random numbers
# with $0 \le$ `point` $< 1$; what it returns is `(B,)`, word numbers. A word of probability zero is
# never drawn, however near to 0 or to 1 a point is, and although sums in a computer are rounded.
#
# <details><summary>First hint</summary>
#
# `sort(descending=True, stable=True)` leaves equal numbers in their order; `scatter` takes numbers
# back to their places.
#
# </details>
#
# <details><summary>Second hint</summary>
#
# Work through the shares 0.5, 0.3 and 0.2 with $p = 0.6$. Which word crosses $p$, and does it
# stay?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def dials(logits, temperature, k, p):
    """Probabilities to draw from: (B, V)."""
    # BEGIN SOLUTION
    share = (logits / temperature).softmax(dim=-1)
    falling, order = share.sort(dim=-1, descending=True, stable=True)
    falling[:, k:] = 0.0
    falling = falling / falling.sum(dim=-1, keepdim=True)
    before = falling.cumsum(dim=-1) - falling
    if p < 1:
        falling = falling.masked_fill(before >= p, 0.0)
    falling = falling / falling.sum(dim=-1, keepdim=True)
    return torch.zeros_like(share).scatter(-1, order, falling)
    # END SOLUTION


def drawn(share, point):
    """One word for each row: (B,)."""
    # BEGIN SOLUTION
    reached = share.cumsum(dim=-1)
    return (reached <= point[:, None] * reached[:, -1:]).sum(dim=-1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_the_temperature(dials):
    """Probabilities 1/2, 1/4, 1/4 at temperature 1/2."""
    import torch

    p = torch.tensor([[0.5, 0.25, 0.25], [0.6, 0.2, 0.2]])
    try:
        got = dials(p.log(), 0.5, 3, 1.0)
    except Exception as error:
        told = f"dials stopped at logits (2, 3) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (2, 3), f"want shape (2, 3), got {tuple(got.shape)}"
    want = p**2 / (p**2).sum(-1, keepdim=True)
    row = [round(x, 3) for x in got[0].tolist()]
    told = f"τ = 1/2 squares (1/2, 1/4, 1/4): want [0.667, 0.167, 0.167], got {row}."
    root = p**0.5 / (p**0.5).sum(-1, keepdim=True)
    if torch.allclose(got, root, atol=1e-3):
        told += " Your probabilities get more alike: divide the logits by τ, do not multiply."
    elif torch.allclose(got, p, atol=1e-3):
        told += " The temperature changes nothing: divide before the softmax, not after it."
    elif torch.allclose(got.sum(0), torch.ones(3), atol=1e-3):
        told += " Your softmax is over the batch; each row should sum to one."
    assert torch.allclose(got, want, atol=1e-3), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_top_k(dials):
    """Two of four words, and a tie at the border."""
    import torch

    p = torch.tensor([[0.1, 0.25, 0.4, 0.25]])
    got = dials(p.log(), 1.0, 2, 1.0)
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    want = torch.tensor([[0.0, 0.25 / 0.65, 0.4 / 0.65, 0.0]])
    row = [round(x, 3) for x in got[0].tolist()]
    told = f"k = 2 of [0.1, 0.25, 0.4, 0.25]: want [0, 0.385, 0.615, 0], got {row}."
    if (got > 0).sum() == 3:
        told += " Three words stay: of the two at 0.25 only the one with the smaller number does."
    elif torch.allclose(got, want * 0.65, atol=1e-3):
        told += " What stays should sum to one again."
    elif torch.allclose(got, want[:, [0, 3, 2, 1]], atol=1e-3):
        told += " Of equal words the one with the smaller number stays: is your sort stable?"
    elif torch.allclose(got, want[:, [2, 1, 0, 3]], atol=1e-3):
        told += " Words keep their places: scatter the sorted numbers back."
    assert torch.allclose(got, want, atol=1e-3), told
    # A sort that is not stable leaves few words in their order by chance, but not twenty.
    stays = dials(torch.zeros(1, 20), 1.0, 3, 1.0)[0].nonzero()[:, 0].tolist()
    told = f"k = 3 of 20 equal words: want words [0, 1, 2] to stay, got {stays}. Of equal words "
    told += "those with the smaller numbers stay: sort with stable=True"
    assert stays == [0, 1, 2], told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_top_p(dials):
    """The nucleus holds the word that reaches p."""
    import torch

    p = torch.tensor([[0.1, 0.3, 0.5, 0.06, 0.04]])
    for mass, kept in ((0.7, [1, 2]), (0.4, [2]), (0.85, [0, 1, 2])):
        got = dials(p.log(), 1.0, 5, mass)
        assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
        stays = got[0].nonzero()[:, 0].tolist()
        told = f"p = {mass} of [0.1, 0.3, 0.5, 0.06, 0.04]: want words {kept} to stay, got {stays}."
        if len(stays) < len(kept):
            told += " You leave out the word that crosses p. Without it the sum is below p."
        elif len(stays) > len(kept):
            told += " These sum to p without the last one: the fewest words are wanted."
        else:
            told += " Words keep their places: scatter the sorted numbers back."
        assert stays == kept, told
        want = p[0, kept] / p[0, kept].sum()
        told = f"p = {mass}: what stays should sum to one, yours is {got[0, kept].tolist()}"
        assert torch.allclose(got[0, kept], want, atol=1e-3), told
    stays = dials(torch.zeros(1, 2), 1.0, 2, 0.5)[0].nonzero()[:, 0].tolist()
    told = f"p = 0.5 of [0.5, 0.5]: want words [0] to stay, got {stays}. The first word reaches p, "
    told += "and p or more is enough: another one stays only where the sum before it is below p"
    assert stays == [0], told
    peaked = 6 * torch.randn(200, 5, generator=torch.Generator().manual_seed(1))
    lost = (dials(peaked, 1.0, 5, 1.0) == 0).any(-1).sum().item()
    told = (
        f"k = V and p = 1: every word stays, but {lost} of 200 rows lose one. Sums in a computer "
    )
    told += "are rounded and reach 1 too early: at p = 1 cut nothing"
    assert lost == 0, told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_a_draw(drawn):
    """Four points on four rows."""
    import torch

    share = torch.tensor([[0.2, 0.5, 0.3]]).repeat(4, 1)
    got = drawn(share, torch.tensor([0.1, 0.65, 0.75, 0.25]))
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (4,), f"want shape (4,), got {tuple(got.shape)}"
    told = "0.2, 0.5, 0.3 reach to 0.2, 0.7 and 1; the points 0.1, 0.65, 0.75, 0.25: want words "
    told += f"[0, 1, 2, 1], got {got.tolist()}"
    assert got.tolist() == [0, 1, 2, 1], told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "All three dials at once, in the order of the text, beside the library."
"""  # END TEST CONFIG


def test_dials_of_the_library(dials):
    """Random logits; the nucleus is of what top-k has left."""
    import torch

    from course_lib.decoding.sample import kept_probabilities

    rng = torch.Generator().manual_seed(5)
    share = torch.tensor([[0.4, 0.3, 0.2, 0.1]])
    got = dials(share.log(), 1.0, 2, 0.55)
    told = "top-p is of what top-k left: 0.4 of 0.7 is 0.571, and that is 0.55 or more"
    assert got[0].nonzero()[:, 0].tolist() == [0], told
    ways = [(1.0, 7, 1.0), (0.5, 3, 0.8), (2.0, 4, 0.45), (1.0, 1, 0.3), (1.3, 7, 0.9)]
    for temperature, k, p in ways:
        logits = torch.randn(6, 7, generator=rng)
        given = logits.clone()
        got = dials(logits, temperature, k, p)
        assert torch.equal(logits, given), "your function writes into the logits"
        want = kept_probabilities(logits, temperature=temperature, top_k=k, top_p=p)
        told = f"other than the library for τ = {temperature}, k = {k}, p = {p}"
        assert torch.allclose(got, want, atol=1e-5), told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "No word of probability zero, at both ends; shares as often as they say."
"""  # END TEST CONFIG


def test_draws_at_both_ends(drawn):
    """Points at 0 and next to 1, rounding; then many points."""
    import torch

    third = torch.tensor([[0.0, 0.3333333, 0.3333333, 0.3333333, 0.0]])
    got = drawn(third, torch.tensor([0.0])).tolist()
    assert got == [1], f"word 0 has probability zero, and the point 0 draws {got}"
    got = drawn(third, torch.tensor([0.99999994])).tolist()
    assert got == [3], f"the last word that is possible is 3; a point next to 1 draws {got}"
    share = torch.tensor([[0.125, 0.0, 0.5, 0.375]])
    points = (torch.arange(800) + 0.5) / 800
    counts = drawn(share.expand(800, -1), points).bincount(minlength=4).tolist()
    assert counts == [100, 0, 400, 300], f"800 even points: want [100, 0, 400, 300], got {counts}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 4

# %% [markdown]
# ## Question 4. A cache, and beams that take it along
#
# *About 20 minutes, ★★☆.*
#
# `cached_step(token, keys, values, table, places, W_q, W_k, W_v)` reads one more token with one
# head of masked self-attention, and returns `(context, keys, values)`.
#
# - `token` is `(B,)`. `keys` and `values` are `(B, t, D)`, of the $t$ tokens that were read before;
#   at first $t = 0$.
# - A token's vector is its row of `table`, `(V, D)`, plus the row of its position in `places`.
#   Positions are counted from 0. Matrices are as in `nn.Linear`: `x @ W.T`.
# - The token looks at all that was read and at itself, with softmax and the scale $1 / \sqrt{D}$.
#   `context` is `(B, D)`. The new `keys` and `values` are `(B, t + 1, D)`, the newest last.
#
# Only the newest token is projected: with the cache no old one is computed again.
#
# `follow(cache, parent)` picks what the next step needs when the beams have been chosen. `cache`
# has one row for each beam, `(N * K, ...)`: first the $K$ beams of sentence 0, then those of
# sentence 1, and so on. `parent` is `(N, K)`, for each new beam the beam *of its sentence* that it
# continues, from 0 to $K - 1$, as in question 1.
#
# <details><summary>Hint</summary>
#
# How many tokens have been read before the new one? That is its position. In `follow`, a parent is
# counted within its sentence, and a row of the cache within the batch: how many rows come before
# the first beam of sentence $n$?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def cached_step(token, keys, values, table, places, W_q, W_k, W_v):
    """What the newest token finds (B, D), and the cache with it: (B, t + 1, D) twice."""
    # BEGIN SOLUTION
    x = table[token] + places[keys.shape[1]]
    keys = torch.cat([keys, (x @ W_k.T)[:, None]], dim=1)
    values = torch.cat([values, (x @ W_v.T)[:, None]], dim=1)
    scores = (x @ W_q.T)[:, None] @ keys.transpose(1, 2) / keys.shape[-1] ** 0.5
    return (scores.softmax(dim=-1) @ values)[:, 0], keys, values
    # END SOLUTION


def follow(cache, parent):
    """The rows of the beams that were continued: as many as before."""
    # BEGIN SOLUTION
    sentences, beams = parent.shape
    first = torch.arange(sentences)[:, None] * beams
    return cache[(first + parent).flatten()]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_two_tokens(cached_step):
    """Numbers to check on paper: the second token stands at position 1."""
    import torch

    table = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    places = torch.tensor([[10.0, 10.0], [20.0, 40.0], [70.0, 90.0]])
    nothing, eye = torch.zeros(1, 0, 2), torch.eye(2)
    asks, doubled = torch.zeros(2, 2), 2 * torch.eye(2)
    parts = (table, places, asks, eye, doubled)
    try:
        got = cached_step(torch.tensor([0]), nothing, nothing, *parts)
    except Exception as error:
        told = f"cached_step stopped at an empty cache with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    told = f"want three tensors (context, keys, values), got {type(got).__name__}"
    assert isinstance(got, (tuple, list)), told
    assert len(got) == 3, "want three tensors (context, keys, values)"
    shapes = [tuple(getattr(g, "shape", ())) for g in got]
    want = [(1, 2), (1, 1, 2), (1, 1, 2)]
    assert shapes == want, f"the first token: want shapes {want}, got {shapes}"
    context, keys, values = got
    told = f"the first token, (1, 0) + (10, 10): want the key (11, 10), got {keys[0, 0].tolist()}."
    if keys[0, 0].tolist() == [21.0, 40.0]:
        told += " Your position is one too far: the first token stands at position 0."
    elif keys[0, 0].tolist() == [1.0, 0.0]:
        told += " The row of its position in `places` is missing."
    assert keys[0, 0].tolist() == [11.0, 10.0], told
    told = (
        f"the first token looks at itself alone: want its value (22, 20), got {context[0].tolist()}"
    )
    assert context[0].tolist() == [22.0, 20.0], told
    context, keys, values = cached_step(torch.tensor([1]), keys, values, *parts)
    told = f"the second token: want keys of shape (1, 2, 2), got {tuple(keys.shape)}"
    assert keys.shape == values.shape == (1, 2, 2), told
    told = f"the second key: want (0, 1) + (20, 40) = (20, 41), got {keys[0, 1].tolist()}."
    if keys[0, 1].tolist() == [10.0, 11.0]:
        told += " Each token stands at position 0; the cache says how many were read before it."
    elif keys[0, 0].tolist() == [20.0, 41.0]:
        told += " The newest comes last."
    assert keys[0].tolist() == [[11.0, 10.0], [20.0, 41.0]], told
    told = f"equal weights on (22, 20) and (40, 82): want (31, 51), got {context[0].tolist()}."
    if context[0].tolist() == [22.0, 20.0]:
        told += " It looks at itself too: first add its key and value, then look."
    elif context[0].tolist() == [40.0, 82.0]:
        told += " W_q is zero here, so all scores are alike. The query is x @ W_q.T."
    assert torch.allclose(context[0], torch.tensor([31.0, 51.0])), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_the_weights(cached_step):
    """Queries, scale and softmax."""
    import torch

    table, places = torch.tensor([[0.0, 2.0], [1.0, 1.0]]), torch.zeros(4, 2)
    past = torch.tensor([[[4.0, 0.0]]])
    # None of the three is its own transpose: who forgets a .T gets other numbers.
    W_q, W_k = torch.tensor([[0.0, 1.0], [0.0, 0.0]]), torch.tensor([[1.0, 0.0], [5.0, 1.0]])
    W_v = torch.tensor([[1.0, 0.0], [3.0, 1.0]])
    step = cached_step(torch.tensor([0]), past, past, table, places, W_q, W_k, W_v)
    assert isinstance(step, (tuple, list)), f"no tensors but {type(step).__name__}: see above"
    for name, matrix, part, turned in (
        ("key", "W_k", step[1], 10.0),
        ("value", "W_v", step[2], 6.0),
    ):
        rows = part[0].tolist()
        told = f"the {name} of x = (0, 2): want x @ {matrix}.T = (0, 2) behind (4, 0), got {rows}."
        if [turned, 2.0] in rows:
            told += f" That is x @ {matrix}: the .T is missing."
        assert [0.0, 2.0] in rows, told
    got = step[0][0]
    share = torch.tensor([8 / 2**0.5, 0.0]).softmax(0)
    want = torch.stack([4 * share[0], 2 * share[1]])
    row = [round(x, 3) for x in got.tolist()]
    told = f"scores 8 and 0 over the root of 2: want {[round(x, 3) for x in want.tolist()]}, "
    told += f"got {row}."
    plain = torch.tensor([8.0, 0.0]).softmax(0)
    if torch.allclose(got, torch.stack([4 * plain[0], 2 * plain[1]]), atol=1e-4):
        told += " The scale, the root of D, is missing."
    elif torch.allclose(got, torch.tensor([2.0, 1.0]), atol=1e-4):
        told += " Your query is x @ W_q: the .T is missing."
    elif got[1] > 1:
        told += " The query is x @ W_q.T, and the softmax is over the tokens that were read."
    assert torch.allclose(got, want, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_rows_follow_the_beams(follow):
    """Two sentences of three beams."""
    import torch

    cache, parent = torch.arange(10.0, 16.0).view(6, 1, 1), torch.tensor([[2, 0, 0], [1, 1, 2]])
    got = follow(cache, parent)
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (6, 1, 1), f"want shape (6, 1, 1), got {tuple(got.shape)}"
    got, want = got.flatten().int().tolist(), [12, 10, 10, 14, 14, 15]
    told = f"rows 10, 11, 12 and 13, 14, 15, parents (2, 0, 0) and (1, 1, 2): want {want}, "
    told += f"got {got}."
    if got == list(range(10, 16)):
        told += " Your rows stay where they were, but the beams do not."
    elif got == [12, 10, 10, 11, 11, 12]:
        told += " The second sentence gets the first one's rows: its own begin behind K rows."
    elif got == [12, 10, 10, 13, 13, 14]:
        told += " Sentence n begins at row n times K, not at n times the number of sentences."
    assert got == want, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Whole sentences token by token beside all at once with a causal mask."
"""  # END TEST CONFIG


def test_cached_equals_uncached(cached_step):
    """Every step, several sizes; the cache that is given stays as it is."""
    import torch

    rng = torch.Generator().manual_seed(12)
    for B, T, D, V in [(3, 6, 4, 7), (1, 9, 5, 3), (4, 2, 8, 11)]:
        table, places = torch.randn(V, D, generator=rng), torch.randn(T + 2, D, generator=rng)
        W_q, W_k, W_v = (torch.randn(D, D, generator=rng) for _ in range(3))
        tokens = torch.randint(V, (B, T), generator=rng)
        x = table[tokens] + places[:T]
        q, k, v = x @ W_q.T, x @ W_k.T, x @ W_v.T
        later = torch.ones(T, T, dtype=torch.bool).triu(1)
        scores = (q @ k.transpose(1, 2) / D**0.5).masked_fill(later, -torch.inf)
        want = scores.softmax(-1) @ v
        keys = values = torch.zeros(B, 0, D)
        for t in range(T):
            given = keys.clone(), values.clone()
            before = keys, values
            context, keys, values = cached_step(tokens[:, t], *before, table, places, W_q, W_k, W_v)
            told = f"step {t} of {T} differs from the uncached one for B = {B}, D = {D}"
            assert torch.allclose(context, want[:, t], atol=1e-4), told
            told = "your function changes the cache that it is given; another beam may need it"
            assert torch.equal(before[0], given[0]), told
            assert torch.equal(before[1], given[1]), told
        assert torch.allclose(keys, k, atol=1e-4), "the keys at the end are others"
        assert torch.allclose(values, v, atol=1e-4), "the values at the end are others"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Beams that part and meet: each has the cache of the sentence that it continues."
"""  # END TEST CONFIG


def test_beams_keep_their_own(follow):
    """Random parents for several steps; the rows say what each beam has read."""
    import torch

    rng = torch.Generator().manual_seed(6)
    for N, K in [(1, 4), (3, 2), (2, 5), (4, 1)]:
        cache = torch.randn(N * K, 3, 2, generator=rng)
        read = [[[row] for row in range(n * K, (n + 1) * K)] for n in range(N)]
        held = cache
        for _ in range(4):
            parent = torch.randint(K, (N, K), generator=rng)
            given = held.clone()
            after = follow(held, parent)
            assert torch.equal(held, given), "your function writes into the cache"
            read = [[read[n][p] for p in parent[n].tolist()] for n in range(N)]
            held = after
        want = torch.stack([cache[rows[0]] for sentence in read for rows in sentence])
        told = f"after four steps a beam has another one's cache for N = {N}, K = {K}"
        assert held.shape == want.shape, told
        assert torch.equal(held, want), told
        numbers = torch.arange(N * K)
        got = follow(numbers, torch.zeros(N, K, dtype=torch.long)).tolist()
        told = f"any number of dimensions behind the rows, also none: N = {N}, K = {K}"
        assert got == [n * K for n in range(N) for _ in range(K)], told


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 4

# %% [markdown]
# ## Question 5. An experiment: does the temperature matter to a search?
#
# *About 20 minutes, ★★☆.*
#
# A temperature changes what is drawn. Greedy search does not notice it: the best next word stays
# the best. So is it all one to a search, how sure a model is? Find out by experiment.
#
# The models are random, and so simple that the best sentence of all can be found: each word
# depends on the word before it alone. `random_models(temperature, seed)` gives 200 of them, as
# log-probabilities `first`, `(200, 8)`, and `after`, `(200, 8, 8)`: `after[n, u, v]` is model
# $n$'s for word $v$ behind word $u$. Sentences have a fixed number of words. `beam_best` is a beam
# search on all models at once; one beam is greedy search.
#
# `best_of_all(first, after, words)` returns the log-probability of the most probable sentence of
# so many words, `(N,)`. There are $8^6$ of six words: too many to list for every model.
#
# `share_found(temperature, beams, seed)` returns, as a float, the share of the 200 models for which
# a search with so many beams finds a sentence of six words that is as probable as the best of all,
# to $10^{-4}$.
#
# Then `finding()` returns a dictionary: `"sure"` and `"unsure"`, the means of `share_found` with
# one beam over the seeds 0 to 4 at the temperatures 1/4 and 4; `"beams"`, the fewest of 1, 2, 4, 8
# or 16 beams for which this mean is 0.8 or more at temperature 4; and `"why"`: in 20 words or more
# of your own, why the best sentence is harder or easier to find at another temperature, although
# what greedy search writes stays the same.
#
# <details><summary>Hint</summary>
#
# For each word, keep the log-probability of the best beginning that ends in it.
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def random_models(temperature, seed):
    """200 random models: first (200, 8) and after (200, 8, 8), log-probabilities."""
    rng = torch.Generator().manual_seed(seed)
    logits = torch.randn(200, 8, generator=rng), torch.randn(200, 8, 8, generator=rng)
    return tuple((part / temperature).log_softmax(dim=-1) for part in logits)


def beam_best(first, after, words, beams):
    """The log-probability of what a beam search finds: (N,)."""
    sums, last = first.topk(min(beams, first.shape[1]))
    each = torch.arange(len(first))[:, None]
    for _ in range(words - 1):
        total = (sums[..., None] + after[each, last]).flatten(1)
        sums, where = total.topk(min(beams, total.shape[1]))
        last = where % after.shape[-1]
    return sums[:, 0]


def best_of_all(first, after, words):
    """The log-probability of the most probable sentence: (N,)."""
    # BEGIN SOLUTION
    best = first
    for _ in range(words - 1):
        best = (best[:, :, None] + after).amax(dim=1)
    return best.amax(dim=1)
    # END SOLUTION


def share_found(temperature, beams, seed):
    """How often a search finds a best sentence, a float."""
    # BEGIN SOLUTION
    first, after = random_models(temperature, seed)
    found = beam_best(first, after, 6, beams)
    return (found >= best_of_all(first, after, 6) - 1e-4).double().mean().item()
    # END SOLUTION


def finding():
    """What you found: two shares, a number of beams, and what follows."""

    # BEGIN SOLUTION
    def mean(temperature, beams):
        return sum(share_found(temperature, beams, seed) for seed in range(5)) / 5

    return {
        "sure": mean(1 / 4, 1),
        "unsure": mean(4, 1),
        "beams": next(beams for beams in (1, 2, 4, 8, 16) if mean(4, beams) >= 0.8),
        "why": "Greedy search writes the same sentence at every temperature, but the best sentence "
        "of all becomes another one. A sure model gives nearly everything to its best word, so a "
        "step that costs more at once can hardly be made up for later. For an unsure model all "
        "steps cost about the same, and what comes later decides.",
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


def test_the_best_by_hand(best_of_all):
    """Two words; the second model is the first with its words exchanged."""
    import torch

    first = torch.tensor([[0.6, 0.4], [0.4, 0.6]]).log()
    after = torch.tensor([[[0.5, 0.5], [0.9, 0.1]], [[0.1, 0.9], [0.5, 0.5]]]).log()
    try:
        got = best_of_all(first, after, 2)
    except Exception as error:
        told = f"best_of_all stopped at first (2, 2) with {type(error).__name__}: {error}"
        raise AssertionError(told) from None
    assert isinstance(got, torch.Tensor), f"want a tensor, got {type(got).__name__}"
    assert got.shape == (2,), f"want shape (2,), got {tuple(got.shape)}"
    shares = [round(x, 3) for x in got.exp().tolist()]
    told = f"two words: want 0.4 times 0.9 = 0.36 for both, got {shares}."
    if shares == [0.3, 0.3]:
        told += " That is what greedy search finds: keep the best beginning for each last word."
    elif shares == [0.54, 0.54]:
        told += " 0.6 and 0.9 do not belong to one sentence: after[n, u, v] is v behind u."
    elif shares in ([0.6, 0.6], [0.27, 0.27]):
        told += " Count the words: `first` gives one, each `after` one more."
    assert shares == [0.36, 0.36], told
    shares = [round(x, 3) for x in best_of_all(first, after, 3).exp().tolist()]
    told = f"three words: want 0.6 times 0.5 times 0.9 = 0.27 for both, got {shares}."
    if shares == [0.324, 0.324]:
        told += (
            " Your maximum is over the words behind: keep the best beginning for each last word."
        )
    assert shares == [0.27, 0.27], told
    got = round(best_of_all(first, after, 1).exp()[0].item(), 3)
    assert got == 0.6, (
        f"one word: want 0.6, got {got}. `first` gives one word, each `after` another"
    )


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_one_share(share_found):
    """Beside the same computation, at two temperatures."""
    import torch

    def wanted(temperature, words, seed):
        rng = torch.Generator().manual_seed(seed)
        logits = torch.randn(200, 8, generator=rng), torch.randn(200, 8, 8, generator=rng)
        first, after = ((part / temperature).log_softmax(-1) for part in logits)
        best, (sums, last) = first, first.max(-1)
        for _ in range(words - 1):
            best = (best[:, :, None] + after).amax(1)
            more, word = after[torch.arange(200), last].max(-1)
            sums, last = sums + more, word
        return (sums >= best.amax(1) - 1e-4).double().mean().item()

    for temperature in (0.5, 2.0):
        got = share_found(temperature, 1, 7)
        assert isinstance(got, float), f"want a float, got {type(got).__name__}"
        want = wanted(temperature, 6, 7)
        told = f"share_found({temperature}, 1, 7): want {want:.3f}, got {got:.3f}."
        if abs(got - wanted(1 / temperature, 6, 7)) < 1e-6:
            told += " That is the share at the inverse of the temperature."
        elif min(abs(got - wanted(temperature, n, 7)) for n in (5, 7)) < 1e-6:
            told += " Count the words of a sentence: six."
        elif abs(got - (1 - want)) < 1e-6:
            told += " That is the share in which it fails."
        elif got > 1:
            told += " A share is at most one: divide by the number of models."
        assert abs(got - want) < 1e-6, told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "The best of all sentences, by listing them."
"""  # END TEST CONFIG


def test_every_sentence(best_of_all):
    """Small models of which every sentence can be listed."""
    import itertools

    import torch

    rng = torch.Generator().manual_seed(9)
    for N, V, words in [(3, 3, 4), (2, 4, 3), (1, 2, 6), (2, 3, 1)]:
        first = torch.randn(N, V, generator=rng).log_softmax(-1)
        after = torch.randn(N, V, V, generator=rng).log_softmax(-1)
        sums = []
        for ids in itertools.product(range(V), repeat=words):
            pairs = itertools.pairwise(ids)
            sums.append(first[:, ids[0]] + sum(after[:, u, v] for u, v in pairs))
        want = torch.stack(sums).amax(0)
        told = f"other than the best of all {V**words} sentences of {words} words"
        assert torch.allclose(best_of_all(first, after, words), want, atol=1e-4), told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "Other widths and seeds; the same twice."
"""  # END TEST CONFIG


def test_other_shares(share_found):
    """More beams find more; the same arguments give the same number."""
    one, same, other = (share_found(1.0, 2, seed) for seed in (3, 3, 4))
    assert one == same, "the same seed should give the same share"
    assert one != other, "another seed should give another share"
    few, many = share_found(4.0, 1, 5), share_found(4.0, 8, 5)
    assert 0.1 < few < 0.4, f"one beam at temperature 4 finds about a swap, yours {few:.2f}"
    assert 0.8 < many < 1, f"eight beams at temperature 4 find nearly all, yours {many:.2f}"


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "What you found, and a reason of 20 words or more."
"""  # END TEST CONFIG


def test_finding(finding):
    """Two shares, a width and a reason."""
    got = finding()
    told = "finding() should return a dictionary with sure, unsure, beams and why"
    assert isinstance(got, dict), told
    assert {"sure", "unsure", "beams", "why"} <= set(got), told
    sure, unsure = float(got["sure"]), float(got["unsure"])
    told = f"at temperature 1/4 greedy search finds it in 0.6 to 0.85, you found {sure:.2f}"
    assert 0.6 < sure < 0.85, told
    told = f"at temperature 4 greedy search finds it in 0.15 to 0.35, you found {unsure:.2f}"
    assert 0.15 < unsure < 0.35, told
    beams = got["beams"]
    told = f"four beams find less than 0.8 at temperature 4, eight find more; you say {beams}"
    assert beams == 8, told
    assert isinstance(got["why"], str), "want 20 words or more, as a text"
    words = len(got["why"].split())
    assert words >= 20, f"want 20 words or more, got {words}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# **Try it: the finale of part III.** The Transformer of chapter 10 comes with trained weights, and
# *your* `search` translates with it, first with one beam and then with five. The map shows where
# the last layer looks while it writes, as the mean of its heads. Write a sentence of your own and
# run the cell. If the network has not learned one of your words, the cell names it and lists the
# words that you can use. Then try *a young teacher in this big old house hears the young man in the
# big garden .* Why does one beam find nothing there?
#
# Answer question 2 first. While one of its functions is still `...`, the cell stops and tells you
# which.

# %%
sentence = "the man who hears the kings who read letters has not laughed ."

require_written(score, hopeless, search)
model, (english, german) = in_page.load()
words = known_words(sentence, english)
source = torch.tensor([[*english.encode(words).ids, END]])


def after(ids):
    logits = model(source, source != PAD, torch.tensor([[START, *ids]])).logits[0, -1]
    logits[[PAD, START]] = -torch.inf  # no words
    return logits.log_softmax(dim=-1).detach()


limits = (lambda p, n: score(p, n, 0.6), lambda live, best: hopeless(live, best, 40, 0.6), 40, END)
for beams in (1, 5):
    ids, worth = search(after, beams, *limits)
    print(f"beams: {beams}, score {worth:.2f}: {german.decode(ids)}")
(looks,) = forced_attention(model, [(words, german.decode(ids))], english, german)
attention_map(looks, [*words, "</s>"], german.from_ids(ids).words)

# %% [markdown]
# You have written a search that stops in time, a draw that cannot draw the impossible, and a cache
# that goes where its beams go. You also know when greedy search is enough.
