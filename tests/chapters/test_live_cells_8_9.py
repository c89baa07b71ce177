"""The live cell of chapter 9 answers good input with a word, and bad input in words."""

import pytest

from course_lab.experiments.multi_head import in_page as heads_page
from course_lib.data.tokens.tokenizer import SPECIALS
from course_lib.models.cloze import without_heads
from tests.chapters.live_cells import live_function


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
