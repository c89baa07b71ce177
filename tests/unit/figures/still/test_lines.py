"""Length curve and gradient figure: the right numbers, named lines, seeds shown."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.text import Text

from course_lab.figures.palette import NEUTRALS
from course_lab.figures.still.gradients import gradient_plot
from course_lab.figures.still.length_curve import length_curve
from course_lab.figures.still.lines import spread
from course_lab.figures.style import LINES, TWIN_DASHES, line_styles

BINS = [(3, 9), (10, 19), (20, 30)]
CHO = np.array([[0.9, 0.2, 0.0], [0.8, 0.4, 0.1], [1.0, 0.3, 0.2]])


def lines(picture) -> dict:
    return {line.get_label(): line for line in picture.axes[0].get_lines()}


def assert_words_inside(picture) -> None:
    """No word leaves the picture or lies on another."""
    canvas = FigureCanvasAgg(picture)
    canvas.draw()
    found = list(picture.texts)
    for axes in picture.axes:
        found += [*axes.texts, axes.xaxis.label, axes.yaxis.label, axes.title, axes._left_title]
        # A tick beyond the axis has a text too, which is not drawn.
        for axis, (low, high) in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            ticks = [tick for tick in axis.get_major_ticks() if low <= tick.get_loc() <= high]
            found += [tick.label1 for tick in ticks if tick.label1.get_visible()]
    boxes = [(t.get_text(), Text.get_window_extent(t, canvas.get_renderer())) for t in found]
    boxes = [(text, box) for text, box in boxes if text]
    wide, high = picture.bbox.size
    for text, box in boxes:
        assert 0 <= box.x0 <= box.x1 <= wide, text
        assert 0 <= box.y0 <= box.y1 <= high, text
    for (one, here), (other, there) in itertools.combinations(boxes, 2):
        # A box has room above and below its letters.
        assert not here.padded(-5).overlaps(there.padded(-5)), (one, other)


def test_the_line_is_the_mean_of_the_seeds_at_the_middle_of_the_bins() -> None:
    line = lines(length_curve(BINS, {"Cho": CHO}))["Cho"]
    np.testing.assert_allclose(line.get_xdata(), [6, 14.5, 25])
    np.testing.assert_allclose(line.get_ydata(), [0.9, 0.3, 0.1])


def test_the_band_spans_the_seeds_and_the_note_says_so() -> None:
    picture = length_curve(BINS, {"Cho": CHO, "Bahdanau": [1.0, 1.0, 0.9]})
    (band,) = [c for c in picture.axes[0].collections if isinstance(c, PolyCollection)]
    heights = band.get_paths()[0].vertices[:, 1]
    assert (heights.min(), heights.max()) == (0.0, 1.0)
    assert {0.2, 0.4} <= {round(float(h), 6) for h in heights}
    assert [t.get_text() for t in picture.texts] == [
        "line: mean of 1 to 3 seeds; band: lowest to highest"
    ]


def test_a_model_has_its_own_line_in_every_figure_and_no_other_line_wears_its_colour() -> None:
    bahdanau, cho, *_ = LINES
    assert line_styles(["one vector", "Attention"]) == {"one vector": cho, "Attention": bahdanau}
    mixed = line_styles(["a", "Cho", "b", "c"])
    assert mixed["Cho"] == cho
    others = [mixed[name] for name in "abc"]
    assert [style.colour for style in others] == [colour.light for colour in NEUTRALS[:3]]
    assert [style[1:] for style in others] == [line[1:] for line in (LINES[0], *LINES[2:4])]
    many = line_styles("abcdef")
    assert {style.colour for style in many.values()} == {colour.light for colour in NEUTRALS}
    assert len({style[1:] for style in many.values()}) == 6
    with pytest.raises(ValueError, match="at most 6 lines"):
        line_styles("abcdefg")


@pytest.mark.parametrize(
    ("model", "twin"),
    [
        ("Cho", "Cho, 4 × the updates"),
        ("Cho", "Cho, 4 x"),
        ("equal weights", "equal weights, 4 ×"),
        ("one vector", "one vector, 4 × the training"),
        ("Bahdanau", "Bahdanau, longer"),
        ("Bahdanau", "Bahdanau, trained longer"),
        ("Transformer", "Transformer, longer"),
        ("dot", "dot, 4 times"),
    ],
)
def test_a_twin_has_the_colour_of_its_model_and_other_dashes(model: str, twin: str) -> None:
    both = line_styles([model, twin])
    assert both[twin] == both[model]._replace(dashes=TWIN_DASHES)
    assert both == line_styles([twin, model])
    assert line_styles([twin])[twin] == both[twin]
    # Beside whatever stands in the figure: four looks, and each is told from each.
    four = line_styles([model, twin, "Sutskever", "a"])
    assert len({style[1:] for style in four.values()}) == 4
    assert len({style.colour for style in four.values()}) == 3


def test_the_line_is_the_geometric_mean_of_the_seeds() -> None:
    picture = gradient_plot([1, 2], {"tanh": [[1, 1e-2], [1, 1e-6]]})
    np.testing.assert_allclose(lines(picture)["tanh"].get_ydata(), [1, 1e-4])


def test_an_exact_zero_is_drawn_on_the_lower_edge_and_told() -> None:
    picture = gradient_plot([1, 2, 3], {"ReLU": [1, 0.02, 0]})
    axes = picture.axes[0]
    np.testing.assert_allclose(lines(picture)["ReLU"].get_ydata(), [1, 0.02, axes.get_ylim()[0]])
    assert axes.get_ylim()[0] == pytest.approx(1e-3)
    assert [t.get_text() for t in picture.texts] == ["on the lower edge: exactly 0"]
    assert "0e+00 at 3" in picture.alt


@given(st.lists(st.floats(0, 1), max_size=6), st.floats(0.01, 0.3))
def test_names_are_moved_apart_in_order_and_no_more_than_needed(heights, gap) -> None:
    moved = spread(heights, gap)
    order = sorted(range(len(heights)), key=lambda i: heights[i])
    for low, high in itertools.pairwise(order):
        assert moved[high] - moved[low] >= gap - 1e-9
    # What is moved is moved up and down alike.
    assert sum(moved) == pytest.approx(sum(heights), abs=1e-9)
    ranked = sorted(heights)
    if all(b - a >= gap for a, b in itertools.pairwise(ranked)):
        assert moved == pytest.approx(heights)
