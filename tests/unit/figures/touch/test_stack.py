"""The stack's numbers and words."""

import numpy as np

from course_lab.figures.touch.stack import DIGITS, LEVELS, Heads, Station, Strip, follow, heights

WORDS = {"source": ["the", "house"], "target": ["<start>", "das", "Haus"]}
LOOK = np.array([[[0.5, 0.5], [1.0, 0.0], [0.75, 0.25]], [[0.5, 0.5], [1.0, 0.0], [0.0, 1.0]]])
"""The first head alone would read something else most than both together."""


VECTORS = np.arange(6.0).reshape(3, 2)
HEADS = Heads(
    queries=np.ones((2, 3, 2)),
    keys=np.ones((2, 2, 2)),
    scores=np.array([[[0.25, -np.inf]] * 3] * 2),
    weights=LOOK,
    values=np.array([[[4.0, -2.0], [0.0, 1.0]], [[1.0, 1.0], [1.0, 1.0]]]),
    read=np.array([[[2.0, -0.5]] * 3, [[1.0, 1.0]] * 3]),
    reads="source",
)


def look(**more) -> Station:
    settings = {
        "entering": VECTORS,
        "inside": [Strip("normed", VECTORS), Strip("found", -VECTORS[::-1])],
        "adds": True,
        "heads": HEADS,
    }
    return Station("look", "target", "2 numbers", "{word} asks.", "a-place", **settings | more)


def drawn(*stations: Station, opened: int = 0):
    return follow(WORDS, stations, chosen={"source": 0, "target": 2}, opened=opened)


def levels(text: str) -> list[int]:
    return [DIGITS.index(digit) - LEVELS for digit in text]


def test_a_vector_is_told_in_heights_between_minus_and_plus_its_most():
    told = heights(np.array([[-2.0, 0.0, 2.0, 1.0]]), 2.0)
    assert [levels(row) for row in told] == [[-LEVELS, 0, LEVELS, LEVELS // 2]]


def test_a_stream_has_one_scale_all_the_way():
    below = look(entering=VECTORS / 10, inside=[Strip("row", VECTORS / 10)], heads=None)
    told = drawn(below, look()).data["stations"]
    # The last word: (.4, .5) twice is (.8, 1); (4, 5) and what was found, (0, -1), make (4, 4).
    # The largest number on the way is 5.
    for station, rows, wanted in (
        (0, "entering", [2, 3]),
        (0, "leaving", [5, 6]),
        (1, "entering", [24, 30]),
        (1, "leaving", [24, 24]),
    ):
        np.testing.assert_array_equal(levels(told[station][rows][2]), wanted)
    np.testing.assert_array_equal(levels(told[1]["inside"][1]["rows"][2]), [0, -6])
    # What stands between has a scale of its own.
    np.testing.assert_array_equal(levels(told[1]["inside"][0]["rows"][2]), [24, 30])
    small = look(inside=[Strip("normed", VECTORS / 100), Strip("found", -VECTORS[::-1])])
    told = drawn(small).data["stations"]
    np.testing.assert_array_equal(levels(told[0]["inside"][0]["rows"][2]), [24, 30])


def test_what_is_read_most_is_said_without_a_script():
    figure = drawn(look())
    html = figure._repr_html_()
    assert "reads most: “house”, 0.62 in the mean" in html
    assert "The way of “the” and “Haus”" in html
