"""The live cells of chapters 8 and 9 answer good input with a word, and bad input in words."""

import pytest
import torch
from torch import nn

from course_lab.experiments.multi_head import in_page as heads_page
from course_lab.experiments.self_attention import articles, pronoun
from course_lib.attention.attend import attend
from course_lib.attention.masks import causal_mask
from course_lib.attention.position import sinusoidal
from course_lib.data.tokens.tokenizer import SPECIALS
from course_lib.models.cloze import without_heads
from tests.chapters.live_cells import live_function


@pytest.fixture
def meant():
    return live_function("08", "meant", pronoun=pronoun, reader=pronoun.load())


@pytest.mark.parametrize(("last", "noun"), [("tired", "dog"), ("heavy.", "ball")])
def test_8_says_what_it_means(meant, capsys, last, noun):
    meant(f"The dog dropped the ball, because it was {last}")
    first, *rows = capsys.readouterr().out.splitlines()
    assert first.startswith(f"it means: {noun}")
    assert len(rows) == 9


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("the dog dropped the ball because it was purple", "does not know 'purple'"),
        ("the dog was tired", "of this form: the dog dropped"),
        ("", "of this form: the dog dropped"),
    ],
)
def test_8_says_what_is_wrong_with_a_sentence(meant, capsys, sentence, said):
    meant(sentence)
    assert said in capsys.readouterr().out


class Net(nn.Module):
    """An untrained network with the parts of chapter 8's."""

    def __init__(self, vocabulary: int) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, 8)
        self.queries, self.keys, self.values, self.answers = (
            nn.Linear(w, 4, bias=False) for w in (8, 8, 8, 4)
        )


@pytest.fixture
def fill():
    def self_attention(X, W_Q, W_K, W_V, mask=None):
        read = attend(X @ W_Q, X @ W_K, X @ W_V, mask=mask)
        return read.context, read.weights

    torch.manual_seed(0)
    world = articles.the_world()
    parts = {"world": world, "net": Net(len(world.words)), "self_attention": self_attention}
    return live_function(
        "08",
        "fill",
        **parts,
        torch=torch,
        articles=articles,
        sinusoidal=lambda t, d: sinusoidal(t.long(), d),
        causal_mask=causal_mask,
    )


def test_8_fills_each_blank(fill, capsys):
    fill("_ Frau trägt _ Ball .", "every word", True)
    assert len(capsys.readouterr().out.splitlines()) == 2
    fill("_ Frau trägt _ Ball .", "every word", False)
    first, second = capsys.readouterr().out.splitlines()
    assert first == second  # without positions both blanks are the same word
    fill("_ Frau trägt _ Ball .", "earlier words", True)
    assert capsys.readouterr().out.splitlines()[0].endswith("reads _")


@pytest.mark.parametrize(
    "sentence", ["", "Frau trägt Ball .", "_ xyz .", "die Frau trägt _ Ball ."]
)
def test_8_says_what_it_does_not_know(fill, capsys, sentence):
    fill(sentence, "every word", True)
    assert capsys.readouterr().out.startswith("I do not know: ")


@pytest.fixture(scope="module")
def page():
    stored = heads_page.load()
    return stored, heads_page.mean_reads(stored)


@pytest.fixture
def without(page):
    stored, reads = page
    places = [(n, h) for n in range(2) for h in range(4)]
    ids = range(len(SPECIALS), len(stored.vocabulary))
    return live_function(
        "09",
        "without",
        page=stored,
        reads=reads,
        PLACES=places,
        names=[f"layer {n + 1}, head {h + 1}" for n, h in places],
        known={stored.vocabulary.decode([i]) for i in ids},
        in_page=heads_page,
        without_heads=without_heads,
    )


def test_9_fills_a_gap_with_and_without_a_head(without, capsys):
    for head, word in (("none", "have"), ("layer 1, head 1", "has"), ("layer 2, head 4", "have")):
        without("young women who _ slept wait.", head)
        assert capsys.readouterr().out.startswith(f"{word} 0.")


@pytest.mark.parametrize("sentence", ["", "young women", "_ _ .", "young zebras who _ slept ."])
def test_9_says_what_it_does_not_know(without, capsys, sentence):
    without(sentence, "none")
    assert capsys.readouterr().out.startswith("I do not know: ")
