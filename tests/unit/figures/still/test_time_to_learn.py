"""Updates until learned: medians and seeds, and runs that were stopped before they had learned."""

import numpy as np
from matplotlib.collections import PolyCollection

from course_lab.figures.still.time_to_learn import LATER, time_to_learn

STOPPED = LATER * 1000


def drawn(updates, sizes=(10, 100)):
    return time_to_learn(sizes, {"GRU": updates}, 1000)


def the_line(picture):
    (line,) = [line for line in picture.axes[0].get_lines() if line.get_label() == "GRU"]
    return line.get_ydata().tolist()


def test_the_line_is_the_median_and_the_band_spans_the_seeds() -> None:
    picture = drawn([[50, 200], [100, 300], [400, 900]])
    assert the_line(picture) == [100, 300]
    (band,) = [c for c in picture.axes[0].collections if isinstance(c, PolyCollection)]
    assert {50, 200, 400, 900} <= set(band.get_paths()[0].vertices[:, 1].tolist())
    assert [t.get_text() for t in picture.texts] == [
        "line: median of 3 seeds; band: lowest to highest"
    ]


def test_who_was_stopped_stands_above_the_limit() -> None:
    picture = drawn([[50, None], [1000, None], [None, 700]])
    assert the_line(picture) == [1000, STOPPED]
    axes = picture.axes[0]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels[-2:] == ["1,000", "later"]
    assert axes.get_yticks()[-1] == STOPPED <= axes.get_ylim()[1]


def test_between_a_known_and_an_unknown_time_the_median_is_unknown() -> None:
    assert the_line(drawn([[100, 100], [100, 100], [None, 100], [None, 200]])) == [STOPPED, 100]


def test_what_was_not_run_leaves_a_gap_and_is_not_told() -> None:
    nan = float("nan")
    picture = drawn([[50, nan], [None, nan], [None, nan]])
    assert np.isnan(the_line(picture)[1])
    assert picture.alt.endswith("GRU: later than 1,000 at 10.")
