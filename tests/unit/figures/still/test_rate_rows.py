"""Panels of rates: dots, rings, arrows beyond the edge, and words that say the medians."""

from course_lab.figures.still.rate_rows import OF_A_MODEL, WITHOUT, Rates, rate_rows

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
