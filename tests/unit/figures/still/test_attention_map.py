"""The attention map: tokens on the right axes, numbers where they fit, nothing cut off."""

import warnings

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patches import Rectangle

from course_lab.figures.still.attention_map import attention_map
from course_lab.figures.style import Picture
from course_lab.figures.text import MISSING, number

SOURCE = ["the", "small", "dog", "sleeps"]
TARGET = ["der", "kleine", "Hund", "schläft", "süß"]


def weights(rows: int, columns: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.full(columns, 0.3), size=rows)


def texts(picture: Picture) -> list:
    """Every text that is drawn, with its box in pixels."""
    canvas = FigureCanvasAgg(picture)
    canvas.draw()
    found = [t for t in picture.texts if t.get_text()]
    for axes in picture.axes:
        found += [t for t in axes.get_xticklabels() + axes.get_yticklabels() if t.get_text()]
        found += [t for t in axes.texts if t.get_text()]
    return [(t, t.get_window_extent(canvas.get_renderer())) for t in found if t.get_visible()]


def test_source_stands_across_on_top_and_target_down_from_the_top() -> None:
    axes = attention_map(weights(5, 4), SOURCE, TARGET).axes[0]
    assert [t.get_text() for t in axes.get_xticklabels()] == SOURCE
    assert [t.get_text() for t in axes.get_yticklabels()] == TARGET
    assert axes.xaxis.get_ticks_position() == "top"
    top, bottom = axes.transData.transform([(0, 0), (0, 5)])[:, 1]
    assert top > bottom


def test_each_cell_shows_the_weight_of_its_row_and_column() -> None:
    matrix = weights(5, 4)
    axes = attention_map(matrix, SOURCE, TARGET).axes[0]
    shown = axes.collections[0].get_array().reshape(5, 4)
    np.testing.assert_allclose(shown, matrix)
    assert axes.collections[0].get_clim() == (0, 1)
    for text in axes.texts:
        column, row = (int(c) for c in text.get_position())
        assert text.get_text() == number(matrix[row, column])


@pytest.mark.parametrize(
    ("weight", "text"),
    [
        (0.0, ""),
        (0.0049, ""),
        (0.0051, ".01"),
        (0.834, ".83"),
        (0.994, ".99"),
        (0.996, "1"),
        (1.0, "1"),
    ],
)
def test_numbers_have_two_digits_and_nothing_stands_for_zero(weight: float, text: str) -> None:
    assert number(weight) == text


def test_tokens_are_not_markup_and_have_all_their_glyphs() -> None:
    # As a formula "$\oops$" would be an error.
    strange = [
        "$\\oops$",
        "$x^2$",
        "\\alpha",
        "▁Straße",
        "</s>",
        "",
        " ",
        "\n",
        "中",
        "\u200b",
        "a_b",
    ]
    matrix = weights(len(strange), len(strange))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", DeprecationWarning)
        picture = attention_map(matrix, strange, strange, title="$", source_name="a$b$")
        picture.png()
    labels = [t.get_text() for t in picture.axes[0].get_xticklabels()]
    assert labels[:5] == strange[:5]
    assert labels[5:10] == ["∅", "␣", "↵", MISSING, MISSING]


def test_gold_links_are_framed_once_sure_before_possible() -> None:
    picture = attention_map(
        weights(5, 4), SOURCE, TARGET, links=[(0, 0), (2, 2)], possible=[(0, 0), (1, 1)]
    )
    frames = [p for p in picture.axes[0].patches if isinstance(p, Rectangle)]
    # Each frame is a pale line under a coloured one.
    assert sorted((int(f.get_x()), int(f.get_y())) for f in frames) == sorted(
        [(0, 0), (2, 2), (1, 1)] * 2
    )
    dashed = {(int(f.get_x()), int(f.get_y())) for f in frames if f.get_linestyle() != "solid"}
    assert dashed - {(1, 1)} == set()
    note = " ".join(t.get_text() for t in picture.texts)
    assert "framed: gold links, dashed: possible links" in note


def test_the_words_name_what_each_target_token_looks_at() -> None:
    matrix = [[0.9, 0.1], [0.2, 0.8], [0.0, 0.0]]
    assert attention_map(matrix, ["the", "dog"], ["der", "Hund", "."]).alt == (
        "Attention map, 2 source tokens across, 3 target tokens down. Each target token looks most "
        "at: “der” at “the” (0.90), “Hund” at “dog” (0.80), “.” at nothing."
    )
