"""matplotlib draws from left to right and joins nothing, so a word is put as it is seen."""

import unicodedata

import numpy as np
import pytest

from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.text import printable

SEEN = {
    "Hebrew": ("שלום", "םולש"),
    "a number in it": ("שנה2024", "2024הנש"),
    "brackets": ("(שלום)", "(םולש)"),
    "Latin": ("word (x)", "word␣(x)"),
}


@pytest.mark.parametrize(("word", "seen"), SEEN.values(), ids=SEEN)
def test_a_word_is_put_in_the_order_in_which_it_is_seen(word, seen):
    assert printable(word) == seen


def test_arabic_letters_are_joined():
    names = [unicodedata.name(letter) for letter in printable("كتاب")]
    assert names == [
        "ARABIC LETTER BEH ISOLATED FORM",
        "ARABIC LETTER ALEF FINAL FORM",
        "ARABIC LETTER TEH MEDIAL FORM",
        "ARABIC LETTER KAF INITIAL FORM",
    ]


def test_a_page_does_not_turn_the_word_again():
    one = attention_map(np.ones((1, 1)), ["שלום"], ["x"]).svg()
    assert "bidi-override" in one
    assert "bidi-override" not in attention_map(np.ones((1, 1)), ["y"], ["x"]).svg()
