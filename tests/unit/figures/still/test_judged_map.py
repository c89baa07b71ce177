"""A map beside gold links: ink for what is true, the colour of errors for what is wrong."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from course_lab.figures.still.judged_map import judged_map
from course_lab.figures.style import FRAME, INK, NARROW

SOURCE, TARGET = ["the", "girl", "."], ["das", "Maedchen", "."]
WEIGHTS = np.array([[0.1, 0.9, 0.0], [0.0, 1.0, 0.0], [0.0, 0.5, 0.5]])


def frames(picture):
    """Colours of the frames by cell (source, target), the pale lines under them left out."""
    found = {}
    for frame in picture.axes[0].patches:
        if (colour := to_hex(frame.get_edgecolor())) in (FRAME, INK):
            s, t = frame.get_xy()
            assert (s % 1, t % 1) == pytest.approx((0.06, 0.06))
            found[int(s), int(t)] = colour, frame.get_linestyle()
    return found


def test_gold_links_have_frames_of_ink_and_the_wrong_cell_one_of_its_own():
    picture = judged_map(
        WEIGHTS, SOURCE, TARGET, sure={(0, 0), (1, 1)}, possible={(1, 1), (2, 2)}, wrong={(1, 0)}
    )
    found = frames(picture)
    assert {cell: colour for cell, (colour, _) in found.items()} == {
        (0, 0): INK,
        (1, 1): INK,
        (2, 2): INK,
        (1, 0): FRAME,
    }
    assert [cell for cell, (_, style) in found.items() if style not in ("-", "solid")] == [(2, 2)]
    (said,) = (t for t in picture.texts if "framed" in t.get_text())
    assert said.get_text() == "framed: gold links, dashed: possible links, red: wrong"
    assert said.get_color() == INK


def test_it_is_narrow_and_the_line_below_it_is_not_cut_off():
    words = ["Jonas", "does", "not", "meet", "the", "girl", "now", ".", "NULL"]
    weights = np.full((7, 9), 0.11)
    picture = judged_map(
        weights, words, words[:7], sure={(0, 0)}, possible={(1, 1)}, wrong={(5, 4)}
    )
    assert picture.get_figwidth() <= NARROW + 1e-9
    picture.draw_without_rendering()
    for text in [*picture.texts, *picture.axes[0].texts]:
        box = text.get_window_extent()
        assert 0 <= box.x0 <= box.x1 <= picture.bbox.width, text
    # The numbers stand in their cells, and are legible where a phone shows five sixths.
    assert {round(text.get_fontsize(), 1) >= 9.3 for text in picture.axes[0].texts} == {True}


def test_without_a_wrong_cell_nothing_is_red():
    picture = judged_map(WEIGHTS, SOURCE, TARGET, sure={(0, 0)})
    assert {colour for colour, _ in frames(picture).values()} == {INK}
    assert not any("red" in text.get_text() for text in picture.texts)


def test_a_gold_link_is_not_wrong():
    with pytest.raises(ValueError, match=r"gold links: \[\(0, 0\)\]"):
        judged_map(WEIGHTS, SOURCE, TARGET, sure={(0, 0)}, wrong={(0, 0)})
