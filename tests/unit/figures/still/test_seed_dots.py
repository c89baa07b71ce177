"""Panels of dots: every run on the row of its name, and words that say the medians."""

from course_lab.figures.still.seed_dots import COLOUR, seed_dots

LEFT = {"bag": [0.6, 0.7, 0.5], "network": [1.0, 0.9]}
RIGHT = {"bag": [0.0], "network": [0.8]}


def test_it_draws_each_run_on_the_row_of_its_name():
    left, right = seed_dots({"short": LEFT, "long": RIGHT}, headline="Right").axes
    assert [label.get_text() for label in left.get_yticklabels()] == ["bag", "network"]
    assert [label.get_text() for label in right.get_yticklabels()] == []
    assert [axes.get_title(loc="left") for axes in (left, right)] == ["short", "long"]
    assert [list(line.get_xdata()) for line in left.lines] == [[0.6, 0.7, 0.5], [1.0, 0.9]]
    assert [list(line.get_xdata()) for line in right.lines] == [[0.0], [0.8]]
    assert left.lines[0].get_ydata()[0] > left.lines[1].get_ydata()[0]
    assert [bar.get_width() for bar in left.patches] == [0.6, 0.95]
    assert {line.get_color() for line in left.lines} == {COLOUR}
