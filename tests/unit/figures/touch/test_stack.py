"""The stack's numbers and words, and what it refuses."""

import numpy as np
import pytest

from course_lib.figures.touch.stack import DIGITS, LEVELS, Station, follow, shades

WORDS = {"source": ["the", "house"], "target": ["<start>", "das", "Haus"]}
LOOK = np.array([[[0.5, 0.5], [1.0, 0.0], [0.75, 0.25]], [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]])
"""The first head alone would read something else most than both together."""


def look(**more) -> Station:
    settings = {"weights": LOOK, "reads": "source"} | more
    return Station("look", "target", "(3, 4)", "{word} asks.", "a-place", **settings)


def drawn(*stations: Station, opened: int = 0):
    return follow(WORDS, stations, chosen={"source": 0, "target": 2}, opened=opened)


def test_a_vector_is_told_in_shades_between_minus_and_plus_its_most():
    told = shades(np.array([-2.0, 0.0, 2.0, 1.0]), 2.0)
    assert [DIGITS.index(digit) - LEVELS for digit in told] == [-LEVELS, 0, LEVELS, LEVELS // 2]


def test_what_is_read_most_is_said_without_a_script():
    figure = drawn(look())
    assert "Open at “look”: Haus asks. reads most: “house”, 0.62 in the mean" in figure.alt
    html = figure._repr_html_()
    assert "The way of “the” and “Haus”" in html
    assert '"weights":[[[50,50],[100,0],[75,25]],[[50,50],[100,0],[0,100]]]' in html


def test_the_likeliest_words_are_said():
    guesses = [[("a", 0.9)], [("b", 0.5), ("c", 0.25)], [("d", 1.0)]]
    figure = drawn(look(weights=None, reads="", guesses=guesses))
    assert "next: d 1.00" in figure.alt


def test_what_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="want a side"):
        drawn(look()._replace(side="left"))
    with pytest.raises(ValueError, match="2 vectors for 3 words"):
        drawn(look(vectors=np.zeros((2, 4))))
    with pytest.raises(ValueError, match=r"want weights \(H, 3, 3\)"):
        drawn(look(reads="target"))
