"""The live cells of chapters 8 and 9 answer good input with a word, and bad input in words."""

import pytest

from course_lab.experiments.multi_head import in_page as heads_page
from course_lab.experiments.self_attention import pronoun
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


@pytest.fixture(scope="module")
def page():
    stored = heads_page.load()
    return stored, heads_page.mean_reads(stored)


@pytest.fixture
def without(page):
    stored, reads = page
    places = [(n, h) for n in range(2) for h in range(4)]
    return live_function(
        "09",
        "without",
        page=stored,
        reads=reads,
        PLACES=places,
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
