"""What a reader types is taken as meant, or answered in words."""

import pytest

from course_lab.experiments.lab.typed import typed_words
from course_lib.data.tokens.tokenizer import WordVocabulary
from course_lib.errors import CourseError

WORDS = WordVocabulary.from_sentences([["the", "dog", "sleeps", "."]])


@pytest.mark.parametrize("text", ["the dog sleeps .", " the dog sleeps.", "the  dog sleeps"])
def test_the_full_stop_may_be_left_out_or_touch_its_word(text):
    assert typed_words(text, WORDS) == ["the", "dog", "sleeps", "."]


def test_a_gap_may_stand_among_the_words():
    assert typed_words("the ___ sleeps", WORDS, also=["___"])[1] == "___"


@pytest.mark.parametrize(
    ("text", "said"),
    [("the dogs sleeps", "'dogs'; did you mean dog"), ("", "empty"), ("the " * 90, "at most 60")],
)
def test_what_no_network_can_read_is_said(text, said):
    with pytest.raises(CourseError, match=said):
        typed_words(text, WORDS)
