"""Accuracy against parameters: means, spreads, and an axis in powers of ten."""

import pytest

from course_lib.figures.still.size_curve import size_curve

POINTS = {"one": [(20000, [0.8, 0.9]), (1000, [0.6, 0.7])], "other": [(5000, [0.5, 0.5])]}


def test_points_are_means_in_the_order_of_size():
    axes = size_curve(POINTS, floor=0.3).axes[0]
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines["one"].get_xdata().tolist() == [1000, 20000]
    assert lines["one"].get_ydata().tolist() == pytest.approx([0.65, 0.85])
    assert axes.get_xscale() == "log"
    assert axes.get_ylim() == (0.3, 1.0)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["1,000", "10,000"]


def test_a_bar_spans_the_seeds():
    axes = size_curve(POINTS).axes[0]
    spans = [tuple(line.get_ydata()) for line in axes.get_lines() if len(line.get_xdata()) == 2]
    assert (0.6, 0.7) in spans
    assert (0.8, 0.9) in spans


def test_it_says_what_it_shows():
    alt = size_curve(POINTS).alt
    assert "one: 0.65 with 1,000, 0.85 with 20,000; other: 0.50 with 5,000." in alt


@pytest.mark.parametrize(
    "models", [{}, {"one": []}, {"one": [(0, [0.5])]}, {"one": [(10, [1.2])]}, {"one": [(10, [])]}]
)
def test_what_cannot_be_drawn_is_refused(models):
    with pytest.raises(ValueError, match=r"wanted shares|needs a model"):
        size_curve(models)
