# ---
# jupyter:
#   kernelspec: {display_name: Python 3, language: python, name: python3}
# ---

# %% [raw]
# # ASSIGNMENT CONFIG
# name: hw13_real_translation
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
# # Homework 13: What does a translator rely on?
#
# Chapter 13 looked at a network that was trained on real captions. Here you find out what it relies
# on. First you build three tools: the likelihood of a translation, the word that was read most, and
# a change of a sentence. Then you use them in two experiments: subject and object change places,
# and the verb is left out.
#
# **How to work.** Run the cells in order. Replace each `...` by your code, run the cell, then run
# `grader.check` below it, as often as you like: it says what is wrong. The tests that you see are
# not all tests. The hidden ones look at other sizes and random numbers, and at what the text of a
# question promises. What your functions are given they leave as it is. Five questions, 20 points,
# about two hours. You need no German: each sentence has its meaning beside it.
#
# Each question says how long it takes and how hard it is, in one to three stars. The harder ones
# have hints: open one when you are stuck.
#
# The two experiments are worth half of the points. Their numbers are measured again and compared
# with yours. A written answer counts if it has 30 words or more; whether it is a *good* answer,
# only a person can say.

# %%
import torch

from course_lab.experiments.real import networks
from course_lib.data.batch import collate, encode_pairs
from course_lib.evaluation.teacher_forcing import forced_attention
from course_lib.training.objective import summed_loss

torch.set_num_threads(1)  # small products: a second thread would wait
network = networks.load("transformer-both")


def likelihood(german, english):
    """The log-probability that the network gives to this English for this German."""
    encoded = encode_pairs([(f"2en {german}", english)], *network.tokenizers)
    batch = collate(encoded, [0])
    with torch.inference_mode():
        logits = network.model(batch.source, batch.source_mask, batch.target_in).logits
    return -summed_loss(logits, batch.target_out, batch.target_mask).item()


# %% [raw]
# # BEGIN QUESTION
# name: q1
# points: 4

# %% [markdown]
# ## Question 1. The likelihood of a translation
#
# *About 20 minutes, ★☆☆.*
#
# `log_likelihood(logits, target, mask)` returns the log-probability of each sentence of a batch,
# the sum over its words: shape `(B,)`.
#
# - `logits` is `(B, T, V)`: at each of $T$ places a score for each of $V$ words.
# - `target` is `(B, T)`: the number of the word that stands there.
# - `mask` is `(B, T)`: `True` where there is a word, `False` at padding. Padding may have any
#   target from 0 to $V - 1$ and any logits, infinite ones among them, and it does not count.

# %% [raw]
# # BEGIN SOLUTION


# %%
def log_likelihood(logits, target, mask):
    """The log-probability of each sentence: (B,)."""
    # BEGIN SOLUTION
    log_p = logits.log_softmax(dim=-1)
    of_words = log_p.gather(-1, target[..., None])[..., 0]
    return of_words.masked_fill(~mask, 0.0).sum(dim=1)
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_by_hand(log_likelihood):
    """Two words of a vocabulary of two, with odds of 3 to 1."""
    import math

    import torch

    three = math.log(3.0)
    logits = torch.tensor([[[three, 0.0], [0.0, three]], [[three, 0.0], [three, 0.0]]])
    target, mask = torch.tensor([[0, 0], [0, 0]]), torch.ones(2, 2, dtype=torch.bool)
    got = log_likelihood(logits.clone(), target.clone(), mask.clone())
    assert isinstance(got, torch.Tensor), f"want a tensor, got {got}"
    assert got.shape == (2,), f"want one number for each sentence, (2,), got {tuple(got.shape)}"
    want = torch.tensor([math.log(0.75 * 0.25), math.log(0.75 * 0.75)])
    row = [round(number, 3) for number in got.tolist()]
    told = f"3/4 times 1/4 and 3/4 times 3/4: want [-1.674, -0.575], got {row}."
    if torch.allclose(got, want / 2, atol=1e-3):
        told += " That is the mean over the words; the sum is wanted."
    elif torch.allclose(got, -want, atol=1e-3):
        told += " A log-probability is at most 0: turn the sign."
    elif torch.allclose(got, torch.tensor([three, 2 * three]), atol=1e-3):
        told += " Logits are no log-probabilities."
    elif torch.allclose(got, torch.tensor([1.0, 1.5]), atol=1e-3):
        told += " You add probabilities; add their logarithms."
    assert torch.allclose(got, want, atol=1e-3), told


# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_padding(log_likelihood):
    """Behind a sentence of one word stands padding, with zeros and then with infinity."""
    import torch

    logits, target = torch.zeros(1, 3, 4), torch.tensor([[2, 0, 3]])
    mask = torch.tensor([[True, False, False]])
    for filled in (0.0, -torch.inf):
        logits[:, 1:] = filled
        got = log_likelihood(logits.clone(), target.clone(), mask.clone())
        told = f"one word of four equally probable ones: want -1.386, got {got[0].item():.3f}."
        if filled and not got.isfinite().all():
            told += (
                " A product with 0 does not hide infinity: fill in zeros where the mask is False."
            )
        elif abs(got[0].item() + 3 * 1.3863) < 1e-3:
            told += " You count the padding."
        assert abs(got[0].item() + 1.3863) < 1e-3, told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Random logits, several sizes, beside PyTorch's cross-entropy."
"""  # END TEST CONFIG


def test_beside_torch(log_likelihood):
    """Each sentence by itself."""
    import torch
    from torch.nn.functional import cross_entropy

    rng = torch.Generator().manual_seed(13)
    for B, T, V in [(3, 5, 7), (1, 1, 2), (4, 6, 3)]:
        logits = 3 * torch.randn(B, T, V, generator=rng)
        target = torch.randint(V, (B, T), generator=rng)
        lengths = torch.randint(1, T + 1, (B,), generator=rng)
        mask = torch.arange(T) < lengths[:, None]
        got = log_likelihood(logits.clone(), target.clone(), mask.clone())
        for row in range(B):
            n = int(lengths[row])
            want = -cross_entropy(logits[row, :n], target[row, :n], reduction="sum")
            told = f"a sentence of {n} words among {V}: want {want:.4f}, got {got[row]:.4f}"
            assert abs(got[row] - want) < 1e-3, told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
hidden: true
failure_message: "What your function is given stays as it is."
"""  # END TEST CONFIG


def test_inputs_stay(log_likelihood):
    """Nothing is written into logits, target or mask."""
    import torch

    logits, target = torch.randn(2, 3, 4), torch.tensor([[1, 2, 3], [0, 1, 2]])
    mask = torch.tensor([[True, True, False], [True, True, True]])
    given = [x.clone() for x in (logits, target, mask)]
    got = log_likelihood(logits, target, mask)
    for name, now, then in zip(
        ("logits", "target", "mask"), (logits, target, mask), given, strict=True
    ):
        assert torch.equal(now, then), f"your function writes into {name}"
    assert bool((got < 0).all()), "a log-probability is below 0"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q2
# points: 3

# %% [markdown]
# ## Question 2. The word that was read most
#
# *About 20 minutes, ★★☆.*
#
# `read_most(weights, marks)` returns for each target word the number of the source word that it
# looked at most, as a list.
#
# - `weights` is `(T, marks + S + 1)`: a row for each target word. The first `marks` columns belong
#   to marks that stand before the sentence, such as `2en`. Then come $S$ source words. The last
#   column is the end mark.
# - Source words are numbered from 0. Where the largest weight is on a mark or on the end mark, the
#   target word has read no word, and its entry is `-1`.
#
# <details><summary>Hint</summary>
#
# Look for the largest weight among *all* columns first. After you have subtracted the marks, which
# numbers do not belong to a word of the sentence?
#
# </details>

# %% [raw]
# # BEGIN SOLUTION


# %%
def read_most(weights, marks):
    """The number of the source word with the largest weight, or -1, for each target word."""
    # BEGIN SOLUTION
    words = weights.shape[1] - marks - 1
    places = (weights.argmax(dim=1) - marks).tolist()
    return [place if 0 <= place < words else -1 for place in places]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_one_mark(read_most):
    """Three source words behind one mark."""
    import torch

    weights = torch.tensor([[0.1, 0.1, 0.6, 0.1, 0.1], [0.1, 0.2, 0.1, 0.5, 0.1]])
    got = read_most(weights.clone(), 1)
    told = f"the second and the third source word are read most: want [1, 2], got {got}."
    if got == [2, 3]:
        told += " You count the mark as a word."
    assert isinstance(got, list), told
    assert got == [1, 2], told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_no_word(read_most):
    """The largest weight is on the mark, on the end mark, on a word."""
    import torch

    weights = torch.tensor([[0.7, 0.1, 0.1, 0.1], [0.1, 0.1, 0.1, 0.7], [0.1, 0.1, 0.7, 0.1]])
    got = read_most(weights.clone(), 1)
    told = f"most is on the mark, on the end mark, on word 1: want [-1, -1, 1], got {got}."
    if got == [-1, 2, 1]:
        told += " The last column is the end mark and no word."
    elif got in ([0, 0, 1], [0, 1, 1]):
        told += " You leave the marks out before you look for the largest weight."
    assert got == [-1, -1, 1], told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Random weights with no mark, with one and with two."
"""  # END TEST CONFIG


def test_random(read_most):
    """Several sizes."""
    import torch

    rng = torch.Generator().manual_seed(2)
    for T, S, marks in [(6, 4, 0), (5, 3, 1), (8, 5, 2), (1, 1, 0)]:
        weights = torch.rand(T, marks + S + 1, generator=rng).softmax(dim=1)
        given = weights.clone()
        got = read_most(weights, marks)
        assert torch.equal(weights, given), "your function writes into weights"
        want = []
        for row in given.tolist():
            place = row.index(max(row)) - marks
            want.append(place if 0 <= place < S else -1)
        assert list(got) == want, f"{marks} marks, {S} words: want {want}, got {got}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q3
# points: 3

# %% [markdown]
# ## Question 3. Two stretches change places
#
# *About 15 minutes, ★☆☆.*
#
# `exchange(items, first, second)` returns a new list in which two stretches of `items` have changed
# places. A stretch is a pair `(start, stop)`; `stop` is not part of it, as in a slice. The
# stretches do not overlap, may have different lengths, and may come in either order.
#
# In *der Hund beißt den Mann* (the dog bites the man), *der* marks the subject and *den* the
# object. If `(0, 2)` and `(3, 5)` change places, the result is *den Mann beißt der Hund*: the
# articles move with their nouns, and it is still the dog that bites. If only the nouns `(1, 2)` and
# `(4, 5)` change places, then the man bites the dog.

# %% [raw]
# # BEGIN SOLUTION


# %%
def exchange(items, first, second):
    """A new list in which two stretches have changed places."""
    # BEGIN SOLUTION
    (a, b), (c, d) = sorted((first, second))
    return [*items[:a], *items[c:d], *items[b:c], *items[a:b], *items[d:]]
    # END SOLUTION


# %% [raw]
# # END SOLUTION

# %% [raw]
# # BEGIN TESTS

# %%
""" # BEGIN TEST CONFIG
points: 1
"""  # END TEST CONFIG


def test_equal_lengths(exchange):
    """Five items; the one in the middle stays."""
    got = exchange([10, 11, 12, 13, 14], (0, 2), (3, 5))
    told = f"(0, 2) and (3, 5) change places: want [13, 14, 12, 10, 11], got {got}."
    if got == [14, 13, 12, 11, 10]:
        told += " Within a stretch the order stays."
    elif got == [13, 14, 12, 13, 14]:
        told += " You overwrite the first stretch before you have copied it."
    assert got == [13, 14, 12, 10, 11], told


# %%
""" # BEGIN TEST CONFIG
points: 0.5
"""  # END TEST CONFIG


def test_other_lengths(exchange):
    """A short stretch and a longer one."""
    got = exchange([0, 1, 2, 3, 4, 5, 6], (1, 2), (3, 6))
    told = f"(1, 2) and (3, 6) change places: want [0, 3, 4, 5, 2, 1, 6], got {got}."
    if got is not None and len(got) != 7:
        told += " No item may be lost."
    assert got == [0, 3, 4, 5, 2, 1, 6], told


# %%
""" # BEGIN TEST CONFIG
points: 1.5
hidden: true
failure_message: "Either order, neighbours, an empty stretch, and items stays as it was."
"""  # END TEST CONFIG


def test_either_order(exchange):
    """The first stretch may stand behind the second."""
    items = [*range(8)]
    cases = {
        ((5, 7), (1, 2)): [0, 5, 6, 2, 3, 4, 1, 7],
        ((0, 4), (4, 8)): [4, 5, 6, 7, 0, 1, 2, 3],
        ((2, 2), (5, 6)): [0, 1, 5, 2, 3, 4, 6, 7],
        ((0, 1), (7, 8)): [7, 1, 2, 3, 4, 5, 6, 0],
    }
    for (first, second), want in cases.items():
        got = exchange(items, first, second)
        assert items == [*range(8)], "your function writes into items"
        assert got == want, f"{first} and {second}: want {want}, got {got}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q4
# points: 5

# %% [markdown]
# ## Question 4. An experiment: order or case?
#
# *About 30 minutes, ★★☆.*
#
# A translator that knows German hears from *der* and *den* who does it. One that does not may take
# the first noun for the subject. Ask the network: does it find the right English more probable than
# the wrong one, in which subject and object have changed places?
#
# `prefers(score, cases)` returns the share of cases in which the right English has the higher
# score. Each case is a triple `(german, right, wrong)`, and `score(german, english)` is a number. A
# tie is not right.
#
# Then measure the ten sentences below in three forms and return from `order_finding()` a
# dictionary: `plain` is the share for *Der Hund beißt den Mann.*, `object_first` that for *Den Mann
# beißt der Hund.*, which means the same, `exchanged` that for *Der Mann beißt den Hund.*, whose
# right English is the other one. `why` is your answer in 30 words or more: what does the network
# rely on, what in its training text may have taught it that, and which other sentences could test
# your answer?
#
# <details><summary>Hint</summary>
#
# Write the five words of a German sentence as a list, and make the other two forms with
# `exchange`. Before you run it, say for each form in English who does what to whom: that decides
# which English is right.
#
# </details>

# %%
SCENES = [
    # subject, verb, object, and both nouns and the verb in English
    ("Hund", "beißt", "Mann", "dog", "biting", "man"),
    ("Hund", "jagt", "Mann", "dog", "chasing", "man"),
    ("Mann", "trägt", "Hund", "man", "carrying", "dog"),
    ("Arbeiter", "zieht", "Mann", "worker", "pulling", "man"),
    ("Mann", "schiebt", "Arbeiter", "man", "pushing", "worker"),
    ("Mann", "küsst", "Hund", "man", "kissing", "dog"),
    ("Vater", "hält", "Sohn", "father", "holding", "son"),
    ("Mann", "wäscht", "Hund", "man", "washing", "dog"),
    ("Hund", "beobachtet", "Vogel", "dog", "watching", "bird"),
    ("Arzt", "untersucht", "Mann", "doctor", "examining", "man"),
]


def as_sentence(words):
    """With a capital letter and a full stop."""
    line = " ".join(words)
    return line[0].upper() + line[1:] + "."


print(as_sentence(["der", "Hund", "beißt", "den", "Mann"]))
print(likelihood("Der Hund beißt den Mann.", "The dog is biting the man."))

# %% [raw]
# # BEGIN SOLUTION


# %%
def prefers(score, cases):
    """The share of cases in which the right English has the higher score."""
    # BEGIN SOLUTION
    right = [score(german, good) > score(german, bad) for german, good, bad in cases]
    return sum(right) / len(right)
    # END SOLUTION


def order_finding():
    """What you found: three shares, and what follows."""
    # BEGIN SOLUTION
    cases = {"plain": [], "object_first": [], "exchanged": []}
    for subject, verb, object_, doer, doing, done_to in SCENES:
        words = ["der", subject, verb, "den", object_]
        one = f"The {doer} is {doing} the {done_to}."
        other = f"The {done_to} is {doing} the {doer}."
        turned = as_sentence(exchange(words, (0, 2), (3, 5)))
        swapped = as_sentence(exchange(words, (1, 2), (4, 5)))
        cases["plain"].append((as_sentence(words), one, other))
        cases["object_first"].append((turned, one, other))
        cases["exchanged"].append((swapped, other, one))
    return {
        **{name: prefers(likelihood, found) for name, found in cases.items()},
        "why": "The network takes the first noun for the subject and does not care for the case of "
        "the article. No training caption begins with den, so the order was always enough. "
        "Sentences with the object first whose subject is plural would test it: there the verb "
        "agrees with the subject as well.",
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


def test_a_share(prefers):
    """Four cases, of which three are right."""
    scores = {"good": -1.0, "bad": -2.0, "worse": -3.0}

    def score(german, english):
        return scores[english]

    cases = [("a", "good", "bad"), ("b", "bad", "worse"), ("c", "bad", "good")]
    cases.append(("d", "good", "worse"))
    got = prefers(score, cases)
    told = f"three of four are right: want 0.75, got {got}."
    if got == 0.25:
        told += " The higher score is the better one: -1 is more probable than -2."
    elif got == 3:
        told += " The share is wanted, not the number."
    assert got == 0.75, told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "Ties, and scores that depend on the German."
"""  # END TEST CONFIG


def test_ties(prefers):
    """A tie is not right; the German is passed on."""

    def score(german, english):
        return -float(abs(len(german) - len(english)))

    cases = [("aa", "bb", "cccc"), ("aaa", "b", "ccc"), ("a", "bb", "cc"), ("aaaa", "bbb", "c")]
    got = prefers(score, cases)
    assert got == 0.5, f"two are right, one is wrong, one is a tie: want 0.5, got {got}"


# %%
""" # BEGIN TEST CONFIG
points: 3
hidden: true
failure_message: "What you found about order and case, and a reason of 30 words or more."
"""  # END TEST CONFIG


def test_order_finding(order_finding):
    """Three shares and a reason."""
    import torch

    from course_lab.experiments.real import networks
    from course_lib.data.batch import collate, encode_pairs
    from course_lib.training.objective import summed_loss

    got = order_finding()
    told = f"want a dictionary with plain, object_first, exchanged and why, got {got}"
    assert isinstance(got, dict), told
    assert {"plain", "object_first", "exchanged", "why"} <= set(got), told
    network = networks.load("transformer-both")

    def likelihood(german, english):
        batch = collate(encode_pairs([(f"2en {german}", english)], *network.tokenizers), [0])
        with torch.inference_mode():
            logits = network.model(batch.source, batch.source_mask, batch.target_in).logits
        return -summed_loss(logits, batch.target_out, batch.target_mask).item()

    scenes = """Hund beißt Mann dog biting man
    Hund jagt Mann dog chasing man
    Mann trägt Hund man carrying dog
    Arbeiter zieht Mann worker pulling man
    Mann schiebt Arbeiter man pushing worker
    Mann küsst Hund man kissing dog
    Vater hält Sohn father holding son
    Mann wäscht Hund man washing dog
    Hund beobachtet Vogel dog watching bird
    Arzt untersucht Mann doctor examining man"""
    right = {"plain": 0, "object_first": 0, "exchanged": 0}
    for line in scenes.splitlines():
        a, verb, b, doer, doing, done_to = line.split()
        one, other = (
            f"The {doer} is {doing} the {done_to}.",
            f"The {done_to} is {doing} the {doer}.",
        )
        for name, german, good, bad in (
            ("plain", f"Der {a} {verb} den {b}.", one, other),
            ("object_first", f"Den {b} {verb} der {a}.", one, other),
            ("exchanged", f"Der {b} {verb} den {a}.", other, one),
        ):
            right[name] += likelihood(german, good) > likelihood(german, bad)
    for name, count in right.items():
        told = f"{name}: {count} of 10 are right, you found a share of {float(got[name]):.2f}."
        if name == "exchanged" and abs(float(got[name]) - (1 - count / 10)) < 0.15:
            told += " There the other English is the right one."
        elif name == "object_first" and abs(float(got[name]) - 1 + count / 10) < 0.15:
            told += " It still means the same: the right English is that of the plain sentence."
        assert abs(float(got[name]) - count / 10) < 0.15, told
    assert isinstance(got["why"], str), "why: want a text of 30 words or more"
    words = len(got["why"].split())
    assert words >= 30, f"why: want 30 words or more, got {words}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [raw]
# # BEGIN QUESTION
# name: q5
# points: 5

# %% [markdown]
# ## Question 5. An experiment: the verb is missing
#
# *About 35 minutes, ★★☆.*
#
# Attention says what was read. What a word is *worth* says something else: by how much does the
# log-likelihood of the right English fall when the word is left out of the German?
#
# `worth(score, words, english)` returns that fall for each word of the list `words`, as a list of
# numbers. `score(german, english)` is as before. The German is `as_sentence(words)` of the words
# that are left; a word that is not needed is worth zero or less. Do not change the case of the
# words yourself: `as_sentence` does.
#
# Then measure the captions below and return from `verb_finding()` a dictionary. `read` is the share
# of captions in which the English verb looks most at the German verb (`map_of` gives the weights;
# use your `read_most`, with one mark). `verb` is the mean worth of the German verb, `noun` that of
# the last word. `guessed` is the number of the caption, from 0, whose verb is worth least. `why` is
# your answer in 30 words or more: how can a verb be read and hardly be missed, and what would you
# conclude from a map of attention alone?
#
# <details><summary>Hint</summary>
#
# A word can stand in a sentence twice, so leave out a *place* and not a word. When you have found
# the verb that is worth least, cover it and read the rest: what else could it be?
#
# </details>

# %%
CAPTIONS = [
    # German words, their English, and where the verb stands in each, from 0
    ("eine Frau mit Brille liest auf einer Bank ein Buch",
     "A woman with glasses is reading a book on a bench.", 4, 5),
    ("zwei Männer in Anzügen trinken in einem Café Kaffee",
     "Two men in suits are drinking coffee in a cafe.", 4, 5),
    ("ein Mann repariert sein Fahrrad vor einer Garage",
     "A man is repairing his bike in front of a garage.", 2, 3),
    ("ein Pferd zieht einen Wagen voller Heu",
     "A horse is pulling a cart full of hay.", 2, 3),
    ("eine Katze schläft unter dem Tisch",
     "A cat is sleeping under the table.", 2, 3),
    ("ein kleines Mädchen malt ein Bild von einem Hund",
     "A little girl is painting a picture of a dog.", 3, 4),
    ("drei Kinder springen in einen See",
     "Three children are jumping into a lake.", 2, 3),
    ("ein Mann steigt aus einem Bus",
     "A man is getting out of a bus.", 2, 3),
]  # fmt: skip


def map_of(german, english):
    """Weights (T, 1 + S + 1): target words by mark, source words and end mark."""
    (weights,) = forced_attention(network.model, [(f"2en {german}", english)], *network.tokenizers)
    return weights


# %% [raw]
# # BEGIN SOLUTION


# %%
def worth(score, words, english):
    """How much the score of the English falls without each of the words."""
    # BEGIN SOLUTION
    whole = score(as_sentence(words), english)
    shorter = (words[:place] + words[place + 1 :] for place in range(len(words)))
    return [whole - score(as_sentence(left), english) for left in shorter]
    # END SOLUTION


def verb_finding():
    """What you found: a share, two mean worths, the number of a caption, and what follows."""
    # BEGIN SOLUTION
    reads, verbs, nouns = [], [], []
    for german, english, here, there in CAPTIONS:
        words = german.split()
        worths = worth(likelihood, words, english)
        reads.append(read_most(map_of(as_sentence(words), english), 1)[there] == here)
        verbs.append(worths[here])
        nouns.append(worths[-1])
    return {
        "read": sum(reads) / len(reads),
        "verb": sum(verbs) / len(verbs),
        "noun": sum(nouns) / len(nouns),
        "guessed": verbs.index(min(verbs)),
        "why": "The English verb looks at the German verb in every caption. Still a horse and a "
        "cart tell that something is pulled. A verb that can be guessed is read and not "
        "needed. A map says where the network looked, and only leaving a word out says what it "
        "depends on.",
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


def test_each_word(worth):
    """A score that counts letters."""
    asked = []

    def score(german, english):
        asked.append(german)
        return float(len(german))

    got = worth(score, ["der", "Hund", "bellt"], "The dog is barking.")
    assert isinstance(got, list), f"want a list of numbers, got {got}"
    assert len(got) == 3, f"want a number for each of 3 words, got {len(got)}"
    whole = "Der Hund bellt."
    told = f"the whole sentence is asked for as {whole!r}; you asked for {asked}"
    assert whole in asked, told
    told = f"without the first word the sentence is 'Hund bellt.'; you asked for {asked}"
    assert "Hund bellt." in asked, told
    told = f"4, 5 and 6 characters are lost: want [4, 5, 6], got {got}."
    if [-x for x in got] == [4, 5, 6]:
        told += " The fall is the whole score minus what is left."
    elif got == [11, 10, 9]:
        told += " That is what is left; the fall is wanted."
    assert got == [4, 5, 6], told


# %%
""" # BEGIN TEST CONFIG
points: 1
hidden: true
failure_message: "A word that stands twice, a word that does harm, and words stays as it was."
"""  # END TEST CONFIG


def test_twice(worth):
    """Words are left out by their place."""
    values = {"A b a.": 5.0, "B a.": 1.0, "A a.": 7.0, "A b.": 4.0, "B.": 0.0}
    words = ["a", "b", "a"]
    got = worth(lambda german, english: values[german], words, "x")
    assert words == ["a", "b", "a"], "your function writes into words"
    told = f"of 5 are left 1, 7 and 4: want [4, -2, 1], got {got}."
    assert got == [4.0, -2.0, 1.0], told


# %%
""" # BEGIN TEST CONFIG
points: 3
hidden: true
failure_message: "What you found about the verb, and a reason of 30 words or more."
"""  # END TEST CONFIG


def test_verb_finding(verb_finding):
    """A share, two means, a caption and a reason."""
    import torch

    from course_lab.experiments.real import networks
    from course_lib.data.batch import collate, encode_pairs
    from course_lib.evaluation.teacher_forcing import forced_attention
    from course_lib.training.objective import summed_loss

    got = verb_finding()
    told = f"want a dictionary with read, verb, noun, guessed and why, got {got}"
    assert isinstance(got, dict), told
    assert {"read", "verb", "noun", "guessed", "why"} <= set(got), told
    network = networks.load("transformer-both")

    def likelihood(words, english):
        german = " ".join(words)
        german = f"2en {german[0].upper()}{german[1:]}."
        batch = collate(encode_pairs([(german, english)], *network.tokenizers), [0])
        with torch.inference_mode():
            logits = network.model(batch.source, batch.source_mask, batch.target_in).logits
        return -summed_loss(logits, batch.target_out, batch.target_mask).item()

    captions = """eine Frau mit Brille liest auf einer Bank ein Buch / \
A woman with glasses is reading a book on a bench. / 4 / 5
zwei Männer in Anzügen trinken in einem Café Kaffee / \
Two men in suits are drinking coffee in a cafe. / 4 / 5
ein Mann repariert sein Fahrrad vor einer Garage / \
A man is repairing his bike in front of a garage. / 2 / 3
ein Pferd zieht einen Wagen voller Heu / A horse is pulling a cart full of hay. / 2 / 3
eine Katze schläft unter dem Tisch / A cat is sleeping under the table. / 2 / 3
ein kleines Mädchen malt ein Bild von einem Hund / \
A little girl is painting a picture of a dog. / 3 / 4
drei Kinder springen in einen See / Three children are jumping into a lake. / 2 / 3
ein Mann steigt aus einem Bus / A man is getting out of a bus. / 2 / 3"""
    reads, verbs, nouns = [], [], []
    for line in captions.splitlines():
        german, english, here, there = line.split(" / ")
        words, here, there = german.split(), int(here), int(there)
        whole = likelihood(words, english)
        verbs.append(whole - likelihood(words[:here] + words[here + 1 :], english))
        nouns.append(whole - likelihood(words[:-1], english))
        asked = f"2en {german[0].upper()}{german[1:]}."
        (weights,) = forced_attention(network.model, [(asked, english)], *network.tokenizers)
        reads.append(int(weights[there].argmax()) - 1 == here)
    count, read = sum(reads), float(got["read"])
    told = f"{count} of 8 English verbs look most at the German verb, you found {read:.2f}"
    assert abs(read - count / 8) < 0.13, told
    for name, falls in (("verb", verbs), ("noun", nouns)):
        want, found = sum(falls) / 8, float(got[name])
        told = f"{name}: the mean worth is {want:.2f}, you found {found:.2f}."
        if abs(found + want) < 0.2:
            told += " A word that is missed is worth more than zero."
        elif abs(found - 8 * want) < 1:
            told += " That is the sum; the mean is wanted."
        assert abs(found - want) < 0.2, told
    guessed, least = got["guessed"], verbs.index(min(verbs))
    assert guessed == least, f"the verb of caption {least} is worth least, you say {guessed}"
    assert isinstance(got["why"], str), "why: want a text of 30 words or more"
    words = len(got["why"].split())
    assert words >= 30, f"why: want 30 words or more, got {words}"


# %% [raw]
# # END TESTS

# %% [raw]
# # END QUESTION

# %% [markdown]
# You have asked a trained network what it relies on, and you did not have to open it. The same
# three tools work on every translator that gives probabilities, the large ones among them.
