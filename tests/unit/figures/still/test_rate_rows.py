"""Panels of rates: dots, rings, arrows beyond the edge, and words that say the medians."""

from itertools import combinations

import pytest

from course_lab.figures.still.rate_rows import OF_A_MODEL, WITHOUT, Rates, rate_rows
from course_lab.figures.style import NARROW

RUNS = {"count": [0.5, 0.4, 0.45], "model": [0.1, 0.2, 0.12]}
RINGED = {"model": [0.25, 0.5, 0.26]}
SAID = {
    "models": ["model"],
    "headline": "Rates",
    "dots": "nearest",
    "rings": "first",
    "note": "a dot is a run",
}


def drawn():
    return rate_rows([Rates("mini", 0.3, RUNS, RINGED), Rates("real", 0.6, RUNS, {})], **SAID)


def marks(axes, marker):
    return {
        round(float(x), 9): (line.get_color(), line.get_markerfacecolor())
        for line in axes.lines
        if line.get_marker() == marker
        for x in line.get_xdata()
    }


def test_dots_and_rings_stand_at_their_rates_and_what_lies_beyond_is_an_arrow():
    mini, real = drawn().axes
    dots = {x: c for x, (c, face) in marks(mini, "o").items() if face == c}
    rings = {x for x, (c, face) in marks(mini, "o").items() if face != c}
    assert dots == {0.1: OF_A_MODEL, 0.2: OF_A_MODEL, 0.12: OF_A_MODEL}
    assert rings == {0.25, 0.26}
    # One arrow for the row of counts, one for the ring at 0.5; the other axis has room for all.
    assert [line.get_color() for line in mini.lines if line.get_marker() == ">"] == [
        WITHOUT,
        OF_A_MODEL,
    ]
    assert not marks(real, ">")
    assert {0.4, 0.45, 0.5} <= set(marks(real, "o"))
    assert (mini.get_xlim(), real.get_xlim()) == ((0, 0.3), (0, 0.6))


def test_the_median_stands_beside_each_row_and_in_the_words():
    picture = drawn()
    assert [text.get_text() for text in picture.axes[0].texts] == [".450", ".120"]
    assert picture.alt == (
        "Rates, 2 rows. count: mini 0.450, real 0.450; model: mini 0.120 (rings 0.260), real 0.120."
    )
    assert repr(picture) == "<Picture: Rates, 2 rows>"
    assert [text.get_text() for text in picture.texts] == [
        "● nearest",
        "○ first; number: median of the dots",
        "a dot is a run",
    ]


def test_it_is_narrow_long_names_have_two_lines_and_no_word_lies_on_another():
    ways = ["Model 1, intersection", "Model 1", "Dice, one to one"]
    runs = {way: [0.9] for way in ways}
    picture = rate_rows(
        [Rates("AER, mini-world", 0.3, runs, {}), Rates("AER, Hansards", 0.6, runs, {})],
        **{**SAID, "models": [], "dots": "ties go to the word nearest to the diagonal"},
    )
    assert picture.get_figwidth() == NARROW
    picture.draw_without_rendering()
    names = picture.axes[0].get_yticklabels()
    assert [name.get_text() for name in names] == [
        "Model 1,\nintersection",
        "Model 1",
        "Dice, one\nto one",
    ]
    found = [*names, *picture.texts]
    for axes in picture.axes:
        found += [*axes.texts, *axes.get_xticklabels(), axes.title, axes._left_title]
    boxes = {text: text.get_window_extent() for text in found if text.get_text()}
    for text, box in boxes.items():
        assert 0 <= box.x0 <= box.x1 <= picture.bbox.width, text
        assert "…" not in text.get_text()
    for one, other in combinations(boxes, 2):
        assert not boxes[one].overlaps(boxes[other]), (one, other)
    numbers = picture.axes[0].texts
    edge = picture.axes[0].get_window_extent().x1
    # Half an arrow stands beyond the edge.
    assert min(boxes[number].x0 for number in numbers) > edge + 3 * picture.dpi / 72
    assert max(boxes[number].x1 for number in numbers) < picture.axes[1].get_window_extent().x0 - 20


@pytest.mark.parametrize(
    ("panels", "said"),
    [
        ([], "same rows"),
        ([Rates("a", 1, {}, {})], "same rows"),
        ([Rates("a", 1, {"model": [0.1]}, {}), Rates("b", 1, {"other": [0.1]}, {})], "same rows"),
        ([Rates("a", 1, {"model": []}, {})], "wanted a rate"),
        ([Rates("a", 1, {"model": [1.5]}, {})], "wanted a rate"),
        ([Rates("a", 1, {"model": [0.5]}, {"model": [-0.5]})], "wanted a rate"),
        ([Rates("a", 1, {"model": [0.5]}, {"rings": [0.5]})], "no row for"),
        ([Rates("a", 1, {"count": [0.5]}, {})], "no row for"),
    ],
)
def test_what_cannot_be_drawn_is_refused(panels, said):
    with pytest.raises(ValueError, match=said):
        rate_rows(panels, **SAID)
