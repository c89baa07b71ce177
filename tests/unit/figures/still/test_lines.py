"""Length curve and gradient figure: the right numbers, named lines, seeds and intervals shown."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb
from matplotlib.text import Text

from course_lab.figures.palette import NEUTRALS, model_of
from course_lab.figures.still.gradients import describe_gradients, gradient_plot
from course_lab.figures.still.length_curve import describe_length_curve, length_curve
from course_lab.figures.still.lines import WIDTH, spread
from course_lab.figures.style import (
    LINES,
    MAX_WIDTH,
    MUTED,
    NARROW,
    TWIN_DASHES,
    line_styles,
)

BINS = [(3, 9), (10, 19), (20, 30)]
CHO = np.array([[0.9, 0.2, 0.0], [0.8, 0.4, 0.1], [1.0, 0.3, 0.2]])


def lines(picture) -> dict:
    return {line.get_label(): line for line in picture.axes[0].get_lines()}


def drawn_texts(picture) -> list:
    canvas = FigureCanvasAgg(picture)
    canvas.draw()
    axes = picture.axes[0]
    found = [*picture.texts, *axes.texts, axes.xaxis.label, axes.yaxis.label]
    found += axes.get_xticklabels() + axes.get_yticklabels()
    # An annotation's own extent takes in its pointer; the text alone counts.
    boxes = [(t.get_text(), Text.get_window_extent(t, canvas.get_renderer())) for t in found]
    return [(text, box) for text, box in boxes if text and box.width]


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


def test_it_is_narrow_where_words_and_lines_have_room_and_wide_elsewhere() -> None:
    numbers = [(n, n) for n in range(100, 900, 100)]
    many = {"soft": [[0.5] * 8] * 2, "hard, no entropy term": [[0.3] * 8] * 2}
    name = "exact match (share of sentences out of reach)"
    picture = length_curve(numbers, many, x_name="radius D of the window (words)", y_name=name)
    assert picture.get_figwidth() == NARROW
    axes = picture.axes[0]
    shown = [label.get_text() for label in axes.get_xticklabels()]
    assert shown == ["100", "300", "500", "700"]
    np.testing.assert_allclose(axes.get_xticks(), [100, 300, 500, 700])
    assert axes.get_ylabel() == name
    assert axes.get_position().width * NARROW >= NARROW / 2
    assert_words_inside(picture)
    ranges = [(n, n + 99) for n in range(100, 900, 100)]
    names = {"140 updates: the likeliest sentence found": many["soft"]}
    for wide in (length_curve(ranges, many), length_curve(numbers, names)):
        assert wide.get_figwidth() == WIDTH
        assert len(wide.axes[0].get_xticklabels()) == 8
    assert length_curve(numbers, many, x_name="w" * 60).get_figwidth() == WIDTH


def test_one_run_a_model_needs_no_note() -> None:
    assert not length_curve(BINS, {"Cho": CHO[0]}).texts


def test_intervals_are_bars_in_the_colour_of_their_line() -> None:
    ends = np.array([[0.8, 1.0], [0.1, 0.5], [0.0, 0.2]])
    picture = length_curve(
        BINS, {"Cho": CHO[0], "dot": CHO[1]}, intervals={"dot": ends}, interval_name="Wilson 95 %"
    )
    (bars,) = [c for c in picture.axes[0].collections if isinstance(c, LineCollection)]
    np.testing.assert_allclose([s[:, 1] for s in bars.get_segments()], ends)
    assert bars.get_color()[0][:3] == pytest.approx(
        to_rgb(line_styles(["Cho", "dot"])["dot"].colour)
    )
    assert [t.get_text() for t in picture.texts] == ["bars: Wilson 95 %"]


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


def test_no_dashes_are_a_twin_s_but_its_own() -> None:
    assert TWIN_DASHES not in {line.dashes for line in LINES}


def test_what_is_left_out_of_a_model_tells_no_twin() -> None:
    names = ["hard", "hard, no baseline", "tanh", "tanh, orthogonal", "Cho, no gate"]
    assert len({style.colour for style in line_styles(names).values()}) == len(names)
    assert model_of("Cho, no gate") is None


def test_two_names_of_one_model_stay_apart() -> None:
    twice = line_styles(["one vector", "Cho", "one vector, longer", "Cho, longer", *"ab"])
    assert twice["one vector"] == LINES[1]
    assert len(set(twice.values())) == 6
    assert twice["Cho"].colour == NEUTRALS[0].light


def test_axes_are_named_with_their_units() -> None:
    axes = length_curve(BINS, {"Cho": CHO}).axes[0]
    assert axes.get_xlabel() == "source length (words)"
    assert axes.get_ylabel() == "exact match (share of sentences)"
    assert axes.get_ylim() == (0, 1)
    assert [t.get_text() for t in axes.get_xticklabels()] == ["3–9", "10–19", "20–30"]
    gradient = gradient_plot([1, 2], {"GRU": [1, 0.1]}).axes[0]
    assert gradient.get_xlabel() == "distance (time steps)"
    assert gradient.get_ylabel() == "norm of the gradient (log scale)"


def test_an_empty_bin_leaves_a_gap_and_is_told() -> None:
    picture = length_curve(BINS, {"Cho": [1.0, float("nan"), 0.5]})
    assert np.isnan(lines(picture)["Cho"].get_ydata()[1])
    assert "none at 10–19" in picture.alt
    picture.png()


def test_the_length_curve_in_words() -> None:
    words = describe_length_curve(BINS, {"Cho": CHO, "dot": [1, 1, 0.95]})
    assert words == (
        "Line figure, exact match (share of sentences) against source length (words), 2 models, "
        "3 bins. Cho: 0.90 at 3–9, 0.30 at 10–19, 0.10 at 20–30; "
        "dot: 1.00 at 3–9, 1.00 at 10–19, 0.95 at 20–30."
    )
    assert length_curve(BINS, {"Cho": CHO, "dot": [1, 1, 0.95]}).alt == words


SIX = {f"model number {i}": np.full(3, 0.98 + 0.003 * i) for i in range(6)}


@pytest.mark.parametrize(
    "rates",
    [
        {"Cho": CHO, "attention (Bahdanau et al. 2015)": np.ones(3)},
        SIX,
        {"a$b$": np.ones(3), "ß": np.zeros(3)},
        {name: np.zeros(3) for name in "abcdef"},
    ],
)
def test_names_lie_apart_and_inside_the_figure(rates) -> None:
    picture = length_curve(BINS, rates)
    boxes = drawn_texts(picture)
    for text, box in boxes:
        assert box.x0 >= 0, text
        assert box.y0 >= 0, text
        assert box.x1 <= picture.bbox.width + 1, text
        assert box.y1 <= picture.bbox.height + 1, text
    for (one, box), (other, another) in itertools.combinations(boxes, 2):
        assert not box.padded(-2).overlaps(another.padded(-2)), (one, other)
    assert picture.get_figwidth() <= MAX_WIDTH


def test_one_of_a_kind_is_told_in_the_singular() -> None:
    assert length_curve([(3, 9)], {"Cho": [1.0]}).headline.endswith("1 model, 1 bin")


def test_many_bins_get_plain_numbers_on_the_axis() -> None:
    bins = [(n, n) for n in range(3, 60)]
    axes = length_curve(bins, {"Cho": np.linspace(1, 0, 57)}).axes[0]
    labels = [t.get_text() for t in axes.get_xticklabels()]
    assert len(labels) < 12


@pytest.mark.parametrize("bins", [[], [(9, 3)], [(3, 9), (9, 12)], [(10, 19), (3, 9)]])
def test_bins_must_rise(bins) -> None:
    with pytest.raises(ValueError, match="rise"):
        length_curve(bins, {"Cho": np.ones(len(bins))})


@pytest.mark.parametrize("values", [[0.5, 0.5], [[0.5] * 3] * 0, np.ones((2, 2, 3)), 0.5])
def test_values_must_fit_the_bins(values) -> None:
    with pytest.raises(ValueError, match=r"'Cho'.*3 bins"):
        length_curve(BINS, {"Cho": values})


@pytest.mark.parametrize("bad", [-0.1, 1.1, 55.0])
def test_a_share_lies_in_0_to_1(bad: float) -> None:
    with pytest.raises(ValueError, match=r"'Cho'.*0\.\.1"):
        length_curve(BINS, {"Cho": [0.5, bad, 0.5]})


def test_intervals_must_fit_and_belong_to_a_line() -> None:
    with pytest.raises(ValueError, match="low and a high end"):
        length_curve(BINS, {"Cho": CHO}, intervals={"Cho": [[0, 1]]})
    with pytest.raises(ValueError, match="low and a high end"):
        length_curve(BINS, {"Cho": CHO}, intervals={"Cho": [[1, 0]] * 3})
    with pytest.raises(ValueError, match="without a line: dot"):
        length_curve(BINS, {"Cho": CHO}, intervals={"dot": [[0, 1]] * 3})


def test_no_models_and_too_many_models_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        length_curve(BINS, {})
    with pytest.raises(ValueError, match="at most 6"):
        length_curve(BINS, {str(i): np.ones(3) for i in range(7)})


def test_norms_stand_on_a_logarithmic_axis_between_powers_of_ten() -> None:
    axes = gradient_plot([1, 10, 100], {"tanh": [0.5, 1e-3, 3e-7], "GRU": [2, 1, 0.5]}).axes[0]
    assert axes.get_yscale() == "log"
    assert axes.get_ylim() == pytest.approx((1e-7, 10))
    assert 1.0 in axes.get_yticks()


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


def test_explosion_over_many_orders_is_drawn_with_few_ticks() -> None:
    x = np.arange(1, 60)
    picture = gradient_plot(x, {"large": 3.0**x, "small": 0.3**x})
    ticks = picture.axes[0].get_yticks()
    assert len(ticks) <= 8
    assert 1.0 in ticks
    picture.png()


def test_each_model_has_a_panel_of_its_own_with_the_others_in_grey() -> None:
    picture = gradient_plot([1, 2], {"GRU": [1, 0.1], "LSTM": [1, 0.2], "tanh": [1, 0.3]})
    assert len(picture.axes) == 3
    for axes, name in zip(picture.axes, ("GRU", "LSTM", "tanh"), strict=True):
        labels = [line.get_label() for line in axes.get_lines()]
        assert labels.count(name) == 1
        assert len(labels) == 3
        (own,) = [line for line in axes.get_lines() if line.get_label() == name]
        assert {line.get_color() for line in axes.get_lines() if line is not own} == {MUTED}
        assert name in [text.get_text() for text in axes.texts]
    assert len({axes.get_ylim() for axes in picture.axes}) == 1


@pytest.mark.parametrize("count", [1, 2, 3, 6])
def test_panels_of_a_narrow_figure_hold_their_names_and_the_axis_is_named_once(count: int) -> None:
    names = ["LSTM, forget bias 5", "tanh, orthogonal", "GRU", "LSTM", "tanh", "ReLU"][:count]
    picture = gradient_plot([1, 50], {name: [[1, 1e-20]] * 3 for name in names})
    assert picture.get_figwidth() == NARROW
    assert [a.get_xlabel() for a in picture.axes if a.get_xlabel()] == ["distance (time steps)"]
    # A tick beyond the axis has a text too, which is not drawn.
    boxes = [(text, box) for text, box in drawn_texts(picture) if not text.lstrip("−").isdigit()]
    renderer = FigureCanvasAgg(picture).get_renderer()
    boxes += [("", axes.xaxis.label.get_window_extent(renderer)) for axes in picture.axes]
    for text, box in boxes:
        assert 0 <= box.x0 <= box.x1 <= picture.bbox.width, text
        assert 0 <= box.y0 <= box.y1 <= picture.bbox.height + 1, text
    for axes in picture.axes:
        (name,) = axes.texts
        panel = axes.get_window_extent(renderer)
        assert name.get_window_extent(renderer).x1 <= panel.x1, name.get_text()


def test_an_order_gives_a_model_the_same_colour_in_every_figure() -> None:
    order = ["GRU", "LSTM", "tanh"]
    picture = gradient_plot([1, 2], {"tanh": [1, 0.1]}, order=order)
    assert lines(picture)["tanh"].get_color() == line_styles(order)["tanh"].colour
    assert lines(gradient_plot([1, 2], {"tanh": [1, 0.1]}))["tanh"].get_color() == NEUTRALS[0].light
    with pytest.raises(ValueError, match="order lacks"):
        gradient_plot([1, 2], {"ReLU": [1, 0.1]}, order=order)


def test_the_gradients_in_words() -> None:
    words = describe_gradients([1, 50], {"GRU": [0.9, 2e-3], "LSTM": [[1, 0.1], [1, 0.4]]})
    assert words.endswith(
        "2 models, 2 distances. GRU: 9e-01 at 1, 2e-03 at 50; LSTM: 1e+00 at 1, 2e-01 at 50."
    )


@pytest.mark.parametrize("distances", [[], [2, 1], [1, 1], [[1, 2]], [1, float("nan")]])
def test_distances_must_rise(distances) -> None:
    with pytest.raises(ValueError, match="rising"):
        gradient_plot(distances, {"GRU": np.ones(np.size(distances))})


@pytest.mark.parametrize(
    ("norms", "message"),
    [
        ([1, -1], "0 or more"),
        ([0, 0], "all norms are 0"),
        ([1, np.inf], "finite"),
        ([1], "2 distances"),
    ],
)
def test_norms_that_can_not_be_drawn_are_refused(norms, message) -> None:
    with pytest.raises(ValueError, match=message):
        gradient_plot([1, 2], {"GRU": norms})


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


@given(st.lists(st.floats(-1, 2), max_size=6), st.floats(0.01, 0.2))
def test_names_stay_within_bounds_where_there_is_room(heights, gap) -> None:
    moved = spread(heights, gap, 0.0, 1.0)
    assert all(-1e-9 <= height <= 1 + 1e-9 for height in moved)
    ranked = sorted(moved)
    assert all(b - a >= gap - 1e-9 for a, b in itertools.pairwise(ranked))
