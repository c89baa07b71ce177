"""The drawings of self-attention and of heads: what they show is what the library computes."""

import numpy as np
import torch

from course_lab.figures.drawn import clocks
from course_lab.figures.drawn.parts import Arrow, Gate
from course_lab.figures.drawn.shelf import drawing
from course_lib.attention.position import sinusoidal


def test_the_hands_of_the_clocks_are_the_sinusoidal_positions() -> None:
    wanted = sinusoidal(torch.arange(clocks.PLACES), clocks.WIDTH)
    pairs = range(clocks.WIDTH // 2)
    for place in range(clocks.PLACES):
        shown = [number for pair in pairs for number in clocks.hand(place, pair)]
        np.testing.assert_allclose(shown, wanted[place], atol=1e-6)
    parts = drawing("clocks").parts
    dials = [part for part in parts if isinstance(part, Gate)]
    ways = [part.points for part in parts if isinstance(part, Arrow)]
    assert [(dial.x, dial.y) for dial in dials] == [middle for middle, _ in ways]
    (x, y), tip = ways[1]
    across, up = clocks.hand(1, 0)
    np.testing.assert_allclose([tip[0] - x, y - tip[1]], [14.4 * across, 14.4 * up], atol=1e-6)
