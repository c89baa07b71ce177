"""A map beside gold links: ink for what is true, the colour of errors for what is wrong."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from course_lab.figures.still.judged_map import judged_map
from course_lab.figures.style import FRAME, INK

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
